/**
 * Rounds and rewards turn by turn: in each of them one player decides at most. Equals act at the same time, so nobody
 * gives up anything before the whole group has chosen.
 */
import type { Door } from '../../core/chance/door.ts';
import { type Course, clashOf, drawCard, fillTreasury } from './attack.ts';
import { choosePayment, giveUp, isContested, openRound, tellTie } from './conflict.ts';
import { CITY_FALLS } from './names.ts';
import { takenCity } from './order.ts';
import type { Area, CityArea, Contingent, Plan } from './plan.ts';
import { type ConflictState, type Pending, settled } from './state.ts';

type Rest<K extends Pending['kind']> = Extract<Pending, { kind: K }>;

/** Rounds and rewards that only begin; `pendingTurn` goes on with them. */
export const TURNS: Course = {
  round: (plan, area, before, _, door) => {
    const groups = openRound(plan, area, before, door).map((group) => group.map(({ index }) => index));
    return { ...before, rounds: before.rounds + 1, pending: { kind: 'round', groups, payments: [] } };
  },
  reward: (_, state) => ({ ...state, pending: { kind: 'card' } }),
};

/** The next contingent of the group at hand chooses; after the last one all of them give up what they have chosen. */
function groupTurn(
  plan: Plan,
  area: Area,
  city: boolean,
  before: ConflictState,
  { groups: [first = [], ...later], payments }: Rest<'round'>,
  door: Door,
): ConflictState {
  const group = first.flatMap((index): Contingent[] => plan.contingents.slice(index, index + 1));
  const chooser = group[payments.length];
  if (chooser === undefined) throw new Error('a group of nobody gives up tokens');
  const chosen = [...payments, choosePayment(plan, before, chooser, door)];
  if (chosen.length < group.length) {
    return { ...before, pending: { kind: 'round', groups: [first, ...later], payments: chosen } };
  }
  tellTie(plan, group, door);
  let state = before;
  for (const [k, contingent] of group.entries()) state = giveUp(plan, state, contingent, chosen[k] ?? 'token', door);
  const ended = later.length === 0 || !isContested(area, state, city);
  return { ...state, pending: ended ? undefined : { kind: 'round', groups: later, payments: [] } };
}

function rewardTurn(
  plan: Plan,
  area: CityArea,
  state: ConflictState,
  { kind }: Rest<'card' | 'treasury'>,
  door: Door,
): ConflictState {
  const clash = clashOf(plan, state.engaged, area.city);
  if (kind === 'card') return { ...drawCard(state, area.city, clash, door), pending: { kind: 'treasury' } };
  return { ...settled(fillTreasury(plan, state, clash, door), area, CITY_FALLS), pending: undefined };
}

/** The next turn of a step that has begun. */
export function pendingTurn(plan: Plan, state: ConflictState, pending: Pending, door: Door): ConflictState {
  const task = plan.tasks[state.task];
  if (task === undefined || task.kind === 'count') throw new Error('a turn of nothing that lasts');
  const taken = task.kind === 'attack' ? takenCity(task, state) : undefined;
  if (pending.kind !== 'round') {
    if (taken === undefined) throw new Error('a reward for no city');
    return rewardTurn(plan, taken, state, pending, door);
  }
  if (task.kind === 'conflict') {
    return groupTurn(plan, task.area, task.area.city !== undefined, state, pending, door);
  }
  if (taken === undefined) throw new Error('a round over no ruins');
  return groupTurn(plan, taken, false, state, pending, door);
}

/** Tells apart what is left of steps. */
export function pendingKey(pending: Pending): string {
  if (pending.kind !== 'round') return pending.kind;
  return `${pending.groups.map((group) => group.join(' ')).join('|')} ${pending.payments.join(' ')}`;
}
