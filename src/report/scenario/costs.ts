/** Costs of the sides of a scenario, if its file has prices. */
import { type Scenario, scenarioCosts } from '../../rules/index.ts';
import { formatNumber } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';

/** `points: attacker 24, defender 30`; empty without prices. */
export function formatCosts(scenario: Scenario): string[] {
  const sides = [...scenarioCosts(scenario)].map(([side, points]) => `${sanitizeLine(side)} ${formatNumber(points)}`);
  return sides.length === 0 ? [] : [`points: ${sides.join(', ')}`];
}

/** Creates the JSON of the costs, by side. */
export function createCostsJson(scenario: Scenario): { readonly costs?: Readonly<Record<string, number>> } {
  const costs = scenarioCosts(scenario);
  return costs.size === 0 ? {} : { costs: Object.fromEntries(costs) };
}

/** `3 x attacker.units.rifleman + 5 x attacker.units.tank` */
export function formatPrices(of: { readonly paths: readonly string[]; readonly prices: readonly number[] }): string {
  return of.paths.map((path, p) => `${formatNumber(of.prices[p] ?? 0)} x ${sanitizeLine(path)}`).join(' + ');
}
