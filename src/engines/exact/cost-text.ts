/** Formats the cost of a chain for messages; never part of a result. */
import { formatGrouped } from '../../core/index.ts';
import type { ChainSize } from './chain-size.ts';

/** Progress of an exploration. */
export interface ExplorationProgress extends ChainSize {
  readonly transitions: number;
  /** Total memory in bytes, if known. */
  readonly bytes?: number;
  /** Duration without estimates. */
  readonly seconds: number;
}

/** Bytes of a state with its key, measured on custom systems (160 to 340), and of a transition. */
const BYTES = { state: 250, transition: 12 };

type UnitScale = readonly (readonly [least: number, one: string, more: string])[];

const TIMES: UnitScale = [
  [86_400, 'day', 'days'],
  [3600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
  [1, 'second', 'seconds'],
];
const SIZES: UnitScale = [
  [1e9, 'GB', 'GB'],
  [1e6, 'MB', 'MB'],
];

/** Formats a value to one digit in the largest unit of which it has at least one. */
function formatCoarse(value: number, units: UnitScale): string {
  for (const [least, one, more] of units) {
    const count = Number((value / least).toPrecision(1));
    if (count >= 1) return `${formatGrouped(count)} ${count === 1 ? one : more}`;
  }
  return `1 ${units.at(-1)?.[1] ?? ''}`;
}

/** Formats `about 2 minutes and 300 MB`. */
function formatCost({ states, steps }: ChainSize, pace: ExplorationProgress): string {
  const share = steps / Math.max(1, pace.steps);
  const { bytes = states * BYTES.state + share * pace.transitions * BYTES.transition } = pace;
  return `about ${formatSeconds(share * pace.seconds)} and ${formatCoarse(bytes, SIZES)}`;
}

/** Formats `2 minutes`. */
export const formatSeconds = (seconds: number): string => formatCoarse(seconds, TIMES);

/** Estimates the bytes of a chain with known states. */
export const estimateBytes = ({ states, transitions }: Omit<ExplorationProgress, 'steps' | 'seconds'>): number =>
  states * BYTES.state + transitions * BYTES.transition;

/** Formats `about 24 000 states and 1 400 000 steps or more are expected, about 20 seconds and 10 MB`. */
export function formatSize(size: ChainSize, pace: ExplorationProgress): string {
  const [found, taken] = [size.states, size.steps].map((value) => formatGrouped(Number(value.toPrecision(2))));
  const price = formatCost(size, pace);
  return `about ${found ?? ''} states and ${taken ?? ''} steps or more are expected, ${price}`;
}
