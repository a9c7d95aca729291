/** Beside a battle that was played: what each option of a player's decisions was worth. */
import type { DecisionOption, State } from '../../rules/index.ts';
import type { ScenarioSolution } from './best-response.ts';
import type { GameGraph } from './game-graph.ts';
import { computeGameValues, TIE } from './game-values.ts';

/** A decision of the player in a battle. */
export interface BattleDecision {
  /** In which it is asked. */
  readonly state: State;
  readonly choice: DecisionOption;
}

/** What an option was worth. */
export interface OptionValue {
  /** The name of the action. */
  readonly action: string;
  readonly option: DecisionOption;
  /** By the best play from there on. */
  readonly best: number;
  /** By the scenario's policy from there on. */
  readonly given: number;
  /** Probability that the scenario's policy takes it. */
  readonly policy: number;
  /** Whether no other option is worth more. */
  readonly isBest: boolean;
}

/** Positions that are looked at to tell which of several a battle came to. */
const SEARCHED_POSITIONS_MAX = 200_000;

/** Options of a position in which nobody is asked: what follows is left to chance and to others. */
function listForcedOptions({ firstOption, questions }: GameGraph<State>, node: number): number[] {
  const [from = 0, to = 0] = [firstOption[node], firstOption[node + 1]];
  return questions.has(node) ? [] : Array.from({ length: to - from }, (_, o) => from + o);
}

/** Positions of some that an option leads to before the player is asked again. */
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

/** Positions that a state may be in when the player is asked there. */
function findCandidates({ game, beliefs, variant }: ScenarioSolution, { state }: BattleDecision): number[] {
  const key = variant.model.key(state);
  const known = game.at(key);
  return [...(known === undefined || !game.questions.has(known) ? [] : [known]), ...(beliefs.get(key) ?? [])];
}

/** Positions of the decisions of a battle, in their order; undefined where several look alike even so. */
function locateDecisions(solved: ScenarioSolution, moments: readonly BattleDecision[]): (number | undefined)[] {
  const { firstOption, questions } = solved.game;
  // All battles begin with the only option of the first position.
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

/** Rounds that are left in a state, this one included. */
function countRoundsLeft({ variant: { model } }: ScenarioSolution, state: State): number {
  return Math.min(model.maxRounds, model.maxRounds - state.round + (model.resting(state) ? 0 : 1));
}

type PolicyOptionValues = readonly [best: readonly number[], given: readonly number[]];

function createOptionValues(
  { game, values, variant }: ScenarioSolution,
  node: number,
  [best, given]: PolicyOptionValues,
): OptionValue[] {
  const { point, options, policy } = game.questions.get(node) ?? { point: '', options: [], policy: [] };
  const most = Math.max(...best) - TIE * values.payoffRange;
  return options.map((option, o) => ({
    action: variant.spec.actionName(point, option),
    option,
    best: best[o] ?? 0,
    given: given[o] ?? 0,
    policy: policy[o] ?? 0,
    isBest: (best[o] ?? 0) >= most,
  }));
}

/**
 * What the options of a player's decisions in a battle were worth, decision by decision.
 * @param moments all decisions of the player in the battle, in their order
 * @returns undefined for a decision whose position cannot be told
 */
export function evaluateDecisions(
  solved: ScenarioSolution,
  moments: readonly BattleDecision[],
): (readonly OptionValue[] | undefined)[] {
  const { game, table, values, budget, variant } = solved;
  const nodes = locateDecisions(solved, moments);
  const rounds = moments.map(({ state }) => Math.min(values.rounds, countRoundsLeft(solved, state)));
  const told = new Map<string, PolicyOptionValues>();
  const wanted = new Set(nodes.map((node, m) => `${String(node)} ${String(rounds[m])}`));
  const heard = (node: number, left: number, best: readonly number[], given: readonly number[]): void => {
    const name = `${String(node)} ${String(left)}`;
    if (wanted.has(name)) told.set(name, [best, given]);
  };
  const asked = [...new Set(nodes)].filter((node) => node !== undefined);
  computeGameValues(game, table, variant.model.maxRounds, budget, { nodes: asked, onValues: heard });
  return nodes.map((node, m) => {
    const worths = told.get(`${String(node)} ${String(rounds[m])}`);
    return node === undefined || worths === undefined ? undefined : createOptionValues(solved, node, worths);
  });
}
