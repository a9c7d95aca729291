/** Who fights whom, in one line. */
import type { Scenario } from '../../rules/system.ts';
import type { ShownSide } from '../sides.ts';
import { plain } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';
import { counted } from './counted.ts';
import { countersOf } from './counters.ts';
import { subjectOf } from './names.ts';

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
