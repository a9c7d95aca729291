/** Threads: Piscina starts them and replaces those that die. */
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Piscina } from 'piscina';
import type { Task, Threads, ThreadsOptions } from '../types.ts';
import { threadFile, threadPool } from './files.ts';

/** Threads that can run at once. */
export const cores = (): number => availableParallelism();

/** As workers/thread.cjs takes it. */
type FileTask = { readonly file: string } & Task;

class PiscinaThreads implements Threads {
  workers: number;
  readonly #piscina: Piscina<FileTask, unknown>;
  readonly #batch: URL | undefined;

  constructor({ workers, worker, onDeath }: ThreadsOptions) {
    // Loaded only where threads are wanted: small runs do without.
    const { Piscina: Pool } = threadPool();
    const threads = { minThreads: workers, maxThreads: workers, recordTiming: false };
    this.#piscina = new Pool({ filename: threadFile('thread.cjs'), name: 'perform', ...threads });
    this.#piscina.on('error', (error) => {
      onDeath(String(error));
    });
    this.workers = workers;
    this.#batch = worker;
  }

  grow(workers: number): void {
    if (workers <= this.workers) return;
    this.workers = workers;
    // Further ones are started for tasks that find none free.
    const { options } = this.#piscina;
    options.maxThreads = workers;
    options.minThreads = workers;
  }

  async perform({ name, task }: Task, end?: AbortSignal): Promise<unknown> {
    return await this.#piscina.run({ file: this.#fileOf(name), name, task }, end && { signal: end });
  }

  async destroy(): Promise<void> {
    // Else a thread that dies only now would be replaced.
    this.#piscina.options.minThreads = 0;
    await this.#piscina.destroy();
  }

  /** @throws RunError if it is not built */
  #fileOf(name: string): string {
    if (name === 'batch' && this.#batch !== undefined) return this.#batch.href;
    return pathToFileURL(threadFile(`${name}.js`)).href;
  }
}

/** @throws RunError if the files of the threads are missing */
export function startThreads(options: ThreadsOptions): Threads {
  return new PiscinaThreads(options);
}
