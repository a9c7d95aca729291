/**
 * An alias table of a distribution in doubles, built from integers: weights of 2^32 in total for each slot, so that the
 * sampled distribution is known exactly. Method: A. J. Walker 1977; construction: M. D. Vose 1991.
 */

import { computeRunKey } from '../../core/index.ts';
import type { BattleEnd } from '../../rules/index.ts';
import { addBattle, type Counts, type CountsShape, createEmptyCounts } from '../../stats/index.ts';
import type { AutomatonRounds } from '../automaton/compile.ts';
import type { AutomatonCode } from '../automaton/encode-automaton.ts';
import { LOOK, SLOT as RECORD_SLOT, ROUND_LOOK } from '../automaton/layout.ts';
import { SLOT } from '../exact/layout.ts';
import type { BattleRows } from './instance.ts';
import { acquireInstance, releaseInstance, type WasmModule } from './instance.ts';
import { trimCounters } from './kernel.ts';
import { LISTED_MAX } from './layout.ts';

/**
 * The top `bits` bits of one word select a slot; another word, if below the threshold of the slot, selects the slot
 * itself.
 */
export interface AliasTable {
  /** The table has 2^bits slots, 1 <= bits <= 20; those beyond the values of the distribution are never selected. */
  readonly bits: number;
  readonly thresholds: Uint32Array<ArrayBuffer>;
  readonly aliases: Uint32Array<ArrayBuffer>;
}

/** Weight of a slot in words. */
const SLOT_WEIGHT = 2 ** 32;

/**
 * Computes integers in proportion to the probabilities, with the given sum; the most likely value gets the rounding
 * error.
 */
export function computeWeights(probabilities: readonly number[], total: number): number[] {
  const weights = probabilities.map((probability) => Math.floor(probability * total));
  const held = weights.reduce((sum, weight) => sum + weight, 0);
  // Not spread into arguments: distributions can have more values than a call can have arguments.
  const likeliest = probabilities.indexOf(probabilities.reduce((most, probability) => Math.max(most, probability), 0));
  weights[likeliest] = (weights[likeliest] ?? 0) + total - held;
  return weights;
}

/**
 * Creates the table of a distribution of at most 2^20 values. Each has its probability within 2^-32 divided by their
 * number, the most likely one within 2^-32.
 */
export function createAliasTable(probabilities: readonly number[]): AliasTable {
  const bits = Math.max(1, Math.ceil(Math.log2(probabilities.length)));
  const slots = 2 ** bits;
  const left = computeWeights(probabilities, slots * SLOT_WEIGHT);
  while (left.length < slots) left.push(0);
  const thresholds = new Uint32Array(slots);
  const aliases = Uint32Array.from({ length: slots }, (_, slot) => slot);
  const short = [...left.keys()].filter((slot) => (left[slot] ?? 0) < SLOT_WEIGHT);
  const long = [...left.keys()].filter((slot) => (left[slot] ?? 0) > SLOT_WEIGHT);
  for (let slot = short.pop(); slot !== undefined; slot = short.pop()) {
    const donor = long.at(-1);
    if (donor === undefined) throw new Error('alias table: ran out of weight');
    thresholds[slot] = left[slot] ?? 0;
    aliases[slot] = donor;
    left[donor] = (left[donor] ?? 0) - (SLOT_WEIGHT - (left[slot] ?? 0));
    if ((left[donor] ?? 0) > SLOT_WEIGHT) continue;
    long.pop();
    if ((left[donor] ?? 0) < SLOT_WEIGHT) short.push(donor);
  }
  return { bits, thresholds, aliases };
}

// Kernels without rules that count final states: automata, and draws from the exact distribution.

/** Exports of both modules; assembly/engines/ documents them. */
interface FinalStateExports {
  readonly memory: WebAssembly.Memory;
  clear(): void;
  play(runKey: bigint, index: bigint): number;
  run(runKey: bigint, from: bigint, count: number): void;
}

interface CompiledExports extends FinalStateExports {
  readonly listedAddress: WebAssembly.Global<'i32'>;
  list(runKey: bigint, from: bigint, count: number): void;
  readonly recordsAddress: WebAssembly.Global<'i32'>;
  reserve(bytes: number, counters: number): number;
}

interface AutomatonExports extends CompiledExports {
  configure(start: number, nodes: number, depth: number): void;
}

interface RoundsExports extends CompiledExports {
  readonly countersAddress: WebAssembly.Global<'i32'>;
  /** Rounds of the last battle of `play`. */
  readonly rounds: WebAssembly.Global<'i32'>;
  configure(start: number, nodes: number, words: number, most: number): void;
}

interface SampledExports extends FinalStateExports {
  readonly slotsAddress: WebAssembly.Global<'i32'>;
  readonly countersAddress: WebAssembly.Global<'i32'>;
  reserve(bits: number): number;
}

/** Returns the offset of the counter of a final state, in words. */
type CounterLocator = (result: number) => number;

/** Counters of rounds by outcome, and the metric with these values. */
interface RoundCounters {
  readonly metric: number;
  readonly most: number;
  /** In words. */
  readonly first: number;
  /** Returns the rounds of the last battle. */
  last(): number;
}

/**
 * Writes records, allocates counters of rounds, and returns the locations of the counters.
 * @throws RangeError if memory is exhausted
 */
function writeRecords(
  exports: CompiledExports,
  words: Uint32Array,
  counters: number,
  { size, at }: typeof LOOK | typeof ROUND_LOOK,
): CounterLocator {
  if (exports.reserve(words.byteLength, counters) === 0)
    throw new RangeError(`no memory for ${String(words.byteLength + counters)} bytes`);
  const first = exports.recordsAddress.value / 4;
  new Uint32Array(exports.memory.buffer).set(words, first);
  return (result) => first + result * (size + RECORD_SLOT.size) + at.battles;
}

export class FinalStateKernel {
  readonly #module: WasmModule;
  readonly #exports: FinalStateExports;
  readonly #shape: CountsShape;
  readonly #endings: readonly BattleEnd[];
  readonly #counterOf: CounterLocator;
  readonly #rounds: RoundCounters | undefined;
  #lists: readonly [ways: Int32Array, rows: Int32Array] | undefined;

  private constructor(
    module: WasmModule,
    exports: FinalStateExports,
    shape: CountsShape,
    results: readonly BattleEnd[],
    counterOf: CounterLocator,
    rounds?: RoundCounters,
  ) {
    this.#module = module;
    this.#exports = exports;
    this.#shape = shape;
    this.#endings = results;
    this.#counterOf = counterOf;
    this.#rounds = rounds;
  }

  /**
   * Creates a kernel of a compiled scenario.
   * @param module the compiled engine `automaton`, or `rounds` for a scenario with rounds
   * @param results final states; with rounds, without the metric that counts them
   * @throws RangeError if memory is exhausted
   */
  static createCompiled(
    module: WasmModule,
    shape: CountsShape,
    results: readonly BattleEnd[],
    code: AutomatonCode,
    rounds?: AutomatonRounds,
  ): FinalStateKernel {
    if (rounds === undefined) return FinalStateKernel.#createPlain(module, shape, results, code);
    return FinalStateKernel.#withRounds(module, shape, results, code, rounds);
  }

  static #createPlain(
    module: WasmModule,
    shape: CountsShape,
    results: readonly BattleEnd[],
    { words, start, nodes, depth }: AutomatonCode,
  ): FinalStateKernel {
    const exports = acquireInstance(module) as AutomatonExports;
    const counter = writeRecords(exports, words, 0, LOOK);
    exports.configure(start, nodes, depth);
    return new FinalStateKernel(module, exports, shape, results, counter);
  }

  static #withRounds(
    module: WasmModule,
    shape: CountsShape,
    results: readonly BattleEnd[],
    { words, start, nodes }: AutomatonCode,
    { metric, words: roundWords, maxRounds }: AutomatonRounds,
  ): FinalStateKernel {
    const exports = acquireInstance(module) as RoundsExports;
    const counter = writeRecords(exports, words, 4 * shape.outcomes.length * (maxRounds + 1), ROUND_LOOK);
    exports.configure(start, nodes, roundWords, maxRounds);
    const first = exports.countersAddress.value / 4;
    const rounds = { metric, most: maxRounds, first, last: () => exports.rounds.value };
    return new FinalStateKernel(module, exports, shape, results, counter, rounds);
  }

  /**
   * Creates a kernel that samples a distribution.
   * @param module the compiled engine `sampled`
   * @throws RangeError if memory is exhausted
   */
  static createSampled(
    module: WasmModule,
    shape: CountsShape,
    results: readonly BattleEnd[],
    { bits, thresholds, aliases }: AliasTable,
  ): FinalStateKernel {
    const exports = acquireInstance(module) as SampledExports;
    if (exports.reserve(bits) === 0) throw new RangeError(`no memory for 2^${String(bits)} final states`);
    const slots = new Uint32Array(exports.memory.buffer, exports.slotsAddress.value);
    for (const [slot, threshold] of thresholds.entries()) {
      slots[slot * SLOT.size + SLOT.at.threshold] = threshold;
      slots[slot * SLOT.size + SLOT.at.alias] = (aliases[slot] ?? 0) * 4;
    }
    const first = exports.countersAddress.value / 4;
    return new FinalStateKernel(module, exports, shape, results, (k) => first + k);
  }

  /** Simulates or samples battle `index` of run `seed` without counting it. */
  play(seed: bigint, index: number): BattleEnd {
    const result = this.#endings[this.#exports.play(computeRunKey(seed), BigInt(index))];
    if (result === undefined) throw new Error('a battle without a final state');
    if (this.#rounds === undefined) return result;
    return { ...result, metrics: result.metrics.toSpliced(this.#rounds.metric, 0, this.#rounds.last()) };
  }

  /** Simulates or samples, and counts, battles from..from+count-1; at most 2^32-1 between two calls of `take`. */
  run(seed: bigint, from: number, count: number): void {
    this.#exports.run(computeRunKey(seed), BigInt(from), count);
  }

  /** Runs at most `LISTED_MAX` battles with their individual results, valid until the next call. Not for samples. */
  simulateRows(seed: bigint, from: number, count: number): BattleRows {
    const exports = this.#exports as CompiledExports;
    exports.list(computeRunKey(seed), BigInt(from), count);
    const words = this.#rounds === undefined ? 1 : 2;
    const found = new Uint32Array(exports.memory.buffer, exports.listedAddress.value, words * count);
    const size = 1 + this.#shape.metrics.length;
    const [ways, rows] = this.#createListing(size);
    const rounds = 1 + (this.#rounds?.metric ?? 0);
    for (let k = 0, to = 0; k < count; k++) {
      const way = (found[words * k] ?? 0) * size;
      for (let column = 0; column < size; column++) rows[to++] = ways[way + column] ?? 0;
      if (words === 2) rows[to - size + rounds] = found[2 * k + 1] ?? 0;
    }
    return rows.subarray(0, size * count);
  }

  /** Returns the rows of all final states, and a buffer for battles; created on demand. */
  #createListing(size: number): readonly [ways: Int32Array, rows: Int32Array] {
    const at = this.#rounds?.metric;
    this.#lists ??= [
      Int32Array.from(
        this.#endings.flatMap(({ outcome, metrics }) => [
          outcome,
          ...(at === undefined ? metrics : metrics.toSpliced(at, 0, 0)),
        ]),
      ),
      new Int32Array(size * LISTED_MAX),
    ];
    return this.#lists;
  }

  /** Returns the instance for the next kernel of the module; it is not used again. */
  close(): void {
    releaseInstance(this.#module, this.#exports);
  }

  /** Takes the counts since the last call, and resets the counters. */
  take(): Counts {
    const counters = new Uint32Array(this.#exports.memory.buffer);
    const { outcomes, metrics } = this.#shape;
    const counts = createEmptyCounts({ outcomes, metrics: metrics.filter((_, m) => m !== this.#rounds?.metric) });
    for (const [index, { outcome, metrics }] of this.#endings.entries()) {
      const battles = counters[this.#counterOf(index)] ?? 0;
      if (battles > 0) addBattle(counts, outcome, metrics, battles);
    }
    if (this.#rounds !== undefined)
      counts.metrics.splice(this.#rounds.metric, 0, this.#roundCounts(this.#rounds, counts));
    this.#exports.clear();
    return counts;
  }

  #roundCounts({ first, most }: RoundCounters, { outcomes }: Counts): Counts['metrics'][number] {
    const counters = new Uint32Array(this.#exports.memory.buffer, 4 * first, outcomes.length * (most + 1));
    return trimCounters(counters, 0, most + 1, outcomes);
  }
}
