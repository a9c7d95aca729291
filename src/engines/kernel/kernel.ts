/** Loads and compiles the kernel of a system. */

import { createSha256 } from '#platform/hash';
import { hasKernel, loadKernelBytes, loadKernelBytesSync } from '#platform/kernels';
import { computeRunKey } from '../../core/index.ts';
import type { BattleEnd } from '../../rules/index.ts';
import type { Counts, CountsShape } from '../../stats/index.ts';
import { acquireInstance, type BattleRows, releaseInstance, type WasmModule } from './instance.ts';
import { LISTED_BYTES, LISTED_MAX, METRICS_MAX, RANGE, SHAPE } from './layout.ts';

/**
 * Release kernels are for users; debug kernels keep every check for tests; shared ones import a memory that threads
 * share.
 */
export type KernelBuild = 'release' | 'debug' | 'shared';

/**
 * Cache of kernels by build and name: compiling one takes about ten milliseconds, and studies open thousands of
 * scenarios. A cached one also keeps its optimized code for later runs and other threads.
 */
const compiledKernels = new Map<string, Promise<WebAssembly.Module>>();

async function compileKernel(build: KernelBuild, name: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await loadKernelBytes(build, name));
}

/**
 * Compiles the kernel, once; the module may be shared with any number of threads.
 * @throws RunError if the kernel is not built
 */
export async function loadKernel(system: string, build: KernelBuild = 'release'): Promise<WebAssembly.Module> {
  const key = `${build}/${system}`;
  const known = compiledKernels.get(key) ?? compileKernel(build, system);
  compiledKernels.set(key, known);
  try {
    return await known;
  } catch (error) {
    compiledKernels.delete(key);
    throw error;
  }
}

/** Compiles a kernel synchronously, anew at every call. @throws RunError if it is not built */
export function compileKernelSync(name: string): WebAssembly.Module {
  return new WebAssembly.Module(loadKernelBytesSync(name));
}

/** Compiles a kernel synchronously; undefined if there is no such kernel. */
export function loadKernelSync(system: string): WebAssembly.Module | undefined {
  return hasKernel(system) ? compileKernelSync(system) : undefined;
}

/**
 * Computes the SHA-256 of a kernel, in hexadecimal.
 * @throws RunError if the kernel is not built
 */
export function computeKernelHash(system: string): string {
  return createSha256().update(loadKernelBytesSync(system)).hex();
}

// Loads scenarios into an instance of a kernel.

/** Exports of every kernel; assembly/core/kernel.ts documents them. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  readonly scenarioAddress: WebAssembly.Global<'i32'>;
  readonly countsAddress: WebAssembly.Global<'i32'>;
  readonly valuesAddress: WebAssembly.Global<'i32'>;
  reserve(scenarioBytes: number, countsBytes: number): number;
  configure(): void;
  clear(): void;
  play(runKey: bigint, index: bigint): number;
  run(runKey: bigint, from: bigint, count: number): void;
  readonly listedAddress: WebAssembly.Global<'i32'>;
  list(runKey: bigint, from: bigint, count: number): void;
  settle?(): void;
}

/** Maximum size of the counters in bytes. */
const COUNTS_BYTES_MAX = 2 ** 29;

function countBins({ outcomes, metrics }: CountsShape): number {
  return outcomes.length * metrics.reduce((sum, { min, max }) => sum + max - min + 1, 1);
}

/**
 * Allocates memory in a kernel, writes shape and scenario, and lets the kernel read them.
 * @throws RangeError if the counters of the scenario exceed the memory of a kernel
 */
export function loadScenario(kernel: KernelExports, shape: CountsShape, scenario: Int32Array): void {
  const head = SHAPE.pack({ outcomes: shape.outcomes.length, metrics: shape.metrics.length });
  for (const { min, max } of shape.metrics) head.push(...RANGE.pack({ least: min, bins: max - min + 1 }));
  const countsBytes = countBins(shape) * 4;
  if (shape.metrics.length > METRICS_MAX || countsBytes > COUNTS_BYTES_MAX) {
    throw new RangeError(
      `${String(shape.metrics.length)} metrics with ${String(countBins(shape))} counters exceed the capacity of a kernel`,
    );
  }
  if (kernel.reserve((head.length + scenario.length) * 4, countsBytes) === 0) {
    throw new RangeError(`no memory for ${String(countsBytes)} bytes of counters`);
  }
  const words = new Int32Array(kernel.memory.buffer, kernel.scenarioAddress.value);
  words.set(head);
  words.set(scenario, head.length);
  kernel.configure();
}

/** Computes the maximum number of battles of a listing. */
export const computeListLimit = ({ metrics }: CountsShape): number =>
  Math.min(LISTED_MAX, Math.floor(LISTED_BYTES / 4 / (1 + metrics.length)));

// An instance of a kernel with its memory: it simulates and counts battles of one scenario at a time.

/** Battles that the 32-bit counters can hold. */
export const KERNEL_BATTLES_MAX: number = 2 ** 32 - 1;

export class SystemKernel {
  readonly #module: WasmModule;
  readonly #exports: KernelExports;
  readonly #shape: CountsShape;

  /**
   * @param module compiled kernel of the system of the scenario
   * @param shape counts of the model of the scenario
   * @param scenario the scenario as encoded by its system
   * @throws RangeError if the counters of the scenario exceed the memory of a kernel
   */
  constructor(module: WasmModule, shape: CountsShape, scenario: Int32Array) {
    this.#module = module;
    this.#exports = acquireInstance(module) as KernelExports;
    this.#shape = shape;
    loadScenario(this.#exports, shape, scenario);
  }

  /** Simulates battle `index` of run `seed` without counting it. */
  play(seed: bigint, index: number): BattleEnd {
    const outcome = this.#exports.play(computeRunKey(seed), BigInt(index));
    const { memory, valuesAddress } = this.#exports;
    const values = new Int32Array(memory.buffer, valuesAddress.value, this.#shape.metrics.length);
    return { outcome, metrics: [...values] };
  }

  /** Simulates and counts battles from..from+count-1; at most 2^32-1 between two calls of `take`. */
  run(seed: bigint, from: number, count: number): void {
    this.#exports.run(computeRunKey(seed), BigInt(from), count);
  }

  /** Runs at most `computeListLimit` battles with their individual results, valid until the next call. */
  simulateRows(seed: bigint, from: number, count: number): BattleRows {
    this.#exports.list(computeRunKey(seed), BigInt(from), count);
    const { memory, listedAddress } = this.#exports;
    return new Int32Array(memory.buffer, listedAddress.value, count * (1 + this.#shape.metrics.length));
  }

  /** Returns the instance for the next kernel of the module; it is not used again. */
  close(): void {
    releaseInstance(this.#module, this.#exports);
  }

  /** Takes the counts since the last call, trimmed to observed values, and resets the counters. */
  take(): Counts {
    const { outcomes, metrics } = this.#shape;
    this.#exports.settle?.();
    let address = this.#exports.countsAddress.value;
    const next = (length: number): Uint32Array => {
      const counters = new Uint32Array(this.#exports.memory.buffer, address, length);
      address += length * 4;
      return counters;
    };
    const battles = Float64Array.from(next(outcomes.length));
    const counts: Counts = {
      outcomes: battles,
      metrics: metrics.map(({ min, max }) => {
        const bins = max - min + 1;
        return trimCounters(next(bins * outcomes.length), min, bins, battles);
      }),
    };
    this.#exports.clear();
    return counts;
  }
}

/**
 * Trims counters to the smallest window with all observed values.
 * @param battles by outcome; rows of unobserved outcomes are skipped
 */
export function trimCounters(
  counters: Uint32Array,
  min: number,
  bins: number,
  battles: Float64Array,
): Counts['metrics'][number] {
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
