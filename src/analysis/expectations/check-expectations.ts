/** Checks the expectations of scenarios. */

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

/** Entry of a snapshot for an expectation: a value or a digest. */
export interface SnapshotEntry {
  /** Ruleset of the stored value. */
  readonly ruleset: string;
  /** Hash of the scenario. */
  readonly scenario: string;
  /** Exact if there is no interval. */
  readonly value?: number | undefined;
  readonly interval?: Interval | undefined;
  readonly digest?: string | undefined;
}

/** Expectation that a result equals its snapshot. */
export interface SnapshotReference {
  /** Description of the compared value: `attacker`, `digest of 100000 battles of seed 1`. */
  readonly of: string;
  /** Stored entry; absent if there is none. */
  readonly kept?: SnapshotEntry;
  /** Value that the snapshot has instead, if the expectation has changed. */
  readonly other?: string;
}

/** Common fields of expectations. */
interface ExpectationBase {
  readonly name: string;
  /** Position of the expectation: `balance.yaml:6:13`; `stdin:6:13` for standard input. */
  readonly place: string;
  /** Complete scenario with its changes. */
  readonly scenario: Scenario;
  /** Path of the scenario file as written; undefined if the scenario is in the file of expectations. */
  readonly file: string | undefined;
  /** The sentence; for a digest `digest` and the expected value. */
  readonly expect: string;
  /** Seed in decimal. */
  readonly seed: string;
  /** Maximum number of battles; for a digest their number. */
  readonly battles: number;
  /** Absent if it is not compared with a snapshot. */
  readonly snapshot?: SnapshotReference;
}

/** Expectation that a value is within bounds, or equals its snapshot. */
export interface ValueExpectation extends ExpectationBase {
  readonly kind: 'value';
  readonly quantity: Estimand;
  /** At most one of them is infinite, except for a comparison with a snapshot. */
  readonly bounds: Bounds;
  /** Maximum probability of a wrong verdict. */
  readonly error: number;
  /** True if the interval of a mean is valid for every distribution in the declared range. */
  readonly bounded: boolean;
}

/** Expectation that a run has a certain digest, or the one of its snapshot. */
export interface DigestExpectation extends ExpectationBase {
  readonly kind: 'digest';
  /** Absent if it is compared with a snapshot. */
  readonly digest?: string;
}

/** An expectation about a scenario. */
export type Expectation = ValueExpectation | DigestExpectation;

// Decides whether a result equals its snapshot, and whether a run has the expected digest.

/** Relative tolerance between equal exact values, in units of the larger. */
const RELATIVE = 1e-9;

/** Compares an exact value with the stored one, which is exact or has an interval. */
function isUnchanged(value: number, { value: before = Number.NaN, interval }: SnapshotEntry): boolean {
  if (interval !== undefined) return judgeValue(value, interval) === 'holds';
  return Math.abs(value - before) <= RELATIVE * Math.max(Math.abs(value), Math.abs(before));
}

/**
 * Compares a value with its snapshot. Exact values are equal up to rounding. Intervals of simulated values must
 * overlap; each misses the true value with half the error rate, so that an unchanged value fails with at most the error
 * rate.
 * @param distribution exact distribution if known; otherwise battles are simulated
 */
async function decideAgainstSnapshot(
  { scenario, quantity, error, snapshot }: ValueExpectation,
  distribution: Counts | undefined,
  play: Omit<SequentialTestOptions, 'error'>,
): Promise<BoundsDecision> {
  const kept = snapshot?.kept;
  if (distribution !== undefined) {
    const value = quantity.computeValue(distribution);
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

/** Decision on a digest. */
interface DigestDecision extends BoundsDecision {
  /** Absent if the signal came first. */
  readonly digest?: string;
  /** Ruleset of the expected digest, if all counts are as expected and only the ruleset differs. */
  readonly ruleset?: string;
}

const EARLIER_RULESETS = Array.from({ length: Number(RULESET) - 1 }, (_, r) => String(r + 1));

/** Simulates the run of a digest. */
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
  const ruleset = EARLIER_RULESETS.find((each) => computeDigest(played, run.shape, run.counts, each) === expected);
  return { verdict: 'fails', ...found, ...(ruleset !== undefined && { ruleset }) };
}

// Checks expectations in sequence.

/** Options of `checkExpectations`. */
export const CHECK_EXPECTATIONS = {
  /** Overrides the file. */
  seed: seedOption('override the seed of the file'),
  /** Overrides the file. */
  battles: count(1, MAX_BATTLES, 'override the maximum number of battles per expectation'),
  /** Default: `auto`. */
  exact: EXACT,
  /** Maximum steps of an exact answer, 1..10^10; default: by the number of battles. */
  budget: ALONGSIDE_BUDGET,
  /** Overrides the file. */
  bounded: RUN_LENGTH.bounded,
  ...THREADS,
} as const satisfies OptionSpecs;

/**
 * Options of `checkExpectations`. Defaults are the values of the file; seed and battles of digests are always from the
 * file.
 */
export interface CheckExpectationsOptions extends RequestedOptions<typeof CHECK_EXPECTATIONS> {
  /** Stops the check: finished decisions stay, the rest is `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second during simulations. */
  readonly onProgress?: ((progress: Progress, expectation: Expectation) => void) | undefined;
  /** Called after each expectation. */
  readonly onResult?: ((judged: ExpectationResult) => void) | undefined;
}

const checkOptions = createOptionsCheck<CheckExpectationsOptions>('checkExpectations', {
  ...CHECK_EXPECTATIONS,
  ...PROGRESS_OPTIONS,
  onResult: true,
});

/** An expectation with its result. */
export interface ExpectationResult extends DigestDecision {
  readonly expectation: Expectation;
}

/** Cache of exact distributions by scenario and budget. */
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
    const distribution = (await findExactAnswerOffThread(scenario, this.#exact, battles, this.#budget, this.#signal))
      ?.distribution;
    this.#known.set(name, distribution);
    return distribution;
  }
}

const INTERRUPTED: BoundsDecision = { verdict: 'interrupted', battles: 0 };

async function decideExpectation(
  expectation: Expectation,
  distributions: DistributionCache,
  options: CheckExpectationsOptions,
): Promise<DigestDecision> {
  const { signal, onProgress } = options;
  // Handles signals between two expectations.
  await pause();
  if (signal?.aborted === true) return INTERRUPTED;
  const watch = { signal, onProgress: (progress: Progress) => onProgress?.(progress, expectation) };
  const common = {
    ...pickExecutionOptions({ ...pickOptions(THREADS, options), ...watch }),
    seed: BigInt(expectation.seed),
  };
  if (expectation.kind === 'digest') return await decideDigest(expectation, common);
  const distribution = await distributions.of(expectation).catch((cause: unknown) => {
    if (signal?.aborted === true) return 'interrupted' as const;
    throw cause;
  });
  if (distribution === 'interrupted') return INTERRUPTED;
  const { scenario, quantity, bounds, battles, error, bounded, snapshot } = expectation;
  const play = { ...common, battles, bounded };
  if (snapshot !== undefined) return await decideAgainstSnapshot(expectation, distribution, play);
  if (distribution !== undefined) return decideExactly(distribution, quantity, bounds);
  return await decideBySimulation(scenario, quantity, bounds, { ...play, error });
}

/**
 * Checks each expectation: by the exact distribution of its scenario if that is affordable, otherwise by simulating
 * battles 0, 1, ... of its seed until the interval is conclusive or its battles are used up. A verdict by simulation is
 * wrong with at most the error rate of the expectation, and depends only on the expectation.
 * @param expectations from `loadExpectations`
 * @throws InputError if an option is out of range
 * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
 * @throws RunError if the simulation fails
 */
export async function checkExpectations(
  expectations: readonly Expectation[],
  options: CheckExpectationsOptions = {},
): Promise<ExpectationResult[]> {
  checkOptions(options);
  checkList('expectations', 'the expectations of loadExpectations', expectations, 'object');
  const requested = resolveOptions(CHECK_EXPECTATIONS, options);
  const { seed, battles, bounded } = requested;
  checkStart(options.signal);
  const distributions = new DistributionCache(requested, options.signal);
  const judged: ExpectationResult[] = [];
  for (const given of expectations) {
    const instead = { seed: String(seed ?? given.seed), battles: battles ?? given.battles };
    const expectation = given.kind === 'digest' ? given : { ...given, ...instead, bounded: bounded ?? given.bounded };
    const decided = { expectation, ...(await decideExpectation(expectation, distributions, options)) };
    judged.push(decided);
    options.onResult?.(decided);
  }
  return judged;
}
