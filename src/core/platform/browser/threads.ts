/** Threads: Web Workers that are called through Comlink, which does not detect their end. */
import type { Remote } from 'comlink';
import { RunError } from '../../errors.ts';
import type { ThreadGroup, ThreadGroupOptions, ThreadTask } from '../types.ts';

/** Interface of workers/browser.ts. */
export interface ThreadInterface {
  perform(name: string, task: unknown): Promise<unknown>;
  /** Resolves when the thread has acquired a lock of this name, which it holds until it ends. */
  hold(lock: string): Promise<void>;
}

let createWorker: ((script: URL | undefined) => Worker | Promise<Worker>) | undefined;

/** Sets the function that starts threads: bundlers find a script only if `new Worker` names it. */
export function setWorkerFactory(open: NonNullable<typeof createWorker>): void {
  createWorker = open;
}

/** Returns the number of threads that can run in parallel. */
export const countCores = (): number => globalThis.navigator.hardwareConcurrency;

/** Rejects when a thread fails. */
function waitForFailure(worker: Worker): Promise<never> {
  return new Promise((_, reject) => {
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      // Loading errors of a script are plain events.
      const reported = event instanceof ErrorEvent ? event.message : 'the worker script cannot be loaded';
      reject(new Error(reported));
    });
    worker.addEventListener('messageerror', () => {
      reject(new Error('a message could not be read'));
    });
  });
}

/** Rejects when a thread ends for any reason, because it then releases its lock. Insecure pages have no locks. */
async function waitForEnd(face: Remote<ThreadInterface>): Promise<() => Promise<never>> {
  if (!('locks' in globalThis.navigator)) return () => new Promise(() => undefined);
  const lock = `warpool ${crypto.randomUUID()}`;
  await face.hold(lock);
  return () =>
    globalThis.navigator.locks.request(lock, () => {
      throw new Error('it ended without a message');
    });
}

/** Rejects after a number of milliseconds. */
async function rejectAfter(ms: number): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  throw new Error(`it did not start within ${String(ms)} ms`);
}

/** A thread that is replaced when it dies. */
class BrowserThread {
  readonly #options: ThreadGroupOptions;
  #worker: Worker | undefined;
  #face: Remote<ThreadInterface> | undefined;
  #death: Promise<never> | undefined;
  #ended = false;

  constructor(options: ThreadGroupOptions) {
    this.#options = options;
  }

  async perform({ name, task }: ThreadTask, end?: AbortSignal): Promise<unknown> {
    const face = await this.#open();
    let stop: () => void = () => undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => {
        this.#drop();
        reject(new Error('it was terminated'));
      };
      if (end?.aborted === true) stop();
      else end?.addEventListener('abort', stop);
    });
    try {
      return await Promise.race([face.perform(name, task), this.#death, stopped]);
    } finally {
      end?.removeEventListener('abort', stop);
    }
  }

  end(): void {
    this.#ended = true;
    this.#drop();
  }

  async #open(): Promise<Remote<ThreadInterface>> {
    if (this.#face !== undefined) return this.#face;
    if (createWorker === undefined) throw new RunError('no function is set that starts threads');
    const worker = await createWorker(this.#options.worker);
    this.#worker = worker;
    const { wrap } = await import('comlink');
    const face = wrap<ThreadInterface>(worker);
    const failure = waitForFailure(worker);
    try {
      const end = await Promise.race([waitForEnd(face), failure, rejectAfter(this.#options.bootTimeoutMs)]);
      this.#death = Promise.race([failure, end()]);
    } catch (error) {
      this.#drop();
      throw error;
    }
    this.#death.catch((error: unknown) => {
      if (this.#worker !== worker) return;
      this.#drop();
      if (!this.#ended) this.#options.onDeath(String(error));
    });
    this.#face = face;
    return face;
  }

  #drop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#face = undefined;
  }
}

class BrowserThreads implements ThreadGroup {
  readonly #options: ThreadGroupOptions;
  readonly #all: BrowserThread[] = [];
  readonly #free: BrowserThread[] = [];
  readonly #waiting: ((thread: BrowserThread) => void)[] = [];
  readonly #end: Promise<never>;
  #reject: (error: RunError) => void = () => undefined;

  constructor(options: ThreadGroupOptions) {
    this.#options = options;
    this.grow(options.workers);
    this.#end = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.#end.catch(() => undefined);
  }

  get workers(): number {
    return this.#all.length;
  }

  grow(workers: number): void {
    while (this.workers < workers) {
      const thread = new BrowserThread(this.#options);
      this.#all.push(thread);
      this.#release(thread);
    }
  }

  perform(task: ThreadTask, end?: AbortSignal): Promise<unknown> {
    return this.withThread((perform) => perform(task, end));
  }

  async withThread<R>(use: (perform: ThreadGroup['perform']) => Promise<R>): Promise<R> {
    const thread = this.#free.shift() ?? (await new Promise<BrowserThread>((enter) => this.#waiting.push(enter)));
    try {
      return await Promise.race([use((task, end) => thread.perform(task, end)), this.#end]);
    } finally {
      this.#release(thread);
    }
  }

  destroy(): Promise<void> {
    this.#reject(new RunError('the threads were terminated'));
    for (const thread of this.#all) thread.end();
    return Promise.resolve();
  }

  #release(thread: BrowserThread): void {
    const enter = this.#waiting.shift();
    if (enter === undefined) this.#free.push(thread);
    else enter(thread);
  }
}

/** Starts threads on demand. */
export function startThreads(options: ThreadGroupOptions): ThreadGroup {
  return new BrowserThreads(options);
}
