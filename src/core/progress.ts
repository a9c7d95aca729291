/**
 * Progress of synchronous computations, which block their thread: reported where their steps are counted. It costs time
 * only if there is a listener, and changes no result.
 */

/** Progress of a long computation. */
export interface WorkProgress {
  readonly done: number;
  readonly total: number;
  /** True if `total` is a lower bound, which grows. */
  readonly isLowerBound?: boolean;
  /** The unit: `steps`, `rounds`, `battles`, `payoffs` or `points`. */
  readonly unit: string;
}

/** Message of a computation without progress reports. */
export interface ProgressNote {
  readonly note: string;
  /** True if it remains visible. */
  readonly isWarning?: boolean;
}

let listener: ((work: WorkProgress | ProgressNote) => void) | undefined;

/** Sets or removes the listener of computations in this thread. */
export function setProgressListener(next: typeof listener): void {
  listener = next;
}

/** Steps between two reports. */
const REPORT_EVERY_STEPS = 2 ** 12;

/** Reports steps, several thousand at a time. */
export function reportSteps(done: number, expected: number): void {
  if (listener !== undefined && done % REPORT_EVERY_STEPS === 0)
    listener({ done, total: Math.max(done, expected), isLowerBound: true, unit: 'steps' });
}

/** Returns true if there is a listener. */
export const hasProgressListener = (): boolean => listener !== undefined;

/** Reports a message before a computation starts, or a warning. */
export function reportNote(note: string, isWarning = false): void {
  listener?.({ note, isWarning });
}

/** Reports progress in larger units. */
export function reportProgress(done: number, requested: number, unit: string): void {
  listener?.({ done, total: requested, unit });
}

/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 100;

/** Throttles progress to about ten times a second. */
export function throttleProgress(report: (progress: WorkProgress) => void): typeof listener {
  let due = performance.now() + REPORT_EVERY;
  return (work) => {
    if ('note' in work || performance.now() < due) return;
    due = performance.now() + REPORT_EVERY;
    report(work);
  };
}
