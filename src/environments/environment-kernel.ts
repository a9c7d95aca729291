/** Instance of a system's kernel with environments: docs/reference/abi.md. */

import { createSha256 } from '#platform/hash';
import { InputError, RunError } from '../core/index.ts';
import { instantiate, type WasmMemory, type WasmModule } from '../engines/index.ts';
import { type BufferLayout, createBufferViews, type EnvBuffers, readBufferLayouts } from './buffers.ts';
import { ABI, CONFIGURATION, ENVS_MAX, ERRORS } from './layout.ts';

/** The seed is two words, the low one first. */
const SEED = CONFIGURATION.at.seedLow;

/** Exports of an environment kernel; assembly/environments/abi.ts describes them. */
interface EnvironmentKernelExports {
  readonly memory: WasmMemory;
  env_abi(): number;
  env_reserve(bytes: number): number;
  env_init(count: number, first: number, threads: number): number;
  env_attach(bytes: number, count: number, first: number, threads: number, thread: number): void;
  env_configure(): number;
  env_fields(): number;
  env_reset(from: number, to: number): void;
  env_reset_masked(from: number, to: number): void;
  env_step(from: number, to: number): number;
  env_suggest(policy: number, from: number, to: number): void;
  env_rollout(policy: number, from: number, to: number, steps: number, episodes: number): number;
  env_refresh(from: number, to: number): void;
  env_rekey(from: number, to: number, seedLow: number, seedHigh: number): void;
  env_playouts(e: number, runKey: bigint, from: bigint, count: number, policy: number): void;
  env_counts(): number;
  env_sums(): number;
}

/** Errors of `env_init`. */
const INIT_ERRORS: Readonly<Record<(typeof ERRORS)[number], string>> = {
  none: '',
  memory: 'not enough memory',
  abi: 'different ABI version',
  shape: 'different shape',
};

/** Number of environments, and of threads that share their memory. */
export interface EnvironmentRange {
  readonly envs: number;
  /** Index of the first environment. */
  readonly first: number;
  readonly threads: number;
}

/** @throws InputError if the range is empty or exceeds the indices */
export function checkEnvironmentRange({ envs, first }: EnvironmentRange): void {
  if (!(Number.isInteger(envs) && envs >= 1 && envs <= ENVS_MAX)) {
    throw new InputError('numEnvs', `an integer 1..${String(ENVS_MAX)}`, String(envs));
  }
  if (!(Number.isInteger(first) && first >= 0 && first + envs <= ENVS_MAX)) {
    throw new InputError('firstEnv', `an integer 0..${String(ENVS_MAX - envs)}`, String(first));
  }
}

function computeFingerprint(config: Int32Array, envs: number): bigint {
  const words = config.slice().fill(0, SEED, SEED + 2);
  return createSha256().update(new Uint8Array(words.buffer)).update(String(envs)).word();
}

export class EnvironmentKernel {
  readonly exports: EnvironmentKernelExports;
  readonly envs: number;
  /** Index of the first environment. */
  readonly first: number;
  /** Layout of the buffers. */
  readonly places: readonly BufferLayout[];
  readonly fields: EnvBuffers;
  /** Buffers and states, the content of a snapshot. */
  readonly allBytes: Uint8Array;
  /** Fingerprint of the scenarios and options: 64 bits of a digest of the first configuration. */
  readonly fingerprint: bigint;
  /** Bytes of the configuration. */
  readonly configBytes: number;
  readonly #config: Int32Array;
  readonly #seed: Uint32Array;

  private constructor(
    exports: EnvironmentKernelExports,
    { envs, first }: EnvironmentRange,
    config: number,
    bytes: number,
  ) {
    this.exports = exports;
    this.envs = envs;
    this.first = first;
    const { buffer } = exports.memory;
    this.places = readBufferLayouts(buffer, exports.env_fields());
    this.fields = createBufferViews(buffer, this.places, envs);
    const last = this.places.at(-1);
    const from = this.places[0]?.address ?? 0;
    this.allBytes = new Uint8Array(buffer, from, (last?.address ?? 0) + (last?.row ?? 0) * envs - from);
    this.configBytes = bytes;
    this.#config = new Int32Array(buffer, config, bytes / 4);
    this.fingerprint = computeFingerprint(this.#config, envs);
    this.#seed = new Uint32Array(buffer, config + 4 * SEED, 2);
  }

  /**
   * Lays out environments in the memory of a new instance.
   * @param memory shared with other instances; only for modules that import their memory
   * @throws InputError if the environments do not fit into the memory
   */
  static init(module: WasmModule, words: Int32Array, room: EnvironmentRange, memory?: WasmMemory): EnvironmentKernel {
    checkEnvironmentRange(room);
    const exports = instantiate(module, memory) as EnvironmentKernelExports;
    if (exports.env_abi() !== ABI)
      throw new RunError(`the kernel has ABI version ${String(exports.env_abi())}, not ${String(ABI)}`);
    const config = exports.env_reserve(words.byteLength);
    if (config === 0) throw new InputError('scenarios', 'scenarios that fit into a kernel', 'larger ones');
    new Int32Array(exports.memory.buffer, config, words.length).set(words);
    const error = exports.env_init(room.envs, room.first, room.threads);
    if (error !== 0)
      throw new InputError(
        'numEnvs',
        'a number that fits into a kernel',
        `${String(room.envs)}: ${INIT_ERRORS[ERRORS[error] ?? 'none']}`,
      );
    return new EnvironmentKernel(exports, room, config, words.byteLength);
  }

  /**
   * Attaches an instance to the memory in which another one has laid out environments; threads are numbered from 1. It
   * rewrites static data and the table of buffers, so instances must attach one after the other, before any task.
   */
  static attach(
    module: WasmModule,
    bytes: number,
    room: EnvironmentRange,
    thread: number,
    memory: WasmMemory,
  ): EnvironmentKernel {
    const exports = instantiate(module, memory) as EnvironmentKernelExports;
    exports.env_attach(bytes, room.envs, room.first, room.threads, thread);
    const config = exports.env_reserve(bytes);
    return new EnvironmentKernel(exports, room, config, bytes);
  }

  /**
   * Replaces the configuration; the seed is unchanged.
   * @throws InputError if its shape differs; the configuration is then unchanged
   */
  configure(words: Int32Array): void {
    const before = this.#config.slice();
    if (words.length === before.length) {
      this.#config.set(words);
      this.#config.set(before.subarray(SEED, SEED + 2), SEED);
      if (this.exports.env_configure() === 0) return;
      this.#config.set(before);
    }
    throw new InputError('configuration', 'one of the same shape', 'another');
  }

  /** Seed of the next episodes. */
  set seed(seed: bigint) {
    this.#seed[0] = Number(seed & 0xffffffffn);
    this.#seed[1] = Number(seed >> 32n);
  }
}

// Tasks of a kernel on environments from..to-1, as numbers for other threads.

/** Operations on a range of environments, and `wish`, a command for threads with states (environment-thread.ts). */
export const OPS = ['step', 'reset', 'reset-marked', 'suggest', 'rollout', 'wish'] as const;
export type KernelOp = Exclude<(typeof OPS)[number], 'wish'>;

/** Operation with up to three integers below 2^32. */
export interface KernelTask {
  readonly op: KernelOp;
  readonly args: readonly number[];
}

/** Task posted to a thread. */
export interface PostedTask {
  readonly op: KernelOp | 'wish';
  readonly args: readonly number[];
}

/** True for a task on environments, false for a command. */
export const isTask = (posted: PostedTask): posted is KernelTask => posted.op !== 'wish';

/** Performs a task. @returns finished episodes for `step`, actions for `rollout`, otherwise 0 */
export function performKernelTask(
  { exports }: EnvironmentKernel,
  { op, args }: KernelTask,
  from: number,
  to: number,
): number {
  const [policy = 0, steps = 0, episodes = 0] = args;
  switch (op) {
    case 'step':
      return exports.env_step(from, to);
    case 'reset':
      exports.env_reset(from, to);
      return 0;
    case 'reset-marked':
      exports.env_reset_masked(from, to);
      return 0;
    case 'suggest':
      exports.env_suggest(policy, from, to);
      return 0;
    case 'rollout':
      return exports.env_rollout(policy, from, to, steps, episodes) >>> 0;
  }
}
