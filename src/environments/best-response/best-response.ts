/** Best response of one player to the scenario's policies of all others, and the losses of its own policy. */
import {
  BEST_RESPONSE_BUDGET,
  BudgetError,
  createOptionsCheck,
  GAME_STEPS_MAX,
  InputError,
  parseCount,
  suggestName,
} from '../../core/index.ts';
import {
  checkDistribution,
  crossCheckDistribution,
  offload,
  PROGRESS_OPTIONS,
  type ProgressOptions,
} from '../../engines/index.ts';
import {
  describeRulesError,
  getBoundScenario,
  type Key,
  type PolicyTable,
  type Scenario,
  type ScenarioSpec,
  type State,
} from '../../rules/index.ts';
import { flag, list, text } from '../../rules/option-spec.ts';
import { createResultHeader, hashScenario, indexByName, summarizeDistribution, withToJson } from '../../stats/index.ts';
import { createEnvSpec, type Reward, type Variant } from '../env-spec.ts';
import { createPolicyTable, type TableDecision } from '../policies/policy-table.ts';
import type { OpenDecision } from './decision-chance.ts';
import { buildGameGraph, createGameDefinition, type GameGraph } from './game-graph.ts';
import { createGameTable, type GameTable } from './game-table.ts';
import { computeGameValues, type GameValues, TIE } from './game-values.ts';
import { findHiddenInformation } from './hidden-information.ts';
import { describeObservation, type Observation } from './observation.ts';
import { clampProbability, computeOutcomeProbabilities } from './outcome-probabilities.ts';

export { BEST_RESPONSE_BUDGET };

/** Options of `findBestResponseSync`. */
export interface BestResponseSyncOptions {
  /** Player to optimize; default: the first player. */
  readonly agent?: string | undefined;
  /** Reward to maximize, as for environments; default: `win`. */
  readonly reward?: Reward | undefined;
  /** Decision points to optimize; the policy makes the other decisions. Default: all. */
  readonly decisions?: readonly string[] | undefined;
  /** Maximum transitions to compute, 1..64 000 000, with up to 1000 value updates for each; default: 4 000 000. */
  readonly budget?: number | undefined;
  /** True to return the optimal policy as a table; default: false. */
  readonly policyTable?: boolean | undefined;
}

/** Options of `findBestResponse`. */
export interface BestResponseOptions extends BestResponseSyncOptions, ProgressOptions {}

const OPTIONS = {
  agent: text('player', 'the player'),
  reward: true,
  decisions: list('decision points'),
  budget: true,
  policyTable: flag('return the policy as a table'),
} as const;
const checkSyncOptions = createOptionsCheck<BestResponseSyncOptions>('findBestResponseSync', OPTIONS);
const checkOptions = createOptionsCheck<BestResponseOptions>('findBestResponse', { ...OPTIONS, ...PROGRESS_OPTIONS });

/** State in which the scenario's policy is not optimal. */
export interface PolicyCorrection {
  readonly decision: string;
  readonly observation: Observation;
  /** Probabilities of the policy's actions. */
  readonly policy: Readonly<Record<string, number>>;
  readonly bestAction: string;
  /** Expected visits per battle under the scenario's policies; a probability if no battle visits the state twice. */
  readonly visits: number;
  /** Expected loss per visit, with optimal decisions afterwards. */
  readonly loss: number;
}

/** Result of `findBestResponse`, without methods. */
export interface BestResponseData {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly agent: string;
  /** Players that follow the scenario's policies; the value is of a best response to them. */
  readonly opponents: readonly string[];
  readonly reward: Reward;
  readonly decisions: readonly string[];
  /** Expected reward of the optimal policy, and of the scenario's policy. */
  readonly value: number;
  readonly policyValue: number;
  /** Maximum error of either, except for rounding. */
  readonly error: number;
  readonly outcomes: readonly { readonly name: string; readonly bestResponse: number; readonly policy: number }[];
  /**
   * States in which the policy is not optimal, greatest share of the difference first. Visits times losses sum to
   * `value - policyValue` (S. Kakade, J. Langford 2002).
   */
  readonly corrections: readonly PolicyCorrection[];
  /** Positions in which the player decides; all positions; positions of states that the player cannot distinguish. */
  readonly decisionStates: number;
  readonly positions: number;
  readonly beliefs: number;
  /** Transitions before merging. */
  readonly steps: number;
  /**
   * Warning that the optimal policy uses information that no feature shows, with advice. Checked for custom systems, if
   * it costs little more than the solution.
   */
  readonly warning?: string;
  /** Rounds that were counted back. */
  readonly rounds: number;
  /** The optimal policy as the content of a policy file, if requested. */
  readonly policyTable?: PolicyTable;
  readonly elapsedSeconds: number;
}

/** Creates the JSON of `warpool best-response --json`. */
export function createBestResponseJson({
  scenario,
  scenarioHash: hash,
  outcomes,
  policyTable: _table,
  elapsedSeconds,
  ...found
}: BestResponseData) {
  return {
    ...createResultHeader(scenario, hash),
    ...found,
    outcomes: indexByName(outcomes, (shares) => shares),
    elapsedSeconds,
  };
}

/** Output of `warpool best-response --json`. */
export type BestResponseJson = ReturnType<typeof createBestResponseJson>;

/** Result of `findBestResponse`, with the states in which the scenario's policy is not optimal. */
export interface BestResponse extends BestResponseData {
  /** For `JSON.stringify`: outcomes by name. See docs/reference/json.md. */
  toJSON(): BestResponseJson;
}

export function selectPoints(
  { points, pace }: ScenarioSpec,
  requested: readonly string[] | undefined,
): readonly string[] {
  const all = points.filter((point) => point !== pace);
  const stranger = requested?.find((point) => !all.includes(point));
  if (stranger === undefined) return requested ?? all;
  throw new InputError('decisions', `some of ${all.join(', ')}`, `"${stranger}"${suggestName(stranger, all)}`);
}

/** Formats corrections with names of features and actions. */
class CorrectionFormatter {
  readonly #variant: Variant;
  readonly #player: string;

  constructor(variant: Variant, agent: string) {
    this.#variant = variant;
    this.#player = agent;
  }

  format(
    state: State,
    { point, options, policy }: OpenDecision,
    choice: number,
    visits: number,
    loss: number,
  ): PolicyCorrection {
    const { spec } = this.#variant;
    const actions = options.map((option) => spec.actionName(point, option));
    return {
      decision: point,
      observation: describeObservation(this.#variant, state, this.#player),
      policy: Object.fromEntries(actions.map((name, o) => [name, policy[o] ?? 0] as const).filter(([, p]) => p > 0)),
      bestAction: actions[choice] ?? '',
      visits,
      loss,
    };
  }
}

/**
 * Evaluates both policies: outcomes, and by decision the visits, the loss, and the most frequent number of remaining
 * rounds.
 */
function comparePolicies({ game, table, values, budget, variant: { model } }: ScenarioSolution) {
  const visits = new Float64Array(game.questions.size);
  const lost = new Float64Array(game.questions.size);
  const worst = new Float64Array(game.questions.size);
  const roundsLeft = new Float64Array(game.questions.size).fill(model.maxRounds);
  const { decisionIndex, policy, firstOption } = table;
  const own = (node: number, option: number): number => policy[(firstOption[node] ?? 0) + option] ?? 0;
  const given = computeOutcomeProbabilities(table, model, budget, own, (node, mass, left) => {
    const q = decisionIndex[node] ?? 0;
    visits[q] = (visits[q] ?? 0) + mass;
    const loss = mass * values.loss(node, left);
    lost[q] = (lost[q] ?? 0) + loss;
    if (loss <= (worst[q] ?? 0)) return;
    [worst[q], roundsLeft[q]] = [loss, left];
  });
  const getChosenProbability = (node: number, option: number, left: number): number =>
    (decisionIndex[node] ?? -1) < 0 || values.choice(node, left) === option ? 1 : 0;
  const best = computeOutcomeProbabilities(table, model, budget, getChosenProbability, () => undefined);
  return { given, best, visits, lost, roundsLeft };
}

/** Scenario solved for one of its players. */
export interface ScenarioSolution {
  readonly variant: Variant;
  readonly agent: string;
  readonly reward: Reward;
  readonly decisions: readonly string[];
  readonly budget: number;
  readonly game: GameGraph<State>;
  readonly table: GameTable;
  readonly values: GameValues;
  /** Positions with several states, by those states, if the player decides there. */
  readonly beliefs: ReadonlyMap<Key, readonly number[]>;
  /** By decision: the keys of its states, if there are several. */
  readonly hidden: readonly (readonly Key[])[];
}

/** Names the rules of a failure: `my-duel (scenario "usual")`. */
function describeRules({ system, name }: Scenario): string {
  return name === undefined ? system : `${system} (scenario "${name}")`;
}

/** Adds system and scenario to errors of rules. @param command of which the errors are */
export function runWithScenarioErrors<T>(
  command: 'best-response' | 'equilibrium',
  scenario: Scenario,
  act: () => T,
): T {
  try {
    return act();
  } catch (error) {
    const isOwn = error instanceof InputError && ['best-response', 'equilibrium', 'decision'].includes(error.place);
    if (!isOwn) throw describeRulesError(error, getBoundScenario(scenario));
    throw new InputError(`${command} of ${describeRules(scenario)}`, error.expected, error.found);
  }
}

/** @throws as `findBestResponse` does */
export function solveScenarioGame(scenario: Scenario, options: BestResponseSyncOptions = {}): ScenarioSolution {
  checkSyncOptions(options);
  const { reward = 'win', budget = BEST_RESPONSE_BUDGET } = options;
  parseCount(budget, 'budget', 1, GAME_STEPS_MAX);
  const agents = options.agent === undefined ? undefined : [options.agent];
  const configuration = createEnvSpec([{ scenario }], { agents, reward });
  const [variant] = configuration.variants;
  const [agent] = configuration.agents;
  if (variant === undefined || agent === undefined) throw new InputError('agent', 'a player', 'none');
  const points = selectPoints(variant.spec, options.decisions);
  const { model } = variant;
  const hidden: Key[][] = [];
  const recordDecision = (_: OpenDecision, states: readonly State[]): void => {
    hidden.push(states.length > 1 ? states.map((state) => model.key(state)) : []);
  };
  const game = runWithScenarioErrors('best-response', scenario, () =>
    buildGameGraph({ ...createGameDefinition(variant, agent, points), onDecision: recordDecision }, budget),
  );
  const table = createGameTable(game);
  const values = computeGameValues(game, table, model.maxRounds, budget);
  const beliefs = new Map<Key, number[]>();
  for (const [q, node] of [...game.questions.keys()].entries())
    for (const key of hidden[q] ?? []) {
      const nodes = beliefs.get(key) ?? [];
      beliefs.set(key, nodes);
      nodes.push(node);
    }
  return { variant, agent, reward, decisions: points, budget, game, table, values, beliefs, hidden };
}

/** Creates the warning for custom systems; undefined if the check would cost too much. */
function createWarning({ variant, agent, decisions, budget, game, values }: ScenarioSolution): string | undefined {
  if (!getBoundScenario(variant.scenario).isCustom) return undefined;
  try {
    const steps = Math.min(budget, Math.max(10_000, game.steps));
    const secret = findHiddenInformation(
      createGameDefinition(variant, agent, decisions),
      { game, values },
      agent,
      steps,
    );
    return secret && `${secret.message}. ${secret.advice}`;
  } catch (error) {
    if (error instanceof BudgetError || error instanceof InputError) return undefined;
    throw error;
  }
}

/**
 * Checks that both policies give distributions, and that battles agree with the scenario's policies.
 * @throws RulesError, or RunError if the system is shipped
 */
function crossCheckPolicies(
  { variant: { scenario, model }, game }: ScenarioSolution,
  given: readonly number[],
  best: readonly number[],
): void {
  const open = getBoundScenario(scenario);
  for (const shares of [best, given]) checkDistribution(open, shares);
  const shape = { outcomes: model.outcomes, metrics: [] };
  crossCheckDistribution(
    open,
    summarizeDistribution(shape, { outcomes: Float64Array.from(given), metrics: [] }),
    game.steps,
  );
}

/** Returns the optimal policy as a table. */
function createOptimalTable(solution: ScenarioSolution): PolicyTable {
  const { variant, agent: player, decisions: points, budget, game: graph, table, values, hidden } = solution;
  const decisions = Array.from(graph.questions, ([node, { point, options }], q): TableDecision => {
    const merged = hidden[q] ?? [];
    const own = [variant.model.key(graph.getState(q))];
    const getShares = (left: number) => {
      const option = options[values.choice(node, left)];
      return option === undefined ? {} : { [variant.spec.actionName(point, option)]: 1 };
    };
    return { node, decision: point, keys: merged.length > 0 ? merged : own, getShares };
  });
  const { decides } = createGameDefinition(variant, player, points);
  return createPolicyTable({ table, variant, player, decides, budget }, decisions);
}

/**
 * Creates the result from a solution.
 * @param began start time by `performance.now()`
 * @param options `policyTable`: true to add the optimal policy
 */
export function createBestResponse(
  solution: ScenarioSolution,
  began: number,
  { policyTable = false }: Pick<BestResponseSyncOptions, 'policyTable'> = {},
): BestResponse {
  const { variant, agent, reward, decisions, game, table, values } = solution;
  const { model, scenario } = variant;
  const { given, best, visits, lost, roundsLeft } = comparePolicies(solution);
  crossCheckPolicies(solution, given, best);
  const teller = new CorrectionFormatter(variant, agent);
  const corrections: PolicyCorrection[] = [];
  for (const [node, question] of game.questions) {
    const q = table.decisionIndex[node] ?? 0;
    const [times = 0, loss = 0] = [visits[q], lost[q]];
    if (loss <= TIE * values.payoffRange * times) continue;
    const choice = values.choice(node, roundsLeft[q] ?? 0);
    corrections.push(teller.format(game.getState(q), question, choice, times, loss / times));
  }
  const warning = createWarning(solution);
  const optimum: BestResponseData = {
    scenario,
    scenarioHash: hashScenario(scenario),
    agent,
    opponents: variant.spec.players.filter((player) => player !== agent),
    ...{ reward, decisions },
    value: values.best,
    policyValue: values.policyValue,
    error: values.error,
    outcomes: model.outcomes.map((name, o) => ({
      name,
      bestResponse: clampProbability(best[o]),
      policy: clampProbability(given[o]),
    })),
    corrections: corrections.sort((a, b) => b.visits * b.loss - a.visits * a.loss),
    decisionStates: game.questions.size,
    positions: table.nodes - 1,
    beliefs: game.beliefs,
    steps: game.steps,
    rounds: values.rounds,
    ...(warning !== undefined && { warning }),
    ...(policyTable && { policyTable: createOptimalTable(solution) }),
    elapsedSeconds: (performance.now() - began) / 1000,
  };
  return toBestResponse(optimum);
}

const toBestResponse = (optimum: BestResponseData): BestResponse =>
  withToJson(optimum, () => createBestResponseJson(optimum));

/**
 * Computes the optimal policy of one player and its exact value. The player knows the policies of all others, but not
 * their secret choices. It runs in a thread; a system that was passed as an object, not from `loadSystems`, is solved
 * in the calling thread, which cannot be aborted meanwhile.
 * @throws InputError if the scenario has no such player, reward or decision points, or its secrets last too long
 * @throws RulesError if the rules fail, or battles contradict the exact answer
 * @throws BudgetError if too many states are reachable; the message has their number, `suggested` a budget that may be
 * sufficient
 * @throws AbortError if the signal aborts first
 */
export async function findBestResponse(scenario: Scenario, options: BestResponseOptions = {}): Promise<BestResponse> {
  checkOptions(options);
  const { signal, onProgress, ...requested } = options;
  const watch = { signal, onProgress };
  const found = await offload(
    'findBestResponse',
    scenario,
    requested,
    watch,
    (): BestResponseData => findBestResponseSync(scenario, requested),
  );
  return toBestResponse({ ...found, scenario });
}

/**
 * Computes like `findBestResponse` in the calling thread, and blocks the event loop.
 * @throws InputError, RulesError, BudgetError as `findBestResponse`
 */
export function findBestResponseSync(scenario: Scenario, options: BestResponseSyncOptions = {}): BestResponse {
  const began = performance.now();
  return createBestResponse(solveScenarioGame(scenario, options), began, options);
}
