/** Work of the engine that a panel begins by a button: what is under way, what came of it, and how it is stopped. */
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { perform, WorkStopped } from '../../engine/client.ts';
import type { EngineProxy } from '../../engine/live.ts';
import { openingCount } from '../state.ts';

/** Milliseconds in which work that was told to stop must come to an end with what it has. */
const PATIENCE = 3000;

export type WorkStarter<T, P> = (engine: EngineProxy, task: number, tell: (progress: P) => void) => Promise<T>;

/** It is kept while other panels are shown. */
export class BackgroundWork<T, P = unknown> {
  readonly busy: Signal<boolean> = signal(false);
  readonly progress: Signal<P | undefined> = signal<P | undefined>(undefined);
  readonly result: Signal<T | undefined> = signal<T | undefined>(undefined);
  readonly fault: Signal<unknown> = signal(undefined);
  /** The text of the scenario that the last of them was about. */
  readonly of: Signal<string> = signal('');
  /** The opening of a scenario after which the last of them was begun. */
  opening = -1;
  #stop: (() => void) | undefined;
  /** Which of the works it is: what comes of an older one is not heard. */
  #number = 0;

  /**
   * @param text of the scenario
   * @param hear gets what is told on the way, instead of `progress`
   */
  async start(text: string, begin: WorkStarter<T, P>, hear?: (progress: P) => void): Promise<void> {
    this.stop();
    this.of.value = text;
    this.opening = openingCount.peek();
    const mine = ++this.#number;
    const isMine = (): boolean => mine === this.#number;
    this.busy.value = true;
    this.fault.value = undefined;
    this.progress.value = undefined;
    const tell = (progress: P): void => {
      if (!isMine()) return;
      if (hear === undefined) this.progress.value = progress;
      else hear(progress);
    };
    try {
      const result = await this.#run(begin, tell);
      if (isMine()) this.result.value = result;
    } catch (error) {
      if (isMine() && !(error instanceof WorkStopped)) this.fault.value = error;
    } finally {
      if (isMine()) this.busy.value = false;
    }
  }

  /** Has it end with what it has; if it does not end soon, without. */
  readonly stop = (): void => {
    this.#stop?.();
  };

  async #run(begin: WorkStarter<T, P>, tell: (progress: P) => void): Promise<T> {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Before it has begun there is nothing that it could end with.
    let end = (): void => {
      controller.abort();
    };
    const stop = (): void => {
      end();
    };
    this.#stop = stop;
    const work = (engine: EngineProxy, task: number, told: typeof tell): Promise<T> => {
      end = () => {
        void engine.stop(task);
        timer ??= setTimeout(() => {
          controller.abort();
        }, PATIENCE);
      };
      return begin(engine, task, told);
    };
    try {
      return await perform(work, controller.signal, { hear: tell, patient: true });
    } finally {
      clearTimeout(timer);
      // Another one may be under way by now.
      if (this.#stop === stop) this.#stop = undefined;
    }
  }
}

/**
 * Begins what was begun where a link was made, once for each link that is opened.
 * @param begin false as long as it cannot be, or should not without being asked for
 */
export function useAutoStart(work: { readonly opening: number }, begin: (() => void) | false): void {
  const opening = openingCount.value;
  const can = begin !== false;
  useEffect(() => {
    if (can && work.opening !== opening) begin();
  }, [can, opening]);
}
