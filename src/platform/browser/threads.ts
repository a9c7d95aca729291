/** Threads: Web Workers that are called through Comlink, which knows nothing of their death. */
import { type Remote, wrap } from 'comlink';
import { RunError } from '../../errors.ts';
import type { Task, Threads, ThreadsOptions } from '../types.ts';

/** What workers/browser.ts exposes. */
export interface ThreadFace {
  perform(name: string, task: unknown): Promise<unknown>;
  /** Holds a lock of this name as long as the thread lives. */
  hold(lock: string): void;
}

let opener: ((script: URL | undefined) => Worker | Promise<Worker>) | undefined;

/** Says how threads are started: bundlers find a script only where `new Worker` names it. */
export function threadsBy(open: NonNullable<typeof opener>): void {
  opener = open;
}

/** Threads that can run at once. */
export const cores = (): number => globalThis.navigator.hardwareConcurrency;

/** Rejects when a thread dies: by an error, or, where pages have locks, in any way. */
function deathOf(worker: Worker, lock: string): Promise<never> {
  return new Promise((_, reject) => {
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      reject(new RunError(event.message === '' ? 'the script of the thread cannot be loaded' : event.message));
    });
    worker.addEventListener('messageerror', () => {
      reject(new RunError('a message could not be read'));
    });
    worker.addEventListener('message', function held({ data }: MessageEvent) {
      if (data !== lock) return;
      worker.removeEventListener('message', held);
      // Who gets the lock learns that the thread no longer has it.
      void globalThis.navigator.locks.request(lock, () => {
        reject(new RunError('it ended without a word'));
      });
    });
  });
}

/** One thread, and another one in its place when it dies. */
class Thread {
  readonly #options: ThreadsOptions;
  #worker: Worker | undefined;
  #face: Remote<ThreadFace> | undefined;
  #death: Promise<never> | undefined;
  #ended = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  async perform({ name, task }: Task): Promise<unknown> {
    const face = await this.#open();
    return await Promise.race([face.perform(name, task), this.#death]);
  }

  end(): void {
    this.#ended = true;
    this.#drop();
  }

  async #open(): Promise<Remote<ThreadFace>> {
    if (this.#face !== undefined) return this.#face;
    if (opener === undefined) throw new RunError('nobody has said how threads are started');
    const worker = await opener(this.#options.worker);
    const lock = `warpool ${crypto.randomUUID()}`;
    const death = deathOf(worker, lock);
    death.catch((error: unknown) => {
      if (this.#worker !== worker) return;
      this.#drop();
      if (!this.#ended) this.#options.onDeath(String(error));
    });
    this.#worker = worker;
    this.#death = death;
    this.#face = wrap<ThreadFace>(worker);
    if ('locks' in globalThis.navigator) this.#face.hold(lock).catch(() => undefined);
    return this.#face;
  }

  #drop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#face = undefined;
  }
}

class WebThreads implements Threads {
  readonly workers: number;
  readonly #all: readonly Thread[];
  readonly #free: Thread[];
  readonly #waiting: ((thread: Thread) => void)[] = [];
  readonly #end: Promise<never>;
  #reject: (error: RunError) => void = () => undefined;

  constructor(options: ThreadsOptions) {
    this.workers = options.workers;
    this.#all = Array.from({ length: options.workers }, () => new Thread(options));
    this.#free = [...this.#all];
    this.#end = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.#end.catch(() => undefined);
  }

  perform(task: Task): Promise<unknown> {
    return this.lend((perform) => perform(task));
  }

  async lend<R>(use: (perform: Threads['perform']) => Promise<R>): Promise<R> {
    const thread = this.#free.shift() ?? (await new Promise<Thread>((enter) => this.#waiting.push(enter)));
    try {
      return await Promise.race([use((task) => thread.perform(task)), this.#end]);
    } finally {
      const enter = this.#waiting.shift();
      if (enter === undefined) this.#free.push(thread);
      else enter(thread);
    }
  }

  destroy(): Promise<void> {
    this.#reject(new RunError('the threads were ended'));
    for (const thread of this.#all) thread.end();
    return Promise.resolve();
  }
}

/** Starts threads as they are needed. */
export function startThreads(options: ThreadsOptions): Threads {
  return new WebThreads(options);
}
