/** Token conflicts: rounds in which everyone gives up one token, the weaker before the stronger. */
import type { Door } from '../../core/chance/door.ts';
import type { Area, Contingent, Plan, Player } from './plan.ts';
import { PAYMENTS, type Payment, paymentOf } from './policies.ts';
import { at, type ConflictState, plus, presentIn, removeTokens, restock, settled } from './state.ts';

/** More than any number of tokens: who holds Metalworking comes after everybody else. */
const LAST = 1_000_000;

function total({ contingents }: Area, tokens: readonly number[]): number {
  return contingents.reduce((sum, { index }) => sum + at(tokens, index), 0);
}

/** True if the tokens of an area must fight on. */
export function isContested(area: Area, state: ConflictState, city: boolean): boolean {
  return presentIn(area, state).length > 1 && (city || total(area, state.tokens) > area.limit);
}

function playerIn(plan: Plan, { player }: Contingent): Player {
  const found = plan.players[player];
  if (found === undefined) throw new Error('a contingent of nobody');
  return found;
}

/** What a contingent gives up in a round: its player decides if there is a choice. */
export function choosePayment(plan: Plan, state: ConflictState, contingent: Contingent, door: Door): Payment {
  const { index } = contingent;
  if (at(state.ships, index) + at(state.adjacent, index) === 0) return 'token';
  const { name, sacrifice } = playerIn(plan, contingent);
  return door.decide('sacrifice', name, PAYMENTS, () => paymentOf(sacrifice, at(state.tokens, index)));
}

/** One loss: a ship, an adjacent token or a token of the area. */
export function giveUp(
  plan: Plan,
  state: ConflictState,
  contingent: Contingent,
  payment: Payment,
  door: Door,
): ConflictState {
  const { index, player: p } = contingent;
  const player = playerIn(plan, contingent);
  if (payment === 'token') {
    door.rule('lose.token', () => ({ player: player.name, left: at(state.tokens, index) - 1 }));
    return removeTokens(plan, state, index, 1);
  }
  const ships = at(state.ships, index);
  const spent = { ...state, spent: plus(state.spent, p, 1) };
  if (ships > 0) {
    door.rule('lose.ship', () => ({ player: player.name, left: ships - 1 }));
    return { ...spent, ships: plus(state.ships, index, -1) };
  }
  door.rule('lose.adjacent', () => ({ player: player.name, left: at(state.adjacent, index) - 1 }));
  return restock(plan, { ...spent, adjacent: plus(state.adjacent, index, -1) }, p, 1);
}

/** Who gives up tokens together, in the order of the round. */
function groupsOf(plan: Plan, area: Area, state: ConflictState, door: Door): Contingent[][] {
  const present = presentIn(area, state);
  const rank = (contingent: Contingent): number =>
    at(state.tokens, contingent.index) + (playerIn(plan, contingent).metalworking ? LAST : 0);
  const ranks = [...new Set(present.map(rank))].sort((a, b) => a - b);
  if (ranks.some((each) => each < LAST)) {
    for (const smith of present.filter((contingent) => rank(contingent) >= LAST)) {
      door.rule('order.metalworking', () => ({ player: playerIn(plan, smith).name }));
    }
  }
  return ranks.map((each) => present.filter((contingent) => rank(contingent) === each));
}

/** A round begins: who gives up tokens together, in its order. */
export function openRound(plan: Plan, area: Area, state: ConflictState, door: Door): Contingent[][] {
  const count = (each: Contingent): string => `${playerIn(plan, each).name} ${String(at(state.tokens, each.index))}`;
  door.rule('round', () => ({ area: area.name, tokens: presentIn(area, state).map(count).join(', ') }));
  return groupsOf(plan, area, state, door);
}

export function tellTie(plan: Plan, group: readonly Contingent[], door: Door): void {
  if (group.length < 2) return;
  door.rule('order.tie', () => ({ players: group.map((each) => playerIn(plan, each).name).join(' and ') }));
}

/** A round of an area; with `city` the limit does not count. */
export type Round = (plan: Plan, area: Area, before: ConflictState, city: boolean, door: Door) => ConflictState;

/** One round of token removal; it stops after the group that ends the conflict. */
export const fightRound: Round = (plan, area, before, city, door) => {
  let state: ConflictState = { ...before, rounds: before.rounds + 1 };
  for (const group of openRound(plan, area, before, door)) {
    tellTie(plan, group, door);
    for (const contingent of group) {
      state = giveUp(plan, state, contingent, choosePayment(plan, state, contingent, door), door);
    }
    if (!isContested(area, state, city)) break;
  }
  return state;
};

/** Says why a conflict is over. */
export function tellEnd(plan: Plan, area: Area, state: ConflictState, door: Door): void {
  const [first, ...others] = presentIn(area, state);
  if (first === undefined) door.rule('end.none', () => ({ area: area.name }));
  else if (others.length === 0) door.rule('end.one', () => ({ area: area.name, player: playerIn(plan, first).name }));
  else door.rule('end.limit', () => ({ area: area.name, total: total(area, state.tokens), limit: area.limit }));
}

/** The outcome of an area without a city; that of one with a city is not known before the attack. */
export function resultOf(plan: Plan, area: Area, state: ConflictState): string {
  if (area.city !== undefined) return '';
  const [first, ...others] = presentIn(area, state);
  if (first === undefined) return 'empty';
  return others.length > 0 ? 'coexist' : playerIn(plan, first).name;
}

/** One step of an area's conflict: that it breaks out, a round of it, or that it is over. */
export function conflictStep(plan: Plan, area: Area, state: ConflictState, round: Round, door: Door): ConflictState {
  const city = area.city !== undefined;
  const engaged = state.engaged === area.index;
  if (isContested(area, state, city)) {
    if (engaged) return round(plan, area, state, city, door);
    if (city) door.rule('conflict.city', () => ({ area: area.name }));
    else door.rule('conflict.limit', () => ({ area: area.name, total: total(area, state.tokens), limit: area.limit }));
    return { ...state, engaged: area.index };
  }
  if (engaged) tellEnd(plan, area, state, door);
  else door.rule('conflict.none', () => ({ area: area.name }));
  return settled(state, area, resultOf(plan, area, state));
}
