/** Which attack is next: ranks give every owner places in the order, and each owner orders its own cities. */
import type { Door } from '../../core/chance/door.ts';
import type { AttackTask, CityArea, Contingent, Plan } from './plan.ts';
import { at, type ConflictState, presentIn } from './state.ts';

/** The contingent that attacks a city. */
export function attackersOf(area: CityArea, state: ConflictState): Contingent | undefined {
  return presentIn(area, state).find(({ index }) => index !== area.city.owner);
}

/** The city that has been taken, as long as its attack is at hand. */
export function takenCity({ cities }: AttackTask, { engaged }: ConflictState): CityArea | undefined {
  return cities.find(({ contingents }) => contingents.some(({ index }) => index === engaged));
}

/** By what the owner's policy orders a city: the least is first. */
function urgency({ players }: Plan, area: CityArea, state: ConflictState): number {
  const order = players[area.city.player]?.cityOrder;
  if (order !== 'weakest-attack-first' && order !== 'strongest-attack-first') return area.city.preference;
  const strength = at(state.tokens, attackersOf(area, state)?.index ?? -1);
  return order === 'weakest-attack-first' ? strength : -strength;
}

/**
 * The cities that can be next, in the order of the owner's policy. Those that nobody attacks make no difference, but
 * that one of them in this place lets other owners go first.
 */
function candidates(plan: Plan, { cities, waits }: AttackTask, state: ConflictState): readonly CityArea[] {
  const open = cities
    .filter(({ index }) => state.results[index] === '')
    .sort((a, b) => urgency(plan, a, state) - urgency(plan, b, state));
  const isAttacked = (area: CityArea): boolean => attackersOf(area, state) !== undefined;
  const idle = open.find((area) => !isAttacked(area));
  const idles = waits || !open.some(isAttacked);
  return open.filter((area) => isAttacked(area) || (idles && area === idle));
}

/** The city whose attack is next. */
export function nextCity(plan: Plan, task: AttackTask, state: ConflictState, door: Door): CityArea {
  const [first, ...others] = candidates(plan, task, state);
  if (first === undefined) throw new Error('a place for no attack');
  if (others.length === 0) return first;
  const owner = plan.players[first.city.player]?.name ?? '';
  const names = [first, ...others].map(({ name }) => name);
  const chosen = door.decide('cityOrder', owner, names, () => first.name);
  door.rule('attack.order', () => ({ player: owner, area: chosen }));
  return others.find(({ name }) => name === chosen) ?? first;
}
