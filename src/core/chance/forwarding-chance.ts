/** Chance source that passes all draws and decisions to another one; subclasses change some of them. */
import type { Chance, Dice, DicePool, DiceSet, Distribution, EventData } from './chance.ts';

export class ForwardingChance implements Chance {
  protected readonly chance: Chance;

  constructor(chance: Chance) {
    this.chance = chance;
  }

  decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    return this.chance.decide(point, player, options, policy);
  }

  seek(word: number, half?: 0 | 1): void {
    this.chance.seek(word, half);
  }

  sum(dice: Dice): number {
    return this.chance.sum(dice);
  }

  excess(dice: Dice, bonus: number): number {
    return this.chance.excess(dice, bonus);
  }

  hits(pools: readonly DicePool[]): number {
    return this.chance.hits(pools);
  }

  faces(lots: readonly DiceSet[]): number {
    return this.chance.faces(lots);
  }

  draw(bag: readonly number[], count: number, names?: readonly string[]): number[] {
    return this.chance.draw(bag, count, names);
  }

  pick(weights: readonly number[], names?: readonly string[]): number {
    return this.chance.pick(weights, names);
  }

  sample(distribution: Distribution): number {
    return this.chance.sample(distribution);
  }

  roll(count: number, sides: number): readonly number[] {
    return this.chance.roll(count, sides);
  }

  rule(id: string, facts?: () => EventData): void {
    this.chance.rule(id, facts);
  }
}
