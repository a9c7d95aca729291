/** Exact laws of dice and tables. */

export type { Law } from '../chance/door.ts';
export {
  combine,
  compare,
  count,
  d,
  die,
  explode,
  hands,
  highest,
  lowest,
  map,
  opposed,
  reroll,
  sum,
  table,
  times,
} from './algebra.ts';
export { constant, deviation, distribution, type Lawlike, mean, named, probability, type When } from './law.ts';
