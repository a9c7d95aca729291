/** Draws what comes bit by bit, now and then, and never leaves what came last undrawn. */
export class RedrawScheduler {
  readonly #draw: () => Promise<void>;
  readonly #every: number;
  #under: Promise<void> | undefined;
  #dirty = false;
  #last = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param draw  draws what is there
   * @param every milliseconds between two pictures
   */
  constructor(draw: () => Promise<void>, every: number) {
    this.#draw = draw;
    this.#every = every;
  }

  /** Something has come: it is drawn as soon as the last picture is old enough. */
  markDirty(): void {
    this.#timer ??= setTimeout(
      () => {
        void this.drawNow();
      },
      Math.max(0, this.#last + this.#every - performance.now()),
    );
  }

  /** Draws at once; if a picture is under way, once more after it. Over when all that is there is drawn. */
  drawNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dirty = true;
    this.#under ??= this.#all();
    return this.#under;
  }

  async #all(): Promise<void> {
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
