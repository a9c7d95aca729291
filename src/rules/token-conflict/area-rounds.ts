/** Rounds of an area: payment, groups, hits and the end of the conflict. */
import type { Chance } from '../../core/index.ts';
import {
  type Area,
  addAt,
  type ConflictPlan,
  type ConflictState,
  type Contingent,
  finishTask,
  getAt,
  getPlayer,
  isContested,
  listPresent,
  removeTokens,
  restock,
  sumTokensIn,
} from './plan.ts';
import { PAYMENTS, type Payment, selectPayment } from './policies.ts';

const LAST_RANK = 1_000_000;

/** Chooses the loss of a contingent in a round: its player decides if there is a choice. */
export function choosePayment(
  plan: ConflictPlan,
  state: ConflictState,
  contingent: Contingent,
  chance: Chance,
): Payment {
  const { index } = contingent;
  if (getAt(state.ships, index) + getAt(state.adjacent, index) === 0) return 'token';
  const { name, sacrifice } = getPlayer(plan, contingent);
  return chance.decide('sacrifice', name, PAYMENTS, () => selectPayment(sacrifice, getAt(state.tokens, index)));
}

/** Applies one loss: a ship, an adjacent token or a token of the area. */
export function giveUp(
  plan: ConflictPlan,
  state: ConflictState,
  contingent: Contingent,
  payment: Payment,
  chance: Chance,
): ConflictState {
  const { index, player: p } = contingent;
  const player = getPlayer(plan, contingent);
  if (payment === 'token') {
    chance.rule('lose.token', () => ({ player: player.name, left: getAt(state.tokens, index) - 1 }));
    return removeTokens(plan, state, index, 1);
  }
  const ships = getAt(state.ships, index);
  const spent = { ...state, spent: addAt(state.spent, p, 1) };
  if (ships > 0) {
    chance.rule('lose.ship', () => ({ player: player.name, left: ships - 1 }));
    return { ...spent, ships: addAt(state.ships, index, -1) };
  }
  chance.rule('lose.adjacent', () => ({ player: player.name, left: getAt(state.adjacent, index) - 1 }));
  return restock(plan, { ...spent, adjacent: addAt(state.adjacent, index, -1) }, p, 1);
}

/** Forms the groups of contingents that lose tokens together, in the order of the round. */
function formGroups(plan: ConflictPlan, area: Area, state: ConflictState, chance: Chance): Contingent[][] {
  const present = listPresent(area, state);
  const rank = (contingent: Contingent): number =>
    getAt(state.tokens, contingent.index) + (getPlayer(plan, contingent).metalworking ? LAST_RANK : 0);
  const ranks = [...new Set(present.map(rank))].sort((a, b) => a - b);
  if (ranks.some((each) => each < LAST_RANK)) {
    for (const smith of present.filter((contingent) => rank(contingent) >= LAST_RANK)) {
      chance.rule('order.metalworking', () => ({ player: getPlayer(plan, smith).name }));
    }
  }
  return ranks.map((each) => present.filter((contingent) => rank(contingent) === each));
}

/** Starts a round with its groups. */
export function openRound(plan: ConflictPlan, area: Area, state: ConflictState, chance: Chance): Contingent[][] {
  const count = (each: Contingent): string =>
    `${getPlayer(plan, each).name} ${String(getAt(state.tokens, each.index))}`;
  chance.rule('round', () => ({ area: area.name, tokens: listPresent(area, state).map(count).join(', ') }));
  return formGroups(plan, area, state, chance);
}

export function reportTie(plan: ConflictPlan, group: readonly Contingent[], chance: Chance): void {
  if (group.length < 2) return;
  chance.rule('order.tie', () => ({ players: group.map((each) => getPlayer(plan, each).name).join(' and ') }));
}

/** A round of an area; with `city` the limit does not count. */
export type RoundFunction = (
  plan: ConflictPlan,
  area: Area,
  before: ConflictState,
  city: boolean,
  chance: Chance,
) => ConflictState;

/** Resolves one round of token removal; it stops after the group that ends the conflict. */
export const fightRound: RoundFunction = (plan, area, before, city, chance) => {
  let state: ConflictState = { ...before, rounds: before.rounds + 1 };
  for (const group of openRound(plan, area, before, chance)) {
    reportTie(plan, group, chance);
    for (const contingent of group) {
      state = giveUp(plan, state, contingent, choosePayment(plan, state, contingent, chance), chance);
    }
    if (!isContested(area, state, city)) break;
  }
  return state;
};

/** Reports the end of a conflict. */
export function reportEnd(plan: ConflictPlan, area: Area, state: ConflictState, chance: Chance): void {
  const [first, ...others] = listPresent(area, state);
  if (first === undefined) chance.rule('end.none', () => ({ area: area.name }));
  else if (others.length === 0)
    chance.rule('end.one', () => ({ area: area.name, player: getPlayer(plan, first).name }));
  else chance.rule('end.limit', () => ({ area: area.name, total: sumTokensIn(area, state.tokens), limit: area.limit }));
}

/** Returns the outcome of an area without a city; with a city it is unknown before the attack. */
export function findAreaResult(plan: ConflictPlan, area: Area, state: ConflictState): string {
  if (area.city !== undefined) return '';
  const [first, ...others] = listPresent(area, state);
  if (first === undefined) return 'empty';
  return others.length > 0 ? 'coexist' : getPlayer(plan, first).name;
}

/** Performs one step of the conflict of an area: its start, a round, or its end. */
export function stepConflict(
  plan: ConflictPlan,
  area: Area,
  state: ConflictState,
  round: RoundFunction,
  chance: Chance,
): ConflictState {
  const city = area.city !== undefined;
  const engaged = state.engaged === area.index;
  if (isContested(area, state, city)) {
    if (engaged) return round(plan, area, state, city, chance);
    if (city) chance.rule('conflict.city', () => ({ area: area.name }));
    else
      chance.rule('conflict.limit', () => ({
        area: area.name,
        total: sumTokensIn(area, state.tokens),
        limit: area.limit,
      }));
    return { ...state, engaged: area.index };
  }
  if (engaged) reportEnd(plan, area, state, chance);
  else chance.rule('conflict.none', () => ({ area: area.name }));
  return finishTask(state, area, findAreaResult(plan, area, state));
}

// Attacks on cities: after the conflicts the remaining attackers take the city or are lost.
