/** Who fights whom, in one line. */
import type { Scenario } from '../../rules/system.ts';
import type { ShownSide } from '../sides.ts';
import { plain } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';
import { countersOf } from './counters.ts';
import { subjectOf } from './names.ts';

/** Names of units that are their own plural. */
const MASS = /(?:infantry|artillery|cavalry|armour|armor|aircraft|s)$/;

/** `2 tanks`, `3 spearmen`, `4 infantry` */
export function counted(amount: number, name: string): string {
  if (amount === 1 || MASS.test(name)) return `${plain(amount)} ${name}`;
  if (name.endsWith('man')) return `${plain(amount)} ${name.slice(0, -3)}men`;
  return `${plain(amount)} ${/[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`}`;
}

/** What a side brings: its units, which stand below `units` or have prices: `4 infantry, 2 tanks`; or only its name. */
function armyText(scenario: Scenario, sides: readonly ShownSide[], side: ShownSide): string {
  const name = subjectOf(side).text.replace(/^the /, '');
  const counters = countersOf(scenario, sides, side);
  const whole = counters.find(({ path }) => path === side.id);
  if (whole !== undefined) return `${name} ${plain(whole.value)}`;
  const units = counters.filter(
    ({ path, value, price }) => value > 0 && (price !== undefined || path.startsWith(`${side.id}.units.`)),
  );
  return units.length === 0 ? name : units.map((unit) => counted(unit.value, unit.name)).join(', ');
}

/** `4 infantry, 2 tanks v 5 infantry, 1 fighter`; empty if there are no sides. */
export function armiesText(scenario: Scenario, sides: readonly ShownSide[]): string {
  return sentence(sides.map((side) => armyText(scenario, sides, side)).join(' v '));
}
