/** A progress bar on standard error; nothing where that is not a terminal. */
import type { SingleBar } from 'cli-progress';
import type { Progress } from '../pool/run.ts';
import { duration, grouped, significant } from '../report/digits.ts';

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

/**
 * A bar for one run. It is made only when the run takes long.
 * @param quiet never show one
 */
export function progressBar(quiet: boolean): Bar {
  if (quiet || !process.stderr.isTTY) return NOTHING;
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

/** Milliseconds between two lines where there is no terminal. */
const LINE_EVERY = 10_000;

/** Progress of something with parts that were there before. */
export interface LongProgress {
  readonly done: number;
  readonly cells: number;
  readonly before: number;
}

export interface LongBar {
  readonly show: (progress: LongProgress) => void;
  readonly end: () => void;
}

/**
 * A bar for a sweep; where there is no terminal, a line every ten seconds.
 * @param quiet show nothing
 * @param things what is counted
 */
export function longProgress(quiet: boolean, things: string): LongBar {
  if (quiet) return { show: () => undefined, end: () => undefined };
  const bar = progressBar(false);
  const began = performance.now();
  let told = began;
  return {
    show({ done, cells, before }) {
      bar.show?.({ done: done - before, asked: cells - before });
      const time = performance.now();
      if (bar.show !== undefined || time - told < LINE_EVERY) return;
      told = time;
      const { rate, left } = payload({ done: done - before, asked: cells - before }, (time - began) / 1000);
      process.stderr.write(`${grouped(done)} of ${grouped(cells)} ${things}  ${rate}  ${left}\n`);
    },
    end: () => {
      bar.end();
    },
  };
}
