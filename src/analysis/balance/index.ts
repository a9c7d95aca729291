/** Finds field values that bring an outcome or metric of a scenario to a target. */

export {
  type BalanceOptions,
  type BalanceResult,
  balance,
  compareValues,
  type FieldCurve,
  type SearchRange,
} from './balance.ts';
export type { ExchangeRate } from './exchange-rate.ts';
export type { ExaminedRows } from './search.ts';
export type { BalanceSetting, SearchReport, VariedField } from './setting-evaluator.ts';
