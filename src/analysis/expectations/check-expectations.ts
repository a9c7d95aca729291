/** What is expected of scenarios. */

import { pause } from '#platform/pause';
import { checkList, createOptionsCheck, MAX_BATTLES } from '../../core/index.ts';
import { checkStart, PROGRESS_OPTIONS, type Progress } from '../../engines/index.ts';
import type { Scenario } from '../../rules/index.ts';
import {
  count,
  type OptionSpecs,
  pickOptions,
  type RequestedOptions,
  type ResolvedOptions,
  resolveOptions,
  seedOption,
} from '../../rules/option-spec.ts';
import {
  type Bounds,
  type Counts,
  computeDigest,
  type Estimand,
  hashScenario,
  type Interval,
  identifyRules,
  judgeValue,
  RULESET,
} from '../../stats/index.ts';
import {
  type BoundsDecision,
  decideBySimulation,
  decideExactly,
  findExactAnswerOffThread,
  measureUntil,
  type SequentialTestOptions,
} from '../bounds-decision.ts';
import { pickExecutionOptions, THREADS } from '../execution-options.ts';
import { RUN_LENGTH } from '../run-options.ts';
import { ALONGSIDE_BUDGET, EXACT, type ExactMode } from '../shared-options.ts';
import { simulate } from '../simulate.ts';

/** What a snapshot has of an expectation: a value or a digest. */
export interface SnapshotEntry {
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
export interface SnapshotReference {
  /** What is compared, in words: `attacker`, `digest of 100000 battles of seed 1`. */
  readonly of: string;
  /** What it was; absent if that is not known. */
  readonly kept?: SnapshotEntry;
  /** What the snapshot has in its place, if the expectation has asked for something else then. */
  readonly other?: string;
}

/** What all expectations have. */
interface ExpectationBase {
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
  readonly snapshot?: SnapshotReference;
}

/** That a number is within bounds, or what it was. */
export interface ValueExpectation extends ExpectationBase {
  readonly kind: 'value';
  readonly quantity: Estimand;
  /** Of which one may be infinite; both are, if it is compared with a snapshot. */
  readonly bounds: Bounds;
  /** With what probability the verdict may be wrong at most. */
  readonly error: number;
  /** Whether the interval of a mean holds for every law in the declared range. */
  readonly bounded: boolean;
}

/** That the digest of a run is a given one, or what it was. */
export interface DigestExpectation extends ExpectationBase {
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
function isUnchanged(value: number, { value: before = Number.NaN, interval }: SnapshotEntry): boolean {
  if (interval !== undefined) return judgeValue(value, interval) === 'holds';
  return Math.abs(value - before) <= RELATIVE * Math.max(Math.abs(value), Math.abs(before));
}

/**
 * Whether a value is what it was. Exact ones are equal up to rounding. Of one that is known by playing the intervals must
 * meet; each misses with half the error, so that it is the error with which an unchanged value fails at most.
 * @param law if it is known; otherwise battles are played
 */
async function decideAgainstSnapshot(
  { scenario, quantity, error, snapshot }: ValueExpectation,
  law: Counts | undefined,
  play: Omit<SequentialTestOptions, 'error'>,
): Promise<BoundsDecision> {
  const kept = snapshot?.kept;
  if (law !== undefined) {
    const value = quantity.computeValue(law);
    return { verdict: kept !== undefined && isUnchanged(value, kept) ? 'holds' : 'fails', value, battles: 0 };
  }
  const played = { ...play, error: error / 2 };
  if (kept === undefined) {
    const { complete, ...found } = await measureUntil(scenario, quantity, () => false, played);
    return { ...found, verdict: complete ? 'fails' : 'interrupted' };
  }
  const { value = Number.NaN, interval = [value, value] as const } = kept;
  const decided = await decideBySimulation(scenario, quantity, interval, played);
  return decided.verdict === 'undecided' ? { ...decided, verdict: 'holds' } : decided;
}

/** What came of a digest. */
interface DigestDecision extends BoundsDecision {
  /** Absent if a signal came first. */
  readonly digest?: string;
  /** The ruleset that the expected digest names, if every count is as expected and only that name is another. */
  readonly ruleset?: string;
}

const EARLIER_RULESETS = Array.from({ length: Number(RULESET) - 1 }, (_, r) => String(r + 1));

/** Plays the run of a digest. */
async function decideDigest(
  { scenario, battles, digest: given, snapshot }: DigestExpectation,
  play: Omit<SequentialTestOptions, 'battles' | 'error'>,
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
  const played = { scenarioHash: hashScenario(scenario), ...identifyRules(scenario), seed, from: 0, to: battles };
  const ruleset = EARLIER_RULESETS.find((each) => computeDigest(played, run.shape, run.tally, each) === expected);
  return { verdict: 'fails', ...found, ...(ruleset !== undefined && { ruleset }) };
}

// Decides expectations, one after the other.

/** What `checkExpectations` is asked with. */
export const CHECK_EXPECTATIONS = {
  /** In the place of the file's own. */
  seed: seedOption('override the seed of the file'),
  /** In the place of the file's own. */
  battles: count(1, MAX_BATTLES, 'override the maximum number of battles per expectation'),
  /** `auto` unless said otherwise. */
  exact: EXACT,
  /** Steps that an exact answer may take, 1..10^10; by default what is affordable beside the battles. */
  budget: ALONGSIDE_BUDGET,
  /** In the place of the file's own. */
  bounded: RUN_LENGTH.bounded,
  ...THREADS,
} as const satisfies OptionSpecs;

/** How expectations are judged. What is left out is as the file says; so are seed and battles of digests always. */
export interface CheckExpectationsOptions extends RequestedOptions<typeof CHECK_EXPECTATIONS> {
  /** Ends it early: what was decided stays, the rest is `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second while battles are played for an expectation. */
  readonly onProgress?: ((progress: Progress, expectation: Expectation) => void) | undefined;
  /** Called when an expectation is decided. */
  readonly onResult?: ((judged: ExpectationResult) => void) | undefined;
}

const checkOptions = createOptionsCheck<CheckExpectationsOptions>('checkExpectations', {
  ...CHECK_EXPECTATIONS,
  ...PROGRESS_OPTIONS,
  onResult: true,
});

/** An expectation with what came of it. */
export interface ExpectationResult extends DigestDecision {
  readonly expectation: Expectation;
}

/** Exact laws by scenario and budget, so that each is worked out once. */
class DistributionCache {
  readonly #exact: ExactMode;
  readonly #budget: number | undefined;
  readonly #known = new Map<string, Counts | undefined>();

  readonly #signal: AbortSignal | undefined;

  constructor({ exact, budget }: ResolvedOptions<typeof CHECK_EXPECTATIONS>, signal: AbortSignal | undefined) {
    this.#exact = exact;
    this.#budget = budget;
    this.#signal = signal;
  }

  /** @throws RunError if the signal comes first */
  async of({ scenario, battles }: ValueExpectation): Promise<Counts | undefined> {
    const name = `${hashScenario(scenario)} ${String(battles)}`;
    if (this.#known.has(name)) return this.#known.get(name);
    const law = (await findExactAnswerOffThread(scenario, this.#exact, battles, this.#budget, this.#signal))
      ?.distribution;
    this.#known.set(name, law);
    return law;
  }
}

const INTERRUPTED: BoundsDecision = { verdict: 'interrupted', battles: 0 };

async function decideExpectation(
  expectation: Expectation,
  laws: DistributionCache,
  options: CheckExpectationsOptions,
): Promise<DigestDecision> {
  const { signal, onProgress } = options;
  // Signals are heard between two expectations.
  await pause();
  if (signal?.aborted === true) return INTERRUPTED;
  const watch = { signal, onProgress: (progress: Progress) => onProgress?.(progress, expectation) };
  const common = {
    ...pickExecutionOptions({ ...pickOptions(THREADS, options), ...watch }),
    seed: BigInt(expectation.seed),
  };
  if (expectation.kind === 'digest') return await decideDigest(expectation, common);
  const law = await laws.of(expectation).catch((cause: unknown) => {
    if (signal?.aborted === true) return 'interrupted' as const;
    throw cause;
  });
  if (law === 'interrupted') return INTERRUPTED;
  const { scenario, quantity, bounds, battles, error, bounded, snapshot } = expectation;
  const play = { ...common, battles, bounded };
  if (snapshot !== undefined) return await decideAgainstSnapshot(expectation, law, play);
  if (law !== undefined) return decideExactly(law, quantity, bounds);
  return await decideBySimulation(scenario, quantity, bounds, { ...play, error });
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
export async function checkExpectations(
  expectations: readonly Expectation[],
  options: CheckExpectationsOptions = {},
): Promise<ExpectationResult[]> {
  checkOptions(options);
  checkList('expectations', 'the expectations of loadExpectations', expectations, 'object');
  const asked = resolveOptions(CHECK_EXPECTATIONS, options);
  const { seed, battles, bounded } = asked;
  checkStart(options.signal);
  const laws = new DistributionCache(asked, options.signal);
  const judged: ExpectationResult[] = [];
  for (const given of expectations) {
    const instead = { seed: String(seed ?? given.seed), battles: battles ?? given.battles };
    const expectation = given.kind === 'digest' ? given : { ...given, ...instead, bounded: bounded ?? given.bounded };
    const decided = { expectation, ...(await decideExpectation(expectation, laws, options)) };
    judged.push(decided);
    options.onResult?.(decided);
  }
  return judged;
}
