/** Serves a queue: takes jobs for as long as it is let. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { RunError } from '../../core/errors.ts';
import type { Registry } from '../../rules/registry.ts';
import { buildId, buildsOf } from './build.ts';
import type { Performer } from './hands.ts';
import { jobSchema } from './job.ts';
import { type Link, soon } from './link.ts';
import { asideOf, BEAT_EVERY, beat, leave, type WorkerFacts } from './people.ts';

/** Milliseconds that jobs under way get when a worker is to end. */
const DRAINING = 60_000;

/** Jobs that may fail one after the other for reasons of this machine, as a full disk: then it does not take more. */
const FAILURES = 3;

/** The queue of a build, and that of one worker. */
export const buildQueue = (id: string): string => `build-${id}`;
export const ownQueue = (worker: string): string => `worker-${worker}`;

export function newWorkerName(): string {
  const host = hostname()
    .replaceAll(/[^A-Za-z0-9]/g, '_')
    .slice(0, 40);
  return `${host || 'unnamed'}-${String(process.pid)}-${randomBytes(4).toString('hex')}`;
}

export interface ServeOptions {
  readonly link: Link;
  readonly registry: Registry;
  readonly performer: Performer;
  readonly worker: string;
  readonly threads: number;
  /** True if the worker puts parts into a store that all see. */
  readonly store: boolean;
  readonly signal: AbortSignal;
  /** Ends after so many seconds without a job. */
  readonly idle?: number | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

export interface Served {
  readonly jobs: number;
  readonly failed: number;
  /** Seconds that threads have worked. */
  readonly busy: number;
}

class Service {
  readonly #options: ServeOptions;
  readonly #facts: { -readonly [K in keyof WorkerFacts]: WorkerFacts[K] };
  readonly #end = new AbortController();
  /** Why it ended, if not by a signal or for want of work. */
  #failure: Error | undefined;
  #row = 0;
  #under = 0;
  #last = performance.now();

  constructor(options: ServeOptions) {
    this.#options = options;
    const { worker: id, threads, store, registry } = options;
    const base = { id, host: hostname(), pid: process.pid, threads, store, builds: buildsOf(registry) };
    this.#facts = { ...base, since: Date.now(), jobs: 0, failed: 0, busy: 0 };
  }

  async run(): Promise<Served> {
    const { link, worker, threads, signal } = this.#options;
    const names = [...this.#facts.builds.map((build) => buildQueue(buildId(build))), ownQueue(worker)];
    await beat(link.redis, 'worker', this.#facts);
    const takers = names.map((name) => link.worker(name, threads, (data) => this.#perform(data)));
    const ended = AbortSignal.any([signal, this.#end.signal]);
    while (!ended.aborted) {
      await pause(BEAT_EVERY, undefined, { signal: ended }).catch(() => undefined);
      await this.#look();
    }
    await Promise.all(takers.map((taker) => soon(taker.close(), DRAINING)));
    await soon(leave(link.redis, 'worker', worker));
    await soon(link.queue(ownQueue(worker)).obliterate({ force: true }));
    if (this.#failure !== undefined) throw this.#failure;
    const { jobs, failed, busy } = this.#facts;
    return { jobs, failed, busy: busy / 1000 };
  }

  /** Tells that it is there, and sees whether it is to go on. While the server is away this waits. */
  async #look(): Promise<void> {
    const { link, worker, idle } = this.#options;
    await soon(beat(link.redis, 'worker', this.#facts), BEAT_EVERY);
    const why = await soon(asideOf(link.redis, worker), BEAT_EVERY);
    if (typeof why === 'string') this.#stop(new RunError(`set aside by a coordinator: ${why}`));
    if (idle !== undefined && this.#under === 0 && performance.now() - this.#last > 1000 * idle) this.#stop();
  }

  #stop(failure?: Error): void {
    this.#failure ??= failure;
    this.#end.abort();
  }

  async #perform(data: unknown): Promise<unknown> {
    const { success, data: job } = jobSchema.safeParse(data);
    if (!success) throw new RunError('this is no job that warpool sends');
    this.#under++;
    try {
      const result = await this.#options.performer.perform(job);
      this.#facts.jobs++;
      this.#row = 0;
      if (result.kind !== 'refused') this.#facts.busy += result.ms;
      return result;
    } catch (error) {
      this.#failed(error);
      throw error;
    } finally {
      this.#under--;
      this.#last = performance.now();
    }
  }

  #failed(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.#facts.failed++;
    this.#options.onNote?.(`a job failed: ${text}`);
    if (++this.#row >= FAILURES)
      this.#stop(new RunError(`${String(FAILURES)} jobs failed one after the other; the last: ${text}`));
  }
}

/**
 * Takes jobs until the signal comes, there is none for a while, or the worker was set aside; jobs under way are finished.
 * @throws RunError if it was set aside, or several jobs failed one after the other for reasons of this machine
 */
export async function serve(options: ServeOptions): Promise<Served> {
  return await new Service(options).run();
}
