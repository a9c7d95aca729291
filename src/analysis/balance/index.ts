/** The values of fields with which a scenario is in balance. */

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
