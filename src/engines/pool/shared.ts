/**
 * The threads of the process, for all calls that bring none along. They are started when somebody first needs them, as
 * many as the call that wants most of them, and ended when nobody has needed them for a second.
 */
import { cores } from '#platform/threads';
import { parseCount } from '../../core/chance/stream.ts';
import { RunError } from '../../core/errors.ts';
import { WORKERS_MAX } from '../../core/limits.ts';
import { conduct } from './conduct.ts';
import { BOOT_MS } from './pool.ts';
import type { PlayOptions, Run, RunResult } from './run.ts';
import { Staff } from './staff.ts';
import { idly, UnderWay, Window } from './window.ts';

/** Milliseconds without a user after which the threads are ended. */
const IDLE = 1000;

let staff: Promise<Staff> | undefined;
/** The same, once they are up. */
let up: Staff | undefined;
let users = 0;
let idle: NodeJS.Timeout | undefined;

/** The threads of the process, of which there are to be so many. */
async function staffOf(workers: number): Promise<Staff> {
  const starting = staff ?? Staff.start({ workers, bootTimeoutMs: BOOT_MS });
  staff = starting;
  try {
    const ready = await starting;
    if (ready.isBroken) throw new RunError('the threads of another call died and could not be replaced');
    ready.grow(workers);
    if (staff === starting) up = ready;
    return ready;
  } catch (error) {
    // The next call tries anew.
    if (staff === starting) endThreads();
    throw error;
  }
}

function endThreads(): void {
  const ending = staff;
  [staff, up] = [undefined, undefined];
  // Who has waited for threads that did not start has been told so.
  ending?.then((ready) => ready.destroy()).catch(() => undefined);
}

function enter(): void {
  users++;
  clearTimeout(idle);
}

function leave(): void {
  users--;
  if (users === 0) idle = idly(setTimeout(endThreads, IDLE));
}

/** A call's share in the threads of the process. It has the methods of a `Pool`, and takes no thread from others' work. */
export class Lease implements AsyncDisposable {
  /** Threads that work for the call at once. */
  readonly workers: number;
  readonly #window: Window;
  readonly #work = new UnderWay();
  readonly #end = new AbortController();
  #staff: Promise<Staff> | undefined;

  /**
   * Starts nothing yet.
   * @param workers 1..256; as many as there are cores unless said otherwise
   * @throws InputError if it is out of range
   */
  constructor(workers: number = cores()) {
    this.workers = parseCount(workers, 'workers', 1, WORKERS_MAX);
    this.#window = new Window(workers);
  }

  /** Whether the threads are there. */
  get isUp(): boolean {
    return up !== undefined && up.workers >= this.workers;
  }

  /** Starts the threads, if nobody has. @throws RunError if one cannot be started in time */
  async start(): Promise<void> {
    await this.#open();
  }

  /**
   * Plays a run, by turns with those of others.
   * @throws InputError if the run is out of range
   * @throws RunError if some battles could not be played at the second attempt either
   */
  play(run: Run, options: PlayOptions = {}): Promise<RunResult> {
    return this.#untilEnd(async () => {
      const ready = await this.#open();
      return await conduct(run, ready.crew(this.workers, this.#end.signal), options);
    });
  }

  /**
   * Has a task of another kind done by one of the threads.
   * @throws RunError if the thread dies
   */
  call<R>(name: string, task: unknown): Promise<R> {
    return this.#untilEnd(() =>
      this.#window.hold(async () => {
        const ready = await this.#open();
        return (await ready.call({ name, task }, this.#end.signal)) as R;
      }),
    );
  }

  /** Ends what is under way at once, with the threads that do it: it is rejected. Others' work goes on. */
  end(): Promise<void> {
    this.#end.abort();
    return Promise.resolve();
  }

  /** Waits for what is under way, and gives the share back. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#work.done();
    if (this.#staff !== undefined) leave();
    this.#staff = undefined;
  }

  #open(): Promise<Staff> {
    if (this.#staff === undefined) {
      enter();
      this.#staff = staffOf(this.workers);
    }
    return this.#staff;
  }

  async #untilEnd<R>(work: () => Promise<R>): Promise<R> {
    const { signal } = this.#end;
    const ended = (): RunError => new RunError('the work was ended');
    if (signal.aborted) throw ended();
    let stop: () => void = () => undefined;
    const end = new Promise<never>((_, reject) => {
      stop = () => {
        reject(ended());
      };
      signal.addEventListener('abort', stop);
    });
    try {
      return await Promise.race([this.#work.watch(work()), end]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
