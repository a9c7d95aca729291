/** The values of fields with which a scenario is in balance. */

export { type Along, ascending, type Balance, type BalanceOptions, balance, type Searched } from './balance.ts';
export type { GaugedSetting, Near, Vary } from './gauge.ts';
export type { Rate } from './rate.ts';
export type { Rows } from './search.ts';
