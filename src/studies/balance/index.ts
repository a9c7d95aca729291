/** The values of fields with which a scenario is in balance. */
export type { Vary } from './axis.ts';
export { type Balance, type BalanceOptions, balance } from './balance.ts';
export type { GaugedSetting } from './gauge.ts';
export type { Near } from './near.ts';
export { type Along, ascending, type Searched } from './result.ts';
