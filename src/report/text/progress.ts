/** How far work is, in a line. */
import { formatDuration, formatGrouped, formatSignificant } from './number-format.ts';

/** Things that are done, and all. */
export interface ProgressCount {
  readonly done: number;
  readonly total: number;
}

function toProgressPayload({ done, total }: ProgressCount, seconds: number) {
  const rate = done / seconds;
  return {
    done: formatGrouped(done),
    asked: formatGrouped(total),
    rate: `${rate > 0 ? formatSignificant(rate, 3) : '0'}/s`,
    left: rate > 0 ? `${formatDuration(Math.ceil((total - done) / rate))} left` : '',
  };
}

/** `1 200 of 5 000 battles  340/s  12 s left` */
export function formatProgress(state: ProgressCount, seconds: number, things: string): string {
  const { done, asked, rate, left } = toProgressPayload(state, seconds);
  return [`${done} of ${asked} ${things}`, rate, left].filter((part) => part !== '').join('  ');
}

/** Progress of something with parts that were there before. */
export interface SweepProgressState {
  readonly done: number;
  readonly cells: number;
  readonly before: number;
  /** Battles that were played, of cells under way too, and those that all cells that are missing need; if they are known. */
  readonly battles?: readonly [done: number, asked: number] | undefined;
}

/** What a line tells of a sweep; the time left is that of its battles, for cells may be few and long. */
export function formatSweepProgress(
  { done, cells, before, battles }: SweepProgressState,
  seconds: number,
  things: string,
): string {
  const all = `${formatGrouped(done)} of ${formatGrouped(cells)} ${things}`;
  if (battles !== undefined)
    return `${all}, ${formatProgress({ done: battles[0], total: battles[1] }, seconds, 'battles')}`;
  const { rate, left } = toProgressPayload({ done: done - before, total: cells - before }, seconds);
  return [all, ...(done > before ? [rate, left] : [])].filter((part) => part !== '').join('  ');
}
