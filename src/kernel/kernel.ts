/** One instance of a kernel with its memory: it plays battles of one scenario at a time and counts them. */
import { runKey } from '../chance/stream.ts';
import type { Tally, TallyShape } from '../stats/tally.ts';
import type { BattleResult } from '../systems/battle.ts';
import { instantiate, type KernelExports, load } from './scenario.ts';

/** Battles that the 32-bit counters can hold. */
export const KERNEL_BATTLES_MAX: number = 2 ** 32 - 1;

export class Kernel {
  readonly #exports: KernelExports;
  readonly #shape: TallyShape;

  /**
   * @param module   the compiled kernel of the scenario's system
   * @param shape    what the scenario's model counts
   * @param scenario the scenario as its system encodes it
   * @throws RangeError if the counters of the scenario need more memory than a kernel has
   */
  constructor(module: WebAssembly.Module, shape: TallyShape, scenario: Int32Array) {
    this.#exports = instantiate(module) as unknown as KernelExports;
    this.#shape = shape;
    load(this.#exports, shape, scenario);
  }

  /** Plays battle `index` of run `seed` without counting it. */
  play(seed: bigint, index: number): BattleResult {
    const outcome = this.#exports.play(runKey(seed), BigInt(index));
    const { memory, valuesAddress } = this.#exports;
    const values = new Int32Array(memory.buffer, valuesAddress.value, this.#shape.metrics.length);
    return { outcome, metrics: [...values] };
  }

  /** Plays and counts battles from..from+count-1; never more than 2^32-1 between two calls of `take`. */
  run(seed: bigint, from: number, count: number): void {
    this.#exports.run(runKey(seed), BigInt(from), count);
  }

  /** The counts since the last call, trimmed to the values that came; the counters start anew. */
  take(): Tally {
    const { outcomes, metrics } = this.#shape;
    this.#exports.settle?.();
    let address = this.#exports.tallyAddress.value;
    const next = (length: number): Uint32Array => {
      const counters = new Uint32Array(this.#exports.memory.buffer, address, length);
      address += length * 4;
      return counters;
    };
    const tally: Tally = {
      outcomes: Float64Array.from(next(outcomes.length)),
      metrics: metrics.map(({ min, max }) => {
        const bins = max - min + 1;
        return trim(next(bins * outcomes.length), min, bins, outcomes.length);
      }),
    };
    this.#exports.clear();
    return tally;
  }
}

/** Cuts counters to the least window that holds every value that came. */
function trim(counters: Uint32Array, min: number, bins: number, outcomes: number): Tally['metrics'][number] {
  const rows = Array.from({ length: outcomes }, (_, o) => counters.subarray(o * bins, (o + 1) * bins));
  const first = Math.min(...rows.map((row) => firstNonZero(row)));
  const last = Math.max(...rows.map((row) => lastNonZero(row)));
  const width = Math.max(0, last - first + 1);
  const counts = new Float64Array(outcomes * width);
  for (const [o, row] of rows.entries()) {
    if (width > 0) counts.set(row.subarray(first, last + 1), o * width);
  }
  return { low: width > 0 ? min + first : 0, width, counts };
}

function firstNonZero(row: Uint32Array): number {
  let k = 0;
  while (k < row.length && row[k] === 0) k++;
  return k < row.length ? k : Number.POSITIVE_INFINITY;
}

function lastNonZero(row: Uint32Array): number {
  let k = row.length - 1;
  while (k >= 0 && row[k] === 0) k--;
  return k;
}
