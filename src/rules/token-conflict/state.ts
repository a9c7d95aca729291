/** What a battle has come to. */
import type { State } from '../system.ts';
import type { Area, Plan } from './plan.ts';
import type { Payment } from './policies.ts';

/** No conflict is being fought. */
export const IDLE = -1;

/** What is left of a step between two of its turns. */
export type Pending =
  | {
      readonly kind: 'round';
      /** Contingents that have yet to give up something, in the order of the round; the first group is at hand. */
      readonly groups: readonly (readonly number[])[];
      /** What the first contingents of the group at hand will give up once all of it have chosen. */
      readonly payments: readonly Payment[];
    }
  /** The victor over a city has yet to draw a card, or only to fill the treasury. */
  | { readonly kind: 'card' | 'treasury' };

export interface ConflictState extends State {
  /** The task at hand, by its place in the plan. */
  readonly task: number;
  /** IDLE, or that a conflict of the task is on; in an attack that succeeded, the contingent that made it. */
  readonly engaged: number;
  /** Rounds begun in all conflicts; `round` is 1 from the first step on. */
  readonly rounds: number;
  readonly pending?: Pending | undefined;
  /** By contingent. */
  readonly tokens: readonly number[];
  readonly ships: readonly number[];
  readonly adjacent: readonly number[];
  /** By area: its outcome, '' until it is known. */
  readonly results: readonly string[];
  /** By player. */
  readonly stock: readonly number[];
  readonly hand: readonly number[];
  readonly lost: readonly number[];
  readonly spent: readonly number[];
  readonly cards: readonly number[];
  readonly treasury: readonly number[];
}

/** Entry `index` of a list that is known to have it. */
export function at(list: readonly number[], index: number): number {
  return list[index] ?? 0;
}

export function plus(list: readonly number[], index: number, by: number): readonly number[] {
  return by === 0 ? list : list.with(index, at(list, index) + by);
}

/** The battle before anything has happened; counts that are drawn are still 0. */
export function musterOf({ players, areas, contingents }: Plan): ConflictState {
  const none = players.map(() => 0);
  return {
    round: 0,
    task: 0,
    engaged: IDLE,
    rounds: 0,
    tokens: contingents.map(({ count }) => (count.values.length === 1 ? at(count.values, 0) : 0)),
    ships: contingents.map(({ ships }) => ships),
    adjacent: contingents.map(({ adjacent }) => adjacent),
    results: areas.map(() => ''),
    stock: players.map(({ stock }) => stock),
    hand: players.map(({ hand }) => hand),
    lost: none,
    spent: none,
    cards: none,
    treasury: none,
  };
}

/** Tokens go back to a player's stock; barbarians have none. */
export function restock(plan: Plan, state: ConflictState, player: number, tokens: number): ConflictState {
  if (plan.players[player]?.barbarian === true) return state;
  return { ...state, stock: plus(state.stock, player, tokens) };
}

/** Tokens of a contingent leave the area for the stock, as losses. */
export function removeTokens(plan: Plan, state: ConflictState, contingent: number, tokens: number): ConflictState {
  const player = plan.contingents[contingent]?.player ?? 0;
  const removed = {
    ...state,
    tokens: plus(state.tokens, contingent, -tokens),
    lost: plus(state.lost, player, tokens),
  };
  return restock(plan, removed, player, tokens);
}

/** The contingents that have tokens in an area. */
export function presentIn({ contingents }: Area, { tokens }: Pick<ConflictState, 'tokens'>): Area['contingents'] {
  return contingents.filter(({ index }) => at(tokens, index) > 0);
}

/** The battle moves on to its next task, the area's outcome being known. */
export function settled(state: ConflictState, area: Area, result: string): ConflictState {
  return { ...state, task: state.task + 1, engaged: IDLE, results: state.results.with(area.index, result) };
}
