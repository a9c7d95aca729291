/** Worker that runs an engine: starts, monitors and ends it. */
import { releaseProxy, wrap } from 'comlink';
import type { EngineMethods } from './engine.ts';
import { installErrorTransfer } from './errors.ts';
import address from './worker.ts?worker&url';

/** Engine as seen by the page: every method returns a promise. */
export type EngineProxy = {
  readonly [K in keyof EngineMethods]: (
    ...given: Parameters<EngineMethods[K]>
  ) => Promise<Awaited<ReturnType<EngineMethods[K]>>>;
};

/** Time limit for the start of a worker, in milliseconds. */
const START_TIMEOUT = 20_000;

/** Milliseconds between two heartbeats of an engine with custom code. */
const HEARTBEAT_INTERVAL = 1000;

/** Error of an engine that died, or was ended because it did not stop. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
  /** True if the page ended it to cancel its work: other work starts again. */
  readonly isIntended: boolean;

  constructor(reason: string, wanted: boolean) {
    super(reason);
    this.isIntended = wanted;
  }
}

/** Custom code that an engine loads first. */
export interface EngineSetup {
  /** File name in messages. */
  readonly file: string;
  /** Loads the code before all other work. */
  readonly load: (engine: EngineProxy) => Promise<unknown>;
}

/** Listener of the state of an engine. */
export interface EngineListener {
  ready(): void;
  died(reason: string, wanted: boolean): void;
  /**
   * Called with the seconds since the last response of custom code; 0 when it responds again.
   * @returns maximum seconds without a response
   */
  silent(seconds: number): number;
}

let isTransferInstalled = false;

export class EngineWorker {
  readonly remote: EngineProxy;
  /** Settled when the custom code is loaded. */
  readonly isLoaded: Promise<unknown>;
  /** Rejects when the worker dies. */
  readonly death: Promise<never>;
  readonly #reject: (reason: EngineDied) => void;
  readonly #listener: EngineListener;
  readonly #worker: Worker;
  readonly #release: () => void;
  #timer: ReturnType<typeof setTimeout>;
  /** True after its death. */
  dead = false;

  /**
   * @param beginning custom code, if any: then the worker has another address, for which servers can set another policy
   *   (see custom/restrictions.ts), and code that does not respond ends it
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
      if (beginning !== undefined) this.#sendHeartbeat(beginning.file);
    });
    this.isLoaded = beginning?.load(this.remote) ?? Promise.resolve();
    this.isLoaded.catch(() => undefined);
  }

  /** Ends the worker and all its work. @param wanted true to start the work again in a new one */
  die(reason: string, wanted = false): void {
    if (this.dead) return;
    this.dead = true;
    clearTimeout(this.#timer);
    this.#worker.terminate();
    this.#listener.died(reason, wanted);
    this.#reject(new EngineDied(reason, wanted));
    this.#release();
  }

  /** Sends heartbeats: infinite loops and lack of memory cause no other event. */
  #sendHeartbeat(file: string): void {
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
