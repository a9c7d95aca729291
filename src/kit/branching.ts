/**
 * Every way in which an act can turn out: a walker of its own, to which the exact solver is compared. It also notices
 * an act that does not ask for the same at every time.
 */
import type { Dice, DicePool, Door, Law, Lot } from '../core/chance/door.ts';
import { checkDraw } from '../core/chance/enumerated.ts';
import {
  type Distribution,
  distributionOf,
  excessLaw,
  facesLaw,
  hitsLaw,
  markedLaw,
  sumLaw,
} from '../core/chance/laws.ts';
import { handsOf, takenOf } from '../core/chance/taken.ts';

/** The same state and the same rolls asked for something else. */
export class Unsteady extends Error {
  override readonly name = 'Unsteady';
}

interface Fork {
  readonly asked: string;
  readonly from: Distribution<unknown>;
  taken: number;
}

/** One after the other, each with what follows on it. */
function joined<T>(parts: readonly (() => Distribution<T>)[]): Distribution<T[]> {
  let all: Distribution<T[]> = { values: [[]], probabilities: [1] };
  for (const part of parts) {
    const next = part();
    const pairs = all.values.flatMap((before, i) =>
      next.values.map((value, j): [T[], number] => [
        [...before, value],
        (all.probabilities[i] ?? 0) * (next.probabilities[j] ?? 0),
      ]),
    );
    all = { values: pairs.map(([value]) => value), probabilities: pairs.map(([, probability]) => probability) };
  }
  return all;
}

function ofBag(bag: readonly number[], count: number): Distribution<number[]> {
  const [marked = 0, ...others] = bag;
  if (others.length === 0) return { values: [[count]], probabilities: [1] };
  const rest = others.reduce((sum, cubes) => sum + cubes, 0);
  const first = distributionOf(markedLaw(marked + rest, marked, count));
  const pairs = first.values.flatMap((drawn, i) => {
    const further = ofBag(others, count - drawn);
    return further.values.map((tail, j): [number[], number] => [
      [drawn, ...tail],
      (first.probabilities[i] ?? 0) * (further.probabilities[j] ?? 0),
    ]);
  });
  return { values: pairs.map(([value]) => value), probabilities: pairs.map(([, probability]) => probability) };
}

function ofWeights(weights: readonly number[]): Distribution<number> {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const values = [...weights.keys()].filter((index) => (weights[index] ?? 0) > 0);
  return { values, probabilities: values.map((index) => (weights[index] ?? 0) / total) };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

class Branching implements Door {
  readonly #path: Fork[] = [];
  #depth = 0;
  probability = 1;

  seek(): void {
    // All words are possible at every place.
  }

  sum(dice: Dice): number {
    return this.#fork(`${String(dice.count)}d${String(dice.sides)}`, () => distributionOf(sumLaw(dice)));
  }

  excess(dice: Dice, bonus: number): number {
    const asked = `${String(dice.count)}d${String(dice.sides)} against the same, ${String(bonus)}`;
    return this.#fork(asked, () => distributionOf(excessLaw(dice, bonus)));
  }

  hits(pools: readonly DicePool[]): number {
    const asked = `hits of ${pools.map(({ dice, value }) => `${String(dice)} at ${String(value)}`).join()}`;
    const parts = pools.map(
      ({ dice, value }) =>
        () =>
          distributionOf(hitsLaw(dice, Math.min(6, value))),
    );
    return total(this.#fork(asked, () => joined(parts)));
  }

  faces(lots: readonly Lot[]): number {
    return total(
      this.#fork(`faces of ${JSON.stringify(lots)}`, () =>
        joined(lots.map((lot) => () => distributionOf(facesLaw(lot)))),
      ),
    );
  }

  draw(bag: readonly number[], count: number): number[] {
    const drawn = Math.min(count, total(bag));
    const make = () => {
      checkDraw(bag, drawn);
      return ofBag(bag, drawn);
    };
    return [...this.#fork(`${String(drawn)} of ${bag.join()}`, make)];
  }

  pick(weights: readonly number[]): number {
    return this.#fork(`a pick by ${weights.join()}`, () => ofWeights(weights));
  }

  take(law: Law): number {
    const taken = takenOf(law);
    return this.#fork(`${law.name ?? 'a law'} (number ${String(taken.id)})`, () => taken.distribution);
  }

  roll(count: number, sides: number): readonly number[] {
    return this.#fork(`${String(count)}d${String(sides)}, sorted`, () => handsOf('roll', count, sides).distribution);
  }

  decide<T extends string | number>(_point: string, _player: string, _options: readonly T[], policy: () => T): T {
    return policy();
  }

  rule(): void {
    // Laws have no story.
  }

  rewind(): void {
    this.#depth = 0;
    this.probability = 1;
  }

  /** Moves on to the next way; false when there is none. */
  advance(): boolean {
    if (this.#depth < this.#path.length) throw new Unsteady('the same state asked for fewer dice than before');
    for (let last = this.#path.at(-1); last !== undefined; last = this.#path.at(-1)) {
      last.taken++;
      if (last.taken < last.from.values.length) return true;
      this.#path.pop();
    }
    return false;
  }

  #fork<T>(asked: string, law: () => Distribution<T>): T {
    let fork = this.#path[this.#depth];
    if (fork === undefined) {
      fork = { asked, from: law(), taken: 0 };
      this.#path.push(fork);
    } else if (fork.asked !== asked)
      throw new Unsteady(`the same state asked for ${fork.asked} first, then for ${asked}`);
    this.#depth++;
    this.probability *= fork.from.probabilities[fork.taken] ?? 0;
    return fork.from.values[fork.taken] as T;
  }
}

/** Every way in which `act` can turn out, with its probability. */
export function* waysOf<T>(act: (door: Door) => T): Generator<readonly [value: T, probability: number]> {
  const door = new Branching();
  do {
    door.rewind();
    const value = act(door);
    yield [value, door.probability];
  } while (door.advance());
}
