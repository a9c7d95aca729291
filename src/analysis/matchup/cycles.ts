/** Cycles of three armies, each of which beats the next one. */

import { type PayoffMatrix, TIE } from './payoff-matrix.ts';

/** Cycle of three armies: the first beats the second, the second the third, the third the first. */
export interface MatchupCycle {
  readonly armies: readonly [first: string, second: string, third: string];
  /** Payoff of each army against the next one. */
  readonly margins: readonly [first: number, second: number, third: number];
  /** Least of the three margins, with the least lower and upper end of their intervals. */
  readonly strength: number;
  readonly lower: number;
  readonly upper: number;
}

/** Cycles of a symmetric game. */
export interface CycleReport {
  /** Cycles whose three margins are above 0 in all matrices that the intervals allow. */
  readonly count: number;
  /** Cycles of the point estimates. */
  readonly estimated: number;
  /** Cycles of at least one matrix that the intervals allow. */
  readonly possible: number;
  /** Strongest cycles of those in `count`. */
  readonly strongest: readonly MatchupCycle[];
}

/** Maximum number of cycles in a report. */
const CYCLES_SHOWN = 20;

function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Directed graph of at most one edge in each direction, with a bit for each edge. */
class BeatsGraph {
  readonly #words: number;
  readonly #out: Uint32Array;
  readonly #in: Uint32Array;

  constructor(size: number) {
    this.#words = Math.ceil(size / 32);
    this.#out = new Uint32Array(size * this.#words);
    this.#in = new Uint32Array(size * this.#words);
  }

  add(from: number, to: number): void {
    const [out, back] = [from * this.#words + (to >>> 5), to * this.#words + (from >>> 5)];
    this.#out[out] = (this.#out[out] ?? 0) | (1 << (to & 31));
    this.#in[back] = (this.#in[back] ?? 0) | (1 << (from & 31));
  }

  #getClosing(from: number, to: number, word: number): number {
    return (this.#out[to * this.#words + word] ?? 0) & (this.#in[from * this.#words + word] ?? 0);
  }

  /** Counts the nodes that `to` beats and that beat `from`. */
  countClosing(from: number, to: number): number {
    let count = 0;
    for (let word = 0; word < this.#words; word++) count += countBits(this.#getClosing(from, to, word));
    return count;
  }

  /** Lists the nodes that `to` beats and that beat `from`. */
  listClosing(from: number, to: number): number[] {
    const nodes: number[] = [];
    for (let word = 0; word < this.#words; word++)
      for (let left = this.#getClosing(from, to, word); left !== 0; left &= left - 1)
        nodes.push(32 * word + 31 - Math.clz32(left & -left));
    return nodes;
  }
}

/** Lists the cells of pairs of different armies with a payoff above 0. */
function listWins({ rows }: PayoffMatrix, payoffs: Float64Array): number[] {
  const cells: number[] = [];
  for (const [cell, payoff] of payoffs.entries())
    if (payoff > TIE && Math.floor(cell / rows.length) !== cell % rows.length) cells.push(cell);
  return cells;
}

function createGraph(game: PayoffMatrix, payoffs: Float64Array): BeatsGraph {
  const size = game.rows.length;
  const graph = new BeatsGraph(size);
  for (const cell of listWins(game, payoffs)) graph.add(Math.floor(cell / size), cell % size);
  return graph;
}

function countCycles(game: PayoffMatrix, payoffs: Float64Array): number {
  const size = game.rows.length;
  const graph = createGraph(game, payoffs);
  const closing = listWins(game, payoffs).map((cell) => graph.countClosing(Math.floor(cell / size), cell % size));
  return closing.reduce((sum, count) => sum + count, 0) / 3;
}

function createCycle({ rows, values, lower, upper }: PayoffMatrix, found: readonly number[]): MatchupCycle {
  const start = found.indexOf(Math.min(...found));
  const [a = 0, b = 0, c = 0] = [...found.slice(start), ...found.slice(0, start)];
  const cells = [a * rows.length + b, b * rows.length + c, c * rows.length + a];
  const [first = 0, second = 0, third = 0] = cells.map((cell) => values[cell] ?? 0);
  const getLeast = (ends: Float64Array): number => Math.min(...cells.map((cell) => ends[cell] ?? 0));
  return {
    armies: [rows[a] ?? '', rows[b] ?? '', rows[c] ?? ''],
    margins: [first, second, third],
    strength: Math.min(first, second, third),
    lower: getLeast(lower),
    upper: getLeast(upper),
  };
}

/**
 * Finds the cycles of a symmetric game. Edges enter a graph by falling margin, so the last edge of a cycle is its strength, and
 * the strongest cycles close first. Takes time proportional to n^3 / 32.
 */
export function findCycles(game: PayoffMatrix): CycleReport {
  const { rows, values, lower, upper } = game;
  const edges = listWins(game, lower).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  const graph = new BeatsGraph(rows.length);
  const strongest: MatchupCycle[] = [];
  for (const cell of edges) {
    if (strongest.length === CYCLES_SHOWN) break;
    const [from, to] = [Math.floor(cell / rows.length), cell % rows.length];
    for (const third of graph.listClosing(from, to))
      if (strongest.length < CYCLES_SHOWN) strongest.push(createCycle(game, [from, to, third]));
    graph.add(from, to);
  }
  return {
    count: countCycles(game, lower),
    estimated: countCycles(game, values),
    possible: countCycles(game, upper),
    strongest,
  };
}

/**
 * Lists the pairs of a symmetric game whose winner is unknown and that are part of a cycle of a matrix that the intervals allow.
 * @param resolution pairs whose margin is certainly within this distance of 0 are left out
 */
export function listUndecidedPairs(
  game: PayoffMatrix,
  resolution: number,
): (readonly [first: number, second: number])[] {
  const { rows, lower, upper } = game;
  const size = rows.length;
  const graph = createGraph(game, upper);
  const pairs: (readonly [number, number])[] = [];
  for (let first = 0; first < size; first++) {
    for (let second = first + 1; second < size; second++) {
      const [low, high] = [lower[first * size + second] ?? 0, upper[first * size + second] ?? 0];
      if (low > TIE || high < -TIE || low === high || Math.max(-low, high) <= resolution) continue;
      const isInCycle =
        (high > TIE && graph.countClosing(first, second) > 0) || (low < -TIE && graph.countClosing(second, first) > 0);
      if (isInCycle) pairs.push([first, second]);
    }
  }
  return pairs;
}
