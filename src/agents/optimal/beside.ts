/** Beside a battle that was played: what each option of a player's decisions was worth. */
import type { Option, State } from '../../rules/index.ts';
import type { Game } from './game.ts';
import type { SolvedGame } from './optimal.ts';
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

/** Positions that are looked at to tell which of several a battle came to. */
const SEEN_MAX = 200_000;

/** Options of a position in which nobody is asked: what follows is left to chance and to others. */
function onward({ firstOption, questions }: Game<State>, node: number): number[] {
  const [from = 0, to = 0] = [firstOption[node], firstOption[node + 1]];
  return questions.has(node) ? [] : Array.from({ length: to - from }, (_, o) => from + o);
}

/** Positions of some that an option leads to before the player is asked again. */
function reached({ game }: SolvedGame, option: number, wanted: readonly number[]): number[] {
  const { firstEdge, targets } = game;
  const [seen, waiting] = [new Set<number>(), [option]];
  for (let next = waiting.pop(); next !== undefined && seen.size < SEEN_MAX; next = waiting.pop()) {
    const fresh = targets.slice(firstEdge[next] ?? 0, firstEdge[next + 1] ?? 0).filter((target) => !seen.has(target));
    for (const target of fresh) {
      seen.add(target);
      waiting.push(...onward(game, target));
    }
  }
  return wanted.filter((node) => seen.has(node));
}

/** Positions that a state may be in when the player is asked there. */
function candidates({ game, beliefs, variant }: SolvedGame, { state }: Moment): number[] {
  const key = variant.model.key(state);
  const known = game.at(key);
  return [...(known === undefined || !game.questions.has(known) ? [] : [known]), ...(beliefs.get(key) ?? [])];
}

/** Positions of the decisions of a battle, in their order; undefined where several look alike even so. */
function positionsOf(solved: SolvedGame, moments: readonly Moment[]): (number | undefined)[] {
  const { firstOption, questions } = solved.game;
  // All battles begin with the only option of the first position.
  let before: number | undefined = 0;
  return moments.map((moment) => {
    const all = candidates(solved, moment);
    const fitting = all.length < 2 || before === undefined ? all : reached(solved, before, all);
    const [node] = fitting.length === 1 ? fitting : [];
    const chosen = node === undefined ? -1 : (questions.get(node)?.options.indexOf(moment.choice) ?? -1);
    before = chosen < 0 ? undefined : (firstOption[node ?? 0] ?? 0) + chosen;
    return node;
  });
}

/** Rounds that are left in a state, this one included. */
function leftIn({ variant: { model } }: SolvedGame, state: State): number {
  return Math.min(model.maxRounds, model.maxRounds - state.round + (model.resting(state) ? 0 : 1));
}

type Worths = readonly [best: readonly number[], given: readonly number[]];

function worthsAt({ game, values, variant }: SolvedGame, node: number, [best, given]: Worths): Worth[] {
  const { point, options, policy } = game.questions.get(node) ?? { point: '', options: [], policy: [] };
  const most = Math.max(...best) - TIE * values.spread;
  return options.map((option, o) => ({
    action: variant.spec.action(point, option),
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
export function worthsBeside(solved: SolvedGame, moments: readonly Moment[]): (readonly Worth[] | undefined)[] {
  const { game, table, values, budget, variant } = solved;
  const nodes = positionsOf(solved, moments);
  const rounds = moments.map(({ state }) => Math.min(values.rounds, leftIn(solved, state)));
  const told = new Map<string, Worths>();
  const wanted = new Set(nodes.map((node, m) => `${String(node)} ${String(rounds[m])}`));
  const heard = (node: number, left: number, best: readonly number[], given: readonly number[]): void => {
    const name = `${String(node)} ${String(left)}`;
    if (wanted.has(name)) told.set(name, [best, given]);
  };
  const asked = [...new Set(nodes)].filter((node) => node !== undefined);
  valuesOf(game, table, variant.model.maxRounds, budget, { nodes: asked, heard });
  return nodes.map((node, m) => {
    const worths = told.get(`${String(node)} ${String(rounds[m])}`);
    return node === undefined || worths === undefined ? undefined : worthsAt(solved, node, worths);
  });
}
