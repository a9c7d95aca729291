/** Scheduler that redraws at most once per interval, and always draws the last update. */
export class RedrawScheduler {
  readonly #draw: () => Promise<void>;
  readonly #every: number;
  #under: Promise<void> | undefined;
  #dirty = false;
  #last = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param draw draws the current data
   * @param every minimum milliseconds between two drawings
   */
  constructor(draw: () => Promise<void>, every: number) {
    this.#draw = draw;
    this.#every = every;
  }

  /** Schedules a drawing for new data. */
  markDirty(): void {
    this.#timer ??= setTimeout(
      () => {
        void this.drawNow();
      },
      Math.max(0, this.#last + this.#every - performance.now()),
    );
  }

  /** Draws now, or once more after a drawing in progress. Resolves when all data is drawn. */
  drawNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dirty = true;
    this.#under ??= this.#redrawAll();
    return this.#under;
  }

  async #redrawAll(): Promise<void> {
    try {
      while (this.#dirty) {
        this.#dirty = false;
        this.#last = performance.now();
        await this.#draw();
      }
    } finally {
      this.#under = undefined;
    }
  }
}
