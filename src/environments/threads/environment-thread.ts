/**
 * Threads with environments simulated by rules: setup, tasks, and commands for states, which only that thread has.
 * Buffers and seed are in memory shared with the host.
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

/** Setup of a thread: scenarios, whose systems it loads itself, their options, and the shared memory. */
export interface ReferenceThreadSetup {
  readonly scenarios: readonly (PortableScenario & { readonly weight: number })[];
  readonly options: EnvironmentOptions;
  readonly room: EnvironmentRange;
  readonly memory: SharedArrayBuffer;
}

/**
 * Creates the setup of a thread.
 * @param what called function, such as `EnvSession.create`
 * @throws InputError if threads cannot load the system, or there are too many environments
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

/** Commands for states: save, load those with current buffers, load one and show it, or change the seed. */
type StateCommand =
  | { readonly kind: 'states' }
  | { readonly kind: 'load'; readonly states: readonly Uint8Array[] }
  | { readonly kind: 'set'; readonly state: Uint8Array }
  | { readonly kind: 'rekey'; readonly seed: bigint }
  | { readonly kind: 'configure'; readonly changes: EnvChanges };

/** Command that only the thread with environments from..to-1 can execute. */
export type ThreadCommand = StateCommand & { readonly from: number; readonly to: number };

/** Setup of environments in a thread: the memory of a kernel, or rules. */
export interface KernelThreadSetup {
  readonly module: WasmModule;
  readonly memory: WasmMemory;
  readonly configBytes: number;
  readonly room: EnvironmentRange;
}

/** Environments of a thread; tasks come from the mailbox of a pool, or as calls of a session. */
interface ThreadPlayer {
  /** @returns the result of the task */
  perform(task: KernelTask, from: number, to: number): number;
  /** Executes a command of an engine with rules. @returns states, if requested */
  execute(target: ThreadCommand): Uint8Array[];
}

function createKernelPlayer({ module, configBytes, room, memory }: KernelThreadSetup, thread: number): ThreadPlayer {
  const kernel = EnvironmentKernel.attach(module, configBytes, room, thread, memory);
  return { perform: (task, from, to) => performKernelTask(kernel, task, from, to), execute: () => [] };
}

/** @throws InputError if the module of the system has changed, or cannot be loaded */
async function createRulesPlayer({ scenarios, options, room, memory }: ReferenceThreadSetup): Promise<ThreadPlayer> {
  const weighted = scenarios.map(async ({ weight, ...sent }) => ({ scenario: await receiveScenario(sent), weight }));
  let configuration = createEnvSpec(await Promise.all(weighted), options);
  const engine = new ReferenceEngine(configuration, room, memory);
  const execute = (target: ThreadCommand): Uint8Array[] => {
    switch (target.kind) {
      case 'states':
        return engine.states(target.from, target.to);
      case 'load':
        engine.putStates(target.states, target.from);
        break;
      case 'set':
        engine.putState(target.from, target.state);
        break;
      case 'rekey':
        engine.reseed(target.seed, target.from, target.to);
        break;
      case 'configure':
        configuration = applyChanges(configuration, target.changes);
        engine.configure(configuration);
    }
    return [];
  };
  return { perform: (task, from, to) => engine.perform(task, from, to), execute };
}

/** Loads the engine of a thread. @returns a function that creates it: kernels attach to a memory one after the other */
async function loadPlayer(made: KernelThreadSetup | ReferenceThreadSetup, thread: number): Promise<() => ThreadPlayer> {
  if ('module' in made) return () => createKernelPlayer(made, thread);
  const player = await createRulesPlayer(made);
  return () => player;
}

// Threads of a pool. The first one, the watchdog, starts the others and reports when one of them ends; it does nothing
// else, so it notices at once. The host cannot: it blocks while it waits for slices, and a thread's end is an event.

/** Setup of the thread of a session. */
export interface SessionThreadSetup {
  readonly made: KernelThreadSetup | ReferenceThreadSetup;
}

/** Setup of a thread of a pool. */
export interface ThreadSetup extends SessionThreadSetup {
  /** File that the threads run. */
  readonly file: string;
  readonly control: MailboxMemory;
}

/** Setup of the watchdog. */
export interface WatchdogSetup extends ThreadSetup {
  /** Number of threads with environments. */
  readonly threads: number;
  /** Port on which the watchdog reports the cause of a thread's end, before it wakes the host. */
  readonly deaths: MessagePort;
  /** By thread: port for commands; empty with a kernel. */
  readonly commandPorts: readonly MessagePort[];
}

export interface StepThreadSetup extends ThreadSetup {
  /** From 1 on. */
  readonly thread: number;
  /** First slice that it checks. */
  readonly homeSlice: number;
  /** Number of slices that it may take: only its own if it has their states. */
  readonly count: number;
  readonly commandPort: MessagePort | undefined;
}

/** Describes the cause of a thread's end. */
const describeCause = (error: unknown): string =>
  error instanceof RunError || error instanceof InputError ? error.message : String(error);

/** Starts the threads, and reports the first one that ends. */
function runWatchdog({ threads, deaths, commandPorts, ...setup }: WatchdogSetup): void {
  const mailbox = new Mailbox(setup.control);
  const endWithCause = (cause: string): void => {
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
      endWithCause(describeCause(error));
    });
    player.on('exit', (code) => {
      endWithCause(`it exited with code ${String(code)}`);
    });
  }
}

/** Executes the command in a port. */
function executeCommand(player: ThreadPlayer, targets: MessagePort | undefined): number {
  const reported = receiveMessageOnPort(targets as MessagePort) as { readonly message: ThreadCommand };
  targets?.postMessage(player.execute(reported.message));
  return 0;
}

/** Steps slices forever. An error ends the thread, and so the pool. */
async function runSteps({ made, control, thread, homeSlice, count, commandPort }: StepThreadSetup): Promise<never> {
  const mailbox = new Mailbox(control);
  const player = mailbox.join(thread, await loadPlayer(made, thread));
  for (;;) {
    const slice = mailbox.take(homeSlice, count);
    const [from, to, posted] = [mailbox.from(slice), mailbox.to(slice), mailbox.task(slice)];
    mailbox.finish(slice, isTask(posted) ? player.perform(posted, from, to) : executeCommand(player, commandPort));
  }
}

/** Calls of a session. */
export type SessionCalls = Pick<ThreadPlayer, 'execute'> & {
  /** Performs a task in all environments. */
  perform(task: KernelTask): number;
};

/** Handles the calls of a session, which is thread 0. */
async function answer({ made }: SessionThreadSetup): Promise<void> {
  const { expose } = await import('comlink');
  const { default: nodeEndpoint } = await import('comlink/dist/esm/node-adapter.mjs');
  const player = (await loadPlayer(made, 1))();
  const calls: SessionCalls = { ...player, perform: (task) => player.perform(task, 0, made.room.envs) };
  expose(calls, nodeEndpoint(parentPort as MessagePort));
}

/** Runs a thread according to its setup. */
export async function runEnvironmentThread(setup: WatchdogSetup | StepThreadSetup | SessionThreadSetup): Promise<void> {
  if ('deaths' in setup) runWatchdog(setup);
  else if ('control' in setup) await runSteps(setup);
  else await answer(setup);
}
