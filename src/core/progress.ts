/**
 * Long work that is done at one go, while nothing else can run in its thread: it tells how far it is where its steps are
 * counted. Only who listens pays for that, and it changes no result.
 */

/** Progress of a long computation. Where `asked` is an estimate, it is rather too low, and grows. */
export interface WorkProgress {
  readonly done: number;
  readonly total: number;
  /** The unit: `steps`, `rounds`, `battles`, `payoffs` or `points`. */
  readonly unit: string;
}

/** What is told of work that cannot tell how far it is. */
export interface ProgressNote {
  readonly note: string;
}

let listener: ((work: WorkProgress | ProgressNote) => void) | undefined;

/** From now on this one is told of work in this thread, or nobody. */
export function setProgressListener(hear: typeof listener): void {
  listener = hear;
}

/** Steps between two times that they are told. */
const REPORT_EVERY_STEPS = 2 ** 12;

/** Tells of a step, some thousand of them at a time. */
export function reportSteps(done: number, expected: number): void {
  if (listener !== undefined && done % REPORT_EVERY_STEPS === 0)
    listener({ done, total: Math.max(done, expected), unit: 'steps' });
}

/** Whether somebody listens. */
export const hasProgressListener = (): boolean => listener !== undefined;

/** Says what comes, before it begins. */
export function reportNote(note: string): void {
  listener?.({ note });
}

/** Tells of larger pieces. */
export function reportProgress(done: number, asked: number, unit: string): void {
  listener?.({ done, total: asked, unit });
}

/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 100;

/** Passes progress on, about ten times a second. */
export function throttleProgress(report: (progress: WorkProgress) => void): typeof listener {
  let due = performance.now() + REPORT_EVERY;
  return (work) => {
    if ('note' in work || performance.now() < due) return;
    due = performance.now() + REPORT_EVERY;
    report(work);
  };
}
