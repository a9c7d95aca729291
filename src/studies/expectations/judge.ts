/** What is expected of scenarios. */

import { pause } from '#platform/pause';
import {
  type Bounds,
  digest,
  type Interval,
  judgeValue,
  type Quantity,
  RULESET,
  rulesOf,
  scenarioHash,
  type Tally,
} from '../../answers/index.ts';
import { checkList, MAX_BATTLES, optionsOf } from '../../core/index.ts';
import { checkStart, type Progress, WATCH } from '../../engines/index.ts';
import type { Scenario } from '../../rules/index.ts';
import { type Asked, count, picked, type Settings, type Settled, seedOf, settled } from '../../rules/setting.ts';
import { LENGTH } from '../asked.ts';
import { answerPatiently, type Decided, decideByPlaying, decideExactly, measure, type Play } from '../decide.ts';
import { executionOf, THREADS } from '../execution.ts';
import { BESIDE_BUDGET, EXACT, type Exactness } from '../questions.ts';
import { simulate } from '../simulate.ts';

/** What a snapshot has of an expectation: a value or a digest. */
export interface KeptExpectation {
  /** When it was kept. */
  readonly ruleset: string;
  /** The hash of the scenario. */
  readonly scenario: string;
  /** Exact, unless there is an interval. */
  readonly value?: number | undefined;
  readonly interval?: Interval | undefined;
  readonly digest?: string | undefined;
}

/** That an answer is what it was. */
export interface SnapshotOf {
  /** What is compared, in words: `attacker`, `digest of 100000 battles of seed 1`. */
  readonly of: string;
  /** What it was; absent if that is not known. */
  readonly kept?: KeptExpectation;
  /** What the snapshot has in its place, if the expectation has asked for something else then. */
  readonly other?: string;
}

/** What all expectations have. */
interface Named {
  readonly name: string;
  /** Where its sentence stands: `balance.yaml:6:13`; `stdin:6:13` of standard input. */
  readonly place: string;
  /** Complete, with its changes. */
  readonly scenario: Scenario;
  /** The file that it is from, as it was written; undefined if it stands in the file of expectations. */
  readonly file: string | undefined;
  /** The sentence; of a digest `digest` and what it should be. */
  readonly expect: string;
  /** In decimal. */
  readonly seed: string;
  /** How many may be played; of a digest how many are. */
  readonly battles: number;
  /** Absent if it is not compared with a snapshot. */
  readonly snapshot?: SnapshotOf;
}

/** That a number is within bounds, or what it was. */
export interface ValueExpectation extends Named {
  readonly kind: 'value';
  readonly quantity: Quantity;
  /** Of which one may be infinite; both are, if it is compared with a snapshot. */
  readonly bounds: Bounds;
  /** With what probability the verdict may be wrong at most. */
  readonly error: number;
  /** Whether the interval of a mean holds for every law in the declared range. */
  readonly bounded: boolean;
}

/** That the digest of a run is a given one, or what it was. */
export interface DigestExpectation extends Named {
  readonly kind: 'digest';
  /** Absent if it is compared with a snapshot. */
  readonly digest?: string;
}

/** Something that should hold of a scenario. */
export type Expectation = ValueExpectation | DigestExpectation;

// Decides whether an answer is what it was, and whether a run has the digest that it should have.

/** By how much, in units of the larger, exact values may differ that are the same. */
const RELATIVE = 1e-9;

/** The exact value beside what is kept: another exact value, or an interval. */
function isAsKept(value: number, { value: before = Number.NaN, interval }: KeptExpectation): boolean {
  if (interval !== undefined) return judgeValue(value, interval) === 'holds';
  return Math.abs(value - before) <= RELATIVE * Math.max(Math.abs(value), Math.abs(before));
}

/**
 * Whether a value is what it was. Exact ones are equal up to rounding. Of one that is known by playing the intervals must
 * meet; each misses with half the error, so that it is the error with which an unchanged value fails at most.
 * @param law if it is known; otherwise battles are played
 */
async function decideAsKept(
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
interface DigestDecision extends Decided {
  /** Absent if a signal came first. */
  readonly digest?: string;
  /** The ruleset that the expected digest names, if every count is as expected and only that name is another. */
  readonly ruleset?: string;
}

const EARLIER = Array.from({ length: Number(RULESET) - 1 }, (_, r) => String(r + 1));

/** Plays the run of a digest. */
async function decideDigest(
  { scenario, battles, digest: given, snapshot }: DigestExpectation,
  play: Omit<Play, 'battles' | 'error'>,
): Promise<DigestDecision> {
  const { seed, signal } = play;
  const run = await simulate(scenario, { ...play, battles }).catch((cause: unknown) => {
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

// Decides expectations, one after the other.

/** What `judgeExpectations` is asked with. */
export const JUDGE = {
  /** In the place of the file's own. */
  seed: seedOf('seed in the place of the file’s own'),
  /** In the place of the file's own. */
  battles: count(1, MAX_BATTLES, 'most battles for each, in the place of the file’s own'),
  /** `auto` unless said otherwise. */
  exact: EXACT,
  /** Steps that an exact answer may take, 1..10^10; by default what is affordable beside the battles. */
  budget: BESIDE_BUDGET,
  /** In the place of the file's own. */
  bounded: LENGTH.bounded,
  ...THREADS,
} as const satisfies Settings;

/** How expectations are judged. What is left out is as the file says; so are seed and battles of digests always. */
export interface JudgeOptions extends Asked<typeof JUDGE> {
  /** Ends it early: what was decided stays, the rest is `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second while battles are played for an expectation. */
  readonly onProgress?: ((progress: Progress, expectation: Expectation) => void) | undefined;
  /** Called when an expectation is decided. */
  readonly onJudged?: ((judged: Judged) => void) | undefined;
}

const checkOptions = optionsOf<JudgeOptions>('judgeExpectations', {
  ...JUDGE,
  ...WATCH,
  onJudged: true,
});

/** An expectation with what came of it. */
export interface Judged extends DigestDecision {
  readonly expectation: Expectation;
}

/** Exact laws by scenario and budget, so that each is worked out once. */
class Laws {
  readonly #exact: Exactness;
  readonly #budget: number | undefined;
  readonly #known = new Map<string, Tally | undefined>();

  readonly #signal: AbortSignal | undefined;

  constructor({ exact, budget }: Settled<typeof JUDGE>, signal: AbortSignal | undefined) {
    this.#exact = exact;
    this.#budget = budget;
    this.#signal = signal;
  }

  /** @throws RunError if the signal comes first */
  async of({ scenario, battles }: ValueExpectation): Promise<Tally | undefined> {
    const name = `${scenarioHash(scenario)} ${String(battles)}`;
    if (this.#known.has(name)) return this.#known.get(name);
    const law = (await answerPatiently(scenario, this.#exact, battles, this.#budget, this.#signal))?.law;
    this.#known.set(name, law);
    return law;
  }
}

const INTERRUPTED: Decided = { verdict: 'interrupted', battles: 0 };

async function decisionOf(expectation: Expectation, laws: Laws, options: JudgeOptions): Promise<DigestDecision> {
  const { signal, onProgress } = options;
  // Signals are heard between two expectations.
  await pause();
  if (signal?.aborted === true) return INTERRUPTED;
  const watch = { signal, onProgress: (progress: Progress) => onProgress?.(progress, expectation) };
  const common = { ...executionOf({ ...picked(THREADS, options), ...watch }), seed: BigInt(expectation.seed) };
  if (expectation.kind === 'digest') return await decideDigest(expectation, common);
  const law = await laws.of(expectation).catch((cause: unknown) => {
    if (signal?.aborted === true) return 'interrupted' as const;
    throw cause;
  });
  if (law === 'interrupted') return INTERRUPTED;
  const { scenario, quantity, bounds, battles, error, bounded, snapshot } = expectation;
  const play = { ...common, battles, bounded };
  if (snapshot !== undefined) return await decideAsKept(expectation, law, play);
  if (law !== undefined) return decideExactly(law, quantity, bounds);
  return await decideByPlaying(scenario, quantity, bounds, { ...play, error });
}

/**
 * Decides each expectation: by the exact law of its scenario where that is affordable, otherwise by playing battles
 * 0, 1, ... of its seed until an interval tells or its battles are used up. Each verdict by playing is wrong with its
 * error at most; it depends on the expectation alone.
 * @param expectations from `loadExpectations`
 * @throws InputError if an option is out of range
 * @throws BudgetError if exact answers are always asked for, and one is too large
 * @throws RunError if battles could not be played
 */
export async function judgeExpectations(
  expectations: readonly Expectation[],
  options: JudgeOptions = {},
): Promise<Judged[]> {
  checkOptions(options);
  checkList('expectations', 'the expectations of loadExpectations', expectations, 'object');
  const asked = settled(JUDGE, options);
  const { seed, battles, bounded } = asked;
  checkStart(options.signal);
  const laws = new Laws(asked, options.signal);
  const judged: Judged[] = [];
  for (const given of expectations) {
    const instead = { seed: String(seed ?? given.seed), battles: battles ?? given.battles };
    const expectation = given.kind === 'digest' ? given : { ...given, ...instead, bounded: bounded ?? given.bounded };
    const decided = { expectation, ...(await decisionOf(expectation, laws, options)) };
    judged.push(decided);
    options.onJudged?.(decided);
  }
  return judged;
}
