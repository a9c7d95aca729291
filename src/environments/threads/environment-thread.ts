/**
 * Environments that are played by the rules in a thread: what it is sent to make them, and what it does with their states,
 * which only that thread has. Fields and seed lie in memory that it shares with its host.
 */

import { type MessagePort, parentPort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { InputError, RunError } from '../../core/index.ts';
import type { WasmMemory, WasmModule } from '../../engines/index.ts';
import { type PortableScenario, receiveScenario, toPortable } from '../../rules/index.ts';
import { applyChanges, createEnvSpec, type EnvChanges, type EnvironmentOptions, type EnvSpec } from '../env-spec.ts';
import {
  EnvironmentKernel,
  type EnvironmentRange,
  isTask,
  type KernelTask,
  performKernelTask,
} from '../environment-kernel.ts';
import { computeMemoryBytes, ReferenceEngine } from '../reference-engine.ts';
import { Mailbox, type MailboxMemory } from './mailbox.ts';

/** What a thread needs: scenarios whose systems it loads itself, how they are put together, and the memory of fields. */
export interface ReferenceThreadSetup {
  readonly scenarios: readonly (PortableScenario & { readonly weight: number })[];
  readonly options: EnvironmentOptions;
  readonly room: EnvironmentRange;
  readonly memory: SharedArrayBuffer;
}

/**
 * What a thread is sent.
 * @param what is asked for, such as `EnvSession.create`
 * @throws InputError if no thread can load the system, or there are too many environments
 */
export function createReferenceThreadSetup(
  configuration: EnvSpec,
  room: EnvironmentRange,
  what: string,
): ReferenceThreadSetup {
  const { system, variants, agents, decisions, reward, autoreset, maxSteps } = configuration;
  const scenarios = variants.map(({ scenario, weight }) => {
    const sent = toPortable(scenario);
    if (sent !== undefined) return { ...sent, weight };
    throw new InputError(
      'system',
      `a system from loadSystems, for the threads of ${what}`,
      `"${system.id}", given as an object`,
    );
  });
  const memory = new SharedArrayBuffer(computeMemoryBytes(configuration, room));
  return { scenarios, options: { agents, decisions, reward, autoreset, maxSteps }, room, memory };
}

/** What is to be done with states: give them, take those whose fields are there, take one and show it, other draws. */
type StateCommand =
  | { readonly kind: 'states' }
  | { readonly kind: 'load'; readonly states: readonly Uint8Array[] }
  | { readonly kind: 'set'; readonly state: Uint8Array }
  | { readonly kind: 'rekey'; readonly seed: bigint }
  | { readonly kind: 'configure'; readonly changes: EnvChanges };

/** Something that only the thread which has environments from..to-1 can do. */
export type ThreadCommand = StateCommand & { readonly from: number; readonly to: number };

/** What environments are made of in a thread: the memory of a kernel, or rules. */
export interface KernelThreadSetup {
  readonly module: WasmModule;
  readonly memory: WasmMemory;
  readonly configBytes: number;
  readonly room: EnvironmentRange;
}

/** The environments of a thread: tasks come from the mailbox of a pool, or as the calls of a session. */
interface ThreadPlayer {
  /** @returns what the task gives */
  perform(task: KernelTask, from: number, to: number): number;
  /** Does what only this thread can, where it plays by the rules. @returns states, if they were wished for */
  execute(wish: ThreadCommand): Uint8Array[];
}

function kernelPlayer({ module, configBytes, room, memory }: KernelThreadSetup, thread: number): ThreadPlayer {
  const kernel = EnvironmentKernel.attach(module, configBytes, room, thread, memory);
  return { perform: (task, from, to) => performKernelTask(kernel, task, from, to), execute: () => [] };
}

/** @throws InputError if the code of the system has changed since, or cannot be loaded */
async function rulesPlayer({ scenarios, options, room, memory }: ReferenceThreadSetup): Promise<ThreadPlayer> {
  const weighted = scenarios.map(async ({ weight, ...sent }) => ({ scenario: await receiveScenario(sent), weight }));
  let configuration = createEnvSpec(await Promise.all(weighted), options);
  const engine = new ReferenceEngine(configuration, room, memory);
  const execute = (wish: ThreadCommand): Uint8Array[] => {
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
        engine.reseed(wish.seed, wish.from, wish.to);
        break;
      case 'configure':
        configuration = applyChanges(configuration, wish.changes);
        engine.configure(configuration);
    }
    return [];
  };
  return { perform: (task, from, to) => engine.perform(task, from, to), execute };
}

/** Loads what a thread plays. @returns the player, made when it is called: kernels join a memory one after the other */
async function playerOf(made: KernelThreadSetup | ReferenceThreadSetup, thread: number): Promise<() => ThreadPlayer> {
  if ('module' in made) return () => kernelPlayer(made, thread);
  const player = await rulesPlayer(made);
  return () => player;
}

// What the threads of a pool do. The first, the watch, starts the others and hears when one of them ends; it does nothing
// else, so it hears of it at once. The host itself could not: a thread's end is told on the event loop, and the host
// sleeps while it waits for slices.

/** What the thread of a session is started with. */
export interface SessionThreadSetup {
  readonly made: KernelThreadSetup | ReferenceThreadSetup;
}

/** What a thread of a pool is started with. */
export interface ThreadSetup extends SessionThreadSetup {
  /** The file that it runs, and that the watch has the others run. */
  readonly file: string;
  readonly control: MailboxMemory;
}

/** What the watch is started with. */
export interface WatchdogSetup extends ThreadSetup {
  /** Players. */
  readonly threads: number;
  /** Where the watch tells why a thread has ended, before it wakes the host. */
  readonly deaths: MessagePort;
  /** By player: where it is told wishes; none where a kernel plays. */
  readonly commandPorts: readonly MessagePort[];
}

export interface StepThreadSetup extends ThreadSetup {
  /** From 1 on. */
  readonly thread: number;
  /** The slice that it looks at first. */
  readonly homeSlice: number;
  /** How many slices it looks at: those of its own where it has their states. */
  readonly count: number;
  readonly commandPort: MessagePort | undefined;
}

/** What ended a thread. */
const describeCause = (error: unknown): string =>
  error instanceof RunError || error instanceof InputError ? error.message : String(error);

/** Starts the players and tells the host of the first that ends. */
function runWatchdog({ threads, deaths, commandPorts, ...setup }: WatchdogSetup): void {
  const mailbox = new Mailbox(setup.control);
  const bury = (cause: string): void => {
    deaths.postMessage(cause);
    mailbox.reportDeath();
  };
  for (let thread = 1; thread <= threads; thread++) {
    const home = mailbox.homeSlice(thread, threads);
    const port = commandPorts[thread - 1];
    const count = port === undefined ? mailbox.slices : mailbox.homeSlice(thread + 1, threads) - home;
    const workerData: StepThreadSetup = { ...setup, thread, homeSlice: home, count, commandPort: port };
    const player = new Worker(new URL(setup.file), { workerData, transferList: port === undefined ? [] : [port] });
    player.on('error', (error) => {
      bury(describeCause(error));
    });
    player.on('exit', (code) => {
      bury(`it exited with code ${String(code)}`);
    });
  }
}

/** Grants the wish that lies in a port. */
function grantFrom(player: ThreadPlayer, wishes: MessagePort | undefined): number {
  const told = receiveMessageOnPort(wishes as MessagePort) as { readonly message: ThreadCommand };
  wishes?.postMessage(player.execute(told.message));
  return 0;
}

/** Plays slices for ever. What goes wrong ends the thread, and so the pool. */
async function runSteps({ made, control, thread, homeSlice, count, commandPort }: StepThreadSetup): Promise<never> {
  const mailbox = new Mailbox(control);
  const player = mailbox.join(thread, await playerOf(made, thread));
  for (;;) {
    const slice = mailbox.take(homeSlice, count);
    const [from, to, posted] = [mailbox.from(slice), mailbox.to(slice), mailbox.task(slice)];
    mailbox.finish(slice, isTask(posted) ? player.perform(posted, from, to) : grantFrom(player, commandPort));
  }
}

/** What a session calls. */
export type SessionCalls = Pick<ThreadPlayer, 'execute'> & {
  /** Performs a task in all environments. */
  perform(task: KernelTask): number;
};

/** Does what a session calls. The session is thread 0. */
async function answer({ made }: SessionThreadSetup): Promise<void> {
  const { expose } = await import('comlink');
  const { default: nodeEndpoint } = await import('comlink/dist/esm/node-adapter.mjs');
  const player = (await playerOf(made, 1))();
  const calls: SessionCalls = { ...player, perform: (task) => player.perform(task, 0, made.room.envs) };
  expose(calls, nodeEndpoint(parentPort as MessagePort));
}

/** What a thread does with what it was started with. */
export async function runEnvironmentThread(setup: WatchdogSetup | StepThreadSetup | SessionThreadSetup): Promise<void> {
  if ('deaths' in setup) runWatchdog(setup);
  else if ('control' in setup) await runSteps(setup);
  else await answer(setup);
}
