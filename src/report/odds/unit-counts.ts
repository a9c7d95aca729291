/** Numbers of a side that can be varied by one, with names and prices. */
import {
  getBoundScenario,
  getValueAt,
  listNumericFields,
  readCosts,
  type Scenario,
  splitPath,
} from '../../rules/index.ts';
import { findSide, type ScenarioSide } from '../scenario/sides.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';

export interface UnitCount {
  /** `attacker.units.tank` */
  readonly path: string;
  /** `tank` */
  readonly name: string;
  readonly value: number;
  /** Price of one, if it is known. */
  readonly price?: number | undefined;
}

/** Prices of the file, otherwise the declared prices of the system. */
function getPrices(scenario: Scenario): ReadonlyMap<string, number> {
  const { prices, system } = getBoundScenario(scenario);
  const declared =
    prices.length > 0 || system.costs === undefined
      ? prices
      : readCosts(system.schema, scenario, system.costs, () => 0).prices;
  return new Map(declared.map(({ path, price }) => [path, price]));
}

/** `damaged war sun` for `damagedWarSun`. */
const splitCamelCase = (name: string): string =>
  name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Names a field of a side: `tank`, `weapons 1 attacks`, `Cavalry hp`.
 * @param id id of the side; undefined if it has none
 */
export function formatNameInSide(scenario: Scenario, path: string, id: string | undefined): string {
  const steps = splitPath(path);
  const [list, at] = steps;
  const named = typeof at === 'number' && list !== undefined ? getValueAt(scenario, [list, at, 'name']) : undefined;
  const words = typeof named === 'string' ? [named, ...steps.slice(2)] : steps.filter((step) => step !== id);
  const shown = words.filter((word) => word !== 'units');
  const text = shown.map((word) => (typeof word === 'number' ? String(word + 1) : splitCamelCase(word))).join(' ');
  return sanitizeXmlText(text === '' ? 'strength' : text);
}

/**
 * Lists the integers of a side, in the order of the scenario.
 * @param absent further possible paths: types of units with count 0
 */
export function listUnitCounts(
  scenario: Scenario,
  sides: readonly ScenarioSide[],
  side: ScenarioSide,
  absent: readonly string[] = [],
): UnitCount[] {
  const prices = getPrices(scenario);
  const there = listNumericFields(scenario);
  const known = new Set(there.map(({ path }) => path));
  const more = absent.filter((path) => !known.has(path)).map((path) => ({ path, integer: true, value: 0 }));
  return [...there, ...more]
    .filter(({ path, integer }) => integer && findSide(path, sides)?.id === side.id)
    .map(({ path, value = 0 }) => ({
      path,
      name: formatNameInSide(scenario, path, side.id),
      value,
      price: prices.get(path),
    }));
}
