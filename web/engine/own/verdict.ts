/** What `conform` says of a system. */
export interface Verdict {
  readonly good: boolean;
  readonly lines: readonly string[];
}
