/** Environments in a thread of their own: Comlink carries the calls, the fields lie in memory that both threads share. */

import { Worker } from 'node:worker_threads';
import type { Remote } from 'comlink';
import { asyncDispose, optionsOf, parseCount, parseSeed, RunError, type SeedLike } from '../../core/index.ts';
import type { Scenario } from '../../rules/index.ts';
import { type Changes, type Configuration, changed, configurationOf, type Weighted } from '../configuration.ts';
import type { DistantEngine } from '../engine.ts';
import {
  Environments,
  type ResetOptions,
  type RolloutLimits,
  type Step,
  VECTOR_ENV_OPTIONS,
  type VectorEnvOptions,
  weighted,
} from '../environments.ts';
import { checkRange } from '../given.ts';
import type { KernelTask } from '../kernel.ts';
import type { Autoreset } from '../layout.ts';
import type { Policy } from '../spec.ts';
import { sessionMade, threadFlags, workerUrl } from './crew.ts';
import type { SessionSetup, SessionThread, ThreadDeed } from './thread.ts';

/** The environments of a session, and its thread. */
export interface SessionOptions extends VectorEnvOptions {
  /** 1 unless given. */
  readonly numEnvs?: number | undefined;
  /** Milliseconds within which the thread must be up, 1..600 000; 30 000 unless given. */
  readonly bootTimeoutMs?: number | undefined;
  /** The file that the thread runs, if it is not the package's own: for tests. */
  readonly worker?: URL | undefined;
}

const checkOptions = optionsOf<SessionOptions>('openSession', {
  ...VECTOR_ENV_OPTIONS,
  bootTimeoutMs: true,
  worker: true,
});

/** What a session holds. */
export interface SessionInfo {
  readonly system: string;
  readonly autoreset: Autoreset;
  readonly maxSteps: number;
  readonly stateBytes: number;
  /** Bytes of the memory that both threads share. */
  readonly memoryBytes: number;
}

/** The other end of a session. */
interface Line {
  readonly worker: Worker;
  readonly remote: Remote<SessionThread>;
}

/** Starts a thread. Comlink is loaded only where sessions are wanted. */
async function lineTo(file: URL, setup: SessionSetup): Promise<Line> {
  const [{ wrap }, { default: nodeEndpoint }] = await Promise.all([
    import('comlink'),
    import('comlink/dist/esm/node-adapter.mjs'),
  ]);
  const worker = new Worker(file, { workerData: setup, ...threadFlags() });
  return { worker, remote: wrap<SessionThread>(nodeEndpoint(worker)) };
}

/**
 * Environments that another thread steps. Calls are performed in the order in which they are made; `fields` must be left
 * alone while one is under way. If the thread ends, the call that waits and all later ones reject with a RunError.
 */
export class Session extends Environments<DistantEngine> {
  readonly #worker: Worker;
  readonly #remote: Remote<SessionThread>;
  /** Why nothing can be done any more. */
  #end: RunError | undefined;
  /** Rejects the call that waits: Comlink's own promise would wait for ever for a thread that is dead. */
  #reject: ((error: RunError) => void) | undefined;
  /** Comes to rest when the call that was made last does. */
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(
    configuration: Configuration,
    engineOf: (thread: { grant(wish: ThreadDeed): Promise<Uint8Array[]> }) => DistantEngine,
    { worker, remote }: Line,
    { seed = 0, debug = false }: SessionOptions,
  ) {
    const grant = (wish: ThreadDeed): Promise<Uint8Array[]> => this.#call(() => remote.grant(wish));
    super(configuration, engineOf({ grant }), parseSeed(seed), debug);
    this.#worker = worker;
    this.#remote = remote;
    worker.on('error', (error) => {
      this.#fail(`the session's thread died: ${String(error)}`);
    });
    worker.on('exit', (code) => {
      this.#fail(`the session's thread died: it exited with code ${String(code)}`);
    });
    worker.unref();
  }

  /** Begins episode 0 in every environment; with a mask, the next episode in those that it marks. */
  reset(options: ResetOptions = {}): Promise<Step> {
    return this.#inTurn(async () => {
      await this.#perform(this.resetTask(options));
      return this.shown;
    });
  }

  /**
   * Takes an action in every environment.
   * @param actions N numbers of actions; those that stand in `fields.act` unless given
   * @throws InputError in debug mode, if an action is illegal; nothing has happened then
   */
  step(actions?: ArrayLike<number>): Promise<Step> {
    return this.#inTurn(async () => {
      await this.#perform(this.stepTask(actions));
      return this.shown;
    });
  }

  /** Writes what a policy does in every environment into `fields.act`. */
  suggest(policy: Policy): Promise<void> {
    return this.#inTurn(async () => {
      await this.#perform(this.suggestTask(policy));
    });
  }

  /** Lets a policy act in every environment. @returns actions taken in all environments */
  rollout(policy: Policy, limits: RolloutLimits): Promise<number> {
    return this.#inTurn(() => this.#perform(this.rolloutTask(policy, limits)));
  }

  /** Changes rewards, weights or modes, as `VectorEnv.configure` does. */
  configure(changes: Changes): Promise<void> {
    return this.#inTurn(async () => {
      const configuration = changed(this.configuration, changes);
      await this.engine.configure(configuration, changes);
      this.changedTo(configuration);
    });
  }

  /** Everything, to come back to: fields and states of all environments. Not the configuration. */
  snapshot(): Promise<Uint8Array> {
    return this.#inTurn(async () => this.snapshotOf(await this.engine.save()));
  }

  /** Comes back to a snapshot of environments that were made alike. @throws InputError if its size is another */
  restore(snapshot: Uint8Array): Promise<void> {
    return this.#inTurn(async () => {
      await this.engine.load(this.savedIn(snapshot));
      this.resume(snapshot);
    });
  }

  /** The state of an environment, for `setState` here or in environments that were made alike. */
  state(env: number): Promise<Uint8Array> {
    return this.#inTurn(() => {
      this.checkEnv(env);
      return this.engine.state(env);
    });
  }

  /** Puts an environment into a state. @throws InputError if there is no such environment, or the state has another size */
  setState(env: number, state: Uint8Array): Promise<void> {
    return this.#inTurn(() => {
      this.checkEnv(env);
      return this.engine.setState(env, state);
    });
  }

  /** Gives environments from..to-1 futures of another seed: what has happened stays, what is drawn from here on is other. */
  rekey(seed: SeedLike, from = 0, to: number = this.numEnvs): Promise<void> {
    return this.#inTurn(() => {
      const key = parseSeed(seed);
      checkRange(from, to, this.numEnvs);
      return this.engine.rekey(key, from, to);
    });
  }

  /** What the session holds, asked of its thread. */
  info(): Promise<SessionInfo> {
    return this.#inTurn(async () => {
      const { system, autoreset, maxSteps } = this.configuration;
      const memoryBytes = await this.#call(() => this.#remote.memoryBytes());
      return { system: system.id, autoreset, maxSteps, stateBytes: this.stateBytes, memoryBytes };
    });
  }

  /** Ends the thread, whatever it does. The fields can be read on. */
  close(): Promise<void> {
    this.#fail('the session is closed');
    this.#closing ??= this.#worker.terminate().then(() => undefined);
    return this.#closing;
  }

  /** As `close`: for `await using`. */
  [asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Does work when all that was asked before is done: only one of both threads is at the memory. */
  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      if (this.#end !== undefined) throw this.#end;
      this.checkSound();
      return work();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #perform(task: KernelTask): Promise<number> {
    return this.#call(() => this.#remote.perform(task));
  }

  /** What the thread answers. A call that fails there leaves environments of no use, so that it ends the session too. */
  async #call<T>(ask: () => Promise<T>): Promise<T> {
    this.#worker.ref();
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#reject = reject;
        ask().then(resolve, (error: unknown) => {
          this.#fail(`the session failed: ${String(error)}`);
        });
      });
    } finally {
      this.#reject = undefined;
      this.#worker.unref();
    }
  }

  /** The first failure is what is told. */
  #fail(message: string): void {
    this.#end ??= new RunError(message);
    this.#reject?.(this.#end);
  }

  /** @see openSession */
  static async open(scenarios: Scenario | readonly (Scenario | Weighted)[], options: SessionOptions): Promise<Session> {
    checkOptions(options);
    const { bootTimeoutMs = 30_000, worker: file = workerUrl('session'), ...common } = options;
    const { numEnvs = 1, firstEnv = 0, seed = 0, debug = false, ...environment } = common;
    parseSeed(seed);
    parseCount(bootTimeoutMs, 'bootTimeoutMs', 1, 600_000);
    const configuration = configurationOf(weighted(scenarios), environment);
    const { made, engineOf } = await sessionMade(configuration, { envs: numEnvs, first: firstEnv, threads: 2 });
    const line = await lineTo(file, made);
    const session = new Session(configuration, engineOf, line, { seed, debug });
    const timer = setTimeout(() => {
      session.#fail(`the session's thread was not up after ${String(bootTimeoutMs)} ms`);
    }, bootTimeoutMs);
    try {
      await session.reset();
    } catch (error) {
      await session.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return session;
  }
}

/**
 * Opens environments of one scenario, or of several with weights, in a thread of their own.
 * @throws InputError if the scenarios do not go together, or an option is none
 * @throws RunError if the kernel is not built, or the thread does not start
 */
export function openSession(
  scenarios: Scenario | readonly (Scenario | Weighted)[],
  options: SessionOptions = {},
): Promise<Session> {
  return Session.open(scenarios, options);
}
