/** Threads: Piscina starts them and replaces those that die. */
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Piscina } from 'piscina';
import { RulesTimeoutError } from '../rules-call.ts';
import type { ThreadGroup, ThreadGroupOptions, ThreadTask } from '../types.ts';
import { getThreadFile, requirePiscina } from './files.ts';
import { type CallWatchdog, createBoard, releaseSlots, startCallWatchdog } from './heartbeat.ts';

/** Returns the number of threads that can run in parallel. */
export const countCores = (): number => availableParallelism();

/** Format of workers/thread.cjs. */
type ThreadFileTask = { readonly file: string } & ThreadTask;

class PiscinaThreads implements ThreadGroup {
  workers: number;
  readonly #piscina: Piscina<ThreadFileTask, unknown>;
  readonly #batch: URL | undefined;
  readonly #watch: CallWatchdog;
  /** Callbacks for custom rules that exceed their time limit. */
  readonly #waiting = new Set<(error: RulesTimeoutError) => void>();

  constructor({ workers, worker, onDeath }: ThreadGroupOptions) {
    // Loaded on demand: small runs do not need it.
    const { Piscina: Pool } = requirePiscina();
    createBoard();
    const threads = { minThreads: workers, maxThreads: workers, recordTiming: false };
    this.#piscina = new Pool({ filename: getThreadFile('thread.cjs'), name: 'perform', ...threads });
    this.#piscina.on('error', (error) => {
      onDeath(String(error));
    });
    this.workers = workers;
    this.#batch = worker;
    this.#watch = startCallWatchdog(
      (call) => {
        for (const reject of this.#waiting) reject(new RulesTimeoutError(call));
        void this.destroy();
      },
      (thread) => (this.#listIds().includes(thread) ? 0 : undefined),
    );
  }

  grow(workers: number): void {
    if (workers <= this.workers) return;
    this.workers = workers;
    // Further threads start for tasks that find no free one.
    const { options } = this.#piscina;
    options.maxThreads = workers;
    options.minThreads = workers;
  }

  async perform({ name, task }: ThreadTask, end?: AbortSignal): Promise<unknown> {
    let rejectWaiting: ((error: RulesTimeoutError) => void) | undefined;
    const late = new Promise<never>((_, reject) => {
      rejectWaiting = reject;
      this.#waiting.add(reject);
    });
    try {
      const requested = { file: this.#fileOf(name), name, task };
      return await Promise.race([this.#piscina.run(requested, end && { signal: end }), late]);
    } finally {
      if (rejectWaiting !== undefined) this.#waiting.delete(rejectWaiting);
    }
  }

  async destroy(): Promise<void> {
    this.#watch.end();
    // Otherwise a thread that dies now would be replaced.
    this.#piscina.options.minThreads = 0;
    const ended = this.#listIds();
    await this.#piscina.destroy();
    releaseSlots(ended);
  }

  #listIds(): number[] {
    return this.#piscina.threads.map(({ threadId }) => threadId);
  }

  /** @throws RunError if it is not built */
  #fileOf(name: string): string {
    if (name === 'batch' && this.#batch !== undefined) return this.#batch.href;
    return pathToFileURL(getThreadFile(`${name}.js`)).href;
  }
}

/** @throws RunError if the files of the threads are missing */
export function startThreads(options: ThreadGroupOptions): ThreadGroup {
  return new PiscinaThreads(options);
}
