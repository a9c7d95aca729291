/** Result of `conform` for a system. */
export interface ConformanceVerdict {
  readonly good: boolean;
  readonly lines: readonly string[];
}
