/** How far work is, in a line. */
import { duration, grouped, significant } from './digits.ts';

/** Things that are done, and all. */
export interface HowFar {
  readonly done: number;
  readonly asked: number;
}

function payload({ done, asked }: HowFar, seconds: number) {
  const rate = done / seconds;
  return {
    done: grouped(done),
    asked: grouped(asked),
    rate: `${rate > 0 ? significant(rate, 3) : '0'}/s`,
    left: rate > 0 ? `${duration(Math.ceil((asked - done) / rate))} left` : '',
  };
}

/** `1 200 of 5 000 battles  340/s  12 s left` */
export function progressLine(state: HowFar, seconds: number, things: string): string {
  const { done, asked, rate, left } = payload(state, seconds);
  return [`${done} of ${asked} ${things}`, rate, left].filter((part) => part !== '').join('  ');
}

/** Progress of something with parts that were there before. */
export interface LongProgress {
  readonly done: number;
  readonly cells: number;
  readonly before: number;
  /** Battles that were played, of cells under way too, and those that all cells that are missing need; if they are known. */
  readonly battles?: readonly [done: number, asked: number] | undefined;
}

/** What a line tells of a sweep; the time left is that of its battles, for cells may be few and long. */
export function longLine({ done, cells, before, battles }: LongProgress, seconds: number, things: string): string {
  const all = `${grouped(done)} of ${grouped(cells)} ${things}`;
  if (battles !== undefined)
    return `${all}, ${progressLine({ done: battles[0], asked: battles[1] }, seconds, 'battles')}`;
  const { rate, left } = payload({ done: done - before, asked: cells - before }, seconds);
  return [all, ...(done > before ? [rate, left] : [])].filter((part) => part !== '').join('  ');
}
