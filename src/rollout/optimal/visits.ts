/** Where battles go under a policy: mass moved round by round over the positions of a game. */
import type { State } from '../../systems/system.ts';
import { type Game, OVER, START } from './game.ts';
import type { Table } from './table.ts';

/** Mass below which the rest of the battles is left out. */
const NEGLIGIBLE = 1e-15;

/** How likely an option of a position is. @param option counted from its first @param left rounds, this one included */
export type Shares = (node: number, option: number, left: number) => number;

/** Hears of mass in a position in which the player decides. */
export type Listener = (node: number, mass: number, left: number) => void;

class Battles {
  readonly outcomes: number[];
  readonly #game: Game<State>;
  readonly #table: Table;
  readonly #shares: Shares;
  readonly #heard: Listener;
  readonly #mass: Float64Array;

  constructor(game: Game<State>, table: Table, outcomes: number, shares: Shares, heard: Listener) {
    this.#game = game;
    this.#table = table;
    this.#shares = shares;
    this.#heard = heard;
    this.#mass = new Float64Array(table.nodes);
    this.outcomes = new Array<number>(outcomes).fill(0);
  }

  run(maxRounds: number): this {
    const { within, resting } = this.#table;
    this.#move(START, 1, 0);
    let left = maxRounds;
    for (let open = 1; open > NEGLIGIBLE && left > 0; left--) {
      // All mass between two rounds is taken before any moves on.
      const taken = Float64Array.from(resting, (node) => this.#take(node));
      for (const [r, node] of resting.entries()) this.#move(node, taken[r] ?? 0, left);
      for (const node of within.toReversed()) this.#move(node, this.#take(node), left);
      open = resting.reduce((sum, node) => sum + (this.#mass[node] ?? 0), 0);
    }
    if (left === 0) for (const node of resting) this.#end(node, this.#take(node));
    return this;
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
 * @param heard told of every visit to a position in which the player decides
 */
export function battlesUnder(
  game: Game<State>,
  table: Table,
  { outcomes, maxRounds }: { readonly outcomes: readonly string[]; readonly maxRounds: number },
  shares: Shares,
  heard: Listener,
): readonly number[] {
  return new Battles(game, table, outcomes.length, shares, heard).run(maxRounds).outcomes;
}
