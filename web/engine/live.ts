/** A worker with an engine: started, listened to, ended. */
import { releaseProxy, wrap } from 'comlink';
import type { EngineMethods } from './engine.ts';
import { installErrorTransfer } from './errors.ts';
import address from './worker.ts?worker&url';

/** The engine as the page sees it: every answer is a promise. */
export type EngineProxy = {
  readonly [K in keyof EngineMethods]: (
    ...given: Parameters<EngineMethods[K]>
  ) => Promise<Awaited<ReturnType<EngineMethods[K]>>>;
};

/** Milliseconds in which a worker that was started must answer. */
const START_TIMEOUT = 20_000;

/** Milliseconds between two questions whether an engine with code of the user still hears. */
const HEARTBEAT_INTERVAL = 1000;

/** The engine has died, or was ended since it would not stop. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
  /** Ended by the page, to be rid of its work: other work is begun again. */
  readonly isIntended: boolean;

  constructor(reason: string, wanted: boolean) {
    super(reason);
    this.isIntended = wanted;
  }
}

/** Code of the user that an engine is begun with. */
export interface EngineSetup {
  /** What messages call it. */
  readonly file: string;
  /** Loads it, before all other work. */
  readonly load: (engine: EngineProxy) => Promise<unknown>;
}

/** Gets what becomes of an engine. */
export interface EngineListener {
  ready(): void;
  died(reason: string, wanted: boolean): void;
  /**
   * An engine with code of the user has not heard for so many seconds; 0 when it hears again.
   * @returns how many seconds it may be so at most
   */
  silent(seconds: number): number;
}

let isTransferInstalled = false;

export class EngineWorker {
  readonly remote: EngineProxy;
  /** Over when the worker has done what it is begun with. */
  readonly isLoaded: Promise<unknown>;
  /** Rejects when the worker dies. */
  readonly death: Promise<never>;
  readonly #reject: (reason: EngineDied) => void;
  readonly #listener: EngineListener;
  readonly #worker: Worker;
  readonly #release: () => void;
  #timer: ReturnType<typeof setTimeout>;
  /** Whether it has died. */
  dead = false;

  /**
   * @param beginning code of the user, if there is some: the worker has another address then, for which servers can state
   *                  another policy (see own/doors.ts), and code that never comes back ends it
   */
  constructor(beginning: EngineSetup | undefined, listener: EngineListener) {
    if (!isTransferInstalled) installErrorTransfer();
    isTransferInstalled = true;
    this.#listener = listener;
    const worker = new Worker(beginning === undefined ? address : `${address}?own`, { type: 'module', name: 'engine' });
    this.#worker = worker;
    const { promise, reject } = Promise.withResolvers<never>();
    this.death = promise;
    this.#reject = reject;
    promise.catch(() => undefined);
    const wrapped = wrap<EngineMethods>(worker);
    this.#release = () => {
      wrapped[releaseProxy]();
    };
    this.remote = wrapped;
    worker.addEventListener('error', ({ message }) => {
      this.die(message || 'the engine failed to load');
    });
    worker.addEventListener('messageerror', () => {
      this.die('a message of the engine was not readable');
    });
    this.#timer = setTimeout(() => {
      this.die('the engine did not respond');
    }, START_TIMEOUT);
    void this.remote.ping().then(() => {
      clearTimeout(this.#timer);
      if (this.dead) return;
      listener.ready();
      if (beginning !== undefined) this.#feel(beginning.file);
    });
    this.isLoaded = beginning?.load(this.remote) ?? Promise.resolve();
    this.isLoaded.catch(() => undefined);
  }

  /** Ends it and all its work. @param wanted work is begun again in another one */
  die(reason: string, wanted = false): void {
    if (this.dead) return;
    this.dead = true;
    clearTimeout(this.#timer);
    this.#worker.terminate();
    this.#listener.died(reason, wanted);
    this.#reject(new EngineDied(reason, wanted));
    this.#release();
  }

  /** Asks again and again whether it hears: what loops for ever, or takes all memory, is told by nothing else. */
  #feel(file: string): void {
    let silence = 0;
    let hears = true;
    const ask = (): void => {
      silence = hears ? 0 : silence + 1;
      const most = this.#listener.silent(silence);
      if (silence >= most) {
        const why = 'it may be in an infinite loop or use too much memory';
        this.die(`${file} did not respond for ${String(most)} s: ${why}`);
        return;
      }
      if (hears) {
        hears = false;
        void this.remote.ping().then(() => {
          hears = true;
        });
      }
      this.#timer = setTimeout(ask, HEARTBEAT_INTERVAL);
    };
    ask();
  }
}
