/**
 * Where battles go under a policy: mass moved round by round over the positions of a game, as far as exact answers move it:
 * until all positions that can be come to have been, and what is left is below 1e-15 of the least likely outcome.
 */

import { nearsLimit } from '../../engines/kernel/chain.ts';
import { NEGLIGIBLE } from '../../engines/kernel/layout.ts';
import type { State } from '../../rules/system.ts';
import { movesOf } from './budget.ts';
import { type Game, OVER, START } from './game.ts';
import type { Table } from './table.ts';

/** How likely an option of a position is. @param option counted from its first @param left rounds, this one included */
export type OptionShares = (node: number, option: number, left: number) => number;

/** Hears of mass in a position in which the player decides. */
export type MassListener = (node: number, mass: number, left: number) => void;

class Battles {
  readonly outcomes: number[];
  readonly #game: Game<State>;
  readonly #table: Table;
  readonly #shares: OptionShares;
  readonly #heard: MassListener;
  readonly #mass: Float64Array;
  /** Positions that have had mass, and whether one of them had none before this round. */
  readonly #met: Uint8Array;
  #isNew = true;

  constructor(game: Game<State>, table: Table, outcomes: number, shares: OptionShares, heard: MassListener) {
    this.#game = game;
    this.#table = table;
    this.#shares = shares;
    this.#heard = heard;
    this.#mass = new Float64Array(table.nodes);
    this.#met = new Uint8Array(table.nodes);
    this.outcomes = new Array<number>(outcomes).fill(0);
  }

  run(maxRounds: number, budget: number): this {
    const { within, resting, targets } = this.#table;
    this.#move(START, 1, 0);
    let [open, left] = [1, maxRounds];
    for (let moves = movesOf(budget); left > 0 && this.#goesOn(open, left, moves); left--) {
      this.#isNew = false;
      // All mass between two rounds is taken before any moves on.
      const taken = Float64Array.from(resting, (node) => this.#take(node));
      for (const [r, node] of resting.entries()) this.#move(node, taken[r] ?? 0, left);
      for (const node of within.toReversed()) this.#move(node, this.#take(node), left);
      open = resting.reduce((sum, node) => sum + (this.#mass[node] ?? 0), 0);
      moves -= targets.length;
    }
    if (left === 0) for (const node of resting) this.#end(node, this.#take(node));
    return this;
  }

  /** @param moves that the budget has left: for rare outcomes alone no more are made */
  #goesOn(open: number, left: number, moves: number): boolean {
    if (open > NEGLIGIBLE) return true;
    if (open === 0 || moves < 0) return false;
    return this.#isNew || open > NEGLIGIBLE * this.#least() || nearsLimit(left, this.#table.targets.length);
  }

  /** The probability so far of the least likely outcome that has come. */
  #least(): number {
    return Math.min(1, ...this.outcomes.filter((mass) => mass > 0));
  }

  #take(node: number): number {
    const mass = this.#mass[node] ?? 0;
    this.#mass[node] = 0;
    return mass;
  }

  #move(node: number, mass: number, left: number): void {
    if (mass === 0) return;
    const { firstOption, place } = this.#table;
    if ((place[node] ?? -1) >= 0) this.#heard(node, mass, left);
    const first = firstOption[node] ?? 0;
    for (let option = first, last = firstOption[node + 1] ?? 0; option < last; option++) {
      const share = this.#shares(node, option - first, left);
      if (share > 0) this.#spread(option, mass * share);
    }
  }

  #spread(option: number, mass: number): void {
    const { firstEdge, targets, probabilities, kinds } = this.#table;
    for (let edge = firstEdge[option] ?? 0, end = firstEdge[option + 1] ?? 0; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      const moved = mass * (probabilities[edge] ?? 0);
      if (this.#met[target] === 0) {
        this.#met[target] = 1;
        this.#isNew = true;
      }
      if (kinds[target] === OVER) this.#end(target, moved);
      else this.#mass[target] = (this.#mass[target] ?? 0) + moved;
    }
  }

  #end(node: number, mass: number): void {
    const outcome = this.#game.outcomes[node] ?? -1;
    if (outcome >= 0) this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + mass;
  }
}

/**
 * The probabilities of outcomes, by index.
 * @param budget 1000 moves may be made for each of so many steps where rare outcomes alone ask for more
 * @param heard  told of every visit to a position in which the player decides
 */
export function battlesUnder(
  game: Game<State>,
  table: Table,
  { outcomes, maxRounds }: { readonly outcomes: readonly string[]; readonly maxRounds: number },
  budget: number,
  shares: OptionShares,
  heard: MassListener,
): readonly number[] {
  return new Battles(game, table, outcomes.length, shares, heard).run(maxRounds, budget).outcomes;
}
