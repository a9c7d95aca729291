/** Parts of the environments of a pool, which are sent and received separately. */

import { availableParallelism } from 'node:os';
import { asyncDispose, createOptionsCheck, InputError, parseCount, WORKERS_MAX } from '../../core/index.ts';
import type { Scenario } from '../../rules/index.ts';
import { type BufferLayout, createBufferViews } from '../buffers.ts';
import type { EnvSpec, WeightedScenario } from '../env-spec.ts';
import type { EnvironmentEngine } from '../environment-engine.ts';
import type { KernelTask } from '../environment-kernel.ts';
import { createStepResult, LockstepEnvironments, type StepResult, VECTOR_ENV_OPTIONS } from '../environments.ts';
import { EnvironmentThreads, layOutEnvironments } from './environment-threads.ts';
import { Mailbox } from './mailbox.ts';
import type { ThreadedOptions } from './options.ts';

/** Environments from..to-1 after a step, as views of their rows. The same object every time. */
export interface PoolSlice extends StepResult {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  /**
   * Number of episodes that the last step has ended; their environments are the first entries of `infos.finished`, with
   * indices over all slices.
   */
  readonly finished: number;
}

/** The views of a slice. */
function createSlice(
  memory: ArrayBufferLike,
  places: readonly BufferLayout[],
  index: number,
  from: number,
  to: number,
): { -readonly [K in keyof PoolSlice]: PoolSlice[K] } {
  const moved = places.map((place) => ({ ...place, address: place.address + from * place.row }));
  return { ...createStepResult(createBufferViews(memory, moved, to - from)), index, from, to, finished: 0 };
}

// Environments in shared memory, divided into slices that threads step separately.

/** Options of a `VectorEnvPool` and its threads. */
export interface VectorEnvPoolOptions extends ThreadedOptions {
  /** Number of threads, 1..256; default: number of cores. */
  readonly threads?: number | undefined;
  /**
   * Number of parts that are sent and received separately, 1..4096, at most one per environment; default: two per
   * thread.
   */
  readonly slices?: number | undefined;
}

const checkOptions = createOptionsCheck<VectorEnvPoolOptions>('VectorEnvPool.create', {
  ...VECTOR_ENV_OPTIONS,
  threads: true,
  slices: true,
  bootTimeoutMs: true,
  worker: true,
});

/** Default number of slices per thread: other threads take the second one of a slow thread. */
const SLICES_PER_THREAD = 2;

/**
 * Environments stepped by threads. Results equal those of `VectorEnv`, for any number of threads and slices.
 *
 * All methods except `recvAsync` block until the threads are done; all except `send` and `recv` require that all slices
 * have been received. If a thread dies, the waiting call and all later ones throw a RunError, because its environments
 * are lost.
 */
export class VectorEnvPool extends LockstepEnvironments {
  readonly threads: number;
  /** All slices, sent or not. */
  readonly slices: readonly PoolSlice[];
  readonly #threads: EnvironmentThreads;
  readonly #mailbox: Mailbox;
  readonly #views: ReturnType<typeof createSlice>[];
  /** Number of slices sent and not received. */
  #out = 0;
  /** First slice to check, so that each of them is received eventually. */
  #next = 0;

  private constructor(
    configuration: EnvSpec,
    engine: EnvironmentEngine,
    threads: EnvironmentThreads,
    seed: bigint,
    debug: boolean,
  ) {
    super(configuration, engine, seed, debug);
    this.#threads = threads;
    this.#mailbox = threads.mailbox;
    this.threads = threads.threads;
    const { places, fields } = engine;
    this.#views = Array.from({ length: this.#mailbox.slices }, (_, s) =>
      createSlice(fields.obs.buffer, places, s, this.#mailbox.from(s), this.#mailbox.to(s)),
    );
    this.slices = this.#views;
    this.reset();
  }

  /**
   * Opens environments and starts their threads.
   * @throws InputError if the scenarios are incompatible, or an option is invalid
   * @throws RunError if the kernel is not built, or a thread does not start
   */
  static async create(
    scenarios: Scenario | readonly (Scenario | WeightedScenario)[],
    options: VectorEnvPoolOptions = {},
  ): Promise<VectorEnvPool> {
    checkOptions(options);
    const { threads = availableParallelism(), slices: parts, numEnvs = 64, ...common } = options;
    parseCount(threads, 'threads', 1, WORKERS_MAX);
    const laid = await layOutEnvironments(scenarios, { ...common, numEnvs }, threads, 'VectorEnvPool');
    const slices = parseCount(
      parts ?? Math.min(numEnvs, SLICES_PER_THREAD * threads),
      'slices',
      1,
      Math.min(numEnvs, 4096),
    );
    const crew = new EnvironmentThreads(threads, Mailbox.create(numEnvs, slices), laid.worker, laid.environments);
    await crew.within(laid.bootTimeoutMs, () => crew.waitAsync(threads));
    try {
      return new VectorEnvPool(laid.configuration, laid.createEngine(crew), crew, laid.key, laid.debug);
    } catch (error) {
      await crew.close();
      throw error;
    }
  }

  /**
   * Sends a slice to be stepped.
   * @param actions of the slice; default: the content of `buffers.act`
   * @throws InputError if the slice does not exist or was sent already, or in debug mode if an action is illegal
   */
  send(slice: number, actions?: ArrayLike<number>): void {
    this.#threads.check();
    const view = this.#views[slice];
    if (view === undefined) {
      throw new InputError('slice', `an integer 0..${String(this.#views.length - 1)}`, String(slice));
    }
    if (!this.#mailbox.has(slice))
      throw new InputError('slice', 'a slice that has been received', `slice ${String(slice)}, which was not`);
    this.#mailbox.post(slice, this.stepTask(actions, view.from, view.to));
    this.#out++;
    this.#threads.wake();
  }

  /**
   * Receives a stepped slice; blocks until there is one.
   * @throws InputError if no slice was sent
   * @throws RunError if a thread dies
   */
  recv(): PoolSlice {
    for (;;) {
      const { events } = this.#mailbox;
      const slice = this.#receive();
      if (slice !== undefined) return slice;
      this.#threads.wait((events + 1) | 0);
    }
  }

  /** Receives a stepped slice without blocking the event loop. */
  async recvAsync(): Promise<PoolSlice> {
    for (;;) {
      const { events } = this.#mailbox;
      const slice = this.#receive();
      if (slice !== undefined) return slice;
      await this.#threads.waitAsync((events + 1) | 0);
    }
  }

  /** Terminates the threads, even if they are busy. The buffers remain readable. */
  close(): Promise<void> {
    return this.#threads.close();
  }

  /** As `close`: for `await using`. */
  [asyncDispose](): Promise<void> {
    return this.close();
  }

  protected override performAll(task: KernelTask): number {
    this.#threads.perform(task);
    let sum = 0;
    for (const view of this.#views) {
      const result = this.#mailbox.receive(view.index);
      if (task.op === 'step') view.finished = result;
      sum += result;
    }
    return sum;
  }

  protected override checkIdle(): void {
    this.checkSound();
    this.#threads.check();
    if (this.#out > 0) throw new InputError('slices', 'all slices received', `${String(this.#out)} not received`);
  }

  #receive(): PoolSlice | undefined {
    this.#threads.check();
    if (this.#out === 0) throw new InputError('recv', 'a sent slice', 'none');
    for (let i = 0; i < this.#views.length; i++) {
      const s = (this.#next + i) % this.#views.length;
      const view = this.#views[s];
      if (view === undefined || !this.#mailbox.isDone(s)) continue;
      view.finished = this.#mailbox.receive(s);
      this.#out--;
      this.#next = s + 1;
      return view;
    }
    return undefined;
  }
}
