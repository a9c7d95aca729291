/** Conversion: the army that a side takes a unit from, the check, and the unit. */
import type { Door } from '../../core/chance/door.ts';
import { check } from './acts.ts';
import { ENEMY, PLAYERS, type Side } from './army.ts';
import type { Plan } from './plan.ts';
import type { Prey } from './policies.ts';
import { type BagState, withForce } from './stages.ts';

/** Troops of the enemy of whom a side can take a unit, by index; those of one army, if one was picked. */
function preyTroops(planned: Plan, { attacker, defender, army }: BagState, side: Side): number[] {
  const { units } = side === 'attacker' ? defender : attacker;
  const { troops } = planned[ENEMY[side]];
  return [...troops.keys()].filter((slot) => (units[slot] ?? 0) > 0 && (army === 0 || troops[slot]?.army === army));
}

/** The army that a side tries to take a unit from; undefined if no army of the enemy has a complexity of its own. */
function pickArmy(planned: Plan, state: BagState, side: Side, door: Door): Prey | undefined {
  const present = planned[side].prey.filter(({ army }) => preyTroops(planned, { ...state, army }, side).length > 0);
  const [first] = present;
  if (first === undefined) return undefined;
  const armies = present.map(({ army }) => army).sort((a, b) => a - b);
  const army = present.length < 2 ? first.army : door.decide('army', side, armies, () => first.army);
  const picked = present.find((each) => each.army === army) ?? first;
  door.rule('conversion.army', () => ({ side: PLAYERS[side], enemy: PLAYERS[ENEMY[side]], ...picked }));
  return picked;
}

/** Names of the enemy's units that a side can convert. */
function convertible(planned: Plan, state: BagState, side: Side): string[] {
  const { troops } = planned[ENEMY[side]];
  return [...new Set(preyTroops(planned, state, side).map((slot) => troops[slot]?.name ?? ''))];
}

/** Takes an enemy unit over; of one type that of the army listed first. */
export function convert(planned: Plan, state: BagState, side: Side, door: Door): BagState {
  const enemy = ENEMY[side];
  const present = convertible(planned, state, side);
  const policy = (): string => planned[side].order.find((name) => present.includes(name)) ?? '';
  const name = present.length < 2 ? policy() : door.decide('conversion', side, present, policy);
  const taken = preyTroops(planned, state, side).find((slot) => planned[enemy].troops[slot]?.name === name);
  door.rule('conversion', () => ({ side: PLAYERS[side], name }));
  const left = state[enemy].units.map((count, slot) => (slot === taken ? count - 1 : count));
  const gained = { ...state[side], conversions: state[side].conversions + 1 };
  const after = withForce({ ...state, pending: undefined, army: 0 }, side, gained);
  return withForce(after, enemy, { ...state[enemy], units: left });
}

/**
 * Tries to convert.
 * @param whole false if the choice of the unit is a turn of its own
 */
export function tryConversion(
  planned: Plan,
  state: BagState,
  side: Side,
  options: { readonly discardFailed: boolean; readonly whole: boolean },
  door: Door,
): BagState {
  const prey = pickArmy(planned, state, side, door);
  const tried = check(state, prey?.complexity ?? planned[side].conversion, options.discardFailed, door);
  if (!tried.passed) return tried.state;
  const passed = { ...tried.state, army: prey?.army ?? 0 };
  const leavesChoice = !options.whole && convertible(planned, passed, side).length > 1;
  return leavesChoice ? { ...passed, pending: 'conversion' } : convert(planned, passed, side, door);
}
