/**
 * Distributions of the primitives as exact integers, and the tables that sample them.
 *
 * A distribution is a list of integer weights. A quantile table turns it into 32-bit thresholds: outcome k is drawn by
 * the words w with threshold[k-1] <= w < threshold[k], threshold[k] = floor(2^32 * (weight of outcomes 0..k) / total).
 * Hence every outcome has its probability within 2^-32, and a greater word never gives a smaller outcome, which couples
 * two compared battles tightly.
 */
import type { Dice, DiceSet, Distribution } from './chance.ts';

/** A finite distribution in double precision: values[i] has probability probabilities[i] > 0. */
export interface FiniteDistribution<T> {
  readonly values: readonly T[];
  readonly probabilities: readonly number[];
}

/** Dice of one pool that share a word. */
export const POOL_CHUNK = 64;

/** Maximum number of dice of a set. */
export const DICE_SET_MAX = 32;

function createMemo<A extends unknown[], R>(key: (...args: A) => string, make: (...args: A) => R): (...args: A) => R {
  const made = new Map<string, R>();
  return (...args) => {
    const name = key(...args);
    let value = made.get(name);
    if (value === undefined) {
      value = make(...args);
      made.set(name, value);
    }
    return value;
  };
}

const createDiceKey = (dice: Dice): string => `${String(dice.count)}d${String(dice.sides)}`;

/** Distribution of the sum of NdS: weights count the sequences of faces, out of S^N. */
export const computeSumDistribution: (dice: Dice) => Distribution = createMemo(createDiceKey, ({ count, sides }) => {
  let weights = [1n];
  for (let die = 0; die < count; die++) {
    const wider = new Array<bigint>(weights.length + sides - 1).fill(0n);
    for (const [sum, weight] of weights.entries()) {
      for (let face = 0; face < sides; face++) wider[sum + face] = (wider[sum + face] ?? 0n) + weight;
    }
    weights = wider;
  }
  return { offset: count, weights };
});

/** Distribution of |X - Y| for two rolls of NdS. */
export const computeDistanceDistribution: (dice: Dice) => Distribution = createMemo(createDiceKey, (dice) => {
  const { weights } = computeSumDistribution(dice);
  const distances = weights.map((_, distance) => {
    let ways = 0n;
    for (let low = 0; low + distance < weights.length; low++) {
      ways += (weights[low] ?? 0n) * (weights[low + distance] ?? 0n);
    }
    return distance === 0 ? ways : 2n * ways;
  });
  return { offset: 0, weights: distances };
});

/** Distribution of max(0, X - Y + bonus) for rolls X and Y of NdS. */
export const computeExcessDistribution: (dice: Dice, bonus: number) => Distribution = createMemo(
  (dice, bonus) => `${createDiceKey(dice)}${String(bonus)}`,
  (dice, bonus) => {
    const { weights } = computeDistanceDistribution(dice);
    const reach = weights.length - 1;
    const excess = new Array<bigint>(Math.max(0, reach + bonus) + 1).fill(0n);
    for (let difference = -reach; difference <= reach; difference++) {
      const value = Math.max(0, difference + bonus);
      const ways = (weights[Math.abs(difference)] ?? 0n) / (difference === 0 ? 1n : 2n);
      excess[value] = (excess[value] ?? 0n) + ways;
    }
    return { offset: 0, weights: excess };
  },
);

/** Distribution of the hits among `dice` d6 that hit on `value` (0..6) or less: binomial, out of 6^dice. */
export const computeHitsDistribution: (dice: number, value: number) => Distribution = createMemo(
  (dice, value) => `${String(dice)}@${String(value)}`,
  (dice, value) => {
    const hit = BigInt(value);
    const miss = 6n - hit;
    let ways = 1n;
    const weights: bigint[] = [];
    for (let hits = 0; hits <= dice; hits++) {
      weights.push(ways * hit ** BigInt(hits) * miss ** BigInt(dice - hits));
      ways = (ways * BigInt(dice - hits)) / BigInt(hits + 1);
    }
    return { offset: 0, weights };
  },
);

/** Keys by object identity: the same sets recur. */
const lotKeys = new WeakMap<DiceSet, string>();

/** Returns a key by the distribution of the sum: the order of dice and faces does not matter. */
export function createDiceSetKey(lot: DiceSet): string {
  let key = lotKeys.get(lot);
  if (key === undefined) {
    const dice = lot.map((die) => die.toSorted((a, b) => a - b).join());
    key = dice.sort().join('|');
    lotKeys.set(lot, key);
  }
  return key;
}

/** Distribution of the sum of custom dice: weights count the sequences of faces, out of 6^dice. */
export const computeFacesDistribution: (lot: DiceSet) => Distribution = createMemo(createDiceSetKey, (lot) => {
  let distribution: Distribution = { offset: 0, weights: [1n] };
  for (const die of lot) {
    const least = Math.min(...die);
    const wider = new Array<bigint>(distribution.weights.length + Math.max(...die) - least).fill(0n);
    for (const [sum, weight] of distribution.weights.entries()) {
      for (const face of die) wider[sum + face - least] = (wider[sum + face - least] ?? 0n) + weight;
    }
    distribution = { offset: distribution.offset + least, weights: wider };
  }
  return distribution;
});

/** Integers below this convert to finite doubles. */
const WIDE = 2n ** 1000n;

/** Splits a number into its highest 1000 bits, and the number of further bits. */
function splitLeadingBits(value: bigint): [number, number] {
  if (value < WIDE) return [Number(value), 0];
  const digits = value.toString(16);
  const excess = 4 * digits.length + 28 - Math.clz32(Number.parseInt(digits.charAt(0), 16)) - 1000;
  return [Number(value >> BigInt(excess)), excess];
}

/** Computes weight / total, rounded to about one part in 2^53 for integers of any size. */
export const computeRatio = (weight: bigint, total: bigint): number => divide(weight, splitLeadingBits(total));

function divide(weight: bigint, [below, less]: readonly [number, number]): number {
  const [above, more] = splitLeadingBits(weight);
  if (more === less) return above / below;
  // In two steps: the power may be less than the least number.
  const half = Math.trunc((more - less) / 2);
  return (above / below) * 2 ** half * 2 ** (more - less - half);
}

/** Computes the probabilities of the outcomes in double precision. */
export function computeProbabilities({ weights }: Distribution): number[] {
  const total = splitLeadingBits(weights.reduce((sum, weight) => sum + weight, 0n));
  return weights.map((weight) => divide(weight, total));
}

/** Returns the possible outcomes of a distribution in ascending order. */
export function toFiniteDistribution(distribution: Distribution): FiniteDistribution<number> {
  const shares = computeProbabilities(distribution);
  const possible = [...distribution.weights.keys()].filter((k) => distribution.weights[k] !== 0n);
  return { values: possible.map((k) => distribution.offset + k), probabilities: possible.map((k) => shares[k] ?? 0) };
}

/** Probabilities of `computeSumDistribution`. */
export const computeSumProbabilities: (dice: Dice) => readonly number[] = createMemo(createDiceKey, (dice) =>
  computeProbabilities(computeSumDistribution(dice)),
);

/** Probabilities of `computeExcessDistribution`. */
export const computeExcessProbabilities: (dice: Dice, bonus: number) => readonly number[] = createMemo(
  (dice, bonus) => `${createDiceKey(dice)}${String(bonus)}`,
  (dice, bonus) => computeProbabilities(computeExcessDistribution(dice, bonus)),
);

function computeBinomial(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let ways = 1n;
  for (let i = 1; i <= k; i++) ways = (ways * BigInt(n - k + i)) / BigInt(i);
  return ways;
}

/** Distribution of the marked cubes among `count` drawn from `size` of which `marked` are marked: hypergeometric. */
export const computeMarkedDistribution: (size: number, marked: number, count: number) => Distribution = createMemo(
  (...args) => args.join(),
  (size, marked, count) => {
    const least = Math.max(0, count - (size - marked));
    const most = Math.min(count, marked);
    const weights: bigint[] = [];
    for (let hits = least; hits <= most; hits++) {
      weights.push(computeBinomial(marked, hits) * computeBinomial(size - marked, count - hits));
    }
    return { offset: least, weights };
  },
);

/**
 * Computes the thresholds of a distribution in ascending order: one fewer than its outcomes up to the last possible
 * one. The outcome of a word is offset + the number of thresholds <= word.
 */
export function computeThresholds(distribution: Distribution): Uint32Array {
  const total = distribution.weights.reduce((sum, weight) => sum + weight, 0n);
  const table = new Uint32Array(distribution.weights.findLastIndex((weight) => weight > 0n));
  let below = 0n;
  for (let k = 0; k < table.length; k++) {
    below += distribution.weights[k] ?? 0n;
    table[k] = Number((below << 32n) / total);
  }
  return table;
}

/** Computes thresholds of floating-point weights: floor(2^32 * partial sum / sum), summed in the given order. */
export function computeWeightThresholds(weights: readonly number[]): Uint32Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const table = new Uint32Array(weights.findLastIndex((weight) => weight > 0));
  let below = 0;
  for (let k = 0; k < table.length; k++) {
    below += weights[k] ?? 0;
    table[k] = Math.min(0xffffffff, Math.floor((below / total) * 2 ** 32));
  }
  return table;
}

/** Counts the thresholds <= word. */
export function findQuantile(table: Uint32Array | Float64Array, word: number): number {
  let low = 0;
  let high = table.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((table[middle] ?? 0) <= word) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const getSumThresholds: (dice: Dice) => Uint32Array = createMemo(createDiceKey, (dice) =>
  computeThresholds(computeSumDistribution(dice)),
);

export const getHitsThresholds: (dice: number, value: number) => Uint32Array = createMemo(
  (dice, value) => `${String(dice)}@${String(value)}`,
  (dice, value) => computeThresholds(computeHitsDistribution(dice, value)),
);

/** Table that samples the sum of a dice set: the least sum, and the thresholds of the greater ones. */
export interface DiceSetTable {
  readonly least: number;
  readonly table: Uint32Array;
}

export const getDiceSetTable: (lot: DiceSet) => DiceSetTable = createMemo(createDiceSetKey, (lot) => {
  const distribution = computeFacesDistribution(lot);
  return { least: distribution.offset, table: computeThresholds(distribution) };
});

// Difference of two equal rolls from 16 bits: an alias table of 32 slots x 256 atoms over the distance |X - Y|, and a
// sign. Sixteen bits cannot represent the distribution exactly; the rest escapes to a full word over the residual
// distribution. Together they are exact within 2^-32 of the share of escapes. With two bytes per draw, a vector of byte
// lanes simulates sixteen battles at once.
//
// Bits of the half word: 0-4 the slot, 7 the sign, 8-15 the atom within the slot; 5 and 6 are unused. Source: alias
// method, A. J. Walker 1977; integer weights and escape as in "alias with rejection".

export const ALIAS_SLOTS = 32;
export const ALIAS_ATOMS = 256;

/** Entry of a table that redirects the draw to the residual distribution. */
export const ESCAPE = -1;

export interface DifferenceTable {
  /** Atoms below the cut give `primary`, the others `alias`. Each of length 32. */
  readonly cut: Uint8Array;
  readonly primary: Int16Array;
  readonly alias: Int16Array;
  /** Quantile thresholds over distances 0, 1, ... of the residual distribution; empty without escapes. */
  readonly residual: Uint32Array;
}

interface AliasShare {
  readonly distance: number;
  atoms: number;
}

/** Splits the atoms into whole ones of the likeliest 31 distances, and the rest for the escape. */
function splitAtoms(weights: readonly bigint[], total: bigint): AliasShare[] {
  const all = BigInt(ALIAS_SLOTS * ALIAS_ATOMS);
  const likeliest = weights
    .map((weight, distance) => ({ distance, atoms: Number((weight * all) / total) }))
    .sort((a, b) => b.atoms - a.atoms || a.distance - b.distance)
    .slice(0, ALIAS_SLOTS - 1);
  const held = likeliest.reduce((sum, { atoms }) => sum + atoms, 0);
  return [...likeliest, { distance: ESCAPE, atoms: ALIAS_SLOTS * ALIAS_ATOMS - held }];
}

/** Fills every slot with one share, topped up by another (Vose's order: short ones first). */
function fillSlots(table: DifferenceTable, pending: AliasShare[]): void {
  for (let slot = 0; slot < ALIAS_SLOTS; slot++) {
    pending.sort((a, b) => a.atoms - b.atoms || a.distance - b.distance);
    const least = pending[0];
    const most = pending.at(-1);
    if (least === undefined || most === undefined) throw new Error('alias table: ran out of atoms');
    table.primary[slot] = least.distance;
    table.alias[slot] = most.distance;
    if (least.atoms >= ALIAS_ATOMS) {
      table.alias[slot] = least.distance;
      least.atoms -= ALIAS_ATOMS;
    } else {
      table.cut[slot] = least.atoms;
      most.atoms -= ALIAS_ATOMS - least.atoms;
      least.atoms = 0;
    }
    if (least.atoms === 0) pending.shift();
    if (pending.length > 0 && most.atoms === 0 && pending.at(-1) === most) pending.pop();
  }
}

function computeResidualTable(weights: readonly bigint[], total: bigint, held: readonly AliasShare[]): Uint32Array {
  const left = weights.map((weight) => weight * BigInt(ALIAS_SLOTS * ALIAS_ATOMS));
  for (const { distance, atoms } of held) {
    if (distance !== ESCAPE) left[distance] = (left[distance] ?? 0n) - BigInt(atoms) * total;
  }
  return left.some((weight) => weight > 0n) ? computeThresholds({ offset: 0, weights: left }) : new Uint32Array(0);
}

const differenceTables = new Map<string, DifferenceTable>();

/** Returns the table of the difference of two rolls of `dice`. */
export function getDifferenceTable(dice: Dice): DifferenceTable {
  const name = `${String(dice.count)}d${String(dice.sides)}`;
  const known = differenceTables.get(name);
  if (known !== undefined) return known;
  const { weights } = computeDistanceDistribution(dice);
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const held = splitAtoms(weights, total);
  const table = {
    cut: new Uint8Array(ALIAS_SLOTS),
    primary: new Int16Array(ALIAS_SLOTS),
    alias: new Int16Array(ALIAS_SLOTS),
    residual: computeResidualTable(weights, total, held),
  };
  fillSlots(
    table,
    held.filter(({ atoms }) => atoms > 0),
  );
  differenceTables.set(name, table);
  return table;
}
