/**
 * Prices of counted things of a scenario, such as a unit or a hit point. They are stored next to a scenario, not in it:
 * rules cannot read them, so that battles, hashes and digests do not depend on them.
 */

import { z } from 'zod';
import { readPath, suggestName } from '../../core/index.ts';
import { getBoundScenario } from '../bound-scenario.ts';
import type { Price, Scenario } from '../system.ts';
import { findDeclarations, getDeclaration, listDeclaredValues } from './declaration.ts';
import { type DocumentProblem, formatPath, getValueAt, isMapping, type Path, setField, splitPath } from './problem.ts';

/** The greatest price, and the decimals that sums of prices are rounded to. */
const PRICE_MAX = 1e6;
const DECIMALS = 6;

/** Prices in a file by the path of a count, relative to the scenario or to each side. */
export const costsField = z.record(z.string().min(1).max(100), z.number().min(0).max(PRICE_MAX)).optional().meta({
  description:
    'Prices of counted fields, by path: attacker.units.tank, or units.tank for both sides. They do not change battles.',
});

export type Costs = Readonly<Record<string, number>>;

const getSidePath = (path: Path): string => formatPath(path.slice(0, typeof path[1] === 'number' ? 2 : 1));

/** Lists the paths of the sides of a scenario: its mappings, and those in its lists. */
function listSidePaths(scenario: object): Path[] {
  return Object.entries(scenario).flatMap(([name, value]: [string, unknown]): Path[] => {
    if (isMapping(value)) return [[name]];
    return Array.isArray(value) ? value.flatMap((each, e) => (isMapping(each) ? [[name, e]] : [])) : [];
  });
}

/** Returns true if a path can have a number. Names of unit types are free: new ones are tried. */
function isCount(schema: z.ZodType, scenario: object, path: Path): boolean {
  const declared = findDeclarations(getDeclaration(schema), scenario, path);
  if (!declared.some(({ kind }) => kind === 'number')) return false;
  if (typeof getValueAt(scenario, path) === 'number') return true;
  try {
    const { error } = schema.safeParse(setField(scenario, path, 1, ''));
    return error?.issues.every((issue) => issue.path.join() !== path.join()) ?? true;
  } catch {
    return false;
  }
}

/** Lists the counts of a scenario for a message. */
function listCounts(schema: z.ZodType, scenario: object): string[] {
  const places = listDeclaredValues(getDeclaration(schema), scenario).filter(({ value }) => typeof value === 'number');
  return places.map(({ path }) => formatPath(path)).filter((path) => path !== 'maxRounds');
}

/** Valid prices, and the problems of the others. */
export interface CostsResult {
  readonly prices: readonly Price[];
  readonly problems: readonly DocumentProblem[];
}

/**
 * Resolves the prices of a mapping in a scenario.
 * @param scenario complete
 * @param offset returns the offset of the name of a price in the text
 */
export function readCosts(
  schema: z.ZodType,
  scenario: object,
  costs: Costs,
  offset: (name: string) => number,
): CostsResult {
  const prices = new Map<string, Price>();
  const problems: DocumentProblem[] = [];
  for (const [name, price] of Object.entries(costs)) {
    const steps = readPath(name);
    const whole = steps === undefined ? [] : [steps].filter((path) => isCount(schema, scenario, path));
    const onSides = listSidePaths(scenario).map((side) => [...side, ...(steps ?? [])]);
    const paths =
      steps === undefined || whole.length > 0 ? whole : onSides.filter((path) => isCount(schema, scenario, path));
    for (const path of paths) prices.set(formatPath(path), { side: getSidePath(path), path: formatPath(path), price });
    if (paths.length > 0) continue;
    const describe = () => {
      const known = listCounts(schema, scenario);
      const found = `"${name}"${suggestName(name, known)}`;
      return { expected: `a counted field of the scenario, such as ${known.join(', ')}`, found };
    };
    problems.push({ path: ['costs', name], target: 'name', offset: offset(name), describe });
  }
  return { prices: [...prices.values()], problems };
}

/** Rounds a sum of prices. */
export const roundCosts = (sum: number): number => Number(sum.toFixed(DECIMALS));

/** Sums the costs by side. @param count returns the value at a path; other values than numbers count as 0 */
export function sumCostsBySide(
  prices: readonly Price[],
  count: (path: string) => unknown,
): ReadonlyMap<string, number> {
  const points = new Map<string, number>();
  for (const { side, path, price } of prices) {
    const found = count(path);
    points.set(side, roundCosts((points.get(side) ?? 0) + price * (typeof found === 'number' ? found : 0)));
  }
  return points;
}

/** Computes the total costs of the sides of a scenario by the prices of its file; empty if there are none. */
export function scenarioCosts(scenario: Scenario): ReadonlyMap<string, number> {
  return sumCostsBySide(getBoundScenario(scenario).prices, (path) => getValueAt(scenario, splitPath(path)));
}
