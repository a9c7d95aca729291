/** What `conform` says of a system. */
export interface ConformanceVerdict {
  readonly good: boolean;
  readonly lines: readonly string[];
}
