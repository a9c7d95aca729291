/**
 * Prices: what one of something that a scenario counts costs, such as a unit or a hit point. They stand beside a scenario
 * and not in it: rules cannot read them, so no battle, no hash and no digest depends on them.
 */

import { z } from 'zod';
import { didYouMean, readPath } from '../../core/index.ts';
import { opened } from '../opened.ts';
import type { Price, Scenario } from '../system.ts';
import { declaredAt, declaredIn, placesIn } from './declared.ts';
import { isMapping, type Path, type Problem, pathOf, stepsOf, valueAt, withField } from './problem.ts';

/** The greatest price, and the decimals that sums of prices are rounded to. */
const PRICE_MAX = 1e6;
const DECIMALS = 6;

/** What files hold: prices by the path of a count, from the scenario on or from each side on. */
export const costsField = z.record(z.string().min(1).max(100), z.number().min(0).max(PRICE_MAX)).optional().meta({
  description:
    'Prices of what is counted, by path: attacker.units.tank, or units.tank for both sides. They change no battle.',
});

export type Costs = Readonly<Record<string, number>>;

const sideOf = (path: Path): string => pathOf(path.slice(0, typeof path[1] === 'number' ? 2 : 1));

/** The ways to the sides of a scenario: mappings in it, and in lists of it. */
function sidesIn(scenario: object): Path[] {
  return Object.entries(scenario).flatMap(([name, value]: [string, unknown]): Path[] => {
    if (isMapping(value)) return [[name]];
    return Array.isArray(value) ? value.flatMap((each, e) => (isMapping(each) ? [[name, e]] : [])) : [];
  });
}

/** Whether a number can stand at a path. Unit types are named freely: one that is not there is tried out. */
function isCount(schema: z.ZodType, scenario: object, path: Path): boolean {
  const declared = declaredAt(declaredIn(schema), scenario, path);
  if (!declared.some(({ kind }) => kind === 'number')) return false;
  if (typeof valueAt(scenario, path) === 'number') return true;
  try {
    const { error } = schema.safeParse(withField(scenario, path, 1, ''));
    return error?.issues.every((issue) => issue.path.join() !== path.join()) ?? true;
  } catch {
    return false;
  }
}

/** Counts that a scenario has, for a message. */
function countsIn(schema: z.ZodType, scenario: object): string[] {
  const places = placesIn(declaredIn(schema), scenario).filter(({ value }) => typeof value === 'number');
  return places.map(({ path }) => pathOf(path)).filter((path) => path !== 'maxRounds');
}

/** Prices that were read, and what is wrong with the others. */
export interface ReadCosts {
  readonly prices: readonly Price[];
  readonly problems: readonly Problem[];
}

/**
 * The prices that a mapping means in a scenario.
 * @param scenario complete
 * @param offset   where in its text the name of a price stands
 */
export function readCosts(
  schema: z.ZodType,
  scenario: object,
  costs: Costs,
  offset: (name: string) => number,
): ReadCosts {
  const prices = new Map<string, Price>();
  const problems: Problem[] = [];
  for (const [name, price] of Object.entries(costs)) {
    const steps = readPath(name);
    const whole = steps === undefined ? [] : [steps].filter((path) => isCount(schema, scenario, path));
    const onSides = sidesIn(scenario).map((side) => [...side, ...(steps ?? [])]);
    const paths =
      steps === undefined || whole.length > 0 ? whole : onSides.filter((path) => isCount(schema, scenario, path));
    for (const path of paths) prices.set(pathOf(path), { side: sideOf(path), path: pathOf(path), price });
    if (paths.length > 0) continue;
    const tell = () => {
      const known = countsIn(schema, scenario);
      const found = `"${name}"${didYouMean(name, known)}`;
      return { expected: `something that the scenario counts, such as ${known.join(', ')}`, found };
    };
    problems.push({ path: ['costs', name], of: 'name', offset: offset(name), tell });
  }
  return { prices: [...prices.values()], problems };
}

/** A sum of prices, without digits that are the machine's. */
export const roundedPoints = (sum: number): number => Number(sum.toFixed(DECIMALS));

/** What sides cost, by side. @param count of what stands at a path; what is no number counts as 0 */
export function pointsBy(prices: readonly Price[], count: (path: string) => unknown): ReadonlyMap<string, number> {
  const points = new Map<string, number>();
  for (const { side, path, price } of prices) {
    const found = count(path);
    points.set(side, roundedPoints((points.get(side) ?? 0) + price * (typeof found === 'number' ? found : 0)));
  }
  return points;
}

/** What the sides of a scenario cost in all, by side, from the prices in its file; empty if there are none. */
export function pointsOf(scenario: Scenario): ReadonlyMap<string, number> {
  return pointsBy(opened(scenario).prices, (path) => valueAt(scenario, stepsOf(path)));
}
