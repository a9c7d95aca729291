/** Beside a battle that was played: what each option of a player's decisions was worth. */
import type { Option } from '../../systems/rollout.ts';
import type { State } from '../../systems/system.ts';
import type { Solved } from './optimal.ts';
import { TIE, valuesOf } from './values.ts';

/** A decision of the player in a battle. */
export interface Moment {
  /** In which it is asked. */
  readonly state: State;
  readonly choice: Option;
}

/** What an option was worth. */
export interface Worth {
  /** The name of the action. */
  readonly action: string;
  readonly option: Option;
  /** By the best play from there on. */
  readonly best: number;
  /** By the scenario's policy from there on. */
  readonly given: number;
  /** Probability that the scenario's policy takes it. */
  readonly policy: number;
  /** Whether no other option is worth more. */
  readonly isBest: boolean;
}

/** Edges that are followed to tell which of several positions a battle came to. */
const EDGES_MAX = 200_000;

/** Positions of some that an option leads to before the player is asked again. */
function reached({ game }: Solved, option: number, wanted: readonly number[]): number[] {
  const { firstOption, firstEdge, targets, questions } = game;
  const [seen, found, waiting] = [new Set<number>(), new Set<number>(), [option]];
  for (let edges = 0, next = waiting.pop(); next !== undefined && edges < EDGES_MAX; next = waiting.pop()) {
    for (let edge = firstEdge[next] ?? 0, end = firstEdge[next + 1] ?? 0; edge < end; edge++, edges++) {
      const target = targets[edge] ?? 0;
      if (seen.has(target)) continue;
      seen.add(target);
      if (wanted.includes(target)) found.add(target);
      const [from = 0, to = 0] = [firstOption[target], firstOption[target + 1]];
      if (!questions.has(target)) for (let o = from; o < to; o++) waiting.push(o);
    }
  }
  return [...found];
}

/** Positions of the decisions of a battle, in their order; undefined where several look alike even so. */
function positionsOf(solved: Solved, moments: readonly Moment[]): (number | undefined)[] {
  const { game, beliefs, variant } = solved;
  // All battles begin with the only option of the first position.
  let before: number | undefined = 0;
  return moments.map(({ state, choice }) => {
    const key = variant.model.key(state);
    const known = game.at(key);
    const all = [...(known === undefined || !game.questions.has(known) ? [] : [known]), ...(beliefs.get(key) ?? [])];
    const fitting = all.length < 2 || before === undefined ? all : reached(solved, before, all);
    const node = fitting.length === 1 ? fitting[0] : undefined;
    const chosen = node === undefined ? -1 : (game.questions.get(node)?.options.indexOf(choice) ?? -1);
    before = chosen < 0 ? undefined : (game.firstOption[node ?? 0] ?? 0) + chosen;
    return node;
  });
}

/** Rounds that are left in a state, this one included. */
function leftIn({ variant: { model } }: Solved, state: State): number {
  return Math.min(model.maxRounds, model.maxRounds - state.round + (model.resting(state) ? 0 : 1));
}

/**
 * What the options of a player's decisions in a battle were worth, decision by decision.
 * @param moments all decisions of the player in the battle, in their order
 * @returns undefined for a decision whose position cannot be told
 */
export function worthsBeside(solved: Solved, moments: readonly Moment[]): (readonly Worth[] | undefined)[] {
  const { game, table, values, budget, variant } = solved;
  const nodes = positionsOf(solved, moments);
  const rounds = moments.map(({ state }) => Math.min(values.rounds, leftIn(solved, state)));
  const told = new Map<string, readonly [best: readonly number[], given: readonly number[]]>();
  const wanted = new Set(nodes.map((node, m) => `${String(node)} ${String(rounds[m])}`));
  const heard = (node: number, left: number, best: readonly number[], given: readonly number[]): void => {
    const name = `${String(node)} ${String(left)}`;
    if (wanted.has(name)) told.set(name, [best, given]);
  };
  const asked = [...new Set(nodes)].filter((node) => node !== undefined);
  valuesOf(game, table, variant.model.maxRounds, budget, { nodes: asked, heard });
  return nodes.map((node, m) => {
    const question = node === undefined ? undefined : game.questions.get(node);
    const [best, given] = told.get(`${String(node)} ${String(rounds[m])}`) ?? [];
    if (question === undefined || best === undefined) return undefined;
    const most = Math.max(...best) - TIE * values.spread;
    return question.options.map((option, o) => ({
      action: variant.spec.action(question.point, option),
      option,
      best: best[o] ?? 0,
      given: given?.[o] ?? 0,
      policy: question.policy[o] ?? 0,
      isBest: (best[o] ?? 0) >= most,
    }));
  });
}
