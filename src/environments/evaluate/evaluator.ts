/** Evaluation of states: outcomes and rewards of the rest of a battle. */

import { createSha256 } from '#platform/hash';
import { EXACT, type ExactMode } from '../../analysis/index.ts';
import {
  BudgetError,
  type Chance,
  checkKind,
  createOptionsCheck,
  ForwardingChance,
  InputError,
  parseSeed,
  type SeedLike,
} from '../../core/index.ts';
import {
  checkDistribution,
  createBudget,
  type ExactBudget,
  type ExactFinalState,
  FULL_BUDGET,
  solveFinalStates,
} from '../../engines/index.ts';
import { type DecisionOption, getBoundScenario, type Model, type State } from '../../rules/index.ts';
import { encodeRecordHead, readRecordHead } from '../buffers.ts';
import { type EnvSpec, rejectStepRewards, type Variant } from '../env-spec.ts';
import type { EnvironmentEngine } from '../environment-engine.ts';
import { NONE, POLICIES, type Policy, STATUS } from '../layout.ts';
import type { TurnState } from '../reference-battle.ts';
import { openEngine, type VectorEnv } from '../vector-env.ts';
import { type BattleBatch, computeExactValue, estimateValue, type ValueEstimate } from './value-estimate.ts';

/**
 * Makes decisions for all players after the ones already made: uniformly, or by the scenario's policies. Draws are
 * passed to another chance source.
 */
class PolicyChance extends ForwardingChance {
  readonly #policy: Policy;
  readonly #answers: readonly DecisionOption[];
  #next = 0;

  constructor(chance: Chance, policy: Policy, answers: readonly DecisionOption[]) {
    super(chance);
    this.#policy = policy;
    this.#answers = answers;
  }

  override decide<T extends DecisionOption>(point: string, player: string, options: readonly T[], policy: () => T): T {
    if (options.length > 1 && this.#next < this.#answers.length) {
      const answer = options.find((option) => option === this.#answers[this.#next]);
      this.#next++;
      if (answer !== undefined) return answer;
    }
    if (this.#policy === 'scenario') return super.decide(point, player, options, policy);
    return (options.length > 1 ? options[this.pick(options.map(() => 1))] : options[0]) ?? policy();
  }
}

/**
 * Enumerates all results of a battle from a state, with one policy for all players.
 * @throws BudgetError if it needs more than the budget
 */
export function enumerateResults(
  model: Model<State>,
  { state, answers }: TurnState,
  policy: Policy,
  budget: ExactBudget,
): ExactFinalState[] {
  const turn = (from: State, chance: Chance): State => model.turn?.(from, chance) ?? model.step(from, chance);
  const { roundsMetric } = model;
  const begun = { ...state };
  const isPlain = (from: State): boolean => policy === 'scenario' && from !== begun;
  const played = model.resting(state) ? state.round : state.round - 1;
  const rest: Model<State> = {
    ...model,
    plain: undefined,
    leastSteps: 0,
    maxRounds: model.maxRounds - played,
    start: () => begun,
    step: (from, chance) =>
      turn(from, isPlain(from) ? chance : new PolicyChance(chance, policy, from === begun ? answers : [])),
    // A battle may return to the state, but not to the decisions already made in it.
    key: (from) => `${from === begun && answers.length > 0 ? 'begun ' : ''}${model.key(from)}`,
  };
  return solveFinalStates(rest, budget).map((result) => ({
    ...result,
    metrics: result.metrics.map((value, m) => (m === roundsMetric ? value + played : value)),
  }));
}

// Values of states: exact if cheap, otherwise from simulated continuations.

/** Number of batches, for the variance of rewards that depend on metrics. */
const BATCHES = 32;

const BATTLES_MAX = 2 ** 31 - 1;

/** Options of an `Evaluator`. */
export interface EvaluatorOptions {
  /** Policy of all players; default: `scenario`. */
  readonly policy?: Policy | undefined;
  /** Battles to simulate from a state without an exact answer; default: 4096. */
  readonly battles?: number | undefined;
  readonly seed?: SeedLike | undefined;
  /** `auto` (default): exact if that needs no more steps of the rules than there would be battles. */
  readonly exact?: ExactMode | undefined;
  /** Maximum steps of an exact answer, 1..10^10; overrides the limit from `exact`. */
  readonly budget?: number | undefined;
  /** Maximum cached answers; default: 65536. */
  readonly cache?: number | undefined;
}

const checkOptions = createOptionsCheck<EvaluatorOptions>('Evaluator.create', {
  policy: true,
  battles: true,
  seed: true,
  exact: EXACT,
  budget: true,
  cache: true,
});

/** Evaluation of a state. */
export interface Evaluation {
  /** The index of its scenario. */
  readonly variant: number;
  /** False if it was estimated from simulated continuations. */
  readonly exact: boolean;
  /** Simulated battles. */
  readonly battles: number;
  /** Probabilities with 95 % intervals. */
  readonly outcomes: readonly ({ readonly name: string } & ValueEstimate)[];
  /** Mean rewards of the agents. */
  readonly rewards: readonly ({ readonly agent: string } & ValueEstimate)[];
}

function checkInteger(place: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new InputError(place, `an integer ${String(least)}..${String(most)}`, String(value));
}

/** Converts bytes to a text for a map key, one character per byte. */
const NAMES = new TextDecoder('latin1');

/** Evaluates states, and caches the answers. */
export class Evaluator {
  readonly #configuration: EnvSpec;
  /** Private environment in which battles are continued. */
  readonly #desk: EnvironmentEngine;
  readonly #policy: Policy;
  readonly #battles: number;
  readonly #seed: bigint;
  readonly #exact: ExactMode;
  readonly #budget: ExactBudget | undefined;
  readonly #most: number;
  readonly #known = new Map<string, Evaluation>();
  #found = 0;

  /** Use `Evaluator.create`. */
  constructor(configuration: EnvSpec, desk: EnvironmentEngine, options: EvaluatorOptions) {
    const { policy = 'scenario', battles = 4096, seed = 0, exact = 'auto', budget, cache = 65_536 } = options;
    if (!POLICIES.includes(policy))
      throw new InputError('policy', `one of ${POLICIES.join(', ')}`, `"${policy as string}"`);
    this.#configuration = configuration;
    this.#desk = desk;
    this.#policy = policy;
    this.#battles = checkInteger('battles', battles, 1, BATTLES_MAX);
    this.#seed = parseSeed(seed);
    this.#exact = exact;
    this.#budget = budget === undefined ? undefined : createBudget(budget);
    this.#most = checkInteger('cache', cache, 0, 2 ** 24);
  }

  /**
   * @param of environments with the states, or their configuration
   * @throws InputError if an option is invalid
   * @throws RunError if the kernel is not built
   */
  static async create(of: VectorEnv | EnvSpec, options: EvaluatorOptions = {}): Promise<Evaluator> {
    checkOptions(options);
    const configuration = (of as Partial<VectorEnv> | undefined)?.configuration ?? (of as EnvSpec);
    checkKind('of', 'a VectorEnv or an EnvSpec', configuration, 'variants');
    rejectStepRewards(configuration);
    return new Evaluator(configuration, await openEngine(configuration, { envs: 1, first: 0 }), options);
  }

  /** Number of requested states that were not cached. */
  get found(): number {
    return this.#found;
  }

  /**
   * Evaluates states. The answer depends only on the state, the configuration and the options, not on other states or
   * their order. Truncated episodes are continued.
   * @param states from `VectorEnv.state`
   * @throws InputError if one is not a state of such an environment
   * @throws BudgetError if exact answers are required, and one is too large
   */
  evaluate(states: readonly Uint8Array[]): Evaluation[] {
    for (const [s, state] of states.entries()) this.#check(`states[${String(s)}]`, state);
    return states.map((state) => this.#evaluateState(canonicalizeState(state)));
  }

  #check(place: string, state: Uint8Array): void {
    this.#desk.check(place, state);
    const { variants } = this.#configuration;
    checkInteger(`${place}, scenario`, readRecordHead(state).variant, 0, variants.length - 1);
  }

  #evaluateState(state: Uint8Array): Evaluation {
    const name = NAMES.decode(state);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    this.#found++;
    const value = this.#find(state);
    // The oldest answer goes.
    const oldest = this.#known.keys().next();
    if (this.#known.size >= this.#most && oldest.done !== true) this.#known.delete(oldest.value);
    if (this.#most > 0) this.#known.set(name, value);
    return value;
  }

  #find(state: Uint8Array): Evaluation {
    const { variant: index, status, outcome } = readRecordHead(state);
    const variant = this.#configuration.variants[index] as Variant;
    const { agents } = this.#configuration;
    if (status === STATUS.done) {
      // Continuing a finished battle does not change it, but counts its metrics.
      const [{ sums: metrics } = { sums: [] }] = this.#play(state, variant, 1);
      const result = { outcome, metrics, probability: 1 };
      return { variant: index, exact: true, battles: 0, ...computeExactValue(variant, agents, [result]) };
    }
    const results = this.#listEndings(variant, this.#desk.begun(variant, state));
    if (results !== undefined) {
      return { variant: index, exact: true, battles: 0, ...computeExactValue(variant, agents, results) };
    }
    const lots = this.#play(state, variant, this.#battles);
    return { variant: index, exact: false, battles: this.#battles, ...estimateValue(variant, agents, lots) };
  }

  #listEndings(variant: Variant, begun: TurnState) {
    if (this.#exact === 'never') return undefined;
    const steps = Math.min(FULL_BUDGET.steps, this.#battles);
    const usual: ExactBudget = this.#exact === 'always' ? FULL_BUDGET : { steps, moves: 100 * steps };
    const budget = this.#budget ?? usual;
    try {
      const results = enumerateResults(variant.model, begun, this.#policy, budget);
      const shares = results.map(({ probability }) => probability);
      checkDistribution(getBoundScenario(variant.scenario), shares);
      return results;
    } catch (error) {
      if (error instanceof BudgetError && this.#exact === 'auto') return undefined;
      throw error;
    }
  }

  /** Continues battles from a state, in a run that belongs to the state. */
  #play(state: Uint8Array, variant: Variant, count: number): BattleBatch[] {
    const key = createSha256()
      .update(`${String(this.#seed)};`)
      .update(state)
      .word();
    const parts = Math.min(BATCHES, count);
    return Array.from({ length: parts }, (_, part) => {
      const [from = 0, to = 0] = [part, part + 1].map((cut) => Math.floor((cut * count) / parts));
      return this.#desk.playOut(variant, state, { key, from, count: to - from, policy: this.#policy });
    });
  }
}

/**
 * Removes everything that does not affect the future of a state: the episode, and past decisions. The words of the
 * battle identify the deciding player.
 */
function canonicalizeState(state: Uint8Array): Uint8Array {
  const { variant, outcome, status } = readRecordHead(state);
  const result = status === STATUS.done && outcome >= 0 ? { outcome, status } : { outcome: NONE, status: STATUS.open };
  const nothing = { keyLow: 0, keyHigh: 0, episode: 0, steps: 0, point: 0, player: 0, answers: 0, unused: [0, 0] };
  const bytes = Uint8Array.from(state);
  bytes.set(encodeRecordHead({ ...nothing, variant, ...result }));
  return bytes;
}

/** `Evaluator.evaluate` for once. */
export async function evaluate(
  of: VectorEnv | EnvSpec,
  states: readonly Uint8Array[],
  options: EvaluatorOptions = {},
): Promise<Evaluation[]> {
  return (await Evaluator.create(of, options)).evaluate(states);
}
