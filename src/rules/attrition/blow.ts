/** What one hit does; shared by the modes of attrition. */
import type { Dice, Door } from '../../core/chance/door.ts';
import { parseDice } from '../fields.ts';
import type { Attrition, Unit } from './schema.ts';

type Hunter = Pick<Unit, 'name' | 'prey'>;
type Target = Pick<Unit, 'name' | 'tags'>;

/** True if a hit of `hunter` on `target` is a hit on prey, however many tags match. */
function hunts(hunter: Hunter, target: Target): boolean {
  return hunter.prey.some((tag) => target.tags.includes(tag));
}

/** The damage of a hit with what prey adds to it: only a hit that hurts at all hurts prey more. */
export function withPrey(damage: number, bonus: number, hunter: Hunter, target: Target, door: Door): number {
  if (damage < 1 || bonus === 0) return damage;
  door.rule('prey', () => ({ hunter: hunter.name, target: target.name, bonus }));
  return damage + bonus;
}

/** What prey adds to a hit of `hunter` on `target`; 0 if it is no prey. */
export function preyBonus(scenario: Attrition, hunter: Hunter, target: Target): number {
  return hunts(hunter, target) ? scenario.preyDamage : 0;
}

/** The dice of a scenario with the widest gap between two rolls of them. */
export function diceOf(scenario: Attrition): Dice & { readonly reach: number } {
  const { count, sides } = parseDice(scenario.dice);
  return { count, sides, reach: count * (sides - 1) };
}
