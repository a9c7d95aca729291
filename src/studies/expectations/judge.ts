/** Decides expectations, one after the other. */
import { pause } from '#platform/pause';
import { scenarioHash } from '../../answers/digest.ts';
import type { Tally } from '../../answers/tally.ts';
import { MAX_BATTLES, parseCount, parseSeed, type SeedLike } from '../../core/chance/stream.ts';
import { optionsOf } from '../../core/names.ts';
import type { Progress } from '../../engines/pool/run.ts';
import { type Decided, decideByPlaying, decideExactly } from '../decide.ts';
import { answerPatiently } from '../patient.ts';
import type { ExactChoice } from '../solve.ts';
import type { Expectation, ValueExpectation } from './expectation.ts';
import { type DigestDecision, decideAsKept, decideDigest } from './kept.ts';

/** How expectations are judged. What is left out is as the file says; so are seed and battles of digests always. */
export interface JudgeOptions {
  /** `auto` unless said otherwise. */
  readonly exact?: ExactChoice | undefined;
  /** Steps that an exact answer may take, 1..10^10; by default what is affordable beside the battles. */
  readonly budget?: number | undefined;
  /** In the place of the file's own. */
  readonly seed?: SeedLike | undefined;
  readonly battles?: number | undefined;
  readonly bounded?: boolean | undefined;
  /** Threads; they change no verdict. */
  readonly workers?: number | undefined;
  /** Ends it early: what was decided stays, the rest is `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second while battles are played for an expectation. */
  readonly onProgress?: ((progress: Progress, expectation: Expectation) => void) | undefined;
  /** Called when an expectation is decided. */
  readonly onJudged?: ((judged: Judged) => void) | undefined;
}

const checkOptions = optionsOf<JudgeOptions>('judgeExpectations', {
  exact: true,
  budget: true,
  seed: true,
  battles: true,
  bounded: true,
  workers: true,
  signal: true,
  onProgress: true,
  onJudged: true,
});

/** An expectation with what came of it. */
export interface Judged extends DigestDecision {
  readonly expectation: Expectation;
}

/** Exact laws by scenario and budget, so that each is worked out once. */
class Laws {
  readonly #exact: ExactChoice;
  readonly #budget: number | undefined;
  readonly #known = new Map<string, Tally | undefined>();

  readonly #signal: AbortSignal | undefined;

  constructor({ exact = 'auto', budget, signal }: JudgeOptions) {
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
  const { workers, signal, onProgress } = options;
  // Signals are heard between two expectations.
  await pause();
  if (signal?.aborted === true) return INTERRUPTED;
  const common = {
    seed: BigInt(expectation.seed),
    workers,
    signal,
    onProgress: (progress: Progress) => onProgress?.(progress, expectation),
  };
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
  const seed = options.seed === undefined ? {} : { seed: String(parseSeed(options.seed)) };
  const battles =
    options.battles === undefined ? {} : { battles: parseCount(options.battles, 'battles', 1, MAX_BATTLES) };
  const bounded = options.bounded === undefined ? {} : { bounded: options.bounded };
  const laws = new Laws(options);
  const judged: Judged[] = [];
  for (const given of expectations) {
    const expectation = given.kind === 'digest' ? given : { ...given, ...seed, ...battles, ...bounded };
    const decided = { expectation, ...(await decisionOf(expectation, laws, options)) };
    judged.push(decided);
    options.onJudged?.(decided);
  }
  return judged;
}
