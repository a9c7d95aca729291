/** Exact laws of dice and tables. */

export type { When } from './algebra.ts';
export {
  combine,
  compare,
  constant,
  d,
  die,
  explode,
  highest,
  lowest,
  map,
  reroll,
  sum,
  table,
  times,
} from './algebra.ts';
export { type Law, mean, probability } from './law.ts';
