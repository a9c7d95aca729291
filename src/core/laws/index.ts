/** Exact laws of dice and tables. */

export type { Law } from '../chance/door.ts';
export { combine, compare, d, die, explode, map, opposed, reroll, table } from './algebra.ts';
export { deviation, distribution, mean, probability, type When } from './figures.ts';
export { constant, type Lawlike, named } from './law.ts';
export { count, hands, highest, lowest, sum, times } from './several.ts';
