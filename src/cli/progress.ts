/** Progress on standard error: a bar on a terminal, otherwise occasional lines. */
import { writeSync } from 'node:fs';
import { type ProgressNote, setProgressListener, type WorkProgress } from '../core/index.ts';
import { formatProgress, formatSweepProgress, type ProgressCount, type SweepProgressState } from '../report/index.ts';
import type { Signals } from './interrupt.ts';
import type { LongRunningOptions } from './options.ts';
import { measureWidths, printStatus } from './terminal.ts';

/** Runs shorter than this, in milliseconds, need no bar. */
const DELAY_MS = 400;

/** Milliseconds between two redraws of a bar. */
const DRAW_MS = 100;

/** Characters of a bar. */
const BAR_WIDTHS = { least: 10, most: 40, beside: 70 };

export interface ProgressBar {
  /** Shows progress, as a count of the work's units if it has one. */
  readonly show: ((progress: ProgressCount | WorkProgress | ProgressNote) => void) | undefined;
  /** Removes the bar for good. */
  end(): void;
}

const NO_BAR: ProgressBar = { show: undefined, end: () => undefined };

/** Milliseconds between lines without a terminal: in the first minute, and later. */
const LINE_MS = { soon: 10_000, late: 60_000 };

/** Creates a function that returns true when a line is due. @param now in milliseconds */
export function createLineClock(began: number): (now: number) => boolean {
  let reported = began;
  return (now) => {
    if (now - reported < (now - began > LINE_MS.late ? LINE_MS.late : LINE_MS.soon)) return false;
    reported = now;
    return true;
  };
}

/**
 * Writes synchronously: streams delay output during blocking work, and those of threads delay all of it. If the
 * terminal is not ready, the line is skipped.
 */
function writeSynchronously(text: string): void {
  try {
    writeSync(process.stderr.fd, text);
  } catch {
    // A failure to print progress is ignored.
  }
}

/** `████░░░░░░ 40 %  1 200 of 3 000 battles  340/s  6 s left`, no wider than a terminal */
export function formatBar(state: ProgressCount, seconds: number, things: string, columns: number): string {
  const size = Math.max(BAR_WIDTHS.least, Math.min(BAR_WIDTHS.most, columns - BAR_WIDTHS.beside));
  const share = state.total > 0 ? Math.min(1, state.done / state.total) : 0;
  const full = Math.floor(share * size);
  const bar = '█'.repeat(full) + '░'.repeat(size - full);
  const line = `${bar} ${String(Math.floor(100 * share))} %  ${formatProgress(state, seconds, things)}`;
  return line.slice(0, Math.max(0, columns - 1));
}

/** Creates a function that returns true when a redraw is due. */
function createDrawClock(began: number): (now: number) => boolean {
  let drawn = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now - began < DELAY_MS || now - drawn < DRAW_MS) return false;
    drawn = now;
    return true;
  };
}

const CLEAR = '\r\u001b[K';

/**
 * Creates a progress bar for one run, or lines without a terminal; quiet shows nothing. Short runs draw nothing.
 * @param things unit of progress
 */
export function createProgressBar({ quiet = false }: LongRunningOptions, things = 'battles'): ProgressBar {
  if (quiet) return NO_BAR;
  const { isTTY } = process.stderr;
  const began = performance.now();
  const due = isTTY ? createDrawClock(began) : createLineClock(began);
  let [counted, since, drawn, ended] = [things, began, false, false];
  type State = Parameters<NonNullable<ProgressBar['show']>>[0];
  const draw = (state: Exclude<State, { note: unknown }>, now: number): void => {
    const seconds = Math.max(1, now - since) / 1000;
    writeSynchronously(
      isTTY
        ? `\r${formatBar(state, seconds, counted, measureWidths(process.stderr).width)}\u001b[K`
        : `${formatProgress(state, seconds, counted)}\n`,
    );
    drawn = isTTY;
  };
  const showNote = ({ note, isWarning = false }: ProgressNote): void => {
    writeSynchronously(`${isTTY ? CLEAR : ''}${note}${isTTY && !isWarning ? '' : '\n'}`);
    drawn = isTTY && !isWarning;
  };
  // The next report may come much later.
  const postpone = (state: State): void => {
    const showFirst = (): void => {
      if (!drawn) show(state);
    };
    if (isTTY) setTimeout(showFirst, DELAY_MS).unref();
  };
  const show = (state: State): void => {
    if ('note' in state) {
      showNote(state);
      return;
    }
    const now = performance.now();
    const { unit = things } = state;
    if (unit !== counted) [counted, since] = [unit, now];
    if (ended || (!isTTY && state.done >= state.total)) return;
    if (due(now)) draw(state, now);
    else if (state.done === 0) postpone(state);
  };
  return {
    show,
    end() {
      if (drawn && !ended) writeSynchronously(CLEAR);
      ended = true;
    },
  };
}

/** Runs blocking work that may be long, with progress. */
export async function runWithProgress<T>(options: LongRunningOptions, act: () => T | Promise<T>): Promise<T> {
  const bar = createProgressBar(options, 'steps');
  setProgressListener(bar.show);
  try {
    return await act();
  } finally {
    setProgressListener(undefined);
    bar.end();
  }
}

export interface LongProgressBar {
  readonly show: (progress: SweepProgressState) => void;
  readonly end: () => void;
}

/**
 * Creates a progress bar for a sweep; without a terminal, occasional lines; quiet shows nothing.
 * @param things unit of progress
 */
export function createLongProgressBar({ quiet = false }: LongRunningOptions, things: string): LongProgressBar {
  if (quiet) return { show: () => undefined, end: () => undefined };
  const bar = process.stderr.isTTY ? createProgressBar({}, things) : NO_BAR;
  const began = performance.now();
  const due = createLineClock(began);
  return {
    show(state) {
      const { done, cells, before, battles } = state;
      const [count, total] = battles ?? [done - before, cells - before];
      bar.show?.({ done: count, total, unit: battles === undefined ? things : 'battles' });
      const now = performance.now();
      if (bar.show === undefined && due(now))
        writeSynchronously(`${formatSweepProgress(state, (now - began) / 1000, things)}\n`);
    },
    end: () => {
      bar.end();
    },
  };
}

/** Message of commands that discard unfinished work after a signal. */
export const LEFT = 'unfinished work is discarded';

/** Progress and signal of work. */
export interface BarWatch<P = ProgressBar['show']> {
  readonly signal: AbortSignal;
  readonly onProgress: P;
}

/**
 * Runs work that signals stop, with progress.
 * @param stopping message after a signal
 */
export async function watched<T, P>(
  bar: { readonly show: P; end(): void },
  { stop: signal }: Signals,
  act: (watch: BarWatch<P>) => Promise<T>,
  stopping?: string,
): Promise<T> {
  const showStopping = (): void => {
    bar.end();
    if (stopping !== undefined) printStatus(`stopping: ${stopping}; Ctrl-C again quits at once`);
  };
  if (stopping !== undefined) signal.addEventListener('abort', showStopping);
  if (signal.aborted) showStopping();
  try {
    return await act({ signal, onProgress: bar.show });
  } finally {
    signal.removeEventListener('abort', showStopping);
    bar.end();
  }
}
