/** Decides whether a number of a scenario lies within bounds: exactly, or by playing until an interval tells. */
import { fixedLooks, playLegs } from './pool/own.ts';
import type { Progress } from './pool/run.ts';
import { type Bounds, judgeValue, trial, type Verdict } from './stats/bounds.ts';
import { type Interval, unseenMove } from './stats/intervals.ts';
import type { Quantity } from './stats/quantity.ts';
import { battlesIn, type Tally } from './stats/tally.ts';
import type { Scenario } from './systems/system.ts';

/** How a number is known. */
export interface Known {
  readonly value: number;
  /** Absent if the value is exact. */
  readonly interval?: Interval;
  /** Of a mean by playing: by how much values that came in no battle may move it, at 97.5 %; the interval counts them. */
  readonly unseen?: number;
  /** That were played; 0 if the value is exact. */
  readonly battles: number;
}

/** `interrupted`: a signal came first; what is known then has no interval. */
export interface Decision extends Partial<Known> {
  readonly verdict: Verdict | 'interrupted';
  readonly battles: number;
}

/** How battles are played. */
export interface Play {
  readonly seed: bigint;
  /** Index of the first battle. */
  readonly from?: number;
  /** How many may be played. */
  readonly battles: number;
  /** With what probability the decision may be wrong at most. */
  readonly error: number;
  /** Means have intervals that hold for every law in the declared range. */
  readonly bounded?: boolean | undefined;
  readonly workers?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Decides by an exact law. */
export function decideExactly(law: Tally, quantity: Quantity, bounds: Bounds): Decision & Known {
  const value = quantity.value(law);
  return { verdict: judgeValue(value, bounds), value, battles: 0 };
}

/** Decides by playing, look by look. Threads change no result. */
export async function decideByPlaying(
  scenario: Scenario,
  quantity: Quantity,
  bounds: Bounds,
  { seed, from = 0, battles, error, bounded, workers, signal, onProgress }: Play,
): Promise<Decision> {
  const { looks, interval, judge } = trial(quantity, bounds, battles, error, bounded);
  const { tally, complete } = await playLegs(
    { engine: 'kernel', scenario, seed, from, to: from + battles },
    fixedLooks(looks, (so) => judge(so) !== 'undecided'),
    { workers, signal, onProgress },
  );
  const played = battlesIn(tally);
  if (!looks.includes(played)) {
    return { verdict: 'interrupted', battles: played, ...(played > 0 && { value: quantity.value(tally) }) };
  }
  const verdict = judge(tally);
  const stopped = verdict === 'undecided' && !complete;
  return {
    verdict: stopped ? 'interrupted' : verdict,
    value: quantity.value(tally),
    interval: interval(tally),
    ...(quantity.kind === 'mean' && { unseen: unseenMove(played, quantity.range) }),
    battles: played,
  };
}
