/** Computes the value of one field in units of another: `how many riflemen is a tank worth`. */
import { createRequirementError, InputError } from '../../core/index.ts';
import { getBoundScenario, getNumericField, type Scenario } from '../../rules/index.ts';
import type { BalanceSetting } from './setting-evaluator.ts';

/** Exchange rate of a field where the target is crossed, between two verified settings. */
export interface ExchangeRate {
  /** Field whose rate is computed, and its value in the scenario. */
  readonly per: string;
  readonly count: number;
  /** Value of the varied field that meets the target, interpolated linearly between the two settings. */
  readonly at: number;
  /** Values of the varied field on either side of the crossing. */
  readonly between: readonly [low: number, high: number];
  /** Range of the rate by the intervals of the two settings; absent if they are exact. */
  readonly interval?: readonly [low: number, high: number];
  /** Exchange rate: `at` divided by `count`. */
  readonly value: number;
  /** Price in units of the varied field; absent if a field has no price. */
  readonly price?: number;
}

/** Reads the count of a field. @throws InputError if the field is varied, or its count is 0 */
export function getFieldCount(scenario: Scenario, per: string, varied: readonly string[]): number {
  const { value = 0 } = getNumericField(scenario, per, 'per');
  if (varied.length !== 1) throw createRequirementError('per', 'exactly one varied field');
  if (varied.includes(per)) throw new InputError('per', 'a field that is not varied', `"${per}"`);
  if (value <= 0) throw new InputError('per', 'a field that is above 0', `${per}=${String(value)}`);
  return value;
}

/** Interpolates the crossing of the target between two settings, limited to their range. */
function interpolateCrossing(
  [a, b]: readonly [BalanceSetting, BalanceSetting],
  values: readonly [number, number],
  target: number,
) {
  const [[low = 0], [high = 0]] = [a.values, b.values];
  const share = values[0] === values[1] ? 0 : (target - values[0]) / (values[1] - values[0]);
  return low + Math.min(1, Math.max(0, share)) * (high - low);
}

/** Computes the rate at a crossing. @param path of the varied field */
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
