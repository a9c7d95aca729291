/** Lets so many acts be under way at once; the others wait in the order they came. */
export class Window {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async hold<T>(act: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((enter) => this.#waiting.push(enter));
    else this.#free--;
    try {
      return await act();
    } finally {
      this.#leave();
    }
  }

  /** Lets so many more be under way. */
  grow(by: number): void {
    for (let more = 0; more < by; more++) this.#leave();
  }

  #leave(): void {
    const enter = this.#waiting.shift();
    if (enter === undefined) this.#free++;
    else enter();
  }
}

/** What is under way. */
export class UnderWay {
  readonly #all = new Set<Promise<unknown>>();

  async watch<T>(work: Promise<T>): Promise<T> {
    this.#all.add(work);
    try {
      return await work;
    } finally {
      this.#all.delete(work);
    }
  }

  /** Whether there is any. */
  get goesOn(): boolean {
    return this.#all.size > 0;
  }

  /** Waits until all of it is done, in whatever way. */
  async done(): Promise<void> {
    await Promise.allSettled(this.#all);
  }
}

/** A timer that keeps no process alive; in browsers a timer is a number. */
export function idly(timer: NodeJS.Timeout): NodeJS.Timeout {
  if (typeof timer === 'object') timer.unref();
  return timer;
}
