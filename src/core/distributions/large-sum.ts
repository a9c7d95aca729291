/**
 * Sums of many samples. The exact weights of a large sum take milliseconds, and have thousands of bits. Samples need
 * only doubles, except for words that are close to a threshold.
 */
import type { Distribution } from '../chance/chance.ts';
import { computeProbabilities, type FiniteDistribution, findQuantile } from '../chance/dice-tables.ts';
import { CachedDistribution, getCachedDistribution } from '../chance/distribution-cache.ts';
import { BITS_MAX, computeTotal, memoizeDistribution } from './distribution.ts';

/** Number of values of a large sum. A smaller sum has exact weights; larger ones exceed limits of the exact sum. */
const VALUES = { min: 64, max: 2 ** 12 };

/** Lesser probabilities are omitted: all together they are below 2^-40 of a word. */
const NEGLIGIBLE = 2 ** -90;

/**
 * Words that are closer to a threshold have the exact sample. Rounding errors are below a tenth of it: sums of at most
 * 2^12 values add up to 2^14 products, each with an error of 2^-52, which moves a threshold by 2^32 * 2^14 * 2^-52.
 */
const MARGIN = 1 / 16;

type SampleCounts = ReadonlyMap<CachedDistribution, number>;

/** Counts the samples of a sum by distribution; parts of sums are counted separately. */
export function countSamples(terms: readonly Distribution[], times = 1): SampleCounts {
  const counts = new Map<CachedDistribution, number>();
  for (const term of terms) {
    const entry = getCachedDistribution(term);
    for (const [part, count] of entry.parts ?? [[entry, 1]]) counts.set(part, (counts.get(part) ?? 0) + count * times);
  }
  return counts;
}

/** Combines a number of equal values by repeated squaring: one or two products for each bit of the count. */
export function combineRepeatedly<T>(count: number, none: T, one: T, combine: (a: T, b: T) => T): T {
  let [result, power] = [none, one];
  for (let left = count; left > 0; left >>= 1) {
    if (left & 1) result = combine(result, power);
    if (left > 1) power = combine(power, power);
  }
  return result;
}

/** Probabilities of the values from `least` on. */
interface Masses {
  readonly least: number;
  readonly masses: Float64Array;
}

function trim(least: number, masses: Float64Array): Masses {
  const isPossible = (mass: number): boolean => mass > NEGLIGIBLE;
  const first = masses.findIndex(isPossible);
  return { least: least + first, masses: masses.subarray(first, masses.findLastIndex(isPossible) + 1) };
}

function convolve(a: Masses, b: Masses): Masses {
  const sums = new Float64Array(a.masses.length + b.masses.length - 1);
  for (let i = 0; i < a.masses.length; i++) {
    const mass = a.masses[i] as number;
    for (let k = 0; k < b.masses.length; k++) sums[i + k] = (sums[i + k] as number) + mass * (b.masses[k] as number);
  }
  return trim(a.least + b.least, sums);
}

/** Computes the binomial distribution from its mode. */
function computeBinomialMasses(count: number, miss: number, hit: number): Float64Array {
  const masses = new Float64Array(count + 1);
  const mode = Math.min(count, Math.floor((count + 1) * hit));
  masses[mode] = 1;
  for (let k = mode, mass = 1; k < count && mass > NEGLIGIBLE; k++) {
    mass *= ((count - k) * hit) / ((k + 1) * miss);
    masses[k + 1] = mass;
  }
  for (let k = mode, mass = 1; k > 0 && mass > NEGLIGIBLE; k--) {
    mass *= (k * miss) / ((count - k + 1) * hit);
    masses[k - 1] = mass;
  }
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  return masses.map((mass) => mass / total);
}

function multiply(distribution: Distribution, count: number): Masses {
  const shares = Float64Array.from(computeProbabilities(distribution));
  const [miss = 1, hit = 0] = shares;
  if (shares.length === 2) return trim(count * distribution.offset, computeBinomialMasses(count, miss, hit));
  const one: Masses = { least: distribution.offset, masses: shares };
  return combineRepeatedly(count, { least: 0, masses: Float64Array.of(1) }, one, convolve);
}

class LargeSum extends CachedDistribution {
  readonly #build: () => Distribution;
  readonly #values: number;
  #least = 0;
  /** Thresholds before they are rounded. */
  #table: Float64Array | undefined;

  constructor(parts: SampleCounts, values: number, build: () => Distribution, name?: string) {
    let offset = 0;
    for (const [{ distribution }, count] of parts) offset += count * distribution.offset;
    const exact = (): Distribution => memoizeDistribution('exact', [this.distribution], build);
    super(
      {
        offset,
        get weights() {
          return exact().weights;
        },
        get name() {
          return name ?? exact().name;
        },
      } as Distribution,
      values + 4 * parts.size,
    );
    this.parts = parts;
    this.#values = values;
    this.#build = exact;
  }

  override get thresholds(): Uint32Array {
    return getCachedDistribution(this.#build()).thresholds;
  }

  override get finiteDistribution(): FiniteDistribution<number> {
    return getCachedDistribution(this.#build()).finiteDistribution;
  }

  override sample(word: number): number {
    this.#table ??= this.#computeTable();
    const k = findQuantile(this.#table, word + 1);
    const [below = 0, above = 0] = [this.#table[k - 1], this.#table[k]];
    return below < word + 1 - MARGIN && above > word + 1 + MARGIN ? this.#least + k : super.sample(word);
  }

  override rename(name: string): Distribution {
    const build = (): Distribution => getCachedDistribution(this.#build()).rename(name);
    return new LargeSum(this.parts ?? new Map(), this.#values, build, name).distribution;
  }

  #computeTable(): Float64Array {
    let sum: Masses = { least: 0, masses: Float64Array.of(1) };
    for (const [{ distribution }, count] of this.parts ?? []) sum = convolve(sum, multiply(distribution, count));
    this.#least = sum.least;
    let below = 0;
    return sum.masses.map((mass) => {
      below += mass;
      return 2 ** 32 * below;
    });
  }
}

/**
 * Creates the distribution of a sum.
 * @param build computes its exact weights
 */
export function createSum(parts: SampleCounts, build: () => Distribution): Distribution {
  let [values, bits] = [1, 0];
  for (const [{ distribution }, count] of parts) {
    values += count * (distribution.weights.length - 1);
    bits += count * Math.log2(Number(computeTotal(distribution)));
  }
  if (values >= VALUES.min && values <= VALUES.max && bits < BITS_MAX - 64)
    return new LargeSum(parts, values, build).distribution;
  const made = build();
  getCachedDistribution(made).parts ??= parts;
  return made;
}
