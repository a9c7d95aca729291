/** Lets so many acts be under way at once; the others wait in the order they came. */
export class Window {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
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

  #leave(): void {
    const enter = this.#waiting.shift();
    if (enter === undefined) this.#free++;
    else enter();
  }
}
