/**
 * Environments that are played by the rules in a thread: what it is sent to make them, and what it does with their states,
 * which only that thread has. Fields and seed lie in memory that it shares with its host.
 */

import { type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { InputError, RunError } from '../../core/index.ts';
import type { Memory, Module } from '../../engines/index.ts';
import { type Portable, portable, received } from '../../rules/index.ts';
import {
  type Changes,
  type Configuration,
  changed,
  configurationOf,
  type EnvironmentOptions,
} from '../configuration.ts';
import { EnvironmentKernel, isTask, type KernelTask, type Posted, perform, type Room } from '../kernel.ts';
import { memoryBytes, ReferenceEngine } from '../reference-engine.ts';
import { type Control, Mailbox } from './mailbox.ts';

/** What a thread needs: scenarios whose systems it loads itself, how they are put together, and the memory of fields. */
export interface RulesSetup {
  readonly scenarios: readonly (Portable & { readonly weight: number })[];
  readonly options: EnvironmentOptions;
  readonly room: Room;
  readonly memory: SharedArrayBuffer;
}

/**
 * What a thread is sent.
 * @param what is asked for, such as `openSession`
 * @throws InputError if no thread can load the system, or there are too many environments
 */
export function rulesSetup(configuration: Configuration, room: Room, what: string): RulesSetup {
  const { system, variants, agents, asked, reward, autoreset, maxSteps } = configuration;
  const scenarios = variants.map(({ scenario, weight }) => {
    const sent = portable(scenario);
    if (sent !== undefined) return { ...sent, weight };
    throw new InputError(
      'system',
      `one from a module, by loadSystems, for the threads of ${what}`,
      `"${system.id}", given as an object`,
    );
  });
  const memory = new SharedArrayBuffer(memoryBytes(configuration, room));
  return { scenarios, options: { agents, points: asked, reward, autoreset, maxSteps }, room, memory };
}

/** The environments of a thread, and what is done with them there. */
class RulesInThread {
  readonly engine: ReferenceEngine;
  #configuration: Configuration;

  private constructor(configuration: Configuration, { room, memory }: RulesSetup) {
    this.#configuration = configuration;
    this.engine = new ReferenceEngine(configuration, room, memory);
  }

  /** @throws InputError if the code of the system has changed since, or cannot be loaded */
  static async of(setup: RulesSetup): Promise<RulesInThread> {
    const weighted = setup.scenarios.map(async ({ weight, ...sent }) => ({ scenario: await received(sent), weight }));
    return new RulesInThread(configurationOf(await Promise.all(weighted), setup.options), setup);
  }

  /** Does what the host wishes. @returns states, if they were wished for */
  grant(wish: ThreadDeed): Uint8Array[] {
    const { engine } = this;
    switch (wish.kind) {
      case 'states':
        return engine.states(wish.from, wish.to);
      case 'load':
        engine.putStates(wish.states, wish.from);
        break;
      case 'set':
        engine.putState(wish.from, wish.state);
        break;
      case 'rekey':
        engine.rekey(wish.seed, wish.from, wish.to);
        break;
      case 'configure':
        this.#configuration = changed(this.#configuration, wish.changes);
        engine.configure(this.#configuration);
    }
    return [];
  }
}

/** What is to be done with states: give them, take those whose fields are there, take one and show it, other draws. */
type Deed =
  | { readonly kind: 'states' }
  | { readonly kind: 'load'; readonly states: readonly Uint8Array[] }
  | { readonly kind: 'set'; readonly state: Uint8Array }
  | { readonly kind: 'rekey'; readonly seed: bigint }
  | { readonly kind: 'configure'; readonly changes: Changes };

/** Something that only the thread which has environments from..to-1 can do. */
export type ThreadDeed = Deed & { readonly from: number; readonly to: number };

// What the threads of a pool do. The first, the watch, starts the others and hears when one of them ends; it does nothing
// else, so it hears of it at once. The host itself could not: a thread's end is told on the event loop, and the host
// sleeps while it waits for slices.

/** What environments are made of in a thread: the memory of a kernel, or rules. */
export interface EnvironmentSetup {
  readonly module: Module;
  readonly memory: Memory;
  readonly configBytes: number;
  readonly room: Room;
}

/** What a thread is started with. */
export interface ThreadSetup {
  /** The file that it runs, and that the watch has the others run. */
  readonly file: string;
  readonly made: EnvironmentSetup | RulesSetup;
  readonly control: Control;
}

/** What the watch is started with. */
export interface WatchSetup extends ThreadSetup {
  /** Players. */
  readonly threads: number;
  /** Where the watch tells why a thread has ended, before it wakes the host. */
  readonly deaths: MessagePort;
  /** By player: where it is told wishes; none where a kernel plays. */
  readonly wishes: readonly MessagePort[];
}

export interface PlayerSetup extends ThreadSetup {
  /** From 1 on. */
  readonly thread: number;
  /** The slice that it looks at first. */
  readonly home: number;
  /** How many slices it looks at: those of its own where it has their states. */
  readonly count: number;
  readonly wishes: MessagePort | undefined;
}

/** What ended a thread. */
const causeOf = (error: unknown): string =>
  error instanceof RunError || error instanceof InputError ? error.message : String(error);

/** Starts the players and tells the host of the first that ends. */
function watch({ threads, deaths, wishes, ...setup }: WatchSetup): void {
  const mailbox = new Mailbox(setup.control);
  const bury = (cause: string): void => {
    deaths.postMessage(cause);
    mailbox.bury();
  };
  for (let thread = 1; thread <= threads; thread++) {
    const home = mailbox.home(thread, threads);
    const port = wishes[thread - 1];
    const count = port === undefined ? mailbox.slices : mailbox.home(thread + 1, threads) - home;
    const workerData: PlayerSetup = { ...setup, thread, home, count, wishes: port };
    const player = new Worker(new URL(setup.file), { workerData, transferList: port === undefined ? [] : [port] });
    player.on('error', (error) => {
      bury(causeOf(error));
    });
    player.on('exit', (code) => {
      bury(`it exited with code ${String(code)}`);
    });
  }
}

/** What a thread does with a slice that it has taken. */
type Play = (posted: Posted, from: number, to: number) => number;

function playOfKernel({ module, configBytes, room, memory }: EnvironmentSetup, thread: number): Play {
  const kernel = EnvironmentKernel.attach(module, configBytes, room, thread, memory);
  return (posted, from, to) => (isTask(posted) ? perform(kernel, posted, from, to) : 0);
}

function playOfRules(rules: RulesInThread, wishes: MessagePort): Play {
  return (posted, from, to) => {
    if (isTask(posted)) return rules.engine.perform(posted, from, to);
    const told = receiveMessageOnPort(wishes) as { readonly message: ThreadDeed };
    wishes.postMessage(rules.grant(told.message));
    return 0;
  };
}

/** Plays slices for ever. What goes wrong ends the thread, and so the pool. */
async function play({ made, control, thread, home, count, wishes }: PlayerSetup): Promise<never> {
  const mailbox = new Mailbox(control);
  let plays: Play | undefined;
  if (!('module' in made) && wishes !== undefined) plays = playOfRules(await RulesInThread.of(made), wishes);
  const performs = mailbox.join(thread, () => plays ?? playOfKernel(made as EnvironmentSetup, thread));
  for (;;) {
    const slice = mailbox.take(home, count);
    mailbox.finish(slice, performs(mailbox.task(slice), mailbox.from(slice), mailbox.to(slice)));
  }
}

/** What a thread does with what it was started with. */
export async function serve(setup: WatchSetup | PlayerSetup): Promise<void> {
  if ('deaths' in setup) watch(setup);
  else await play(setup);
}

// The end of a session that plays: what its thread shows to the other through Comlink.

/** What the thread is started with. */
export type SessionSetup = EnvironmentSetup | RulesSetup;

/** The thread that plays; the caller's is thread 0. */
const THREAD = 1;

export interface SessionThread {
  /** Performs a task in all environments. */
  perform(task: KernelTask): number;
  /** Does what only this thread can, where it plays by the rules. */
  grant(wish: ThreadDeed): Uint8Array[];
  /** Bytes of the memory that both threads share. */
  memoryBytes(): number;
}

/** @throws InputError if the code of the system has changed since, or cannot be loaded */
export async function sessionThread(setup: SessionSetup): Promise<SessionThread> {
  const { room } = setup;
  if ('module' in setup) {
    const kernel = EnvironmentKernel.attach(setup.module, setup.configBytes, room, THREAD, setup.memory);
    return {
      perform: (task) => perform(kernel, task, 0, room.envs),
      grant: () => [],
      memoryBytes: () => setup.memory.buffer.byteLength,
    };
  }
  const rules = await RulesInThread.of(setup);
  return {
    perform: (task) => rules.engine.perform(task, 0, room.envs),
    grant: (wish) => rules.grant(wish),
    memoryBytes: () => setup.memory.byteLength,
  };
}
