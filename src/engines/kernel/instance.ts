/**
 * Instances of compiled modules. Public types lead here, and not to the kernels: browsers' types are no part of them.
 */

import { RunError } from '../../core/index.ts';

/** A compiled WebAssembly module; not called so because published types must do without those of browsers. */
export type WasmModule = object;

/** An instance as its module exports it. */
interface WasmInstance {
  readonly memory: WasmMemory;
}

/** A WebAssembly memory, not called so for the same reason. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
}

/** Listed battles: each row has the outcome, then the metrics; row k starts at k * (1 + metrics). */
export type BattleRows = ArrayLike<number>;

/** Maximum memory of an idle instance. */
const IDLE_BYTES_MAX = 2 ** 26;

/**
 * Idle instances. A new one for each of many short runs would cost more than the runs: garbage collection of a thousand
 * instances took a sixth of the time of a sweep.
 */
const idleInstances = new WeakMap<WasmModule, WasmInstance>();

const NO_SPACE =
  'the engine cannot reserve address space for its memory. V8 reserves about 10 GB for each WebAssembly memory, which a ' +
  'limit such as "ulimit -v" or h_vmem of Grid Engine may not allow. Set NODE_OPTIONS=--disable-wasm-trap-handler, raise ' +
  'the limit, or use fewer workers.';

/**
 * Instantiates a module.
 * @param memory for a module that imports it
 * @throws RunError if memory is exhausted
 */
export function instantiate(module: WasmModule, memory?: WasmMemory): unknown {
  const env = memory === undefined ? { abort } : { abort, memory: memory as WebAssembly.Memory };
  try {
    return new WebAssembly.Instance(module, { env }).exports;
  } catch (error) {
    throw error instanceof RangeError ? new RunError(NO_SPACE, { cause: error }) : error;
  }
}

/** Acquires an instance for exclusive use: an idle one, or a new one. */
export function acquireInstance(module: WasmModule): unknown {
  const kept = idleInstances.get(module);
  idleInstances.delete(module);
  return kept ?? instantiate(module);
}

/** Returns an instance for the next scenario of its module. Kernels do not assume that reserved memory is zero. */
export function releaseInstance(module: WasmModule, instance: WasmInstance): void {
  if (instance.memory.buffer.byteLength <= IDLE_BYTES_MAX) idleInstances.set(module, instance);
}

function abort(): never {
  throw new Error('a check inside the kernel failed');
}
