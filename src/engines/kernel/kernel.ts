/** One instance of a kernel with its memory: it plays battles of one scenario at a time and counts them. */

import type { Tally, TallyShape } from '../../answers/tally.ts';
import { runKey } from '../../core/chance/stream.ts';
import type { BattleResult } from '../../rules/battle.ts';
import { borrow, giveBack, type Module } from './instance.ts';
import { type KernelExports, load } from './scenario.ts';

/** Battles that the 32-bit counters can hold. */
export const KERNEL_BATTLES_MAX: number = 2 ** 32 - 1;

export class Kernel {
  readonly #module: Module;
  readonly #exports: KernelExports;
  readonly #shape: TallyShape;

  /**
   * @param module   the compiled kernel of the scenario's system
   * @param shape    what the scenario's model counts
   * @param scenario the scenario as its system encodes it
   * @throws RangeError if the counters of the scenario need more memory than a kernel has
   */
  constructor(module: Module, shape: TallyShape, scenario: Int32Array) {
    this.#module = module;
    this.#exports = borrow(module) as KernelExports;
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

  /** Leaves its memory to the next kernel of the module; it is not used again. */
  close(): void {
    giveBack(this.#module, this.#exports);
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
    const counts = Float64Array.from(next(outcomes.length));
    const tally: Tally = {
      outcomes: counts,
      metrics: metrics.map(({ min, max }) => {
        const bins = max - min + 1;
        return trim(next(bins * outcomes.length), min, bins, counts);
      }),
    };
    this.#exports.clear();
    return tally;
  }
}

/**
 * Cuts counters to the least window that holds every value that came.
 * @param battles by outcome; the rows of those that did not come are not looked at
 */
export function trim(
  counters: Uint32Array,
  min: number,
  bins: number,
  battles: Float64Array,
): Tally['metrics'][number] {
  let [first, last] = [bins, -1];
  for (const [o, count] of battles.entries()) {
    if (count === 0) continue;
    const row = counters.subarray(o * bins, (o + 1) * bins);
    let [low, high] = [0, bins - 1];
    while (low < first && row[low] === 0) low++;
    while (high > last && row[high] === 0) high--;
    [first, last] = [Math.min(first, low), Math.max(last, high)];
  }
  const width = Math.max(0, last - first + 1);
  const counts = new Float64Array(battles.length * width);
  for (const [o, count] of battles.entries()) {
    if (count > 0) counts.set(counters.subarray(o * bins + first, o * bins + last + 1), o * width);
  }
  return { low: width > 0 ? min + first : 0, width, counts };
}
