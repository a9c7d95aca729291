/** Numbers in the states of a battle, which an importance function combines. */
import type { State } from '../../rules/index.ts';

/** Keys that lead to a number in a state. */
type Keys = readonly string[];

/** Maximum number of numbers that are read from a state. */
const NUMBERS_MAX = 60;

/** Maximum nesting of a number in a state. */
const DEPTH_MAX = 6;

/** Maximum number of numbers for products of all pairs, and for squares only. */
const PRODUCTS_MAX = { pairs: 9, squares: 30 };

/** Features of the states of a scenario: they have mean 0 and variance 1 in a sample. */
export interface StateFeatures {
  readonly count: number;
  readonly read: (state: State) => Float64Array;
  /** Creates the function that computes the sum of the weighted features. */
  readonly createSum: (weights: Float64Array) => (state: State) => number;
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

/** Standardization of some members of rows: the members from..means.length-1. */
interface Standardization {
  readonly means: Float64Array;
  readonly scales: Float64Array;
  readonly apply: (row: Float64Array) => void;
}

/** Replaces the members from..to-1 of all rows by standard scores. */
function standardize(rows: readonly Float64Array[], from: number, to: number): Standardization {
  const [means, scales] = [new Float64Array(to), new Float64Array(to)];
  for (let f = from; f < to; f++) {
    const values = rows.map((row) => row[f] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / rows.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / rows.length;
    means[f] = mean;
    scales[f] = Math.sqrt(variance) || 1;
  }
  const apply = (row: Float64Array): void => {
    for (let f = from; f < to; f++) row[f] = ((row[f] ?? 0) - (means[f] ?? 0)) / (scales[f] ?? 1);
  };
  for (const row of rows) apply(row);
  return { means, scales, apply };
}

/** Creates the features of a scenario: the numbers that differ in a sample of states, and products of few numbers. */
export function createStateFeatures(sample: readonly State[]): StateFeatures {
  const numbers = listVaryingNumbers(sample).slice(0, NUMBERS_MAX);
  const products = listProducts(numbers.length);
  const [linear, count] = [numbers.length, numbers.length + products.length];
  const readNumbers = (state: State, row: Float64Array): Float64Array => {
    for (let f = 0; f < linear; f++) row[f] = readNumber(state, numbers[f] as Keys);
    return row;
  };
  const fillProducts = (row: Float64Array): void => {
    for (const [p, [i, j]] of products.entries()) row[linear + p] = (row[i] ?? 0) * (row[j] ?? 0);
  };
  const rows = sample.map((state) => readNumbers(state, new Float64Array(count)));
  const ofNumbers = standardize(rows, 0, linear);
  for (const row of rows) fillProducts(row);
  const ofProducts = standardize(rows, linear, count);
  const read = (state: State): Float64Array => {
    const row = readNumbers(state, new Float64Array(count));
    ofNumbers.apply(row);
    fillProducts(row);
    ofProducts.apply(row);
    return row;
  };
  const createSum = (weights: Float64Array) => {
    const row = new Float64Array(linear);
    // The means of the products only add a constant.
    const scaled = products.map(([i, j], p) => ({
      i,
      j,
      weight: (weights[linear + p] ?? 0) / (ofProducts.scales[linear + p] ?? 1),
    }));
    return (state: State): number => {
      ofNumbers.apply(readNumbers(state, row));
      let sum = 0;
      for (let f = 0; f < linear; f++) sum += (weights[f] ?? 0) * (row[f] ?? 0);
      for (const { i, j, weight } of scaled) sum += weight * (row[i] ?? 0) * (row[j] ?? 0);
      return sum;
    };
  };
  return { count, read, createSum };
}
