/** Set of pending promises. */
export class InFlightSet {
  readonly #all = new Set<Promise<unknown>>();

  async add<T>(work: Promise<T>): Promise<T> {
    this.#all.add(work);
    try {
      return await work;
    } finally {
      this.#all.delete(work);
    }
  }

  /** True if the set is not empty. */
  get isActive(): boolean {
    return this.#all.size > 0;
  }

  /** Waits until all of it has settled. */
  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.#all);
  }
}
