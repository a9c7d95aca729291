/** Numbers in the states of a battle, which an importance function combines. */
import type { State } from '../../rules/index.ts';
import { computeMean } from '../../stats/index.ts';

/** Keys that lead to a number in a state. */
type Keys = readonly string[];

/** Maximum number of numbers that are read from a state. */
const NUMBERS_MAX = 60;

/** Maximum nesting of a number in a state. */
const DEPTH_MAX = 6;

/** Maximum number of numbers for products of all pairs, and for squares only. */
const PRODUCTS_MAX = { pairs: 9, squares: 30 };

/** Features of the states of a scenario: standard scores of numbers in a sample, and products of few of them. */
export interface StateFeatures {
  readonly count: number;
  /** Reads the features into a row, by default a new one. */
  readonly read: (state: State, row?: Float64Array) => Float64Array;
}

/** Visits the numbers and flags in a value. */
function visitNumbers(value: unknown, keys: Keys, visit: (keys: Keys) => void): void {
  if (typeof value === 'number' || typeof value === 'boolean') visit(keys);
  else if (typeof value === 'object' && value !== null && keys.length < DEPTH_MAX)
    for (const [key, inner] of Object.entries(value)) visitNumbers(inner, [...keys, key], visit);
}

/** Reads a number or a flag; 0 if there is none. */
function readNumber(state: State, keys: Keys): number {
  let value: unknown = state;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return 0;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return typeof value === 'number' && Number.isFinite(value) ? value : Number(value === true);
}

/** Lists the keys of all numbers that differ between states, in the order of discovery. */
function listVaryingNumbers(states: readonly State[]): Keys[] {
  const found = new Map<string, Keys>();
  for (const state of states) visitNumbers(state, [], (keys) => found.set(keys.join('.'), keys));
  return [...found.values()].filter((keys) => {
    const [first, ...others] = states.map((state) => readNumber(state, keys));
    return others.some((value) => value !== first);
  });
}

/** Lists the pairs of numbers whose products are features. */
function listProducts(count: number): [number, number][] {
  if (count > PRODUCTS_MAX.squares) return [];
  const squares = Array.from({ length: count }, (_, i): [number, number] => [i, i]);
  if (count > PRODUCTS_MAX.pairs) return squares;
  return squares.flatMap(([i]) => squares.slice(i).map(([j]): [number, number] => [i, j]));
}

/** Number of a state with its mean and standard deviation in a sample. */
interface StandardScore {
  readonly keys: Keys;
  readonly mean: number;
  readonly scale: number;
}

/** Creates the features of a scenario: the numbers that differ in a sample of states, and products of few numbers. */
export function createStateFeatures(sample: readonly State[]): StateFeatures {
  const numbers = listVaryingNumbers(sample).slice(0, NUMBERS_MAX);
  const products = listProducts(numbers.length);
  const scores = numbers.map((keys): StandardScore => {
    const values = sample.map((state) => readNumber(state, keys));
    const mean = computeMean(values);
    const variance = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / values.length;
    return { keys, mean, scale: Math.sqrt(variance) };
  });
  const count = numbers.length + products.length;
  const read = (state: State, row: Float64Array = new Float64Array(count)): Float64Array => {
    // Indices, not iterators, because this runs in every step.
    for (let f = 0; f < scores.length; f++) {
      const { keys, mean, scale } = scores[f] as StandardScore;
      row[f] = (readNumber(state, keys) - mean) / scale;
    }
    for (let p = 0; p < products.length; p++) {
      const [i, j] = products[p] as [number, number];
      row[scores.length + p] = (row[i] ?? 0) * (row[j] ?? 0);
    }
    return row;
  };
  return { count, read };
}
