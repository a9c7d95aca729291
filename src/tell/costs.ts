/** What the sides of a scenario cost, where its file has prices. */
import { pointsOf, type Scenario } from '../rules/index.ts';
import { clean } from './text/clean.ts';
import { plain } from './text/digits.ts';

/** `points: attacker 24, defender 30`; nothing without prices. */
export function costsText(scenario: Scenario): string[] {
  const sides = [...pointsOf(scenario)].map(([side, points]) => `${clean(side)} ${plain(points)}`);
  return sides.length === 0 ? [] : [`points: ${sides.join(', ')}`];
}

/** The same as JSON: by side. */
export function costsJson(scenario: Scenario): { readonly costs?: Readonly<Record<string, number>> } {
  const costs = pointsOf(scenario);
  return costs.size === 0 ? {} : { costs: Object.fromEntries(costs) };
}

/** `3 x attacker.units.rifleman + 5 x attacker.units.tank` */
export function pricesText(of: { readonly paths: readonly string[]; readonly prices: readonly number[] }): string {
  return of.paths.map((path, p) => `${plain(of.prices[p] ?? 0)} x ${clean(path)}`).join(' + ');
}
