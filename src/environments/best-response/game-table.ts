/** Game in typed arrays, with positions in an order for backward induction, and the ranges of its values. */

import { GrowableColumn } from './columns.ts';
import { BETWEEN_ROUNDS, IN_ROUND, OVER, type PositionGraph, START } from './graph-builder.ts';

export interface GameTable extends PositionGraph<unknown> {
  readonly nodes: number;
  /** By option: payoff of its steps; empty if the payoff does not count steps. */
  readonly stepPayoffs: Float64Array;
  /** Positions between two rounds. */
  readonly betweenRounds: Int32Array;
  /** Positions within a round, each after its successors. */
  readonly inRound: Int32Array;
  /** By position: its index among the positions in which the player decides, or -1. */
  readonly decisionIndex: Int32Array;
}

/** Marks of positions whose edges are all visited, and of unvisited ones. */
const DONE = -2;
const NEW = -1;

/** Orders positions within a round after all their successors in the round, depth first. */
class PositionOrder {
  readonly nodes = new GrowableColumn(Int32Array);
  readonly #game: PositionGraph<unknown>;
  /** By position: the next edge to visit. */
  readonly #next: Int32Array;

  constructor(game: PositionGraph<unknown>) {
    this.#game = game;
    this.#next = new Int32Array(game.kinds.length).fill(NEW);
    for (const [node, kind] of game.kinds.entries())
      if (kind === IN_ROUND && this.#next[node] === NEW) this.#from(node);
  }

  #getFirstEdge(node: number): number {
    const { firstOption, firstEdge } = this.#game;
    return firstEdge[firstOption[node] ?? 0] ?? 0;
  }

  #from(root: number): void {
    const path = [root];
    this.#next[root] = this.#getFirstEdge(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const further = this.#nextUnvisited(node);
      if (further === undefined) {
        this.nodes.push(node);
        this.#next[node] = DONE;
        path.pop();
      } else {
        this.#next[further] = this.#getFirstEdge(further);
        path.push(further);
      }
    }
  }

  /** Returns the next unvisited successor of a position. */
  #nextUnvisited(node: number): number | undefined {
    const { kinds, targets } = this.#game;
    const end = this.#getFirstEdge(node + 1);
    for (let edge = this.#next[node] ?? end; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      if (kinds[target] !== IN_ROUND || this.#next[target] === DONE) continue;
      if (this.#next[target] !== NEW) throw new Error('a round returns to an earlier position');
      this.#next[node] = edge + 1;
      return target;
    }
    return undefined;
  }
}

export function createGameTable(game: PositionGraph<unknown>): GameTable {
  const place = new Int32Array(game.kinds.length).fill(-1);
  let q = 0;
  for (const node of game.questions.keys()) place[node] = q++;
  const betweenRounds = new GrowableColumn(Int32Array);
  for (const [node, kind] of game.kinds.entries()) if (kind === BETWEEN_ROUNDS) betweenRounds.push(node);
  return {
    ...game,
    nodes: game.kinds.length,
    stepPayoffs: game.optionSteps.map((steps) => game.lengthPayoff.step * steps),
    betweenRounds: betweenRounds.values,
    inRound: new PositionOrder(game).nodes.values,
    decisionIndex: place,
  };
}

/** Computes the range of the values of battles. */
export function computePayoffRange({ payoffs, kinds }: PositionGraph<unknown>): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [node, payoff] of payoffs.entries()) {
    if (kinds[node] !== OVER && kinds[node] !== BETWEEN_ROUNDS) continue;
    least = Math.min(least, payoff);
    most = Math.max(most, payoff);
  }
  return Math.max(0, most - least);
}

/** Bounds the absolute payoff of the steps from an option to the next round. @param ranges bounds by position */
function computeStepRange({ firstEdge, targets, kinds, stepPayoffs }: GameTable, ranges: Float64Array, option: number) {
  let most = 0;
  for (const target of targets.subarray(firstEdge[option], firstEdge[option + 1]))
    if (kinds[target] === IN_ROUND) most = Math.max(most, ranges[target] ?? 0);
  return most + Math.abs(stepPayoffs[option] ?? 0);
}

/** Bounds the absolute payoff of the length of a round: of the round itself, and of all its steps. */
export function computeRoundRange(table: GameTable): number {
  const ranges = new Float64Array(table.stepPayoffs.length === 0 ? 0 : table.nodes);
  let most = 0;
  for (const node of ranges.length === 0 ? [] : [...table.inRound, ...table.betweenRounds, START])
    for (let option = table.firstOption[node] ?? 0; option < (table.firstOption[node + 1] ?? 0); option++) {
      ranges[node] = Math.max(ranges[node] ?? 0, computeStepRange(table, ranges, option));
      most = Math.max(most, ranges[node] ?? 0);
    }
  return Math.abs(table.lengthPayoff.round) + most;
}
