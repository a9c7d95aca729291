/** Decides whether an answer is what it was, and whether a run has the digest that it should have. */

import { judgeValue } from '../../answers/bounds.ts';
import { digest, RULESET, rulesOf, scenarioHash } from '../../answers/digest.ts';
import type { Tally } from '../../answers/tally.ts';
import { type Decided, decideByPlaying, measure, type Play } from '../decide.ts';
import { simulate } from '../simulate.ts';
import type { DigestExpectation, KeptExpectation, ValueExpectation } from './expectation.ts';

/** By how much, in units of the larger, exact values may differ that are the same. */
const RELATIVE = 1e-9;

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b));
}

/** The exact value beside what is kept: another exact value, or an interval. */
function isAsKept(value: number, { value: before = Number.NaN, interval }: KeptExpectation): boolean {
  return interval === undefined ? same(value, before) : judgeValue(value, interval) === 'holds';
}

/**
 * Whether a value is what it was. Exact ones are equal up to rounding. Of one that is known by playing the intervals must
 * meet; each misses with half the error, so that it is the error with which an unchanged value fails at most.
 * @param law if it is known; otherwise battles are played
 */
export async function decideAsKept(
  { scenario, quantity, error, snapshot }: ValueExpectation,
  law: Tally | undefined,
  play: Omit<Play, 'error'>,
): Promise<Decided> {
  const kept = snapshot?.kept;
  if (law !== undefined) {
    const value = quantity.value(law);
    return { verdict: kept !== undefined && isAsKept(value, kept) ? 'holds' : 'fails', value, battles: 0 };
  }
  const played = { ...play, error: error / 2 };
  if (kept === undefined) {
    const { complete, ...found } = await measure(scenario, quantity, () => false, played);
    return { ...found, verdict: complete ? 'fails' : 'interrupted' };
  }
  const { value = Number.NaN, interval = [value, value] as const } = kept;
  const decided = await decideByPlaying(scenario, quantity, interval, played);
  return decided.verdict === 'undecided' ? { ...decided, verdict: 'holds' } : decided;
}

/** What came of a digest. */
export interface DigestDecision extends Decided {
  /** Absent if a signal came first. */
  readonly digest?: string;
  /** The ruleset that the expected digest names, if every count is as expected and only that name is another. */
  readonly ruleset?: string;
}

const EARLIER = Array.from({ length: Number(RULESET) - 1 }, (_, r) => String(r + 1));

/** Plays the run of a digest. */
export async function decideDigest(
  { scenario, battles, digest: given, snapshot }: DigestExpectation,
  { seed, signal, workers, onProgress }: Pick<Play, 'seed' | 'signal' | 'workers' | 'onProgress'>,
): Promise<DigestDecision> {
  const run = await simulate(scenario, { seed, battles, signal, workers, onProgress }).catch((cause: unknown) => {
    if (signal?.aborted === true) return undefined;
    throw cause;
  });
  if (run?.complete !== true) return { verdict: 'interrupted', battles: run === undefined ? 0 : run.to };
  const expected = given ?? snapshot?.kept?.digest;
  const found = { battles, digest: run.digest };
  if (run.digest === expected) return { verdict: 'holds', ...found };
  const played = { scenarioHash: scenarioHash(scenario), ...rulesOf(scenario), seed, from: 0, to: battles };
  const ruleset = EARLIER.find((each) => digest(played, run.shape, run.tally, each) === expected);
  return { verdict: 'fails', ...found, ...(ruleset !== undefined && { ruleset }) };
}
