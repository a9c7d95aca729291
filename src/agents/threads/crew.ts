/** What threads are given to play environments, by a kernel or by the rules, and the engine of their host. */

import { pathToFileURL } from 'node:url';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads';
import { RunError } from '../../core/index.ts';
import { threadFile } from '../../core/platform/node/files.ts';
import { loadKernel } from '../../engines/index.ts';
import type { Changes, Configuration } from '../configuration.ts';
import { encodeConfiguration } from '../encode.ts';
import { type DistantEngine, type EnvironmentEngine, KernelEngine } from '../engine.ts';
import type { Fields } from '../fields.ts';
import { EnvironmentKernel, type KernelTask, type Room } from '../kernel.ts';
import { ReferenceEngine } from '../reference-engine.ts';
import { hasKernel } from '../vector-env.ts';
import type { Mailbox } from './mailbox.ts';
import {
  type EnvironmentSetup,
  type RulesSetup,
  rulesSetup,
  type ThreadDeed,
  type ThreadSetup,
  type WatchSetup,
} from './thread.ts';

/** The bounds of a memory that threads share, in pages: what a kernel is linked with, and what kernels are built for. */
const PAGES = { initial: 16, maximum: 16384 };

/** A memory for instances in several threads. */
export function sharedMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ ...PAGES, shared: true });
}

/** Whoever has wishes granted by the threads that have states. @returns states, if they were wished for */
interface Granting<R> {
  grant(wish: ThreadDeed): R;
}

/** The host's side of environments that the threads of a pool play by the rules: fields here, states there. */
class PoolRules extends ReferenceEngine {
  readonly #threads: Granting<Uint8Array[]>;

  constructor(configuration: Configuration, { room, memory }: RulesSetup, threads: Granting<Uint8Array[]>) {
    super(configuration, room, memory);
    this.#threads = threads;
  }

  override configure(configuration: Configuration, changes: Changes): void {
    this.#threads.grant({ kind: 'configure', changes, from: 0, to: this.envs });
    super.configure(configuration);
  }

  override rekey(seed: bigint, from: number, to: number): void {
    this.#threads.grant({ kind: 'rekey', seed, from, to });
  }

  override states(from: number, to: number): Uint8Array[] {
    return this.#threads.grant({ kind: 'states', from, to });
  }

  override putStates(states: readonly Uint8Array[], from: number): void {
    this.#threads.grant({ kind: 'load', states, from, to: from + states.length });
  }

  override putState(e: number, state: Uint8Array): void {
    this.#threads.grant({ kind: 'set', state, from: e, to: e + 1 });
  }
}

/** The same for the thread of a session, whose answers come later. */
class SessionRules implements DistantEngine {
  readonly #local: ReferenceEngine;
  readonly #thread: Granting<Promise<Uint8Array[]>>;
  readonly envs: number;
  readonly first: number;
  readonly fields: Fields;
  readonly fingerprint: bigint;
  readonly stateBytes = 0;
  readonly savedBytes = 0;

  constructor(configuration: Configuration, { room, memory }: RulesSetup, thread: Granting<Promise<Uint8Array[]>>) {
    this.#local = new ReferenceEngine(configuration, room, memory);
    this.#thread = thread;
    ({ envs: this.envs, first: this.first, fields: this.fields, fingerprint: this.fingerprint } = this.#local);
  }

  set seed(seed: bigint) {
    this.#local.seed = seed;
  }

  async configure(configuration: Configuration, changes: Changes): Promise<void> {
    await this.#thread.grant({ kind: 'configure', changes, from: 0, to: this.envs });
    this.#local.configure(configuration);
  }

  async rekey(seed: bigint, from: number, to: number): Promise<void> {
    await this.#thread.grant({ kind: 'rekey', seed, from, to });
  }

  async state(e: number): Promise<Uint8Array> {
    return (await this.#thread.grant({ kind: 'states', from: e, to: e + 1 }))[0] as Uint8Array;
  }

  async setState(e: number, state: Uint8Array): Promise<void> {
    this.#local.check('state', state);
    await this.#thread.grant({ kind: 'set', state, from: e, to: e + 1 });
  }

  async save(): Promise<Uint8Array> {
    return this.#local.savedWith(await this.#thread.grant({ kind: 'states', from: 0, to: this.envs }));
  }

  async load(saved: Uint8Array): Promise<void> {
    const states = this.#local.loadFields(saved);
    await this.#thread.grant({ kind: 'load', states, from: 0, to: this.envs });
  }
}

/** What threads are given, and the engine of their host, which may ask them. */
interface Made<T, E> {
  readonly made: EnvironmentSetup | RulesSetup;
  readonly engineOf: (threads: T) => E;
}

/** The kernel of a system in memory that threads share. */
async function kernelMade(configuration: Configuration, room: Room) {
  const module = await loadKernel(configuration.system.id, 'shared');
  const memory = sharedMemory();
  const kernel = EnvironmentKernel.init(module, encodeConfiguration(configuration), room, memory);
  const engine = new KernelEngine(kernel, configuration);
  return { made: { module, memory, configBytes: kernel.configBytes, room }, engineOf: () => engine };
}

/** @throws InputError if there are too many environments, or no thread can load the system */
export async function poolMade(
  configuration: Configuration,
  room: Room,
): Promise<Made<Granting<Uint8Array[]>, EnvironmentEngine>> {
  if (hasKernel(configuration)) return await kernelMade(configuration, room);
  const made = rulesSetup(configuration, room, 'RolloutPool');
  return { made, engineOf: (threads) => new PoolRules(configuration, made, threads) };
}

/** @throws InputError if there are too many environments, or no thread can load the system */
export async function sessionMade(
  configuration: Configuration,
  room: Room,
): Promise<Made<Granting<Promise<Uint8Array[]>>, DistantEngine>> {
  if (hasKernel(configuration)) return await kernelMade(configuration, room);
  const made = rulesSetup(configuration, room, 'openSession');
  return { made, engineOf: (thread) => new SessionRules(configuration, made, thread) };
}

// The threads of a pool of environments, as their host sees them: it posts slices, waits, and is told of deaths.

/** A file that threads run, of those in workers/. @throws RunError if it is not built */
export const workerUrl = (name: string): URL => pathToFileURL(threadFile(`${name}.js`));

/**
 * Flags of Node for a thread. It inherits those of the process, but runs a file: Node refuses one beside `--input-type`,
 * which says what standard input or `--eval` hold. A thread may be given only some of all flags, so it then has none but
 * those that hold for the whole process.
 */
export function threadFlags(): Pick<WorkerOptions, 'execArgv' | 'env'> {
  const { env, execArgv } = process;
  const { NODE_OPTIONS = '' } = env;
  const inherited = NODE_OPTIONS.replaceAll(/--input-type[= ]\S+/g, '');
  return {
    ...(execArgv.some((flag) => flag.startsWith('--input-type')) && { execArgv: [] }),
    ...(inherited !== NODE_OPTIONS && { env: { ...env, NODE_OPTIONS: inherited } }),
  };
}

/** What of a wish is for the thread that has environments from..to-1. */
function partOf(wish: ThreadDeed, from: number, to: number): ThreadDeed {
  const [first, end] = [Math.max(from, wish.from), Math.min(to, wish.to)];
  const part = { ...wish, from: first, to: end };
  return part.kind === 'load' ? { ...part, states: part.states.slice(first - wish.from, end - wish.from) } : part;
}

export class EnvironmentCrew {
  readonly threads: number;
  readonly mailbox: Mailbox;
  readonly #watch: Worker;
  readonly #deaths: MessagePort;
  /** By thread: where it is told wishes; none where a kernel plays. */
  readonly #wishes: readonly MessagePort[];
  /** Why nothing can be done any more. */
  #end: RunError | undefined;
  #closing: Promise<void> | undefined;
  /** Those who wait without blocking: the watch keeps the process alive for them. */
  #waiting = 0;

  private constructor(threads: number, mailbox: Mailbox, setup: ThreadSetup) {
    this.threads = threads;
    this.mailbox = mailbox;
    const { port1, port2 } = new MessageChannel();
    this.#deaths = port1;
    const channels = Array.from({ length: 'module' in setup.made ? 0 : threads }, () => new MessageChannel());
    this.#wishes = channels.map((channel) => channel.port1);
    const wishes = channels.map((channel) => channel.port2);
    const workerData: WatchSetup = { ...setup, threads, deaths: port2, wishes };
    this.#watch = new Worker(new URL(setup.file), { workerData, transferList: [port2, ...wishes], ...threadFlags() });
    this.#watch.on('error', (error) => {
      this.#fail(`a thread died: ${String(error)}`);
    });
    this.#watch.on('exit', (code) => {
      this.#fail(`a thread died: it exited with code ${String(code)}`);
    });
  }

  /**
   * Starts threads, and sees that each is up within so many milliseconds.
   * @throws RunError if one is not
   */
  static async start(threads: number, mailbox: Mailbox, setup: ThreadSetup, ms: number): Promise<EnvironmentCrew> {
    const crew = new EnvironmentCrew(threads, mailbox, setup);
    const timer = setTimeout(() => {
      crew.#fail(`the threads were not up after ${String(ms)} ms`);
    }, ms);
    try {
      await crew.waitAsync(threads);
    } catch (error) {
      await crew.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return crew;
  }

  /** @throws RunError if a thread is dead, or the threads have been ended */
  check(): void {
    if (this.#end === undefined && this.mailbox.dead) this.#fail(`a thread died: ${this.#cause()}`);
    if (this.#end !== undefined) throw this.#end;
  }

  /** Has a task performed in all slices, none of which is under way; they are to be received then. */
  perform(task: KernelTask): void {
    const { mailbox } = this;
    this.check();
    const before = mailbox.events;
    for (let s = 0; s < mailbox.slices; s++) mailbox.post(s, task);
    mailbox.ring(this.threads);
    this.wait((before + mailbox.slices) | 0);
  }

  /** Wakes whoever can take a slice that was posted: any thread, or the one that has its states. */
  ring(): void {
    this.mailbox.ring(this.#wishes.length > 0 ? this.threads : 1);
  }

  /** Has the threads that have environments from..to-1 grant a wish, while no slice is under way. @returns states */
  grant(wish: ThreadDeed): Uint8Array[] {
    const { mailbox, threads } = this;
    this.check();
    const before = mailbox.events;
    const asked = this.#wishes.flatMap((port, t) => {
      const [home, next] = [mailbox.home(t + 1, threads), mailbox.home(t + 2, threads)];
      if (next === home) return [];
      const part = partOf(wish, mailbox.from(home), mailbox.to(next - 1));
      if (part.from >= part.to) return [];
      port.postMessage(part);
      mailbox.post(home, { op: 'wish', args: [] });
      return [{ port, home }];
    });
    mailbox.ring(threads);
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
    if (this.#waiting++ === 0) this.#watch.ref();
    try {
      await this.mailbox.waitAsync(events);
    } finally {
      if (--this.#waiting === 0) this.#watch.unref();
    }
    this.check();
  }

  /** Ends the threads, whatever they do. */
  close(): Promise<void> {
    this.#fail('the pool is closed');
    this.#closing ??= this.#watch.terminate().then(() => {
      for (const port of [this.#deaths, ...this.#wishes]) port.close();
    });
    return this.#closing;
  }

  /** The first failure is what is told. */
  #fail(message: string): void {
    this.#end ??= new RunError(message);
    this.mailbox.bury();
  }

  /** What the watch has told last; it tells before it wakes anyone. */
  #cause(): string {
    const told = receiveMessageOnPort(this.#deaths) as { readonly message: string } | undefined;
    return told?.message ?? 'nobody knows why';
  }
}
