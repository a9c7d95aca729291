/** Who fights whom, in one line. */
import { opened, type Scenario, valueAt } from '../../rules/index.ts';
import type { ShownSide } from '../sides.ts';
import { counted } from './counted.ts';
import { countersOf } from './counters.ts';
import { singular } from './left.ts';

/** Returns what the system counts of a side, from its metrics: `armies` of `armies.attacker`, `models` of `killed.attacker`. */
function nounsOf(scenario: Scenario, { id }: ShownSide): string[] {
  const { shape, system } = opened(scenario);
  const words = shape.metrics.flatMap(({ name }) => (name.endsWith(`.${id}`) ? [name.slice(0, -id.length - 1)] : []));
  return words.flatMap((word) => [word, system.counts?.[word] ?? word]);
}

/** Returns the units of a side, as `4 infantry, 2 tanks`, `3 armour figures`; undefined if they have no names. */
function unitsText(scenario: Scenario, sides: readonly ShownSide[], side: ShownSide): string | undefined {
  const units = new Map<string, number>();
  for (const { path, name, value, price } of countersOf(scenario, sides, side)) {
    const unit = path.split('.units.')[1] ?? (price === undefined ? undefined : name);
    if (unit !== undefined && value > 0) units.set(unit, (units.get(unit) ?? 0) + value);
  }
  if (units.size > 0) return [...units].map(([name, amount]) => counted(amount, name)).join(', ');
  const nouns = nounsOf(scenario, side);
  const own = valueAt(scenario, [side.id]);
  if (typeof own === 'number') return counted(own, singular(nouns[0] ?? side.id));
  const noun = nouns.find((each) => ['number', 'object'].includes(typeof valueAt(own, [each])));
  // A side of one unit has the name of its own.
  if (noun === undefined || side.name !== side.id) return undefined;
  const [amount, kind] = [valueAt(own, [noun]), valueAt(own, ['kind'])];
  const unit = singular(noun);
  const count = Array.isArray(amount) ? amount.length : Number(amount);
  return counted(count, typeof kind === 'string' ? `${kind} ${unit}` : unit);
}

/** Returns `4 infantry, 2 tanks against 5 infantry, 1 fighter`; undefined if the units of a side have no names. */
export function armiesText(scenario: Scenario, sides: readonly ShownSide[]): string | undefined {
  const units = sides.map((side) => unitsText(scenario, sides, side));
  return units.length > 0 && units.every((each) => each !== undefined) ? units.join(' against ') : undefined;
}
