/** Environments in a separate thread: Comlink carries the calls, and both threads share the memory of the buffers. */

import type { Worker } from 'node:worker_threads';
import type { Remote } from 'comlink';
import { asyncDispose, createOptionsCheck, type RunError, type SeedLike } from '../../core/index.ts';
import type { Scenario } from '../../rules/index.ts';
import type { EnvChanges, EnvSpec, WeightedScenario } from '../env-spec.ts';
import type { EnvironmentEngine } from '../environment-engine.ts';
import type { KernelTask } from '../environment-kernel.ts';
import {
  Environments,
  LockstepEnvironments,
  type ResetOptions,
  type RolloutLimits,
  type StepResult,
  VECTOR_ENV_OPTIONS,
} from '../environments.ts';
import type { Autoreset, Policy } from '../layout.ts';
import { checkEnv } from '../validate.ts';
import type { SessionCalls, SessionThreadSetup, ThreadCommand } from './environment-thread.ts';
import { Hosted, type Laid, layOutEnvironments } from './environment-threads.ts';
import type { ThreadedOptions } from './options.ts';

/** Options of a session's environments (default: 1) and its thread. */
export type EnvSessionOptions = ThreadedOptions;

const checkOptions = createOptionsCheck<EnvSessionOptions>('EnvSession.create', {
  ...VECTOR_ENV_OPTIONS,
  bootTimeoutMs: true,
  worker: true,
});

/** Properties of a session. */
export interface EnvSessionInfo {
  readonly system: string;
  readonly autoreset: Autoreset;
  readonly maxSteps: number;
  readonly stateBytes: number;
  /** Bytes of the memory that both threads share. */
  readonly memoryBytes: number;
}

const WORDS = { thread: "the session's thread", threads: "the session's thread", whole: 'the session' };

/** Thread of a session. The result of a call is available when `done` resolves. */
class SessionThread extends Hosted {
  readonly #remote: Remote<SessionCalls>;
  /** Rejects the waiting call: Comlink's own promise would never settle after the death of the thread. */
  #reject: ((error: RunError) => void) | undefined;
  #states: Uint8Array[] = [];
  /** Result of the last task. */
  done: Promise<unknown> = Promise.resolve();

  private constructor(file: URL, workerData: SessionThreadSetup, connect: (worker: Worker) => Remote<SessionCalls>) {
    super(WORDS, file, { workerData });
    this.#remote = connect(this.worker);
  }

  /** Starts a thread. Comlink is loaded on demand. */
  static async start(file: URL, setup: SessionThreadSetup): Promise<SessionThread> {
    const [{ wrap }, { default: nodeEndpoint }] = await Promise.all([
      import('comlink'),
      import('comlink/dist/esm/node-adapter.mjs'),
    ]);
    return new SessionThread(file, setup, (worker) => wrap(nodeEndpoint(worker)));
  }

  /** Starts a task in all environments. */
  perform(task: KernelTask): void {
    this.done = this.#call(() => this.#remote.perform(task));
  }

  /** Starts a command. @returns prefetched states, if requested */
  execute(target: ThreadCommand): Uint8Array[] {
    if (target.kind === 'states') return this.#states;
    this.done = this.#call(() => this.#remote.execute(target));
    return [];
  }

  /** Prefetches the states of environments from..to-1 for the next command. */
  async fetch(from: number, to: number): Promise<void> {
    this.#states = await this.#call(() => this.#remote.execute({ kind: 'states', from, to }));
  }

  /** Calls the thread. An error there leaves the environments undefined, so it also ends the session. */
  #call<T>(ask: () => Promise<T>): Promise<T> {
    const handleAnswer = (resolve: (answer: T) => void, reject: (error: RunError) => void): void => {
      this.#reject = reject;
      ask().then(resolve, (error: unknown) => {
        this.fail(`the session failed: ${String(error)}`);
      });
    };
    return this.waiting(() => new Promise(handleAnswer));
  }

  protected override ended(end: RunError): void {
    this.#reject?.(end);
  }
}

/** Host side of a session: starts tasks, which the thread performs. */
class Begun extends LockstepEnvironments {
  readonly #thread: SessionThread;

  constructor(thread: SessionThread, engine: EnvironmentEngine, { configuration, key, debug }: Laid) {
    super(configuration, engine, key, debug);
    this.#thread = thread;
  }

  protected override performAll(task: KernelTask): number {
    this.#thread.perform(task);
    return 0;
  }

  protected override checkIdle(): void {
    this.checkSound();
  }
}

/**
 * Environments stepped by another thread. Calls are performed in order; the buffers must not be accessed during a call.
 * If the thread ends, the waiting call and all later ones reject with a RunError.
 */
export class EnvSession extends Environments {
  readonly #thread: SessionThread;
  readonly #env: LockstepEnvironments;
  /** Settles when the last call does. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(thread: SessionThread, engine: EnvironmentEngine, laid: Laid) {
    super(laid.configuration, engine, laid.debug);
    this.#thread = thread;
    this.#env = new Begun(thread, engine, laid);
  }

  /**
   * Creates environments of one scenario, or of several with weights, in a separate thread.
   * @throws InputError if the scenarios are incompatible, or an option is invalid
   * @throws RunError if the kernel is not built, or the thread does not start
   */
  static async create(
    scenarios: Scenario | readonly (Scenario | WeightedScenario)[],
    options: EnvSessionOptions = {},
  ): Promise<EnvSession> {
    checkOptions(options);
    const laid = await layOutEnvironments(scenarios, options, 1, 'EnvSession.create');
    const thread = await SessionThread.start(laid.worker, { made: laid.environments });
    const session = new EnvSession(thread, laid.createEngine(thread), laid);
    await thread.within(laid.bootTimeoutMs, () => session.reset());
    return session;
  }

  get configuration(): EnvSpec {
    return this.#env.configuration;
  }

  /** Starts episode 0 in every environment; with a mask, the next episode in the marked ones. */
  reset(options: ResetOptions = {}): Promise<StepResult> {
    return this.#runInTurn((env) => env.reset(options));
  }

  /**
   * Takes an action in every environment.
   * @param actions N action indices; default: the content of `buffers.act`
   * @throws InputError in debug mode, if an action is illegal; the environments are then unchanged
   */
  step(actions?: ArrayLike<number>): Promise<StepResult> {
    return this.#runInTurn((env) => env.step(actions));
  }

  /** Writes the action of a policy in every environment into `buffers.act`. */
  sampleActions(policy: Policy): Promise<void> {
    return this.#runInTurn((env) => {
      env.sampleActions(policy);
    });
  }

  /** Simulates with a policy in every environment. @returns number of actions in all environments */
  rollout(policy: Policy, limits: RolloutLimits): Promise<number> {
    return this.#runInTurn((env) => {
      env.rollout(policy, limits);
      return this.#thread.done as Promise<number>;
    });
  }

  /** Changes rewards, weights or modes, like `VectorEnv.configure`. */
  configure(changes: EnvChanges): Promise<void> {
    return this.#runInTurn((env) => {
      env.configure(changes);
    });
  }

  /** Returns a copy of all buffers and states, without the configuration. */
  snapshot(): Promise<Uint8Array> {
    return this.#runInTurn(async (env) => {
      await this.#fetch(0, this.numEnvs);
      return env.snapshot();
    });
  }

  /**
   * Restores a snapshot of environments with the same configuration. @throws InputError if it has another size or
   * fingerprint
   */
  restore(snapshot: Uint8Array): Promise<void> {
    return this.#runInTurn((env) => {
      env.restore(snapshot);
    });
  }

  /** Returns the state of an environment, for `setState` of environments with the same configuration. */
  state(env: number): Promise<Uint8Array> {
    return this.#runInTurn(async (all) => {
      checkEnv(env, this.numEnvs);
      await this.#fetch(env, env + 1);
      return all.state(env);
    });
  }

  /**
   * Sets the state of an environment. @throws InputError if the environment does not exist, or the state has another
   * size
   */
  setState(env: number, state: Uint8Array): Promise<void> {
    return this.#runInTurn((all) => {
      all.setState(env, state);
    });
  }

  /** Switches environments from..to-1 to another seed: the past is unchanged, all later draws differ. */
  reseed(seed: SeedLike, from = 0, to: number = this.numEnvs): Promise<void> {
    return this.#runInTurn((env) => {
      env.reseed(seed, from, to);
    });
  }

  /** Returns the properties of the session. */
  info(): Promise<EnvSessionInfo> {
    return this.#runInTurn(() => {
      const { system, autoreset, maxSteps } = this.configuration;
      const memoryBytes = this.buffers.obs.buffer.byteLength;
      return { system: system.id, autoreset, maxSteps, stateBytes: this.stateBytes, memoryBytes };
    });
  }

  /** Terminates the thread, even if it is busy. The buffers remain readable. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** As `close`: for `await using`. */
  [asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Prefetches the states of environments, which are in the thread if it uses rules. */
  async #fetch(from: number, to: number): Promise<void> {
    if (this.stateBytes === 0) await this.#thread.fetch(from, to);
  }

  /** Runs work after all earlier calls: only one of the two threads accesses the memory. */
  #runInTurn<T>(work: (env: LockstepEnvironments) => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      this.#thread.check();
      const result = await work(this.#env);
      await this.#thread.done;
      return result;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
