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

/** Mixes numbers into a hash. Multiplier: D. E. Knuth, The Art of Computer Programming 3, 6.4. */
export function mixed(hash: number, numbers: readonly number[]): number {
  let mix = hash;
  for (const number of numbers) mix = Math.imul((mix ^ (mix >>> 15)) + number, 0x9e3779b1);
  return mix;
}

export function isEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
