/** What threads are given to play environments, by a kernel or by the rules, and the engine of their host. */
import { loadKernel } from '../../engines/kernel/kernel.ts';
import type { Changes } from '../changes.ts';
import type { Configuration } from '../configuration.ts';
import { encodeConfiguration } from '../encode.ts';
import { type DistantEngine, type EnvironmentEngine, KernelEngine } from '../engine.ts';
import type { Fields } from '../fields.ts';
import { EnvironmentKernel, type Room } from '../kernel.ts';
import { hasKernel } from '../open.ts';
import { ReferenceEngine } from '../reference-engine.ts';
import { type RulesSetup, rulesSetup, type ThreadDeed } from './rules.ts';
import type { EnvironmentSetup } from './thread.ts';

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
