/** What one of a field is worth in another: `how many riflemen is a tank worth`. */
import { InputError } from '../../core/index.ts';
import { getBoundScenario, getNumericField, type Scenario } from '../../rules/index.ts';
import type { BalanceSetting } from './setting-evaluator.ts';

/** The worth of a field where the target is crossed, between two settings that were verified. */
export interface ExchangeRate {
  /** The field whose worth is told, and how many of it the scenario has. */
  readonly per: string;
  readonly count: number;
  /** The varied field where the target is met: interpolated linearly between the two settings. */
  readonly at: number;
  readonly between: readonly [low: number, high: number];
  /** How far the intervals of the two settings let that go; absent if they are exact. */
  readonly interval?: readonly [low: number, high: number];
  /** `at` by `count`. */
  readonly value: number;
  /** What one costs in the varied field, where both have prices. */
  readonly price?: number;
}

/** How many of a field there are. @throws InputError unless it is another one than those that are varied, and above 0 */
export function getFieldCount(scenario: Scenario, per: string, varied: readonly string[]): number {
  const { value = 0 } = getNumericField(scenario, per, 'per');
  if (varied.length !== 1) throw new InputError('per', 'one varied field', String(varied.length));
  if (varied.includes(per)) throw new InputError('per', 'another field than the varied one', `"${per}"`);
  if (value <= 0) throw new InputError('per', 'a field that is above 0', `${per}=${String(value)}`);
  return value;
}

/** Where a line between two settings comes to the target, within them. */
function interpolateCrossing(
  [a, b]: readonly [BalanceSetting, BalanceSetting],
  values: readonly [number, number],
  target: number,
) {
  const [[low = 0], [high = 0]] = [a.values, b.values];
  const share = values[0] === values[1] ? 0 : (target - values[0]) / (values[1] - values[0]);
  return low + Math.min(1, Math.max(0, share)) * (high - low);
}

/** The rate at a crossing. @param path of the varied field */
export function computeExchangeRate(
  scenario: Scenario,
  [path, per, count]: readonly [path: string, per: string, count: number],
  pair: readonly [BalanceSetting, BalanceSetting],
  target: number,
): ExchangeRate {
  const [a, b] = pair;
  const at = interpolateCrossing(pair, [a.value, b.value], target);
  const corners = [a, b].map(({ value, interval = [value, value] }) => interval);
  const [of = [], to = []] = corners;
  const ends = of.flatMap((one) => to.map((other) => interpolateCrossing(pair, [one, other], target)));
  const exact = a.interval === undefined && b.interval === undefined;
  const { prices } = getBoundScenario(scenario);
  const [price, its] = [path, per].map((name) => prices.find((each) => each.path === name)?.price);
  return {
    per,
    count,
    at,
    between: [a.values[0] ?? 0, b.values[0] ?? 0],
    ...(!exact && { interval: [Math.min(...ends), Math.max(...ends)] as const }),
    value: at / count,
    ...(price !== undefined && its !== undefined && price > 0 && { price: its / price }),
  };
}
