/** Progress lines. */
import { formatDuration, formatGrouped, formatSignificant } from './number-format.ts';

/** Numbers of completed items and of all items. */
export interface ProgressCount {
  readonly done: number;
  readonly total: number;
  /** True if `total` is a lower bound. */
  readonly isLowerBound?: boolean;
  readonly unit?: string;
}

function toProgressPayload({ done, total, isLowerBound = false }: ProgressCount, seconds: number) {
  const rate = done / seconds;
  const least = isLowerBound ? 'at least ' : '';
  return {
    done: formatGrouped(done),
    asked: `${least}${formatGrouped(total)}`,
    rate: `${rate > 0 ? formatSignificant(rate, 3) : '0'}/s`,
    left:
      rate > 0 && !(isLowerBound && total <= done)
        ? `${least}${formatDuration(Math.ceil((total - done) / rate))} left`
        : '',
  };
}

/** `1 200 of 5 000 battles  340/s  12 s left`, `1 200 of at least 5 000 steps  340/s  at least 12 s left` */
export function formatProgress(state: ProgressCount, seconds: number, things: string): string {
  const { done, asked: requested, rate, left } = toProgressPayload(state, seconds);
  return [`${done} of ${requested} ${things}`, rate, left].filter((part) => part !== '').join('  ');
}

/** Progress of a store that may contain cells from before. */
export interface SweepProgressState {
  readonly done: number;
  readonly cells: number;
  readonly before: number;
  /** Simulated battles, including incomplete cells, and battles of all missing cells, if known. */
  readonly battles?: readonly [done: number, asked: number] | undefined;
}

/** Formats the progress of a sweep. The remaining time is based on battles, because cells may be few and long. */
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
