/** Values of the options of a player's decisions in one battle. */
import type { DecisionOption, State } from '../../rules/index.ts';
import type { ScenarioSolution } from './best-response.ts';
import type { GameGraph } from './game-graph.ts';
import { computeGameValues, TIE } from './game-values.ts';

/** Decision of the player in a battle. */
export interface BattleDecision {
  /** State before the decision. */
  readonly state: State;
  readonly choice: DecisionOption;
}

/** Value of an option. */
export interface OptionValue {
  /** The name of the action. */
  readonly action: string;
  readonly option: DecisionOption;
  /** Expected reward with optimal decisions afterwards. */
  readonly best: number;
  /** Expected reward with the scenario's policy afterwards. */
  readonly given: number;
  /** Probability of the option under the scenario's policy. */
  readonly policy: number;
  /** True if no other option has a greater value. */
  readonly isBest: boolean;
}

/** Maximum positions to search for the one that a battle has reached. */
const SEARCHED_POSITIONS_MAX = 200_000;

/** Lists the only option of a position without a decision. */
function listForcedOptions({ firstOption, questions }: GameGraph<State>, node: number): number[] {
  const [from = 0, to = 0] = [firstOption[node], firstOption[node + 1]];
  return questions.has(node) ? [] : Array.from({ length: to - from }, (_, o) => from + o);
}

/** Finds which positions an option leads to before the next decision. */
function findReachable({ game }: ScenarioSolution, option: number, wanted: readonly number[]): number[] {
  const { firstEdge, targets } = game;
  const [seen, waiting] = [new Set<number>(), [option]];
  for (let next = waiting.pop(); next !== undefined && seen.size < SEARCHED_POSITIONS_MAX; next = waiting.pop()) {
    const fresh = targets.slice(firstEdge[next] ?? 0, firstEdge[next + 1] ?? 0).filter((target) => !seen.has(target));
    for (const target of fresh) {
      seen.add(target);
      waiting.push(...listForcedOptions(game, target));
    }
  }
  return wanted.filter((node) => seen.has(node));
}

/** Finds the positions that may contain a state. */
function findCandidates({ game, beliefs, variant }: ScenarioSolution, { state }: BattleDecision): number[] {
  const key = variant.model.key(state);
  const known = game.at(key);
  return [...(known === undefined || !game.questions.has(known) ? [] : [known]), ...(beliefs.get(key) ?? [])];
}

/** Locates the positions of a battle's decisions, in order; undefined if several match. */
function locateDecisions(solved: ScenarioSolution, moments: readonly BattleDecision[]): (number | undefined)[] {
  const { firstOption, questions } = solved.game;
  // All battles start with the only option of the first position.
  let before: number | undefined = 0;
  return moments.map((moment) => {
    const all = findCandidates(solved, moment);
    const fitting = all.length < 2 || before === undefined ? all : findReachable(solved, before, all);
    const [node] = fitting.length === 1 ? fitting : [];
    const chosen = node === undefined ? -1 : (questions.get(node)?.options.indexOf(moment.choice) ?? -1);
    before = chosen < 0 ? undefined : (firstOption[node ?? 0] ?? 0) + chosen;
    return node;
  });
}

/** Returns the remaining rounds in a state, this one included. */
function countRoundsLeft({ variant: { model } }: ScenarioSolution, state: State): number {
  return Math.min(model.maxRounds, model.maxRounds - state.round + (model.resting(state) ? 0 : 1));
}

type PolicyOptionValues = readonly [best: readonly number[], given: readonly number[]];

function createOptionValues(
  { game, values, variant }: ScenarioSolution,
  node: number,
  [best, given]: PolicyOptionValues,
  /** Reward of the rounds that the battle has started, and of earlier steps. */
  earned: number,
): OptionValue[] {
  const { point, options, policy } = game.questions.get(node) ?? { point: '', options: [], policy: [] };
  const most = Math.max(...best) - TIE * values.payoffRange;
  return options.map((option, o) => ({
    action: variant.spec.actionName(point, option),
    option,
    best: (best[o] ?? 0) + earned,
    given: (given[o] ?? 0) + earned,
    policy: policy[o] ?? 0,
    isBest: (best[o] ?? 0) >= most,
  }));
}

/**
 * Evaluates the options of a player's decisions in a battle.
 * @param moments all decisions of the player in the battle, in order
 * @returns undefined for a decision whose position is ambiguous
 */
export function evaluateDecisions(
  solved: ScenarioSolution,
  moments: readonly BattleDecision[],
): (readonly OptionValue[] | undefined)[] {
  const { game, table, values, budget, variant } = solved;
  const { round, step } = game.lengthPayoff;
  const nodes = locateDecisions(solved, moments);
  const rounds = moments.map(({ state }) => Math.min(values.rounds, countRoundsLeft(solved, state)));
  const reported = new Map<string, PolicyOptionValues>();
  const wanted = new Set(nodes.map((node, m) => `${String(node)} ${String(rounds[m])}`));
  const recordValues = (node: number, left: number, best: readonly number[], given: readonly number[]): void => {
    const name = `${String(node)} ${String(left)}`;
    if (wanted.has(name)) reported.set(name, [best, given]);
  };
  const requested = [...new Set(nodes)].filter((node) => node !== undefined);
  computeGameValues(game, table, variant.model.maxRounds, budget, { nodes: requested, onValues: recordValues });
  return moments.map(({ state }, m) => {
    const node = nodes[m];
    const worths = reported.get(`${String(node)} ${String(rounds[m])}`);
    if (node === undefined || worths === undefined) return undefined;
    const started = state.round + Number(variant.model.resting(state));
    return createOptionValues(solved, node, worths, round * started + step * m);
  });
}
