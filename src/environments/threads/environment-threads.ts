/** Setup of threads with environments, by a kernel or by rules, and the engine of their host. */

import { pathToFileURL } from 'node:url';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads';
import { parseCount, parseSeed, RunError } from '../../core/index.ts';
import { getThreadFile } from '../../core/platform/node/files.ts';
import { loadKernel } from '../../engines/index.ts';
import type { Scenario } from '../../rules/index.ts';
import { createEnvSpec, type EnvChanges, type EnvSpec, type WeightedScenario } from '../env-spec.ts';
import { type EnvironmentEngine, KernelEngine } from '../environment-engine.ts';
import { EnvironmentKernel, type EnvironmentRange, type KernelTask } from '../environment-kernel.ts';
import { addWeights } from '../environments.ts';
import { ReferenceEngine } from '../reference-engine.ts';
import { prepareKernel } from '../vector-env.ts';
import {
  createReferenceThreadSetup,
  type KernelThreadSetup,
  type ReferenceThreadSetup,
  type ThreadCommand,
  type WatchdogSetup,
} from './environment-thread.ts';
import type { Mailbox } from './mailbox.ts';
import type { ThreadedOptions } from './options.ts';

/** Bounds of shared memory in pages: the initial size of kernels, and the maximum they are built for. */
const PAGES = { initial: 16, maximum: 16384 };

/** Creates a memory for instances in several threads. */
export function createSharedMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ ...PAGES, shared: true });
}

/** Executes commands in the threads that have the states. @returns states, if requested */
interface CommandExecutor {
  execute(target: ThreadCommand): Uint8Array[];
}

/** Host side of environments that threads simulate by rules: buffers here, states there. */
class HostRules extends ReferenceEngine {
  readonly #threads: CommandExecutor;

  constructor(
    configuration: EnvSpec,
    { room, memory }: ReferenceThreadSetup,
    threads: CommandExecutor,
    reason: string,
  ) {
    super(configuration, room, memory, reason);
    this.#threads = threads;
  }

  override configure(configuration: EnvSpec, changes: EnvChanges): void {
    this.#threads.execute({ kind: 'configure', changes, from: 0, to: this.envs });
    super.configure(configuration);
  }

  override reseed(seed: bigint, from: number, to: number): void {
    this.#threads.execute({ kind: 'rekey', seed, from, to });
  }

  override states(from: number, to: number): Uint8Array[] {
    return this.#threads.execute({ kind: 'states', from, to });
  }

  override putStates(states: readonly Uint8Array[], from: number): void {
    this.#threads.execute({ kind: 'load', states, from, to: from + states.length });
  }

  override putState(e: number, state: Uint8Array): void {
    this.#threads.execute({ kind: 'set', state, from: e, to: e + 1 });
  }
}

/** Setup of threads, and the engine of their host, which may send them commands. */
interface ThreadedEngineSetup {
  readonly environments: KernelThreadSetup | ReferenceThreadSetup;
  readonly createEngine: (threads: CommandExecutor) => EnvironmentEngine;
}

/**
 * Creates environments in memory that threads share.
 * @param what called function, such as `EnvSession.create`
 * @throws InputError if there are too many environments, or threads cannot load the system
 */
async function createThreadedEngine(
  configuration: EnvSpec,
  room: EnvironmentRange,
  what: string,
): Promise<ThreadedEngineSetup> {
  const prepared = await prepareKernel(configuration);
  if (typeof prepared === 'string') {
    const made = createReferenceThreadSetup(configuration, room, what);
    return { environments: made, createEngine: (threads) => new HostRules(configuration, made, threads, prepared) };
  }
  const { name, words, compiled } = prepared;
  const module = await loadKernel(name, 'shared');
  const memory = createSharedMemory();
  const engine = new KernelEngine(EnvironmentKernel.init(module, words, room, memory), configuration, compiled);
  return { environments: { module, memory, configBytes: words.byteLength, room }, createEngine: () => engine };
}

/** Environments laid out for threads, before any thread starts. */
export interface Laid extends ThreadedEngineSetup {
  readonly configuration: EnvSpec;
  readonly key: bigint;
  readonly debug: boolean;
  readonly bootTimeoutMs: number;
  readonly worker: URL;
}

/** Lays out environments for threads. @param what called function, such as `EnvSession.create` */
export async function layOutEnvironments(
  scenarios: Scenario | readonly (Scenario | WeightedScenario)[],
  { bootTimeoutMs = 30_000, worker = pathToFileURL(getThreadFile('rollout.js')), ...common }: ThreadedOptions,
  threads: number,
  what: string,
): Promise<Laid> {
  const { numEnvs = 1, firstEnv = 0, seed = 0, debug = false, ...environment } = common;
  const key = parseSeed(seed);
  parseCount(bootTimeoutMs, 'bootTimeoutMs', 1, 600_000);
  const configuration = createEnvSpec(addWeights(scenarios), environment);
  const room = { envs: numEnvs, first: firstEnv, threads: threads + 1 };
  return {
    configuration,
    ...(await createThreadedEngine(configuration, room, what)),
    key,
    debug,
    bootTimeoutMs,
    worker,
  };
}

// Host side of a pool's threads: posts slices, waits, and receives deaths.

/**
 * Creates Node options for a thread. It inherits the flags of the process, but Node rejects a file with `--input-type`,
 * which describes standard input or `--eval`. Only some flags are allowed for threads, so then it gets none but
 * process-wide ones.
 */
function createThreadOptions(): Pick<WorkerOptions, 'execArgv' | 'env'> {
  const { env, execArgv } = process;
  const { NODE_OPTIONS = '' } = env;
  const inherited = NODE_OPTIONS.replaceAll(/--input-type[= ]\S+/g, '');
  return {
    ...(execArgv.some((flag) => flag.startsWith('--input-type')) && { execArgv: [] }),
    ...(inherited !== NODE_OPTIONS && { env: { ...env, NODE_OPTIONS: inherited } }),
  };
}

/** Cuts a command to the thread with environments from..to-1. */
function cutCommand(command: ThreadCommand, from: number, to: number): ThreadCommand {
  const [first, end] = [Math.max(from, command.from), Math.min(to, command.to)];
  const part = { ...command, from: first, to: end };
  return part.kind === 'load' ? { ...part, states: part.states.slice(first - command.from, end - command.from) } : part;
}

/** Names of threads in messages. */
interface Words {
  readonly thread: string;
  readonly threads: string;
  readonly whole: string;
}

/** Host side of threads with environments: a late start or an end is an error. */
export abstract class Hosted {
  protected readonly worker: Worker;
  readonly #words: Words;
  /** Reason why all further calls fail. */
  #end: RunError | undefined;
  #closing: Promise<void> | undefined;
  /** Number of asynchronous waits, during which the thread keeps the process alive. */
  #waiting = 0;

  protected constructor(words: Words, file: URL, options: WorkerOptions) {
    this.#words = words;
    this.worker = new Worker(file, { ...options, ...createThreadOptions() });
    this.worker.on('error', (error) => {
      this.fail(`${words.thread} died: ${String(error)}`);
    });
    this.worker.on('exit', (code) => {
      this.fail(`${words.thread} died: it exited with code ${String(code)}`);
    });
  }

  /** Notifies waiting calls of the end. */
  protected abstract ended(end: RunError): void;

  /** @throws RunError if a thread is dead, or the threads were terminated */
  check(): void {
    if (this.#end !== undefined) throw this.#end;
  }

  /**
   * Waits until the threads have started.
   * @throws RunError after `ms` milliseconds
   */
  async within(ms: number, up: () => Promise<unknown>): Promise<void> {
    const timer = setTimeout(() => {
      this.fail(`${this.#words.threads} did not start within ${String(ms)} ms`);
    }, ms);
    try {
      await up();
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Terminates the threads, even if they are busy. */
  close(): Promise<void> {
    this.fail(`${this.#words.whole} is closed`);
    this.#closing ??= this.worker.terminate().then(() => undefined);
    return this.#closing;
  }

  /** Records the first failure, which all later calls throw. */
  protected fail(message: string): void {
    this.#end ??= new RunError(message);
    this.ended(this.#end);
  }

  /** Waits for threads without blocking the event loop. */
  protected async waiting<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting++ === 0) this.worker.ref();
    try {
      return await work();
    } finally {
      if (--this.#waiting === 0) this.worker.unref();
    }
  }
}

const POOL: Words = { thread: 'a thread', threads: 'the threads', whole: 'the pool' };

export class EnvironmentThreads extends Hosted {
  readonly threads: number;
  readonly mailbox: Mailbox;
  readonly #deaths: MessagePort;
  /** By thread: port for commands; empty with a kernel. */
  readonly #requests: readonly MessagePort[];

  constructor(threads: number, mailbox: Mailbox, file: URL, made: KernelThreadSetup | ReferenceThreadSetup) {
    const { port1, port2 } = new MessageChannel();
    const channels = Array.from({ length: 'module' in made ? 0 : threads }, () => new MessageChannel());
    const targets = channels.map((channel) => channel.port2);
    const { control } = mailbox;
    const workerData: WatchdogSetup = { made, file: file.href, control, threads, deaths: port2, commandPorts: targets };
    super(POOL, file, { workerData, transferList: [port2, ...targets] });
    this.threads = threads;
    this.mailbox = mailbox;
    this.#deaths = port1;
    this.#requests = channels.map((channel) => channel.port1);
    this.worker.on('exit', () => {
      for (const port of [this.#deaths, ...this.#requests]) port.close();
    });
  }

  override check(): void {
    super.check();
    if (this.mailbox.dead) this.fail(`a thread died: ${this.#getCause()}`);
    super.check();
  }

  /** Posts a task to all slices, all of which the host must hold; they must be received afterwards. */
  perform(task: KernelTask): void {
    const { mailbox } = this;
    this.check();
    const before = mailbox.events;
    for (let s = 0; s < mailbox.slices; s++) mailbox.post(s, task);
    mailbox.wake(this.threads);
    this.wait((before + mailbox.slices) | 0);
  }

  /** Wakes threads that can take a posted slice: any thread, or the one with its states. */
  wake(): void {
    this.mailbox.wake(this.#requests.length > 0 ? this.threads : 1);
  }

  /** Executes a command in the threads with environments from..to-1, while no slice is posted. @returns states */
  execute(command: ThreadCommand): Uint8Array[] {
    const { mailbox, threads } = this;
    this.check();
    const before = mailbox.events;
    const requested = this.#requests.flatMap((port, t) => {
      const [home, next] = [mailbox.homeSlice(t + 1, threads), mailbox.homeSlice(t + 2, threads)];
      if (next === home) return [];
      const part = cutCommand(command, mailbox.from(home), mailbox.to(next - 1));
      if (part.from >= part.to) return [];
      port.postMessage(part);
      mailbox.post(home, { op: 'wish', args: [] });
      return [{ port, home }];
    });
    mailbox.wake(threads);
    this.wait((before + requested.length) | 0);
    return requested.flatMap(({ port, home }) => {
      mailbox.receive(home);
      return (receiveMessageOnPort(port) as { readonly message: Uint8Array[] }).message;
    });
  }

  /** Blocks until this number of events. @throws RunError if a thread dies */
  wait(events: number): void {
    this.mailbox.wait(events);
    this.check();
  }

  /** Waits like `wait`, without blocking the event loop. */
  async waitAsync(events: number): Promise<void> {
    await this.waiting(() => this.mailbox.waitAsync(events));
    this.check();
  }

  protected override ended(): void {
    this.mailbox.reportDeath();
  }

  /** Returns the last cause from the watchdog, which reports before it wakes the host. */
  #getCause(): string {
    const reported = receiveMessageOnPort(this.#deaths) as { readonly message: string } | undefined;
    return reported?.message ?? 'unknown cause';
  }
}
