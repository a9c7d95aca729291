/** Progress on standard error: a bar on a terminal, elsewhere a line now and then. */
import type { SingleBar } from 'cli-progress';
import type { Progress } from '../engines/pool/run.ts';
import { duration, grouped, significant } from '../tell/text/digits.ts';
import { say } from './terminal.ts';

/** Runs shorter than this, in milliseconds, need no bar. */
const PATIENCE = 400;

export interface Bar {
  readonly show: ((progress: Progress) => void) | undefined;
  /** Removes the bar for good. */
  end(): void;
}

const NOTHING: Bar = { show: undefined, end: () => undefined };

function payload({ done, asked }: Progress, seconds: number) {
  const rate = done / seconds;
  return {
    done: grouped(done),
    asked: grouped(asked),
    rate: `${rate > 0 ? significant(rate, 3) : '0'}/s`,
    left: rate > 0 ? `${duration(Math.ceil((asked - done) / rate))} left` : '',
  };
}

async function makeBar(): Promise<SingleBar> {
  const { default: progress } = await import('cli-progress');
  const room = process.stderr.columns - 70;
  return new progress.SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {percentage} %  {done} of {asked}  {rate}  {left}',
      barsize: Math.max(10, Math.min(40, room)),
      clearOnComplete: true,
    },
    progress.Presets.shades_classic,
  );
}

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

/** `1 200 of 5 000 battles  340/s  12 s left` */
export function progressLine(state: Progress, seconds: number, things: string): string {
  const { done, asked, rate, left } = payload(state, seconds);
  return [`${done} of ${asked} ${things}`, rate, left].filter((part) => part !== '').join('  ');
}

function lines(things: string): Bar {
  const began = performance.now();
  const due = lineClock(began);
  return {
    show(state) {
      const now = performance.now();
      if (state.done < state.asked && due(now)) say(progressLine(state, (now - began) / 1000, things));
    },
    end: () => undefined,
  };
}

/**
 * A bar for one run, or lines. It is made only when the run takes long.
 * @param quiet  never show one
 * @param things what is counted
 */
export function progressBar(quiet: boolean, things = 'battles'): Bar {
  if (quiet) return NOTHING;
  if (!process.stderr.isTTY) return lines(things);
  const began = performance.now();
  let making = false;
  let bar: SingleBar | undefined;
  let ended = false;
  return {
    show(state) {
      const elapsed = performance.now() - began;
      if (ended || elapsed < PATIENCE) return;
      if (!making) {
        making = true;
        void makeBar().then((made) => {
          bar = made;
        });
      }
      const shown = payload(state, elapsed / 1000);
      if (bar?.isActive === true) bar.update(state.done, shown);
      else if (state.done < state.asked) bar?.start(state.asked, state.done, shown);
    },
    end() {
      ended = true;
      bar?.stop();
    },
  };
}

/** Progress of something with parts that were there before. */
export interface LongProgress {
  readonly done: number;
  readonly cells: number;
  readonly before: number;
  /** Battles that were played, of cells under way too, and those that all cells that are missing need; if they are known. */
  readonly battles?: readonly [done: number, asked: number] | undefined;
}

export interface LongBar {
  readonly show: (progress: LongProgress) => void;
  readonly end: () => void;
}

/** What a line tells of a sweep; the time left is that of its battles, for cells may be few and long. */
export function longLine({ done, cells, before, battles }: LongProgress, seconds: number, things: string): string {
  const all = `${grouped(done)} of ${grouped(cells)} ${things}`;
  if (battles !== undefined)
    return `${all}, ${progressLine({ done: battles[0], asked: battles[1] }, seconds, 'battles')}`;
  const { rate, left } = payload({ done: done - before, asked: cells - before }, seconds);
  return [all, ...(done > before ? [rate, left] : [])].filter((part) => part !== '').join('  ');
}

/**
 * A bar for a sweep; where there is no terminal, a line now and then.
 * @param quiet show nothing
 * @param things what is counted
 */
export function longProgress(quiet: boolean, things: string): LongBar {
  if (quiet) return { show: () => undefined, end: () => undefined };
  const bar = process.stderr.isTTY ? progressBar(false) : NOTHING;
  const began = performance.now();
  const due = lineClock(began);
  return {
    show(state) {
      const { done, cells, before, battles = [done - before, cells - before] } = state;
      bar.show?.({ done: battles[0], asked: battles[1] });
      const now = performance.now();
      if (bar.show === undefined && due(now)) say(longLine(state, (now - began) / 1000, things));
    },
    end: () => {
      bar.end();
    },
  };
}
