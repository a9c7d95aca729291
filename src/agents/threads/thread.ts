/**
 * What the threads of a pool do. The first, the watch, starts the others and hears when one of them ends; it does nothing
 * else, so it hears of it at once. The host itself could not: a thread's end is told on the event loop, and the host
 * sleeps while it waits for slices.
 */
import { type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { InputError, RunError } from '../../core/errors.ts';
import type { Memory, Module } from '../../engines/kernel/kernel.ts';
import { EnvironmentKernel, type Room } from '../kernel.ts';
import { type Control, Mailbox } from './mailbox.ts';
import { RulesInThread, type RulesSetup, type ThreadDeed } from './rules.ts';
import { isTask, type Posted, perform } from './task.ts';

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
