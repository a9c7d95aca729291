/** An instance of the automaton kernel: it plays the battles of one compiled scenario and counts them. */
import { type AutomatonCode, ENDING_WORDS } from '../automaton/encode.ts';
import { runKey } from '../chance/stream.ts';
import { countBattle, emptyTally, type Tally, type TallyShape } from '../stats/tally.ts';
import type { BattleResult } from '../systems/battle.ts';
import { instantiate } from './instance.ts';

/** What the module exports; assembly/engines/automaton.ts says what each does. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly recordsAddress: WebAssembly.Global<'i32'>;
  reserve(bytes: number): number;
  configure(start: number, nodes: number, depth: number): void;
  clear(): void;
  play(runKey: bigint, index: bigint): number;
  run(runKey: bigint, from: bigint, battles: number): void;
}

/** Which word of an ending's record counts battles. */
const COUNTER = 3;

export class AutomatonKernel {
  readonly #exports: Exports;
  readonly #shape: TallyShape;
  readonly #endings: readonly BattleResult[];

  /** @throws RangeError if there is no memory for the records */
  constructor(module: WebAssembly.Module, shape: TallyShape, endings: readonly BattleResult[], code: AutomatonCode) {
    this.#exports = instantiate(module) as Exports;
    this.#shape = shape;
    this.#endings = endings;
    const { words, start, nodes, depth } = code;
    if (this.#exports.reserve(words.byteLength) === 0) {
      throw new RangeError(`no memory for ${String(words.byteLength)} bytes of records`);
    }
    new Uint32Array(this.#exports.memory.buffer, this.#exports.recordsAddress.value).set(words);
    this.#exports.configure(start, nodes, depth);
  }

  /** Plays battle `index` of run `seed` without counting it. */
  play(seed: bigint, index: number): BattleResult {
    const ending = this.#endings[this.#exports.play(runKey(seed), BigInt(index))];
    if (ending === undefined) throw new Error('a battle without an ending');
    return ending;
  }

  /** Plays and counts battles from..from+count-1; never more than 2^32-1 between two calls of `take`. */
  run(seed: bigint, from: number, count: number): void {
    this.#exports.run(runKey(seed), BigInt(from), count);
  }

  /** The counts since the last call; the counters start anew. */
  take(): Tally {
    const { memory, recordsAddress } = this.#exports;
    const records = new Uint32Array(memory.buffer, recordsAddress.value, this.#endings.length * ENDING_WORDS);
    const tally = emptyTally(this.#shape);
    for (const [index, { outcome, metrics }] of this.#endings.entries()) {
      const battles = records[index * ENDING_WORDS + COUNTER] ?? 0;
      if (battles > 0) countBattle(tally, outcome, metrics, battles);
    }
    this.#exports.clear();
    return tally;
  }
}
