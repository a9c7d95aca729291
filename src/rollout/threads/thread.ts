/**
 * What the threads of a pool do. The first, the watch, starts the others and hears when one of them ends; it does nothing
 * else, so it hears of it at once. The host itself could not: a thread's end is told on the event loop, and the host
 * sleeps while it waits for slices.
 */
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Memory, Module } from '../../kernel/instance.ts';
import { EnvironmentKernel, type Room } from '../kernel.ts';
import { type Control, Mailbox } from './mailbox.ts';
import { perform } from './task.ts';

/** What a thread is started with. */
export interface ThreadSetup {
  /** The file that it runs, and that the watch has the others run. */
  readonly file: string;
  readonly module: Module;
  readonly memory: Memory;
  readonly configBytes: number;
  readonly room: Room;
  readonly control: Control;
}

/** What the watch is started with. */
export interface WatchSetup extends ThreadSetup {
  /** Players. */
  readonly threads: number;
  /** Where the watch tells why a thread has ended, before it wakes the host. */
  readonly deaths: MessagePort;
}

export interface PlayerSetup extends ThreadSetup {
  /** From 1 on. */
  readonly thread: number;
  /** The slice that it looks at first. */
  readonly home: number;
}

/** Starts the players and tells the host of the first that ends. */
function watch({ threads, deaths, ...setup }: WatchSetup): void {
  const mailbox = new Mailbox(setup.control);
  const bury = (cause: string): void => {
    deaths.postMessage(cause);
    mailbox.bury();
  };
  for (let thread = 1; thread <= threads; thread++) {
    const home = Math.floor(((thread - 1) * mailbox.slices) / threads);
    const player = new Worker(new URL(setup.file), { workerData: { ...setup, thread, home } satisfies PlayerSetup });
    player.on('error', (error) => {
      bury(String(error));
    });
    player.on('exit', (code) => {
      bury(`it exited with code ${String(code)}`);
    });
  }
}

/** Plays slices for ever. What goes wrong ends the thread, and so the pool. */
function play({ module, memory, configBytes, room, control, thread, home }: PlayerSetup): void {
  const mailbox = new Mailbox(control);
  const kernel = mailbox.join(thread, () => EnvironmentKernel.attach(module, configBytes, room, thread, memory));
  for (;;) {
    const slice = mailbox.take(home);
    mailbox.finish(slice, perform(kernel, mailbox.task(slice), mailbox.from(slice), mailbox.to(slice)));
  }
}

/** What a thread does with what it was started with. */
export function serve(setup: WatchSetup | PlayerSetup): void {
  if ('deaths' in setup) watch(setup);
  else play(setup);
}
