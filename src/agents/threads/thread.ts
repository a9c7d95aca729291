/**
 * Environments that are played by the rules in a thread: what it is sent to make them, and what it does with their states,
 * which only that thread has. Fields and seed lie in memory that it shares with its host.
 */

import { type MessagePort, parentPort, receiveMessageOnPort, Worker } from 'node:worker_threads';
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
import { EnvironmentKernel, isTask, type KernelTask, perform, type Room } from '../kernel.ts';
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

/** What is to be done with states: give them, take those whose fields are there, take one and show it, other draws. */
type Deed =
  | { readonly kind: 'states' }
  | { readonly kind: 'load'; readonly states: readonly Uint8Array[] }
  | { readonly kind: 'set'; readonly state: Uint8Array }
  | { readonly kind: 'rekey'; readonly seed: bigint }
  | { readonly kind: 'configure'; readonly changes: Changes };

/** Something that only the thread which has environments from..to-1 can do. */
export type ThreadDeed = Deed & { readonly from: number; readonly to: number };

/** What environments are made of in a thread: the memory of a kernel, or rules. */
export interface EnvironmentSetup {
  readonly module: Module;
  readonly memory: Memory;
  readonly configBytes: number;
  readonly room: Room;
}

/** The environments of a thread: tasks come from the mailbox of a pool, or as the calls of a session. */
interface ThreadPlayer {
  /** @returns what the task gives */
  perform(task: KernelTask, from: number, to: number): number;
  /** Does what only this thread can, where it plays by the rules. @returns states, if they were wished for */
  grant(wish: ThreadDeed): Uint8Array[];
}

function kernelPlayer({ module, configBytes, room, memory }: EnvironmentSetup, thread: number): ThreadPlayer {
  const kernel = EnvironmentKernel.attach(module, configBytes, room, thread, memory);
  return { perform: (task, from, to) => perform(kernel, task, from, to), grant: () => [] };
}

/** @throws InputError if the code of the system has changed since, or cannot be loaded */
async function rulesPlayer({ scenarios, options, room, memory }: RulesSetup): Promise<ThreadPlayer> {
  const weighted = scenarios.map(async ({ weight, ...sent }) => ({ scenario: await received(sent), weight }));
  let configuration = configurationOf(await Promise.all(weighted), options);
  const engine = new ReferenceEngine(configuration, room, memory);
  const grant = (wish: ThreadDeed): Uint8Array[] => {
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
        configuration = changed(configuration, wish.changes);
        engine.configure(configuration);
    }
    return [];
  };
  return { perform: (task, from, to) => engine.perform(task, from, to), grant };
}

/** Loads what a thread plays. @returns the player, made when it is called: kernels join a memory one after the other */
async function playerOf(made: EnvironmentSetup | RulesSetup, thread: number): Promise<() => ThreadPlayer> {
  if ('module' in made) return () => kernelPlayer(made, thread);
  const player = await rulesPlayer(made);
  return () => player;
}

// What the threads of a pool do. The first, the watch, starts the others and hears when one of them ends; it does nothing
// else, so it hears of it at once. The host itself could not: a thread's end is told on the event loop, and the host
// sleeps while it waits for slices.

/** What the thread of a session is started with. */
export interface SessionSetup {
  readonly made: EnvironmentSetup | RulesSetup;
}

/** What a thread of a pool is started with. */
export interface ThreadSetup extends SessionSetup {
  /** The file that it runs, and that the watch has the others run. */
  readonly file: string;
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

/** Grants the wish that lies in a port. */
function grantFrom(player: ThreadPlayer, wishes: MessagePort | undefined): number {
  const told = receiveMessageOnPort(wishes as MessagePort) as { readonly message: ThreadDeed };
  wishes?.postMessage(player.grant(told.message));
  return 0;
}

/** Plays slices for ever. What goes wrong ends the thread, and so the pool. */
async function play({ made, control, thread, home, count, wishes }: PlayerSetup): Promise<never> {
  const mailbox = new Mailbox(control);
  const player = mailbox.join(thread, await playerOf(made, thread));
  for (;;) {
    const slice = mailbox.take(home, count);
    const [from, to, posted] = [mailbox.from(slice), mailbox.to(slice), mailbox.task(slice)];
    mailbox.finish(slice, isTask(posted) ? player.perform(posted, from, to) : grantFrom(player, wishes));
  }
}

/** What a session calls. */
export type SessionCalls = Pick<ThreadPlayer, 'grant'> & {
  /** Performs a task in all environments. */
  perform(task: KernelTask): number;
};

/** Does what a session calls. The session is thread 0. */
async function answer({ made }: SessionSetup): Promise<void> {
  const { expose } = await import('comlink');
  const { default: nodeEndpoint } = await import('comlink/dist/esm/node-adapter.mjs');
  const player = (await playerOf(made, 1))();
  const calls: SessionCalls = { ...player, perform: (task) => player.perform(task, 0, made.room.envs) };
  expose(calls, nodeEndpoint(parentPort as MessagePort));
}

/** What a thread does with what it was started with. */
export async function serve(setup: WatchSetup | PlayerSetup | SessionSetup): Promise<void> {
  if ('deaths' in setup) watch(setup);
  else if ('control' in setup) await play(setup);
  else await answer(setup);
}
