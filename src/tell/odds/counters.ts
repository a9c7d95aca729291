/** What a side brings to a battle: numbers of it that can be one more or one fewer, what they are called and cost. */
import { numericFields, opened, readCosts, type Scenario, stepsOf, valueAt } from '../../rules/index.ts';
import { type ShownSide, sideIn } from '../sides.ts';
import { cleanText } from '../text/clean.ts';

export interface Counter {
  /** `attacker.units.tank` */
  readonly path: string;
  /** `tank` */
  readonly name: string;
  readonly value: number;
  /** What one costs, where that is known. */
  readonly price?: number | undefined;
}

/** Prices of the file, or else those that the system declares. */
function pricesOf(scenario: Scenario): ReadonlyMap<string, number> {
  const { prices, system } = opened(scenario);
  const declared =
    prices.length > 0 || system.costs === undefined
      ? prices
      : readCosts(system.schema, scenario, system.costs, () => 0).prices;
  return new Map(declared.map(({ path, price }) => [path, price]));
}

/** `damagedWarSun` as `damaged war sun`. */
const spaced = (name: string): string => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Names a field within its side: `tank`, `weapons 1 attacks`, `Cavalry hp`. @param id of the side; undefined of a field of no side */
export function nameInSide(scenario: Scenario, path: string, id: string | undefined): string {
  const steps = stepsOf(path);
  const [list, at] = steps;
  const named = typeof at === 'number' && list !== undefined ? valueAt(scenario, [list, at, 'name']) : undefined;
  const words = typeof named === 'string' ? [named, ...steps.slice(2)] : steps.filter((step) => step !== id);
  const shown = words.filter((word) => word !== 'units');
  const text = shown.map((word) => (typeof word === 'number' ? String(word + 1) : spaced(word))).join(' ');
  return cleanText(text === '' ? 'strength' : text);
}

/**
 * The whole numbers within a side, in the order of the scenario.
 * @param absent paths that the scenario could have too: types of units of which there are none
 */
export function countersOf(
  scenario: Scenario,
  sides: readonly ShownSide[],
  side: ShownSide,
  absent: readonly string[] = [],
): Counter[] {
  const prices = pricesOf(scenario);
  const there = numericFields(scenario);
  const known = new Set(there.map(({ path }) => path));
  const more = absent.filter((path) => !known.has(path)).map((path) => ({ path, integer: true, value: 0 }));
  return [...there, ...more]
    .filter(({ path, integer }) => integer && sideIn(path, sides)?.id === side.id)
    .map(({ path, value = 0 }) => ({
      path,
      name: nameInSide(scenario, path, side.id),
      value,
      price: prices.get(path),
    }));
}
