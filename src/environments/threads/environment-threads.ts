/** What threads are given to play environments, by a kernel or by the rules, and the engine of their host. */

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
import { encodeEnvSpec } from '../encode-env-spec.ts';
import { createEnvSpec, type EnvChanges, type EnvSpec, type WeightedScenario } from '../env-spec.ts';
import { type EnvironmentEngine, KernelEngine } from '../environment-engine.ts';
import { EnvironmentKernel, type EnvironmentRange, type KernelTask } from '../environment-kernel.ts';
import { addWeights } from '../environments.ts';
import { ReferenceEngine } from '../reference-engine.ts';
import { hasKernel } from '../vector-env.ts';
import {
  createReferenceThreadSetup,
  type KernelThreadSetup,
  type ReferenceThreadSetup,
  type ThreadCommand,
  type WatchdogSetup,
} from './environment-thread.ts';
import type { Mailbox } from './mailbox.ts';
import type { ThreadedOptions } from './options.ts';

/** The bounds of a memory that threads share, in pages: what a kernel is linked with, and what kernels are built for. */
const PAGES = { initial: 16, maximum: 16384 };

/** A memory for instances in several threads. */
export function createSharedMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ ...PAGES, shared: true });
}

/** Whoever has wishes granted by the threads that have states. @returns states, if they were wished for */
interface CommandExecutor {
  execute(wish: ThreadCommand): Uint8Array[];
}

/** The host's side of environments that threads play by the rules: fields here, states there. */
class HostRules extends ReferenceEngine {
  readonly #threads: CommandExecutor;

  constructor(configuration: EnvSpec, { room, memory }: ReferenceThreadSetup, threads: CommandExecutor) {
    super(configuration, room, memory);
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

/** What threads are given, and the engine of their host, which may ask them. */
interface ThreadedEngineSetup {
  readonly environments: KernelThreadSetup | ReferenceThreadSetup;
  readonly createEngine: (threads: CommandExecutor) => EnvironmentEngine;
}

/**
 * Environments in memory that threads share.
 * @param what the function that was called, such as `EnvSession.create`
 * @throws InputError if there are too many environments, or no thread can load the system
 */
async function madeOf(configuration: EnvSpec, room: EnvironmentRange, what: string): Promise<ThreadedEngineSetup> {
  if (!hasKernel(configuration)) {
    const made = createReferenceThreadSetup(configuration, room, what);
    return { environments: made, createEngine: (threads) => new HostRules(configuration, made, threads) };
  }
  const module = await loadKernel(configuration.system.id, 'shared');
  const memory = createSharedMemory();
  const kernel = EnvironmentKernel.init(module, encodeEnvSpec(configuration), room, memory);
  const engine = new KernelEngine(kernel, configuration);
  return { environments: { module, memory, configBytes: kernel.configBytes, room }, createEngine: () => engine };
}

/** Environments that are laid out for threads, none of which is started. */
export interface Laid extends ThreadedEngineSetup {
  readonly configuration: EnvSpec;
  readonly key: bigint;
  readonly debug: boolean;
  readonly bootTimeoutMs: number;
  readonly worker: URL;
}

/** Lays out environments for threads. @param what the function that was called, such as `EnvSession.create` */
export async function laidOut(
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
  return { configuration, ...(await madeOf(configuration, room, what)), key, debug, bootTimeoutMs, worker };
}

// The threads of a pool of environments, as their host sees them: it posts slices, waits, and is told of deaths.

/**
 * Flags of Node for a thread. It inherits those of the process, but runs a file: Node refuses one beside `--input-type`,
 * which says what standard input or `--eval` hold. A thread may be given only some of all flags, so it then has none but
 * those that hold for the whole process.
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

/** What of a wish is for the thread that has environments from..to-1. */
function cutCommand(command: ThreadCommand, from: number, to: number): ThreadCommand {
  const [first, end] = [Math.max(from, command.from), Math.min(to, command.to)];
  const part = { ...command, from: first, to: end };
  return part.kind === 'load' ? { ...part, states: part.states.slice(first - command.from, end - command.from) } : part;
}

/** What messages call threads. */
interface Words {
  readonly thread: string;
  readonly threads: string;
  readonly whole: string;
}

/** Threads of environments, as their host sees them: that they are not up in time, or end, is an error. */
export abstract class Hosted {
  protected readonly worker: Worker;
  readonly #words: Words;
  /** Why nothing can be done any more. */
  #end: RunError | undefined;
  #closing: Promise<void> | undefined;
  /** Those who wait without blocking: the thread keeps the process alive for them. */
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

  /** Those who wait hear that there is an end. */
  protected abstract ended(end: RunError): void;

  /** @throws RunError if a thread is dead, or the threads have been ended */
  check(): void {
    if (this.#end !== undefined) throw this.#end;
  }

  /**
   * Sees that the threads are up within so many milliseconds.
   * @throws RunError if one is not
   */
  async within(ms: number, up: () => Promise<unknown>): Promise<void> {
    const timer = setTimeout(() => {
      this.fail(`${this.#words.threads} not up after ${String(ms)} ms`);
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

  /** Ends the threads, whatever they do. */
  close(): Promise<void> {
    this.fail(`${this.#words.whole} is closed`);
    this.#closing ??= this.worker.terminate().then(() => undefined);
    return this.#closing;
  }

  /** The first failure is what is told. */
  protected fail(message: string): void {
    this.#end ??= new RunError(message);
    this.ended(this.#end);
  }

  /** Waits for threads with the event loop going on. */
  protected async waiting<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting++ === 0) this.worker.ref();
    try {
      return await work();
    } finally {
      if (--this.#waiting === 0) this.worker.unref();
    }
  }
}

const POOL: Words = { thread: 'a thread', threads: 'the threads were', whole: 'the pool' };

export class EnvironmentThreads extends Hosted {
  readonly threads: number;
  readonly mailbox: Mailbox;
  readonly #deaths: MessagePort;
  /** By thread: where it is told wishes; none where a kernel plays. */
  readonly #wishes: readonly MessagePort[];

  constructor(threads: number, mailbox: Mailbox, file: URL, made: KernelThreadSetup | ReferenceThreadSetup) {
    const { port1, port2 } = new MessageChannel();
    const channels = Array.from({ length: 'module' in made ? 0 : threads }, () => new MessageChannel());
    const wishes = channels.map((channel) => channel.port2);
    const { control } = mailbox;
    const workerData: WatchdogSetup = { made, file: file.href, control, threads, deaths: port2, commandPorts: wishes };
    super(POOL, file, { workerData, transferList: [port2, ...wishes] });
    this.threads = threads;
    this.mailbox = mailbox;
    this.#deaths = port1;
    this.#wishes = channels.map((channel) => channel.port1);
    this.worker.on('exit', () => {
      for (const port of [this.#deaths, ...this.#wishes]) port.close();
    });
  }

  override check(): void {
    super.check();
    if (this.mailbox.dead) this.fail(`a thread died: ${this.#cause()}`);
    super.check();
  }

  /** Has a task performed in all slices, none of which is under way; they are to be received then. */
  perform(task: KernelTask): void {
    const { mailbox } = this;
    this.check();
    const before = mailbox.events;
    for (let s = 0; s < mailbox.slices; s++) mailbox.post(s, task);
    mailbox.wake(this.threads);
    this.wait((before + mailbox.slices) | 0);
  }

  /** Wakes whoever can take a slice that was posted: any thread, or the one that has its states. */
  wake(): void {
    this.mailbox.wake(this.#wishes.length > 0 ? this.threads : 1);
  }

  /** Has the threads that have environments from..to-1 execute a command, while no slice is under way. @returns states */
  execute(command: ThreadCommand): Uint8Array[] {
    const { mailbox, threads } = this;
    this.check();
    const before = mailbox.events;
    const asked = this.#wishes.flatMap((port, t) => {
      const [home, next] = [mailbox.homeSlice(t + 1, threads), mailbox.homeSlice(t + 2, threads)];
      if (next === home) return [];
      const part = cutCommand(command, mailbox.from(home), mailbox.to(next - 1));
      if (part.from >= part.to) return [];
      port.postMessage(part);
      mailbox.post(home, { op: 'wish', args: [] });
      return [{ port, home }];
    });
    mailbox.wake(threads);
    this.wait((before + asked.length) | 0);
    return asked.flatMap(({ port, home }) => {
      mailbox.receive(home);
      return (receiveMessageOnPort(port) as { readonly message: Uint8Array[] }).message;
    });
  }

  /** Sleeps until there have been so many events. @throws RunError if a thread dies */
  wait(events: number): void {
    this.mailbox.wait(events);
    this.check();
  }

  /** The same with the event loop going on. */
  async waitAsync(events: number): Promise<void> {
    await this.waiting(() => this.mailbox.waitAsync(events));
    this.check();
  }

  protected override ended(): void {
    this.mailbox.reportDeath();
  }

  /** What the watch has told last; it tells before it wakes anyone. */
  #cause(): string {
    const told = receiveMessageOnPort(this.#deaths) as { readonly message: string } | undefined;
    return told?.message ?? 'unknown cause';
  }
}
