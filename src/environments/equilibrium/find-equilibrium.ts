/** Equilibrium of a scenario with two players, and the exploitability of their policies. */

import { BEST_RESPONSE_BUDGET, createOptionsCheck, GAME_STEPS_MAX, InputError, parseCount } from '../../core/index.ts';
import { offload, PROGRESS_OPTIONS, type ProgressOptions } from '../../engines/index.ts';
import { getBoundScenario, type PolicyTable, type Scenario, type State } from '../../rules/index.ts';
import { flag, list } from '../../rules/option-spec.ts';
import { createResultHeader, hashScenario, indexByName, withToJson } from '../../stats/index.ts';
import { runWithScenarioErrors, selectPoints } from '../best-response/best-response.ts';
import type { OpenDecision } from '../best-response/decision-chance.ts';
import { createFinalReward } from '../best-response/game-graph.ts';
import { createGameTable } from '../best-response/game-table.ts';
import { describeObservation, type Observation } from '../best-response/observation.ts';
import { clampProbability } from '../best-response/outcome-probabilities.ts';
import { createEnvSpec, type Reward, type Variant } from '../env-spec.ts';
import { buildJointGraph, type JointDefinition } from './joint-graph.ts';
import {
  type ActionProbabilities,
  createEquilibriumTable,
  type EquilibriumDecision,
  type JointSolution,
  listPolicyLosses,
  listStrategies,
  type PlayerPair,
  type PolicyLoss,
} from './joint-policies.ts';
import { computeJointValues } from './joint-values.ts';
import type { PlayerIndex } from './stage.ts';

/** Decision, as a policy function receives it. */
export interface PolicyQuestion {
  readonly decision: string;
  readonly observation: Observation;
  /** Names of the legal actions. */
  readonly actions: readonly string[];
}

/** Policy of a player: probabilities of actions, whose sum is 1. Omitted actions have probability 0. */
export type PolicyFunction = (question: PolicyQuestion) => ActionProbabilities;

export type { ActionProbabilities, EquilibriumDecision, PolicyLoss };

/** Options of `findEquilibriumSync`. */
export interface EquilibriumSyncOptions {
  /** Reward of the first player, as for environments; the second player has its negative. Default: `win`. */
  readonly reward?: Reward | undefined;
  /** Decision points of the game; the policies of the scenario make the other decisions. Default: all. */
  readonly decisions?: readonly string[] | undefined;
  /** By player: policy that is evaluated instead of the policy of the scenario. */
  readonly policies?: Readonly<Record<string, PolicyFunction>> | undefined;
  /** Maximum transitions and payoffs to compute, 1..64 000 000; default: 4 000 000. */
  readonly budget?: number | undefined;
  /** True to return the policies of the equilibrium as tables; default: false. */
  readonly policyTable?: boolean | undefined;
}

/** Options of `findEquilibrium`. */
export interface EquilibriumOptions extends EquilibriumSyncOptions, ProgressOptions {}

const OPTIONS = {
  reward: true,
  decisions: list('decision points'),
  policies: true,
  budget: true,
  policyTable: flag('return the policies as tables'),
} as const;
const checkSyncOptions = createOptionsCheck<EquilibriumSyncOptions>('findEquilibriumSync', OPTIONS);
const checkOptions = createOptionsCheck<EquilibriumOptions>('findEquilibrium', { ...OPTIONS, ...PROGRESS_OPTIONS });

/** Policy of a player. */
export interface PlayerPolicy {
  readonly player: string;
  /** Expected reward of the player in the equilibrium, and with its policy against the best response to it. */
  readonly value: number;
  /** Undefined if the policy depends on something that the player does not see. */
  readonly guaranteed?: number;
  /** `value` minus `guaranteed`. */
  readonly exploitability?: number;
  /** Visits times losses sum to the exploitability; greatest product first. */
  readonly losses: readonly PolicyLoss[];
  /** Policy of the equilibrium as the content of a policy file, if requested; absent for a player without decisions. */
  readonly policyTable?: PolicyTable;
}

/** Result of `findEquilibrium`, without methods. */
export interface EquilibriumData {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly reward: Reward;
  readonly decisions: readonly string[];
  /** Expected reward of the first player in the equilibrium. */
  readonly value: number;
  /** Interval of the value: best responses to both policies of the equilibrium. It includes all errors except rounding. */
  readonly interval: readonly [lower: number, upper: number];
  /** Expected reward of the first player under the policies of the scenario. */
  readonly policyValue?: number;
  /** Maximum error of `policyValue`, `guaranteed` and `exploitability` because of omitted rounds. */
  readonly error: number;
  /** One or two players. */
  readonly players: readonly PlayerPolicy[];
  /** Sum of the exploitabilities of both policies. */
  readonly nashConv?: number;
  readonly outcomes: readonly { readonly name: string; readonly equilibrium: number }[];
  /** Decisions of the equilibrium, the most visited first. */
  readonly strategies: readonly EquilibriumDecision[];
  /** Positions with a decision; all positions. */
  readonly decisionStates: number;
  readonly positions: number;
  /** Transitions and edges. */
  readonly steps: number;
  /** Rounds that were counted back. */
  readonly rounds: number;
  readonly elapsedSeconds: number;
}

/** Creates the JSON of `warpool equilibrium --json`. */
export function toEquilibriumJson({ scenario, scenarioHash: hash, outcomes, players, ...found }: EquilibriumData) {
  return {
    ...createResultHeader(scenario, hash),
    ...found,
    players: Object.fromEntries(players.map(({ player, policyTable: _table, ...rest }) => [player, rest])),
    outcomes: indexByName(outcomes, ({ equilibrium }) => equilibrium),
  };
}

/** Output of `warpool equilibrium --json`. */
export type EquilibriumJson = ReturnType<typeof toEquilibriumJson>;

/** Equilibrium of a scenario. */
export interface Equilibrium extends EquilibriumData {
  /** For `JSON.stringify`: players and outcomes by name. See docs/reference/json.md. */
  toJSON(): EquilibriumJson;
}

/** Returns the players. @throws InputError if there are more than two */
function getPlayers({ players }: Variant): PlayerPair {
  const [first, second, ...others] = players;
  if (first !== undefined && others.length === 0) return second === undefined ? [first] : [first, second];
  throw new InputError('system', 'a system with two players', `${String(players.length)}: ${players.join(', ')}`);
}

/** @throws InputError if the reward of the second player is not the negative of that of the first */
function checkZeroSum({ byOutcome, byMetric, byStep, model, players }: Variant, reward: Reward): void {
  if (players.length < 2) return;
  const sum = ([first = 0, second = 0]: readonly number[]): number => first + second;
  const isZero = (values: readonly number[]): boolean => Math.abs(sum(values)) < 1e-12;
  const stranger =
    model.outcomes.find((_, o) => !isZero(byOutcome[o] ?? [])) ??
    model.metrics.find((_, m) => !isZero(byMetric[m] ?? []))?.name ??
    (isZero(byStep) ? undefined : 'steps');
  if (stranger === undefined) return;
  const found = `"${stranger}" has rewards whose sum is not 0${typeof reward === 'string' ? ` in "${reward}"` : ''}`;
  throw new InputError('reward', 'rewards of the second player that are the negative of those of the first', found);
}

/** Completes a table of rewards: the second player has the negative of the first. */
function completeReward(reward: Reward, [first, second]: PlayerPair): Reward {
  if (typeof reward === 'string' || second === undefined || reward[first] === undefined || reward[second] !== undefined)
    return reward;
  const negate = (table: ActionProbabilities = {}) =>
    Object.fromEntries(Object.entries(table).map(([name, value]) => [name, 0 - value]));
  const { outcomes, metrics, ...rest } = reward[first];
  return { ...reward, [second]: { outcomes: negate(outcomes), metrics: negate(metrics), ...negate(rest) } };
}

/** Calls a function for the policy of a decision. @throws InputError if it does not return probabilities */
function askPolicy(variant: Variant, ask: PolicyFunction, question: OpenDecision, state: State): readonly number[] {
  const { point, player, options } = question;
  const actions = options.map((option) => variant.spec.actionName(point, option));
  const given = ask({ decision: point, observation: describeObservation(variant, state, player), actions });
  const place = `policies.${player}`;
  const stranger = Object.keys(given).find((name) => !actions.includes(name));
  if (stranger !== undefined) throw new InputError(place, `legal actions: ${actions.join(', ')}`, `"${stranger}"`);
  const shares = actions.map((action) => given[action] ?? 0);
  const sum = shares.reduce((total, share) => total + share, 0);
  if (shares.every((share) => share >= 0) && Math.abs(sum - 1) < 1e-9) return shares;
  throw new InputError(place, 'probabilities whose sum is 1', `[${shares.join(', ')}] at ${point}`);
}

function createDefinition(
  variant: Variant,
  players: PlayerPair,
  points: readonly string[],
  policies: Readonly<Record<string, PolicyFunction>>,
): JointDefinition<State> {
  const { spec, model } = variant;
  return {
    model,
    players,
    features: spec.features.map(({ name }) => name),
    decides: (point, player) => players.includes(player) && points.includes(point),
    observe: spec.observe,
    ...createFinalReward(variant),
    isPlain: !getBoundScenario(variant.scenario).isCustom,
    decidePolicy: (question, state) => {
      const ask = policies[question.player];
      return ask === undefined ? question.policy : askPolicy(variant, ask, question, state);
    },
  };
}

/** Game of a scenario, not solved. */
export type ScenarioGame = Omit<JointSolution, 'table' | 'values'>;

/** Builds the game of a scenario. @throws as `findEquilibrium` does */
export function buildScenarioGame(scenario: Scenario, options: EquilibriumSyncOptions): ScenarioGame {
  const { budget = BEST_RESPONSE_BUDGET, policies = {} } = options;
  parseCount(budget, 'budget', 1, GAME_STEPS_MAX);
  const [declared] = createEnvSpec([{ scenario }], { agents: 'all' }).variants;
  if (declared === undefined) throw new Error('a specification without a scenario');
  const players = getPlayers(declared);
  const reward = completeReward(options.reward ?? 'win', players);
  const [variant = declared] = createEnvSpec([{ scenario }], { agents: 'all', reward }).variants;
  checkZeroSum(variant, reward);
  createOptionsCheck<Record<string, PolicyFunction>>(
    'policies',
    Object.fromEntries(players.map((player) => [player, true])),
  )(policies);
  const points = selectPoints(variant.spec, options.decisions);
  const graph = runWithScenarioErrors('equilibrium', scenario, () =>
    buildJointGraph(createDefinition(variant, players, points, policies), budget),
  );
  return { variant, players, points, budget, reward, graph };
}

/** Solves a scenario. @throws as `findEquilibrium` does */
function solveJointGame(scenario: Scenario, options: EquilibriumSyncOptions): JointSolution {
  checkSyncOptions(options);
  const game = buildScenarioGame(scenario, options);
  const { graph, budget } = game;
  const table = createGameTable(graph);
  const values = computeJointValues(graph, table, { maxRounds: game.variant.model.maxRounds, budget });
  return { ...game, table, values };
}

/** Describes the policy of a player. */
function createPlayerPolicy(
  solution: JointSolution,
  player: string,
  index: PlayerIndex,
  withTable: boolean,
): PlayerPolicy {
  const { values } = solution;
  const sign = index === 0 ? 1 : -1;
  const value = sign * values.value;
  const guaranteed = sign * (index === 0 ? values.bestColumn : values.bestRow);
  const table = withTable && createEquilibriumTable(solution, index);
  const rest = table === false || table === undefined ? {} : { policyTable: table };
  if (Number.isNaN(guaranteed)) return { player, value, losses: [], ...rest };
  const exploitability = Math.max(0, value - guaranteed);
  return { player, value, guaranteed, exploitability, losses: listPolicyLosses(solution, index), ...rest };
}

/**
 * Creates the result.
 * @param began start time by `performance.now()`
 * @param policyTable true to add the policies of the equilibrium
 */
function createEquilibrium(solution: JointSolution, began: number, policyTable = false): EquilibriumData {
  const { variant, reward, points, graph, table, values } = solution;
  const { model, scenario } = variant;
  const { strategies, outcomes } = listStrategies(solution);
  const players = solution.players.map((player, index) =>
    createPlayerPolicy(solution, player, index === 0 ? 0 : 1, policyTable),
  );
  const [first, second] = players.map(({ exploitability }) => exploitability);
  return {
    scenario,
    scenarioHash: hashScenario(scenario),
    ...{ reward, decisions: points },
    value: values.value,
    interval: [Math.min(values.lower, values.value), Math.max(values.upper, values.value)],
    ...(!Number.isNaN(values.given) && { policyValue: values.given }),
    error: values.error,
    players,
    ...(first !== undefined && second !== undefined && { nashConv: first + second }),
    outcomes: model.outcomes.map((name, o) => ({ name, equilibrium: clampProbability(outcomes[o]) })),
    strategies,
    decisionStates: graph.questions.size,
    positions: table.nodes - 1,
    steps: graph.steps,
    rounds: values.rounds,
    elapsedSeconds: (performance.now() - began) / 1000,
  };
}

const toEquilibrium = (found: EquilibriumData): Equilibrium => withToJson(found, () => toEquilibriumJson(found));

/**
 * Finds an equilibrium of a scenario with two players and zero-sum rewards, and what the policies of both give away. The
 * players know the state and the rules; choices that a player's features do not show before its own next choice are
 * simultaneous. The value is that of the game with its `maxRounds`. Runs in a thread, except with `policies`.
 * @throws InputError if the scenario does not have two players, the rewards are not zero-sum, or a player has private
 * information when a stage begins
 * @throws RulesError if the rules fail
 * @throws BudgetError if too many positions are reachable; `suggested` may be sufficient
 * @throws AbortError if the signal aborts first
 */
export async function findEquilibrium(scenario: Scenario, options: EquilibriumOptions = {}): Promise<Equilibrium> {
  checkOptions(options);
  const { signal, onProgress, ...requested } = options;
  const solve = (): Equilibrium => findEquilibriumSync(scenario, requested);
  // Functions cannot be sent to a thread.
  if (requested.policies !== undefined) return solve();
  const found = await offload(
    'findEquilibrium',
    scenario,
    requested,
    { signal, onProgress },
    (): EquilibriumData => solve(),
  );
  return toEquilibrium({ ...found, scenario });
}

/**
 * Computes like `findEquilibrium` in the calling thread, and blocks the event loop.
 * @throws InputError, RulesError, BudgetError as `findEquilibrium`
 */
export function findEquilibriumSync(scenario: Scenario, options: EquilibriumSyncOptions = {}): Equilibrium {
  const began = performance.now();
  return toEquilibrium(createEquilibrium(solveJointGame(scenario, options), began, options.policyTable));
}
