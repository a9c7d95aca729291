/** Engines of environments: a kernel, or the rules as written (reference-engine.ts). */

import { type BufferLayout, checkRecords, type EnvBuffers, HEAD_BYTES, readRecordHead } from './buffers.ts';
import type { CompiledVariant } from './decision-automaton/compile-decisions.ts';
import { encodeEnvSpec } from './encode-env-spec.ts';
import type { EnvChanges, EnvSpec, Variant } from './env-spec.ts';
import { type EnvironmentKernel, type KernelTask, performKernelTask } from './environment-kernel.ts';
import type { BattleBatch } from './evaluate/value-estimate.ts';
import { POLICIES, type Policy } from './layout.ts';
import type { TurnState } from './reference-battle.ts';
import { checkBytes } from './validate.ts';

/** Battles to continue from a state: battles from..from+count-1 of the run with a key. */
export interface PlayoutBatch {
  readonly key: bigint;
  readonly from: number;
  readonly count: number;
  readonly policy: Policy;
}

/** Forms of engines: the kernel of a system, compiled scenarios, or the rules. */
export type EnvironmentEngineForm = 'kernel' | 'automaton' | 'reference';

export interface EnvironmentEngine {
  readonly form: EnvironmentEngineForm;
  /** Reason why the rules are called, for `reference`. */
  readonly reason: string | undefined;
  readonly envs: number;
  /** Index of the first environment. */
  readonly first: number;
  /** Layout of the buffers. */
  readonly places: readonly BufferLayout[];
  readonly fields: EnvBuffers;
  /** Fingerprint of the scenarios and options: 64 bits of a digest of the first configuration. */
  readonly fingerprint: bigint;
  /** Bytes of the state of one environment, and of the output of `save`; 0 if they vary. */
  readonly stateBytes: number;
  readonly savedBytes: number;
  /** Seed of the next episodes. */
  set seed(seed: bigint);
  /**
   * Replaces the configuration by one of the same shape.
   * @param changes from the current configuration
   */
  configure(configuration: EnvSpec, changes: EnvChanges): void;
  perform(task: KernelTask, from: number, to: number): number;
  reseed(seed: bigint, from: number, to: number): void;
  state(env: number): Uint8Array;
  /** @throws InputError if it is not a state of such environments */
  setState(env: number, state: Uint8Array): void;
  /** @throws InputError if it is not a state of such environments */
  check(place: string, state: Uint8Array): void;
  /** Everything but the seed. */
  save(): Uint8Array;
  /** @throws InputError if `saved` is not from such environments */
  load(saved: Uint8Array): void;
  /** Decodes a state for the rules. */
  begun(variant: Variant, state: Uint8Array): TurnState;
  /** Continues battles from a state, with one policy for all players; only for environments that nothing else uses. */
  playOut(variant: Variant, state: Uint8Array, playouts: PlayoutBatch): BattleBatch;
}

/** Environments in the memory of a kernel. */
export class KernelEngine implements EnvironmentEngine {
  readonly reason = undefined;
  readonly kernel: EnvironmentKernel;
  #configuration: EnvSpec;
  /** Compiled scenarios, for a system without a kernel. */
  readonly #compiled: readonly CompiledVariant[] | undefined;

  constructor(kernel: EnvironmentKernel, configuration: EnvSpec, compiled?: readonly CompiledVariant[]) {
    this.kernel = kernel;
    this.#configuration = configuration;
    this.#compiled = compiled;
  }

  get form(): EnvironmentEngineForm {
    return this.#compiled === undefined ? 'kernel' : 'automaton';
  }

  get envs(): number {
    return this.kernel.envs;
  }

  get first(): number {
    return this.kernel.first;
  }

  /** Layout of the buffers. */
  get places(): readonly BufferLayout[] {
    return this.kernel.places;
  }

  get fields(): EnvBuffers {
    return this.kernel.fields;
  }

  get fingerprint(): bigint {
    return this.kernel.fingerprint;
  }

  get stateBytes(): number {
    return this.fields.record.length / this.envs;
  }

  get savedBytes(): number {
    return this.kernel.allBytes.length;
  }

  set seed(seed: bigint) {
    this.kernel.seed = seed;
  }

  configure(configuration: EnvSpec): void {
    this.kernel.configure(encodeEnvSpec(configuration, this.#compiled));
    this.#configuration = configuration;
  }

  perform(task: KernelTask, from: number, to: number): number {
    return performKernelTask(this.kernel, task, from, to);
  }

  reseed(seed: bigint, from: number, to: number): void {
    this.kernel.exports.env_rekey(from, to, Number(seed & 0xffffffffn), Number(seed >> 32n));
  }

  state(env: number): Uint8Array {
    return this.fields.record.slice(env * this.stateBytes, (env + 1) * this.stateBytes);
  }

  setState(env: number, state: Uint8Array): void {
    checkBytes('state', state, this.stateBytes);
    checkRecords('state', state, this.stateBytes, this.#configuration);
    this.fields.record.set(state, env * this.stateBytes);
    this.kernel.exports.env_refresh(env, env + 1);
  }

  check(place: string, state: Uint8Array): void {
    checkBytes(place, state, this.stateBytes);
  }

  save(): Uint8Array {
    return this.kernel.allBytes;
  }

  load(saved: Uint8Array): void {
    const { allBytes, fields } = this.kernel;
    const from = fields.record.byteOffset - allBytes.byteOffset;
    const records = saved.subarray(from, from + fields.record.length);
    checkRecords('snapshot', records, this.stateBytes, this.#configuration);
    allBytes.set(saved);
  }

  begun({ spec }: Variant, state: Uint8Array): TurnState {
    const compiled = this.#compiled?.[readRecordHead(state).variant];
    if (compiled !== undefined) return compiled.decode(state);
    const { kernel } = spec;
    if (kernel === undefined) throw new Error('a kernel without a decoder of its states');
    return { state: kernel.decode(new Int32Array(Uint8Array.from(state.subarray(HEAD_BYTES)).buffer)), answers: [] };
  }

  playOut({ outcomes, metrics }: Variant, state: Uint8Array, { key, from, count, policy }: PlayoutBatch): BattleBatch {
    const { exports, fields } = this.kernel;
    fields.record.set(state);
    const { buffer } = exports.memory;
    exports.env_playouts(0, key, BigInt(from), count, POLICIES.indexOf(policy));
    const counts = new Uint32Array(buffer, exports.env_counts(), outcomes.length);
    const sums = new Float64Array(buffer, exports.env_sums(), metrics.length);
    return { battles: count, counts: [...counts], sums: [...sums] };
  }
}
