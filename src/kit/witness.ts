/** The door of the reference model with a witness of places and decisions. */
import { Sampled, type Words } from '../core/chance/sampled.ts';

/** A draw that took a word, and from where in the rules it was asked. */
export interface WitnessedDraw {
  readonly place: number;
  readonly from: Error;
  /** Draws that share the word: halves of it count one each. */
  readonly halves: number;
}

/** The door of the reference model with a witness of places and decisions. */
export class Witness extends Sampled {
  readonly places: Map<number, WitnessedDraw>;
  readonly #seen: { halves: boolean };

  /** @param twice is told of a word that two draws take */
  constructor(stream: Words, twice: (first: WitnessedDraw, second: WitnessedDraw) => void) {
    const places = new Map<number, WitnessedDraw>();
    const seen = { halves: false };
    const take = (place: number): void => {
      const before = places.get(place);
      const now = { place, from: new Error('a draw'), halves: seen.halves ? 1 : 2 };
      if (before === undefined) places.set(place, now);
      else if (before.halves + now.halves > 2) twice(before, now);
      else places.set(place, { ...before, halves: 2 });
    };
    let at = 0;
    super({
      seek: (place) => {
        at = place >>> 0;
        stream.seek(place);
      },
      word: () => {
        take(at++);
        return stream.word();
      },
    });
    this.places = places;
    this.#seen = seen;
  }

  override excess(...args: Parameters<Sampled['excess']>): number {
    this.#seen.halves = true;
    const excess = super.excess(...args);
    this.#seen.halves = false;
    return excess;
  }
}
