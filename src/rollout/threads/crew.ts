/** The threads of a pool of environments, as their host sees them: it posts slices, waits, and is told of deaths. */
import { pathToFileURL } from 'node:url';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads';
import { RunError } from '../../errors.ts';
import { threadFile } from '../../kernel/files.ts';
import type { Mailbox } from './mailbox.ts';
import type { Task } from './task.ts';
import type { ThreadSetup, WatchSetup } from './thread.ts';

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

/** The bounds of a memory that threads share, in pages: what a kernel is linked with, and what kernels are built for. */
const PAGES = { initial: 16, maximum: 16384 };

/** A memory for instances in several threads. */
export function sharedMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ ...PAGES, shared: true });
}

export class Crew {
  readonly threads: number;
  readonly mailbox: Mailbox;
  readonly #watch: Worker;
  readonly #deaths: MessagePort;
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
    const workerData: WatchSetup = { ...setup, threads, deaths: port2 };
    this.#watch = new Worker(new URL(setup.file), { workerData, transferList: [port2], ...threadFlags() });
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
  static async start(threads: number, mailbox: Mailbox, setup: ThreadSetup, ms: number): Promise<Crew> {
    const crew = new Crew(threads, mailbox, setup);
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
  perform(task: Task): void {
    const { mailbox } = this;
    this.check();
    const before = mailbox.events;
    for (let s = 0; s < mailbox.slices; s++) mailbox.post(s, task);
    mailbox.ring(this.threads);
    this.wait((before + mailbox.slices) | 0);
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
      this.#deaths.close();
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
