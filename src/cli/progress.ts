/** Progress on standard error: a bar on a terminal, elsewhere a line now and then. */
import { writeSync } from 'node:fs';
import { hearWork, type WorkNote, type WorkProgress } from '../core/index.ts';
import { type HowFar, type LongProgress, longLine, progressLine } from '../tell/index.ts';
import type { Signals } from './interrupt.ts';
import type { Long } from './options.ts';
import { say, widthsOf } from './terminal.ts';

/** Runs shorter than this, in milliseconds, need no bar. */
const PATIENCE = 400;

/** Milliseconds between two drawings of a bar. */
const DRAW_EVERY = 100;

/** Characters of a bar. */
const BAR = { least: 10, most: 40, beside: 70 };

export interface Bar {
  /** Shows how far something is; of work that says what it counts, that. */
  readonly show: ((progress: HowFar | WorkProgress | WorkNote) => void) | undefined;
  /** Removes the bar for good. */
  end(): void;
}

const NOTHING: Bar = { show: undefined, end: () => undefined };

/** Milliseconds between two lines where there is no terminal: in the first minute, and later. */
const LINES_EVERY = { soon: 10_000, late: 60_000 };

/** Says whether it is time for a line. @param now in milliseconds */
export function lineClock(began: number): (now: number) => boolean {
  let told = began;
  return (now) => {
    if (now - told < (now - began > LINES_EVERY.late ? LINES_EVERY.late : LINES_EVERY.soon)) return false;
    told = now;
    return true;
  };
}

/**
 * Writes at once: streams put off what is written while work is done at one go, those of threads all of it. A terminal
 * that takes nothing now gets the next one.
 */
function writeNow(text: string): void {
  try {
    writeSync(process.stderr.fd, text);
  } catch {
    // Progress is no reason to end.
  }
}

/** `████░░░░░░ 40 %  1 200 of 3 000 battles  340/s  6 s left`, no wider than a terminal */
export function barLine(state: HowFar, seconds: number, things: string, columns: number): string {
  const size = Math.max(BAR.least, Math.min(BAR.most, columns - BAR.beside));
  const share = state.asked > 0 ? Math.min(1, state.done / state.asked) : 0;
  const full = Math.floor(share * size);
  const bar = '█'.repeat(full) + '░'.repeat(size - full);
  const line = `${bar} ${String(Math.floor(100 * share))} %  ${progressLine(state, seconds, things)}`;
  return line.slice(0, Math.max(0, columns - 1));
}

/** Says whether it is time to draw. */
function drawClock(began: number): (now: number) => boolean {
  let drawn = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now - began < PATIENCE || now - drawn < DRAW_EVERY) return false;
    drawn = now;
    return true;
  };
}

const CLEAR = '\r\u001b[K';

/**
 * A bar for one run, or lines; nothing if it is to be quiet. Nothing is drawn of what is over soon.
 * @param things what is counted
 */
export function progressBar({ quiet = false }: Long, things = 'battles'): Bar {
  if (quiet) return NOTHING;
  const { isTTY } = process.stderr;
  const began = performance.now();
  const due = isTTY ? drawClock(began) : lineClock(began);
  let [counted, since, drawn, ended] = [things, began, false, false];
  return {
    show(state) {
      const now = performance.now();
      if ('note' in state) {
        writeNow(isTTY ? `${CLEAR}${state.note}` : `${state.note}\n`);
        drawn = isTTY;
        return;
      }
      if ('unit' in state && state.unit !== counted) [counted, since] = [state.unit, now];
      if (ended || (!isTTY && state.done >= state.asked) || !due(now)) return;
      const seconds = Math.max(1, now - since) / 1000;
      writeNow(
        isTTY
          ? `\r${barLine(state, seconds, counted, widthsOf(process.stderr).width)}\u001b[K`
          : `${progressLine(state, seconds, counted)}\n`,
      );
      drawn = isTTY;
    },
    end() {
      if (drawn && !ended) writeNow(CLEAR);
      ended = true;
    },
  };
}

/** Does what may be long work at one go, and shows how far it is. */
export async function whileTold<T>(options: Long, act: () => T | Promise<T>): Promise<T> {
  const bar = progressBar(options, 'steps');
  hearWork(bar.show);
  try {
    return await act();
  } finally {
    hearWork(undefined);
    bar.end();
  }
}

export interface LongBar {
  readonly show: (progress: LongProgress) => void;
  readonly end: () => void;
}

/**
 * A bar for a sweep; where there is no terminal, a line now and then; nothing if it is to be quiet.
 * @param things what is counted
 */
export function longProgress({ quiet = false }: Long, things: string): LongBar {
  if (quiet) return { show: () => undefined, end: () => undefined };
  const bar = process.stderr.isTTY ? progressBar({}) : NOTHING;
  const began = performance.now();
  const due = lineClock(began);
  return {
    show(state) {
      const { done, cells, before, battles = [done - before, cells - before] } = state;
      bar.show?.({ done: battles[0], asked: battles[1] });
      const now = performance.now();
      if (bar.show === undefined && due(now)) writeNow(`${longLine(state, (now - began) / 1000, things)}\n`);
    },
    end: () => {
      bar.end();
    },
  };
}

/** What a command says that leaves what is under way. */
export const LEFT = 'what is under way is left';

/** How something is followed and stopped. */
export interface BarWatch<P = Bar['show']> {
  readonly signal: AbortSignal;
  readonly onProgress: P;
}

/**
 * Does what signals stop, and shows how far it is.
 * @param stopping is said when a signal comes
 */
export async function watched<T, P>(
  bar: { readonly show: P; end(): void },
  { stop: signal }: Signals,
  act: (watch: BarWatch<P>) => Promise<T>,
  stopping?: string,
): Promise<T> {
  const tell = (): void => {
    bar.end();
    if (stopping !== undefined) say(`stopping: ${stopping}; Ctrl-C again quits at once`);
  };
  if (stopping !== undefined) signal.addEventListener('abort', tell);
  if (signal.aborted) tell();
  try {
    return await act({ signal, onProgress: bar.show });
  } finally {
    signal.removeEventListener('abort', tell);
    bar.end();
  }
}
