/**
 * The sampled chance source with a recorder: it simulates the same battle, draw for draw, and records the events that
 * players at the table would see. If a draw has less detail than the table (the faces of a count of hits, the two rolls
 * of a difference), the missing part is drawn from its exact conditional distribution on a separate stream.
 */
import { uniformBigInt } from 'pure-rand/distribution/uniformBigInt';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { Dice, DicePool, DiceSet, Distribution, EventData, Faces } from './chance.ts';
import { computeFacesDistribution, computeSumDistribution } from './dice-tables.ts';
import { getCachedDistribution } from './distribution-cache.ts';
import { SampledChance } from './sampled-chance.ts';
import type { Stream } from './stream.ts';

/** Event of a replay, by `kind`: a roll, a draw from a bag, a pick by weights, a decision, or an applied rule. */
export type ReplayEvent =
  | { readonly kind: 'sum'; readonly dice: Dice; readonly sum: number }
  | {
      readonly kind: 'excess';
      readonly dice: Dice;
      readonly attack: number;
      readonly defence: number;
      readonly bonus: number;
      readonly excess: number;
    }
  | { readonly kind: 'hits'; readonly pool: DicePool; readonly faces: readonly number[]; readonly hits: number }
  | { readonly kind: 'faces'; readonly dice: readonly Faces[]; readonly shown: readonly number[]; readonly sum: number }
  | {
      readonly kind: 'draw';
      readonly bag: readonly number[];
      readonly drawn: readonly number[];
      /** Names of the kinds in the bag, if the rules provide them. */
      readonly names?: readonly string[];
    }
  | {
      readonly kind: 'pick';
      readonly weights: readonly number[];
      readonly index: number;
      /** Names of the options by index, if the rules provide them. */
      readonly names?: readonly string[];
    }
  | {
      readonly kind: 'sample';
      /** Name of the distribution, if it has one. */
      readonly distribution?: string;
      readonly value: number;
      /** Probability of this value, 0..1. */
      readonly probability: number;
    }
  | { readonly kind: 'roll'; readonly dice: Dice; readonly faces: readonly number[] }
  | {
      readonly kind: 'decide';
      readonly point: string;
      readonly player: string;
      readonly options: readonly (string | number)[];
      readonly choice: string | number;
    }
  | { readonly kind: 'rule'; readonly id: string; readonly facts: EventData };

/** Copies only the dice, without additional members of the rules. */
const copyDice = ({ count, sides }: Dice): Dice => ({ count, sides });

const withNames = (names: readonly string[] | undefined): { readonly names?: readonly string[] } =>
  names === undefined ? {} : { names: [...names] };

/** Picks an index by weights: with probability weight / sum of weights exactly. */
function pickWeighted(weights: readonly bigint[], stream: Stream): number {
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  let left = uniformBigInt(stream, 0n, sum - 1n);
  return weights.findIndex((weight) => {
    left -= weight;
    return left < 0n;
  });
}

export class RecordedChance extends SampledChance {
  readonly events: ReplayEvent[] = [];
  readonly #aside: Stream;

  constructor(stream: Stream) {
    super(stream);
    this.#aside = stream.forkForReplay();
  }

  override sum(dice: Dice): number {
    const sum = super.sum(dice);
    this.events.push({ kind: 'sum', dice: copyDice(dice), sum });
    return sum;
  }

  override excess(dice: Dice, bonus: number): number {
    const difference = this.difference(dice);
    const excess = Math.max(0, difference + bonus);
    const defence = this.#sampleDefense(dice, difference);
    this.events.push({ kind: 'excess', dice: copyDice(dice), attack: defence + difference, defence, bonus, excess });
    return excess;
  }

  override hits(pools: readonly DicePool[]): number {
    let total = 0;
    for (const pool of pools) {
      const hits = super.hits([pool]);
      this.events.push({ kind: 'hits', pool, faces: this.#samplePoolFaces(pool, hits), hits });
      total += hits;
    }
    return total;
  }

  override faces(lots: readonly DiceSet[]): number {
    let total = 0;
    const shown: number[] = [];
    for (const lot of lots) {
      const sum = super.faces([lot]);
      shown.push(...this.#sampleShownFaces(lot, sum));
      total += sum;
    }
    this.events.push({ kind: 'faces', dice: lots.flat(), shown, sum: total });
    return total;
  }

  override draw(bag: readonly number[], count: number, names?: readonly string[]): number[] {
    const drawn = super.draw(bag, count);
    this.events.push({ kind: 'draw', bag: [...bag], drawn, ...withNames(names) });
    return drawn;
  }

  override pick(weights: readonly number[], names?: readonly string[]): number {
    const index = super.pick(weights);
    this.events.push({ kind: 'pick', weights: [...weights], index, ...withNames(names) });
    return index;
  }

  override sample(distribution: Distribution): number {
    const value = super.sample(distribution);
    const named = distribution.name === undefined ? {} : { distribution: distribution.name };
    this.events.push({
      kind: 'sample',
      ...named,
      value,
      probability: getCachedDistribution(distribution).probability(value),
    });
    return value;
  }

  override roll(count: number, sides: number): readonly number[] {
    const faces = super.roll(count, sides);
    this.events.push({ kind: 'roll', dice: { count, sides }, faces });
    return faces;
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    const choice = super.decide(point, player, options, policy);
    this.events.push({ kind: 'decide', point, player, options: [...options], choice });
    return choice;
  }

  override rule(id: string, facts?: () => EventData): void {
    this.events.push({ kind: 'rule', id, facts: facts?.() ?? {} });
  }

  /** Samples the defense roll Y, given X - Y = difference. */
  #sampleDefense(dice: Dice, difference: number): number {
    const { offset, weights } = computeSumDistribution(dice);
    const joint = weights.map((weight, k) => weight * (weights[k + difference] ?? 0n));
    return offset + pickWeighted(joint, this.#aside);
  }

  /** Samples the faces of a pool, given its hits, in random order. */
  #samplePoolFaces({ dice, value }: DicePool, hits: number): number[] {
    const bound = Math.min(6, value);
    const faces = Array.from({ length: dice }, (_, die) =>
      die < hits ? uniformInt(this.#aside, 1, bound) : uniformInt(this.#aside, bound + 1, 6),
    );
    for (let last = dice - 1; last > 0; last--) {
      const other = uniformInt(this.#aside, 0, last);
      [faces[last], faces[other]] = [faces[other] ?? 0, faces[last] ?? 0];
    }
    return faces;
  }

  /** Samples the faces of a dice set, given the sum: die by die, weighted by the ways to complete the sum. */
  #sampleShownFaces(lot: DiceSet, sum: number): number[] {
    let left = sum;
    return lot.map((die, d) => {
      const { offset, weights } = computeFacesDistribution(lot.slice(d + 1));
      const ways = die.map((face) => weights[left - face - offset] ?? 0n);
      const shown = die[pickWeighted(ways, this.#aside)] ?? 0;
      left -= shown;
      return shown;
    });
  }
}
