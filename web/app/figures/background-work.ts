/** Background work of the engine that a panel starts by a button: progress, result, stop. */
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { perform, WorkStopped } from '../../engine/client.ts';
import type { EngineProxy } from '../../engine/live.ts';
import { openingCount } from '../state.ts';

/** Milliseconds that stopped work has to return its partial result. */
const PATIENCE = 3000;

export type WorkStarter<T, P> = (engine: EngineProxy, task: number, onProgress: (progress: P) => void) => Promise<T>;

/** Background work that continues while other panels are shown. */
export class BackgroundWork<T, P = unknown> {
  readonly busy: Signal<boolean> = signal(false);
  readonly progress: Signal<P | undefined> = signal<P | undefined>(undefined);
  readonly result: Signal<T | undefined> = signal<T | undefined>(undefined);
  readonly fault: Signal<unknown> = signal(undefined);
  /** Scenario text of the last work. */
  readonly of: Signal<string> = signal('');
  /** Value of `openingCount` when the last work was started. */
  opening = -1;
  #stop: (() => void) | undefined;
  /** Number of the current work: results of older work are ignored. */
  #number = 0;

  /**
   * Starts work and stops the previous one.
   * @param text scenario text
   * @param onProgress receives progress instead of `progress`
   */
  async start(text: string, begin: WorkStarter<T, P>, onProgress?: (progress: P) => void): Promise<void> {
    this.stop();
    this.of.value = text;
    this.opening = openingCount.peek();
    const mine = ++this.#number;
    const isMine = (): boolean => mine === this.#number;
    this.busy.value = true;
    this.fault.value = undefined;
    this.progress.value = undefined;
    const handleProgress = (progress: P): void => {
      if (!isMine()) return;
      if (onProgress === undefined) this.progress.value = progress;
      else onProgress(progress);
    };
    try {
      const result = await this.#run(begin, handleProgress);
      if (isMine()) this.result.value = result;
    } catch (error) {
      if (isMine() && !(error instanceof WorkStopped)) this.fault.value = error;
    } finally {
      if (isMine()) this.busy.value = false;
    }
  }

  /** Stops the work, which returns its partial result; cancels it if it does not stop soon. */
  readonly stop = (): void => {
    this.#stop?.();
  };

  async #run(begin: WorkStarter<T, P>, onProgress: (progress: P) => void): Promise<T> {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Before it has started, there is no partial result.
    let end = (): void => {
      controller.abort();
    };
    const stop = (): void => {
      end();
    };
    this.#stop = stop;
    const work = (engine: EngineProxy, task: number, reported: typeof onProgress): Promise<T> => {
      end = () => {
        void engine.stop(task);
        timer ??= setTimeout(() => {
          controller.abort();
        }, PATIENCE);
      };
      return begin(engine, task, reported);
    };
    try {
      return await perform(work, controller.signal, { onProgress, patient: true });
    } finally {
      clearTimeout(timer);
      // Other work may have started by now.
      if (this.#stop === stop) this.#stop = undefined;
    }
  }
}

/**
 * Starts work that was started when the link was made, once per opened link.
 * @param begin false as long as it cannot or should not start
 */
export function useAutoStart(work: { readonly opening: number }, begin: (() => void) | false): void {
  const opening = openingCount.value;
  const can = begin !== false;
  useEffect(() => {
    if (can && work.opening !== opening) begin();
  }, [can, opening]);
}
