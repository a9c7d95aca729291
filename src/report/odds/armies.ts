/** Armies of both sides, in one line. */
import { getBoundScenario, getValueAt, type Scenario } from '../../rules/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatCountedNoun } from './counted-noun.ts';
import { toSingular } from './remaining-metrics.ts';
import { listUnitCounts } from './unit-counts.ts';

/** Unit of the counts of a side, from its metrics: `armies` of `armies.attacker`, `models` of `killed.attacker`. */
function listUnitNouns(scenario: Scenario, { id }: ScenarioSide): string[] {
  const { shape, system } = getBoundScenario(scenario);
  const words = shape.metrics.flatMap(({ name }) => (name.endsWith(`.${id}`) ? [name.slice(0, -id.length - 1)] : []));
  return words.flatMap((word) => [word, system.counts?.[word] ?? word]);
}

/** Formats the units of a side: `4 infantry, 2 tanks`, `3 armour figures`; undefined if they have no names. */
function formatUnits(scenario: Scenario, sides: readonly ScenarioSide[], side: ScenarioSide): string | undefined {
  const units = new Map<string, number>();
  for (const { path, name, value, price } of listUnitCounts(scenario, sides, side)) {
    const unit = path.split('.units.')[1] ?? (price === undefined ? undefined : name);
    if (unit !== undefined && value > 0) units.set(unit, (units.get(unit) ?? 0) + value);
  }
  if (units.size > 0) return [...units].map(([name, amount]) => formatCountedNoun(amount, name)).join(', ');
  const nouns = listUnitNouns(scenario, side);
  const own = getValueAt(scenario, [side.id]);
  if (typeof own === 'number') return formatCountedNoun(own, toSingular(nouns[0] ?? side.id));
  const noun = nouns.find((each) => ['number', 'object'].includes(typeof getValueAt(own, [each])));
  // A side with one unit has the name of the unit.
  if (noun === undefined || side.name !== side.id) return undefined;
  const [amount, kind] = [getValueAt(own, [noun]), getValueAt(own, ['kind'])];
  const unit = toSingular(noun);
  const count = Array.isArray(amount) ? amount.length : Number(amount);
  return formatCountedNoun(count, typeof kind === 'string' ? `${kind} ${unit}` : unit);
}

/** `4 infantry, 2 tanks against 5 infantry, 1 fighter`; undefined if the units of a side have no names. */
export function formatArmies(scenario: Scenario, sides: readonly ScenarioSide[]): string | undefined {
  const units = sides.map((side) => formatUnits(scenario, sides, side));
  return units.length > 0 && units.every((each) => each !== undefined) ? units.join(' against ') : undefined;
}
