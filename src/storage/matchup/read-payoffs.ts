/** Reads the payoffs of all matchups from the rows of their cells. */
import type { PayoffInterval, PayoffMatrix } from '../../analysis/index.ts';
import { getBoundScenario } from '../../rules/index.ts';
import { estimatePayoff, type PayoffEstimate, type PayoffRow } from './payoff.ts';
import type { Roster } from './roster.ts';

/** Error rate of all intervals of a matrix together. */
export const ERROR_RATE = 0.05;

/** Row of a cell. */
export type CellRow = PayoffRow & { readonly cell: number };

/** Payoffs of all matchups, and how their cells were computed. */
export interface MatchupPayoffs {
  readonly matrix: PayoffMatrix;
  /** Cells that were solved, and cells that were simulated: matchups on single terrains. */
  readonly solved: number;
  readonly simulated: number;
  /** Battles of all simulated cells. */
  readonly battles: number;
}

/** Sums payoffs over terrains. */
export class PayoffSums {
  readonly #roster: Roster;
  readonly #values: Float64Array;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;

  /** @param sums to begin with */
  constructor(roster: Roster, sums?: PayoffSums) {
    this.#roster = roster;
    const size = roster.attackers.length * roster.defenders.length;
    this.#values = sums === undefined ? new Float64Array(size) : sums.#values.slice();
    this.#lower = sums === undefined ? new Float64Array(size) : sums.#lower.slice();
    this.#upper = sums === undefined ? new Float64Array(size) : sums.#upper.slice();
  }

  /** @param cell index of the cell: terrains vary slowest */
  add(cell: number, { value, interval }: Omit<PayoffEstimate, 'isExact'>): void {
    const matchup = cell % this.#values.length;
    const { weight } = this.#roster.terrains[Math.floor(cell / this.#values.length)] ?? { weight: 0 };
    this.#values[matchup] = (this.#values[matchup] ?? 0) + weight * value;
    this.#lower[matchup] = (this.#lower[matchup] ?? 0) + weight * interval[0];
    this.#upper[matchup] = (this.#upper[matchup] ?? 0) + weight * interval[1];
  }

  /** Returns the interval of a matchup, over the terrains that were added. */
  getInterval(matchup: number): PayoffInterval {
    return [this.#lower[matchup] ?? 0, this.#upper[matchup] ?? 0];
  }

  get matrix(): PayoffMatrix {
    return {
      rows: this.#roster.attackers.map(({ name }) => name),
      columns: this.#roster.defenders.map(({ name }) => name),
      values: this.#values,
      lower: this.#lower,
      upper: this.#upper,
    };
  }
}

/** Payoffs of solved cells, and rows of simulated cells, by cell. */
export interface CellPayoffs {
  readonly sums: PayoffSums;
  readonly simulated: Map<number, readonly CellRow[]>;
}

/**
 * Reads all cells of a roster.
 * @param batches rows of all cells that are not in `sums`; rows of one cell are in one batch, next to each other
 */
export async function readCells(
  roster: Roster,
  batches: AsyncIterable<readonly CellRow[]>,
  sums: PayoffSums = new PayoffSums(roster),
): Promise<CellPayoffs> {
  const simulated = new Map<number, readonly CellRow[]>();
  const addCell = (rows: readonly CellRow[]): void => {
    const [first] = rows;
    if (first === undefined) return;
    if (rows.some(({ exact }) => exact === null)) simulated.set(first.cell, rows);
    else addRows(roster, sums, rows, ERROR_RATE);
  };
  for await (const rows of batches) {
    let from = 0;
    for (let end = 1; end <= rows.length; end++) {
      if (rows[end]?.cell === rows[from]?.cell) continue;
      addCell(rows.slice(from, end));
      from = end;
    }
  }
  return { sums, simulated };
}

function addRows(roster: Roster, sums: PayoffSums, rows: readonly CellRow[], level: number): void {
  const { cell } = rows[0] ?? { cell: 0 };
  sums.add(
    cell,
    estimatePayoff(roster.payoff, rows, () => getCellShape(roster, cell), level),
  );
}

/**
 * Computes the payoffs of all matchups. The intervals of simulated cells hold together with a probability of at least 95 %,
 * by Bonferroni's inequality.
 * @param stages maximum number of intervals of a cell, each with more battles
 */
export function computePayoffs(roster: Roster, { sums: solved, simulated }: CellPayoffs, stages = 1): MatchupPayoffs {
  const sums = new PayoffSums(roster, solved);
  const level = ERROR_RATE / (stages * simulated.size);
  let [battles, exact] = [0, 0];
  for (const rows of simulated.values()) {
    addRows(roster, sums, rows, level);
    // With more battles, an exact answer can be the cheaper one.
    if (rows.every((row) => row.exact !== null)) exact++;
    else battles += rows[0]?.battles ?? 0;
  }
  const left = simulated.size - exact;
  return { matrix: sums.matrix, solved: roster.sweep.points - left, simulated: left, battles };
}

/** Returns the outcomes and metrics of a cell. */
export function getCellShape({ sweep }: Roster, point: number) {
  return getBoundScenario(sweep.cell(point)?.scenario ?? sweep.spec.scenario).shape;
}
