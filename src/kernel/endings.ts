/** Kernels that know no rules and count how battles end: automata, and draws from the exact law. */
import { type AutomatonCode, ENDING_WORDS } from '../automaton/encode.ts';
import { runKey } from '../chance/stream.ts';
import type { AliasTable } from '../exact/alias.ts';
import { countBattle, emptyTally, type Tally, type TallyShape } from '../stats/tally.ts';
import type { BattleResult } from '../systems/battle.ts';
import { borrow, giveBack, type Module } from './instance.ts';

/** What both modules export; assembly/engines/ says what each does. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  clear(): void;
  play(runKey: bigint, index: bigint): number;
  run(runKey: bigint, from: bigint, count: number): void;
}

interface AutomatonExports extends Exports {
  readonly recordsAddress: WebAssembly.Global<'i32'>;
  reserve(bytes: number): number;
  configure(start: number, nodes: number, depth: number): void;
}

interface SampledExports extends Exports {
  readonly slotsAddress: WebAssembly.Global<'i32'>;
  readonly countersAddress: WebAssembly.Global<'i32'>;
  reserve(bits: number): number;
}

/** Where the counter of each ending lies, in words. */
type Counters = (ending: number) => number;

/** Which word of an ending's record in an automaton counts battles. */
const RECORD_COUNTER = 3;

export class EndingsKernel {
  readonly #module: Module;
  readonly #exports: Exports;
  readonly #shape: TallyShape;
  readonly #endings: readonly BattleResult[];
  readonly #counterOf: Counters;

  private constructor(
    module: Module,
    exports: Exports,
    shape: TallyShape,
    endings: readonly BattleResult[],
    counterOf: Counters,
  ) {
    this.#module = module;
    this.#exports = exports;
    this.#shape = shape;
    this.#endings = endings;
    this.#counterOf = counterOf;
  }

  /**
   * A kernel that plays a compiled scenario.
   * @param module the compiled engine `automaton`
   * @throws RangeError if there is no memory for it
   */
  static automaton(
    module: Module,
    shape: TallyShape,
    endings: readonly BattleResult[],
    { words, start, nodes, depth }: AutomatonCode,
  ): EndingsKernel {
    const exports = borrow(module) as AutomatonExports;
    if (exports.reserve(words.byteLength) === 0)
      throw new RangeError(`no memory for ${String(words.byteLength)} bytes`);
    const address = exports.recordsAddress.value;
    new Uint32Array(exports.memory.buffer, address).set(words);
    exports.configure(start, nodes, depth);
    const counter: Counters = (k) => address / 4 + k * ENDING_WORDS + RECORD_COUNTER;
    return new EndingsKernel(module, exports, shape, endings, counter);
  }

  /**
   * A kernel that draws from a law.
   * @param module the compiled engine `sampled`
   * @throws RangeError if there is no memory for it
   */
  static sampled(
    module: Module,
    shape: TallyShape,
    endings: readonly BattleResult[],
    { bits, thresholds, aliases }: AliasTable,
  ): EndingsKernel {
    const exports = borrow(module) as SampledExports;
    if (exports.reserve(bits) === 0) throw new RangeError(`no memory for 2^${String(bits)} endings`);
    const slots = new Uint32Array(exports.memory.buffer, exports.slotsAddress.value);
    for (const [slot, threshold] of thresholds.entries()) {
      slots[2 * slot] = threshold;
      slots[2 * slot + 1] = (aliases[slot] ?? 0) * 4;
    }
    const first = exports.countersAddress.value / 4;
    return new EndingsKernel(module, exports, shape, endings, (k) => first + k);
  }

  /** Plays or draws battle `index` of run `seed` without counting it. */
  play(seed: bigint, index: number): BattleResult {
    const ending = this.#endings[this.#exports.play(runKey(seed), BigInt(index))];
    if (ending === undefined) throw new Error('a battle without an ending');
    return ending;
  }

  /** Plays or draws, and counts, battles from..from+count-1; never more than 2^32-1 between two calls of `take`. */
  run(seed: bigint, from: number, count: number): void {
    this.#exports.run(runKey(seed), BigInt(from), count);
  }

  /** Leaves its memory to the next kernel of the module; it is not used again. */
  close(): void {
    giveBack(this.#module, this.#exports);
  }

  /** The counts since the last call; the counters start anew. */
  take(): Tally {
    const counters = new Uint32Array(this.#exports.memory.buffer);
    const tally = emptyTally(this.#shape);
    for (const [index, { outcome, metrics }] of this.#endings.entries()) {
      const battles = counters[this.#counterOf(index)] ?? 0;
      if (battles > 0) countBattle(tally, outcome, metrics, battles);
    }
    this.#exports.clear();
    return tally;
  }
}
