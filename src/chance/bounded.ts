/** A cache with a bound: when it would hold more than its room, it forgets everything and begins anew. */
export class Bounded<V> {
  readonly #room: number;
  readonly #held = new Map<string, V>();
  #used = 0;

  /** @param room the sum of the sizes that may be held */
  constructor(room: number) {
    this.#room = room;
  }

  get(name: string): V | undefined {
    return this.#held.get(name);
  }

  set(name: string, value: V, size: number): void {
    if (this.#used + size > this.#room) {
      this.#held.clear();
      this.#used = 0;
    }
    this.#used += size;
    this.#held.set(name, value);
  }
}
