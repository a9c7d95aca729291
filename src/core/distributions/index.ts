/** Exact distributions of dice and tables. */

export type { Distribution } from '../chance/chance.ts';
export {
  combine,
  compareRolls,
  count,
  d,
  die,
  explode,
  keepHighest,
  keepLowest,
  map,
  netSuccesses,
  reroll,
  sortedDice,
  sum,
  times,
  weighted,
} from './algebra.ts';
export {
  constant,
  type DistributionLike,
  mean,
  named,
  type Predicate,
  probabilities,
  probability,
  standardDeviation,
} from './distribution.ts';
