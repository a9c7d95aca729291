/**
 * Strongly connected components of the positions of a game, in an order in which each follows all that it leads to
 * (R. Tarjan 1972), and a bound of the rounds that battles last.
 */

import type { GameTable } from '../best-response/game-table.ts';
import { BETWEEN_ROUNDS, START } from '../best-response/graph-builder.ts';

/** Components in order: successors first. */
export interface Components {
  /** Positions by component; in each, positions within a round after their successors there, then those between rounds. */
  readonly nodes: Int32Array;
  /** First place of each component in `nodes`, then the total. */
  readonly first: Int32Array;
  /** By component: 1 if its positions lead back to themselves. */
  readonly isCyclic: Uint8Array;
}

/** Returns the first edge of a position; the edges of all its options follow each other. */
const getFirstEdge = ({ firstOption, firstEdge }: GameTable, node: number): number =>
  firstEdge[firstOption[node] ?? 0] ?? 0;

export const countEdges = (table: GameTable, members: Int32Array): number =>
  members.reduce((sum, node) => sum + getFirstEdge(table, node + 1) - getFirstEdge(table, node), 0);

/** Order of positions that have a component. */
const CLOSED = 2 ** 31 - 1;

/** Search in depth for components, without recursion. */
class ComponentSearch {
  readonly nodes: Int32Array;
  readonly first: number[] = [];
  readonly isCyclic: number[] = [];
  readonly #table: GameTable;
  /** By position: order of discovery, from 1; least order that it reaches; next edge to follow. */
  readonly #order: Int32Array;
  readonly #least: Int32Array;
  readonly #next: Int32Array;
  /** Positions from the start to the current one, and those without a component. */
  readonly #path: Int32Array;
  readonly #open: Int32Array;
  #depth = 0;
  #opened = 0;
  #discovered = 0;
  #done = 0;

  constructor(table: GameTable) {
    this.#table = table;
    const create = (): Int32Array => new Int32Array(table.nodes);
    [this.nodes, this.#order, this.#least] = [create(), create(), create()];
    [this.#next, this.#path, this.#open] = [create(), create(), create()];
  }

  run(): this {
    this.#enter(START);
    while (this.#depth > 0) {
      const node = this.#path[this.#depth - 1] ?? 0;
      const edge = this.#next[node] ?? 0;
      if (edge < getFirstEdge(this.#table, node + 1)) {
        this.#next[node] = edge + 1;
        const target = this.#table.targets[edge] ?? 0;
        if (this.#order[target] === 0) this.#enter(target);
        else this.#lower(node, target);
      } else this.#leave(node);
    }
    this.first.push(this.#done);
    return this;
  }

  #enter(node: number): void {
    this.#discovered++;
    this.#order[node] = this.#discovered;
    this.#least[node] = this.#discovered;
    this.#next[node] = getFirstEdge(this.#table, node);
    this.#path[this.#depth++] = node;
    this.#open[this.#opened++] = node;
  }

  /** Records that a position leads to another one. */
  #lower(node: number, target: number): void {
    this.#least[node] = Math.min(this.#least[node] ?? 0, this.#least[target] ?? 0);
  }

  #leave(node: number): void {
    this.#depth--;
    if (this.#least[node] === this.#order[node]) this.#close(node);
    if (this.#depth > 0) this.#lower(this.#path[this.#depth - 1] ?? 0, node);
  }

  /** Removes the component of a position from the open ones. */
  #close(node: number): void {
    const from = this.#done;
    this.first.push(from);
    for (let member = -1; member !== node; ) {
      member = this.#open[--this.#opened] ?? node;
      this.nodes[this.#done++] = member;
      this.#least[member] = CLOSED;
    }
    const edges = this.#table.targets.subarray(getFirstEdge(this.#table, node), getFirstEdge(this.#table, node + 1));
    this.isCyclic.push(Number(this.#done - from > 1 || edges.includes(node)));
  }
}

/** Finds the components of all positions. */
export function findComponents(table: GameTable): Components {
  const { nodes, first, isCyclic } = new ComponentSearch(table).run();
  const rank = new Int32Array(table.nodes);
  for (const [r, node] of table.inRound.entries()) rank[node] = r;
  for (const node of table.betweenRounds) rank[node] = table.nodes;
  for (const [c, cyclic] of isCyclic.entries())
    if (cyclic === 1) nodes.subarray(first[c], first[c + 1]).sort((a, b) => (rank[a] ?? 0) - (rank[b] ?? 0));
  return { nodes, first: Int32Array.from(first), isCyclic: Uint8Array.from(isCyclic) };
}

/** Bounds for all policies of both players. */
export interface RoundBounds {
  /** Probability that a battle reaches the round limit. */
  readonly limit: number;
  /** Expected number of rounds of a battle. */
  readonly rounds: number;
}

/** Logarithm to base 10 of the growth of the weights below over all rounds: three more digits than the limit of 1e-12. */
const GROWTH = 15;

/** Probability of reaching the round limit at which the limit does not matter. */
const LIMIT = 1e-12;

/** Maximum sweeps over a component, and edges to follow if these are more sweeps; greater weights are too great at the start, too. */
const SWEEPS_MAX = 1000;
const MOVES_MAX = 1e8;
const WEIGHT_MAX = 1e4;

/** Returns the greatest number of rounds of a battle, if it cannot return to a position. */
function findLongest(table: GameTable, { nodes }: Components): number {
  const rounds = new Int32Array(table.nodes);
  for (const node of nodes) {
    let most = 0;
    for (let edge = getFirstEdge(table, node), end = getFirstEdge(table, node + 1); edge < end; edge++)
      most = Math.max(most, rounds[table.targets[edge] ?? 0] ?? 0);
    rounds[node] = most + Number(table.kinds[node] === BETWEEN_ROUNDS);
  }
  return rounds[START] ?? 0;
}

/**
 * Weights of positions that a round reduces by a factor on average, whatever both players choose, so that the mean weight of
 * battles that still continue decreases geometrically.
 */
class RoundWeights {
  readonly values: Float64Array;
  readonly #table: GameTable;
  readonly #factor: number;
  readonly #slack: number;
  /** Greatest weight. */
  #most = 1;

  /** @param slack relative error that is allowed */
  constructor(table: GameTable, factor: number, slack: number) {
    this.values = new Float64Array(table.nodes).fill(1);
    this.#table = table;
    this.#factor = factor;
    this.#slack = slack;
  }

  /** Computes the weights of a component. @returns false if they have no bound, or grow for too long */
  weigh(members: Int32Array, isCyclic: boolean): boolean {
    const edges = isCyclic ? countEdges(this.#table, members) : 1;
    for (let left = Math.max(SWEEPS_MAX, MOVES_MAX / edges); left > 0 && this.#most < WEIGHT_MAX; left--) {
      let growth = 0;
      for (const node of members) growth = Math.max(growth, this.#update(node));
      if (!isCyclic || growth <= this.#slack) return true;
    }
    return false;
  }

  /** @returns relative growth of a weight between rounds */
  #update(node: number): number {
    const { firstOption, kinds } = this.#table;
    const [from, to] = [firstOption[node] ?? 0, firstOption[node + 1] ?? 0];
    if (from === to) return 0;
    let weight = 0;
    for (let option = from; option < to; option++) weight = Math.max(weight, this.#sumEdges(option));
    const before = this.values[node] ?? 1;
    this.values[node] = kinds[node] === BETWEEN_ROUNDS ? this.#factor * weight : weight;
    this.#most = Math.max(this.#most, weight);
    return kinds[node] === BETWEEN_ROUNDS ? (this.#factor * weight) / before - 1 : 0;
  }

  #sumEdges(option: number): number {
    const { firstEdge, targets, probabilities } = this.#table;
    let sum = 0;
    for (let edge = firstEdge[option] ?? 0, end = firstEdge[option + 1] ?? 0; edge < end; edge++)
      sum += (probabilities[edge] ?? 0) * (this.values[targets[edge] ?? 0] ?? 0);
    return sum;
  }
}

/**
 * Bounds the probability of reaching the round limit, and the number of rounds, under any policies.
 * @returns undefined if the probability may be above 1e-12
 */
export function boundRounds(table: GameTable, components: Components, maxRounds: number): RoundBounds | undefined {
  const { nodes, first, isCyclic } = components;
  if (!isCyclic.includes(1)) {
    const longest = findLongest(table, components);
    if (longest <= maxRounds) return { limit: 0, rounds: longest };
  }
  const factor = 10 ** (GROWTH / maxRounds);
  // Over all rounds, the product of the errors is at most e.
  const slack = 1 / maxRounds;
  const weights = new RoundWeights(table, factor, slack);
  for (const [c, cyclic] of isCyclic.entries())
    if (!weights.weigh(nodes.subarray(first[c], first[c + 1]), cyclic === 1)) return undefined;
  const weight = weights.values[START] ?? 1;
  const limit = weight * Math.E * 10 ** -GROWTH;
  // A weight exceeds its mean after a round by this share of itself, and each weight is at least 1.
  const share = 1 - (1 + slack) / factor;
  return limit <= LIMIT && share > 0 ? { limit, rounds: ((1 + slack) * weight) / share } : undefined;
}
