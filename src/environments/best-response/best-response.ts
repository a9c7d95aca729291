/** Whether best play knows more than its player can: whether states which it tells apart can be seen apart. */

import {
  BEST_RESPONSE_BUDGET,
  BudgetError,
  createOptionsCheck,
  InputError,
  OPTIMAL_STEPS_MAX,
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
  formatFew,
  formatValue,
  getBoundScenario,
  type Key,
  listDifferences,
  type Scenario,
  type State,
  unwrapState,
} from '../../rules/index.ts';
import { list, text } from '../../rules/option-spec.ts';
import { createResultHeader, hashScenario, indexByName, summarizeDistribution, withToJson } from '../../stats/index.ts';
import { createEnvSpec, type Reward, type Variant } from '../env-spec.ts';
import type { ScenarioSpec } from '../scenario-spec.ts';
import {
  buildGameGraph,
  createGameDefinition,
  type GameDefinition,
  type GameGraph,
  type OpenDecision,
} from './game-graph.ts';
import {
  computeGameValues,
  computeOutcomeProbabilities,
  createGameTable,
  type GameTable,
  type GameValues,
  TIE,
} from './game-values.ts';

/** By so much of what battles can be worth both optima differ before that is no rounding. */
const SIGNIFICANT_DIFFERENCE = 1e-9;

/** Steps that the walk of the player which knows less may take: it has more positions. */
const HIDDEN_STEPS_FACTOR = 4;

/** A contest that was solved. */
export interface GameSolution {
  readonly game: GameGraph<State>;
  readonly values: GameValues;
}

/** What a player would have to know for its best play. */
export interface HiddenInformation {
  readonly message: string;
  readonly advice: string;
}

function solveGame(definition: GameDefinition<State>, steps: number): GameSolution {
  const game = buildGameGraph(definition, steps);
  return { game, values: computeGameValues(game, createGameTable(game), definition.model.maxRounds, steps) };
}

/** States that look alike to a player and in which the optimum does different things. */
interface InformationLeak {
  readonly point: string;
  readonly one: State;
  readonly other: State;
  readonly choices: readonly string[];
}

/** What the optimum does in the states in which the player decides, by their keys. */
function collectChoices({ model }: GameDefinition<State>, { game, values }: GameSolution): Map<unknown, string> {
  return new Map(
    [...game.questions].flatMap(([node, { options }]) => {
      const state = game.states[node];
      return state === undefined ? [] : [[model.key(state), String(options[values.choice(node, model.maxRounds)])]];
    }),
  );
}

/** The first of some states that look alike in which the optimum does something else. */
function findLeak(
  { point }: OpenDecision,
  states: readonly State[],
  choice: (state: State) => string | undefined,
): InformationLeak | undefined {
  const [one] = states;
  const first = one && choice(one);
  const other = states.find((state) => choice(state) !== undefined && choice(state) !== first);
  if (one === undefined || other === undefined) return undefined;
  return { point, one, other, choices: [first ?? '', choice(other) ?? ''] };
}

function describeHiddenInformation(
  player: string,
  known: number,
  seen: number,
  leak: InformationLeak | undefined,
): HiddenInformation {
  const name = formatValue(player);
  const gain = `its value would be ${known.toPrecision(4)} instead of ${seen.toPrecision(4)}, the best value with the features`;
  const advice =
    'If the player may know it, add a feature for it. If it is secret, draw it when it is needed, or show it in a ' +
    'feature only at the end: of: (state, player) => (player === undefined ? state.secret : 0).';
  if (leak === undefined) return { message: `the optimum of ${name} uses what no feature shows: ${gain}`, advice };
  const { point, one, other, choices } = leak;
  const apart = formatFew(listDifferences(unwrapState(one), unwrapState(other)));
  const message =
    `at the decision "${point}" the optimal policy would cheat: two states look the same to ${name}, but they differ in ` +
    `${apart}, and it chooses ${choices.map(formatValue).join(' in one and ')} in the other; ${gain}`;
  return { message, advice };
}

/**
 * What best play uses although no feature shows it: the game is solved again for a player who knows the features alone.
 * @param known the same contest, solved
 * @param steps that `known` could take; four times as many are taken here at most
 * @returns undefined if there is no such thing
 * @throws BudgetError if that takes more
 * @throws InputError if secrets last longer than a round, so that it cannot be solved
 */
export function findHiddenInformation(
  definition: GameDefinition<State>,
  known: GameSolution,
  player: string,
  steps: number,
): HiddenInformation | undefined {
  if (known.game.questions.size === 0) return undefined;
  const choices = collectChoices(definition, known);
  let leak: InformationLeak | undefined;
  const heard = (question: OpenDecision, states: readonly State[]): void => {
    if (states.length > 1) leak ??= findLeak(question, states, (state) => choices.get(definition.model.key(state)));
  };
  const { values } = solveGame(
    { ...definition, mergesByObservation: true, onDecision: heard },
    HIDDEN_STEPS_FACTOR * steps,
  );
  const gain = known.values.best - values.best;
  const doubt = SIGNIFICANT_DIFFERENCE * values.payoffRange + known.values.error + values.error;
  return gain > doubt ? describeHiddenInformation(player, known.values.best, values.best, leak) : undefined;
}

// The best that one player can do against the scenario's policies of all others, and what its own policy gives away.

export { BEST_RESPONSE_BUDGET };

/** Who plays as well as possible, where, and for what. */
export interface BestResponseSyncOptions {
  /** The player; the first one unless given. */
  readonly agent?: string | undefined;
  /** What it wants, as in an environment: `win` unless given. */
  readonly reward?: Reward | undefined;
  /** Decision points at which it plays best; at all others its policy decides. All unless given. */
  readonly decisions?: readonly string[] | undefined;
  /** Transitions that may be computed, 1..16 000 000, and for each 1000 times as many moves of value; 4 000 000 unless given. */
  readonly budget?: number | undefined;
}

/** Options of `findBestResponse`. */
export interface BestResponseOptions extends BestResponseSyncOptions, ProgressOptions {}

const OPTIONS = {
  agent: text('player', 'the player'),
  reward: true,
  decisions: list('decision points'),
  budget: true,
} as const;
const checkSyncOptions = createOptionsCheck<BestResponseSyncOptions>('findBestResponseSync', OPTIONS);
const checkOptions = createOptionsCheck<BestResponseOptions>('findBestResponse', { ...OPTIONS, ...PROGRESS_OPTIONS });

/** A state in which the scenario's policy is not the best. */
export interface PolicyCorrection {
  readonly decision: string;
  /** What the player sees, by the names of the system's features. */
  readonly observation: Readonly<Record<string, number>>;
  /** Probabilities of the actions that the policy takes. */
  readonly policy: Readonly<Record<string, number>>;
  readonly bestAction: string;
  /** How often a battle comes here under the scenario's policies; below 1 where none comes here twice, a probability. */
  readonly visits: number;
  /** What is lost here each time, by the best play from there on. */
  readonly loss: number;
}

/** What was found. */
export interface BestResponseData {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly agent: string;
  /** Players whose policies are those of the scenario: the value is that of a best response to them. */
  readonly opponents: readonly string[];
  readonly reward: Reward;
  readonly decisions: readonly string[];
  /** What a battle is worth to the player by the best play, and by the scenario's policy. */
  readonly value: number;
  readonly policyValue: number;
  /** By how much either can be wrong, but for rounding. */
  readonly error: number;
  readonly outcomes: readonly { readonly name: string; readonly bestResponse: number; readonly policy: number }[];
  /**
   * States in which the policy is not the best, greatest share of the difference first. Visits times losses sum to
   * `value - policyValue` (S. Kakade, J. Langford 2002).
   */
  readonly corrections: readonly PolicyCorrection[];
  /** Positions in which the player decides; positions in all; those of states that the player cannot tell apart. */
  readonly decisionStates: number;
  readonly positions: number;
  readonly beliefs: number;
  /** Transitions before merging. */
  readonly steps: number;
  /**
   * Best play uses what no feature shows its player: what that is, and what to do. Looked for in systems of one's own, where
   * that takes little more than the answer.
   */
  readonly warning?: string;
  /** Rounds that were counted back. */
  readonly rounds: number;
  readonly elapsedSeconds: number;
}

/** An optimum as JSON: what `warpool best-response --json` prints. */
export function createBestResponseJson({
  scenario,
  scenarioHash: hash,
  outcomes,
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

/** What `warpool best-response --json` prints. */
export type BestResponseJson = ReturnType<typeof createBestResponseJson>;

/** The optimum of `findBestResponse`, and the states in which the policy of the scenario falls short of it. */
export interface BestResponse extends BestResponseData {
  /** For `JSON.stringify`: outcomes by their names. See docs/reference/json.md. */
  toJSON(): BestResponseJson;
}

function selectPoints({ points, pace }: ScenarioSpec, requested: readonly string[] | undefined): readonly string[] {
  const all = points.filter((point) => point !== pace);
  const stranger = requested?.find((point) => !all.includes(point));
  if (stranger === undefined) return requested ?? all;
  throw new InputError('decisions', `some of ${all.join(', ')}`, `"${stranger}"${suggestName(stranger, all)}`);
}

/** Tells corrections by the names of features and actions. */
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
      observation: this.#observed(state),
      policy: Object.fromEntries(actions.map((name, o) => [name, policy[o] ?? 0] as const).filter(([, p]) => p > 0)),
      bestAction: actions[choice] ?? '',
      visits,
      loss,
    };
  }

  /** Features of a position. One that counts the rounds has no value there if the position is the same in every round. */
  #observed(state: State): Readonly<Record<string, number>> {
    const { model, spec } = this.#variant;
    const later = { ...state, round: state.round + 1 };
    const seen = spec.observe(state, this.#player);
    const seenLater = model.key(later) === model.key(state) ? spec.observe(later, this.#player) : seen;
    const values = spec.features.map(({ name }, f) => [name, seen[f] ?? 0] as const);
    return Object.fromEntries(values.filter(([, value], f) => value === seenLater[f]));
  }
}

/** What comes of both policies: outcomes, and by position how often it is met, what is lost in it, and with how many rounds left most. */
function comparePolicies({ game, table, values, budget, variant: { model } }: ScenarioSolution) {
  const visits = new Float64Array(table.nodes);
  const lost = new Float64Array(table.nodes);
  const worst = new Float64Array(table.nodes);
  const roundsLeft = new Float64Array(table.nodes).fill(model.maxRounds);
  const { decisionIndex, policy, firstOption } = table;
  const own = (node: number, option: number): number => policy[(firstOption[node] ?? 0) + option] ?? 0;
  const given = computeOutcomeProbabilities(game, table, model, budget, own, (node, mass, left) => {
    visits[node] = (visits[node] ?? 0) + mass;
    const loss = mass * values.loss(node, left);
    lost[node] = (lost[node] ?? 0) + loss;
    if (loss <= (worst[node] ?? 0)) return;
    [worst[node], roundsLeft[node]] = [loss, left];
  });
  const chosen = (node: number, option: number, left: number): number =>
    (decisionIndex[node] ?? -1) < 0 || values.choice(node, left) === option ? 1 : 0;
  const best = computeOutcomeProbabilities(game, table, model, budget, chosen, () => undefined);
  return { given, best, visits, lost, roundsLeft };
}

/** A scenario solved for one of its players. */
export interface ScenarioSolution {
  readonly variant: Variant;
  readonly agent: string;
  readonly reward: Reward;
  readonly decisions: readonly string[];
  readonly budget: number;
  readonly game: GameGraph<State>;
  readonly table: GameTable;
  readonly values: GameValues;
  /** Positions with several states, by the states in them, as far as the player decides there. */
  readonly beliefs: ReadonlyMap<Key, readonly number[]>;
}

/** Whose rules they are that cannot be solved: `my-duel (scenario "usual")`. */
function describeRules({ system, name }: Scenario): string {
  return name === undefined ? system : `${system} (scenario "${name}")`;
}

/** What is wrong in rules is told with the system and the scenario. */
function runWithScenarioErrors<T>(scenario: Scenario, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof InputError) || error.place !== 'best-response')
      throw describeRulesError(error, getBoundScenario(scenario));
    throw new InputError(`best-response of ${describeRules(scenario)}`, error.expected, error.found);
  }
}

/** @throws as `findBestResponse` does */
export function solveScenarioGame(scenario: Scenario, options: BestResponseSyncOptions = {}): ScenarioSolution {
  checkSyncOptions(options);
  const { reward = 'win', budget = BEST_RESPONSE_BUDGET } = options;
  parseCount(budget, 'budget', 1, OPTIMAL_STEPS_MAX);
  const agents = options.agent === undefined ? undefined : [options.agent];
  const configuration = createEnvSpec([{ scenario }], { agents, reward });
  const [variant] = configuration.variants;
  const [agent] = configuration.agents;
  if (variant === undefined || agent === undefined) throw new InputError('agent', 'a player', 'none');
  const points = selectPoints(variant.spec, options.decisions);
  const { model } = variant;
  const hidden: Key[][] = [];
  const heard = (_: OpenDecision, states: readonly State[]): void => {
    hidden.push(states.length > 1 ? states.map((state) => model.key(state)) : []);
  };
  const game = runWithScenarioErrors(scenario, () =>
    buildGameGraph({ ...createGameDefinition(variant, agent, points), onDecision: heard }, budget),
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
  return { variant, agent, reward, decisions: points, budget, game, table, values, beliefs };
}

/** What best play of a user's system would have to know; nothing where it cannot be said with little more work. */
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
 * Both policies come to laws, and that of the scenario is not contradicted by battles.
 * @throws RulesError, or RunError if the system is shipped, otherwise
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

/** What is told of a scenario that was solved. @param began when, by the clock of `performance` */
export function createBestResponse(solution: ScenarioSolution, began: number): BestResponse {
  const { variant, agent, reward, decisions, game, table, values } = solution;
  const { model, scenario } = variant;
  const { given, best, visits, lost, roundsLeft } = comparePolicies(solution);
  crossCheckPolicies(solution, given, best);
  const teller = new CorrectionFormatter(variant, agent);
  const corrections = [...game.questions].flatMap(([node, question]) => {
    const state = game.states[node];
    const [times = 0, loss = 0] = [visits[node], lost[node]];
    if (state === undefined || loss <= TIE * values.payoffRange * times) return [];
    return [teller.format(state, question, values.choice(node, roundsLeft[node] ?? 0), times, loss / times)];
  });
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
    outcomes: model.outcomes.map((name, o) => ({ name, bestResponse: best[o] ?? 0, policy: given[o] ?? 0 })),
    corrections: corrections.sort((a, b) => b.visits * b.loss - a.visits * a.loss),
    decisionStates: game.questions.size,
    positions: table.nodes - 1,
    beliefs: game.beliefs,
    steps: game.steps,
    rounds: values.rounds,
    ...(warning !== undefined && { warning }),
    elapsedSeconds: (performance.now() - began) / 1000,
  };
  return toBestResponse(optimum);
}

const toBestResponse = (optimum: BestResponseData): BestResponse =>
  withToJson(optimum, () => createBestResponseJson(optimum));

/**
 * Computes the best that a player can do, and how: exact, for a player who knows the policies of all others but not what
 * they choose in secret. It computes in a thread of the process; a system that was given as a value, and not by
 * `loadSystems`, is solved in the calling thread, which hears no signal meanwhile.
 * @throws InputError if the scenario has no such player, reward or decision points, or its secrets last too long
 * @throws RulesError if the rules of the system fail, or battles contradict what they come to
 * @throws BudgetError if too many states can be reached; the message names how many were found, `suggested` a budget
 *                     that may be enough
 * @throws AbortError if the signal comes first
 */
export async function findBestResponse(scenario: Scenario, options: BestResponseOptions = {}): Promise<BestResponse> {
  checkOptions(options);
  const { signal, onProgress, ...asked } = options;
  const watch = { signal, onProgress };
  const found = await offload(
    'findBestResponse',
    scenario,
    asked,
    watch,
    (): BestResponseData => findBestResponseSync(scenario, asked),
  );
  return toBestResponse({ ...found, scenario });
}

/**
 * Computes as `findBestResponse` does, in the calling thread: it blocks the event loop until the result is there.
 * @throws InputError, RulesError, BudgetError as `findBestResponse` does
 */
export function findBestResponseSync(scenario: Scenario, options: BestResponseSyncOptions = {}): BestResponse {
  const began = performance.now();
  return createBestResponse(solveScenarioGame(scenario, options), began);
}
