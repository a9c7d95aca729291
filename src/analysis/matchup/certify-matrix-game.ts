/** Value of a large game from a part of its cells, with a proof by the payoffs of mixtures against all strategies. */

import { createOptionsCheck, describeFound, InputError } from '../../core/index.ts';
import { count, fractionAbove0, type OptionSpecs, resolveOptions, withFallback } from '../../rules/option-spec.ts';
import { type BoundedSolution, RestrictedGame } from './double-oracle.ts';
import { ARMIES_MAX, type PayoffInterval } from './payoff-matrix.ts';

/** Position of a cell. */
export type MatrixCell = readonly [row: number, column: number];

/** Declared options of `certifyMatrixGame`. */
const CERTIFICATION = {
  rows: { ...count(1, ARMIES_MAX, 'number of strategies of the row player'), required: true },
  columns: { ...count(1, ARMIES_MAX, 'number of strategies of the column player'), required: true },
  tolerance: withFallback(fractionAbove0('half-width of the interval of the value'), 0.005),
  maxCells: count(1, ARMIES_MAX ** 2, 'maximum number of cells'),
} as const satisfies OptionSpecs;

/** Options of the solution of a game whose cells are computed on demand. */
export interface CertificationOptions {
  /** Numbers of strategies. */
  readonly rows: number;
  readonly columns: number;
  /** Computes the intervals of cells, in their order; the ends are equal for an exact payoff. */
  readonly evaluate: (cells: readonly MatrixCell[]) => Promise<readonly PayoffInterval[]>;
  /** Half-width of the interval of the value; 0.005 by default. */
  readonly tolerance?: number | undefined;
  /** Least and greatest possible payoff; -1 and 1 by default. */
  readonly range?: PayoffInterval | undefined;
  /** Maximum number of cells; all by default. The search ends soon after it. */
  readonly maxCells?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const checkOptions = createOptionsCheck<CertificationOptions>('certifyMatrixGame', {
  ...CERTIFICATION,
  evaluate: { required: true, check: checkFunction },
  range: { check: checkRange },
  signal: true,
});

function checkFunction(value: unknown, place: string): void {
  if (typeof value !== 'function') throw new InputError(place, 'a function', describeFound(value));
}

function checkRange(value: unknown, place: string): void {
  const [least, most] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof least === 'number' && typeof most === 'number' && Number.isFinite(most - least) && least <= most) return;
  throw new InputError(place, 'two finite numbers, the least first', describeFound(value));
}

/** Bounds of the value of a game, and the mixtures that prove them. */
export interface CertifiedGame extends BoundedSolution {
  /** Number of computed cells. */
  readonly cells: number;
  /** False if the intervals of the cells or `maxCells` do not allow the tolerance. */
  readonly isReached: boolean;
}

/** Strategies that are evaluated together against a strategy of the other player. */
const BATCH = 32;

/** Known cells of a game, and the bounds of the others. */
class PartialGame {
  readonly #options: CertificationOptions;
  readonly #range: PayoffInterval;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  cells = 0;

  constructor(options: CertificationOptions) {
    this.#options = options;
    this.#range = options.range ?? [-1, 1];
    this.#lower = new Float64Array(options.rows * options.columns).fill(Number.NaN);
    this.#upper = this.#lower.slice();
  }

  /** True if no more cells may be computed. */
  get isExhausted(): boolean {
    return this.cells >= (this.#options.maxCells ?? Number.POSITIVE_INFINITY);
  }

  #locate([row, column]: MatrixCell): number {
    return row * this.#options.columns + column;
  }

  isKnown(cell: MatrixCell): boolean {
    return !Number.isNaN(this.#lower[this.#locate(cell)]);
  }

  getLower(cell: MatrixCell): number {
    return this.isKnown(cell) ? (this.#lower[this.#locate(cell)] ?? 0) : this.#range[0];
  }

  getUpper(cell: MatrixCell): number {
    return this.isKnown(cell) ? (this.#upper[this.#locate(cell)] ?? 0) : this.#range[1];
  }

  readonly getMiddle = (row: number, column: number): number =>
    (this.getLower([row, column]) + this.getUpper([row, column])) / 2;

  async compute(wanted: readonly MatrixCell[]): Promise<void> {
    const { evaluate, signal } = this.#options;
    const cells = wanted.filter((cell) => !this.isKnown(cell));
    if (cells.length === 0) return;
    signal?.throwIfAborted();
    const found = await evaluate(cells);
    for (const [index, cell] of cells.entries()) {
      const [low, high] = found[index] ?? [Number.NaN, Number.NaN];
      const [least, most] = this.#range;
      if (!(least <= low && low <= high && high <= most))
        throw new InputError(
          `cell ${cell.join(', ')}`,
          `an interval within ${String(least)}..${String(most)}`,
          `${String(low)} .. ${String(high)}`,
        );
      this.#lower[this.#locate(cell)] = low;
      this.#upper[this.#locate(cell)] = high;
    }
    this.cells += cells.length;
  }
}

/** One player's view of the game: payoffs of the own strategies are maximized. */
interface PlayerView {
  readonly player: 'rows' | 'columns';
  readonly length: number;
  readonly locate: (own: number, other: number) => MatrixCell;
  /** Bounds of the own payoff. */
  readonly getUpper: (own: number, other: number) => number;
  readonly getMiddle: (own: number, other: number) => number;
}

/** Result of the search for a better response. */
interface ResponseSearch {
  /** Strategy that gains more than the tolerance; undefined if there is none. */
  readonly better: number | undefined;
  /** Upper bound of the payoff of all strategies, if there is none. */
  readonly bound: number;
}

/**
 * Searches for a better response to a mixture, the strategies with the greatest upper bounds first. A strategy is dropped as soon as
 * its known cells prove that it does not gain more than the tolerance.
 */
async function searchResponse(
  game: PartialGame,
  view: PlayerView,
  support: readonly (readonly [strategy: number, share: number])[],
  target: number,
): Promise<ResponseSearch> {
  const bound = (own: number): number =>
    support.reduce((sum, [other, share]) => sum + share * view.getUpper(own, other), 0);
  const value = (own: number): number =>
    support.reduce((sum, [other, share]) => sum + share * view.getMiddle(own, other), 0);
  const bounds = Float64Array.from({ length: view.length }, (_, own) => bound(own));
  const isComplete = (own: number): boolean => support.every(([other]) => game.isKnown(view.locate(own, other)));
  for (;;) {
    const open = [...bounds.keys()].filter((own) => (bounds[own] ?? 0) > target && !isComplete(own));
    const known = [...bounds.keys()].filter(
      (own) => (bounds[own] ?? 0) > target && isComplete(own) && value(own) > target,
    );
    if (known.length > 0) {
      const better = known.reduce((best, own) => (value(own) > value(best) ? own : best));
      return { better, bound: Number.POSITIVE_INFINITY };
    }
    if (open.length === 0 || game.isExhausted)
      return {
        better: undefined,
        bound: bounds.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY),
      };
    const batch = open.sort((a, b) => (bounds[b] ?? 0) - (bounds[a] ?? 0) || a - b).slice(0, BATCH);
    const next = batch.map((own) => {
      const [other = 0] = support.find(([each]) => !game.isKnown(view.locate(own, each))) ?? [];
      return view.locate(own, other);
    });
    await game.compute(next);
    for (const own of batch) bounds[own] = bound(own);
  }
}

/**
 * Bounds the value of a zero-sum game by the double oracle method, and computes only the cells that it needs.
 * @throws InputError for an invalid option, or a payoff outside `range`
 */
export async function certifyMatrixGame(options: CertificationOptions): Promise<CertifiedGame> {
  checkOptions(options);
  const { rows, columns } = options;
  const { tolerance } = resolveOptions(CERTIFICATION, options);
  const game = new PartialGame(options);
  const part = new RestrictedGame();
  part.rows.push(0);
  part.columns.push(0);
  const views: readonly PlayerView[] = [
    {
      player: 'rows',
      length: rows,
      locate: (row, column) => [row, column],
      getUpper: (row, column) => game.getUpper([row, column]),
      getMiddle: game.getMiddle,
    },
    {
      player: 'columns',
      length: columns,
      locate: (column, row) => [row, column],
      getUpper: (column, row) => 0 - game.getLower([row, column]),
      getMiddle: (column, row) => 0 - game.getMiddle(row, column),
    },
  ];
  for (;;) {
    await game.compute(part.rows.flatMap((row) => part.columns.map((column): MatrixCell => [row, column])));
    part.solve(game.getMiddle);
    const bounds: number[] = [];
    let isLarger = false;
    for (const view of views) {
      const target = (view.player === 'rows' ? part.value : 0 - part.value) + tolerance;
      const support = part.listSupport(view.player === 'rows' ? 'columns' : 'rows');
      const { better, bound } = await searchResponse(game, view, support, target);
      bounds.push(bound);
      if (better !== undefined && !part[view.player].includes(better)) {
        part[view.player].push(better);
        isLarger = true;
      }
    }
    if (isLarger) continue;
    const [upper = Number.NaN, opposite = Number.NaN] = bounds;
    return {
      rows: part.expand('rows', rows),
      columns: part.expand('columns', columns),
      lower: 0 - opposite,
      upper,
      cells: game.cells,
      isReached: upper + opposite <= 2 * tolerance,
    };
  }
}
