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

  constructor(roster: Roster) {
    this.#roster = roster;
    const size = roster.attackers.length * roster.defenders.length;
    [this.#values, this.#lower, this.#upper] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
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

/**
 * Reads the payoffs of all matchups. The intervals of simulated cells hold together with a probability of at least 95 %, by
 * Bonferroni's inequality.
 * @param batches rows of all cells that are not in `sums`; rows of one cell are in one batch, next to each other
 */
export async function readPayoffs(
  roster: Roster,
  batches: AsyncIterable<readonly CellRow[]>,
  sums: PayoffSums = new PayoffSums(roster),
): Promise<MatchupPayoffs> {
  const { payoff } = roster;
  const simulated: (readonly CellRow[])[] = [];
  const addCell = (rows: readonly CellRow[]): void => {
    const [first] = rows;
    if (first === undefined) return;
    if (rows.some(({ exact }) => exact === null)) {
      simulated.push(rows);
      return;
    }
    sums.add(
      first.cell,
      estimatePayoff(payoff, rows, () => getCellShape(roster, first.cell), ERROR_RATE),
    );
  };
  for await (const rows of batches) {
    let from = 0;
    for (let end = 1; end <= rows.length; end++) {
      if (rows[end]?.cell === rows[from]?.cell) continue;
      addCell(rows.slice(from, end));
      from = end;
    }
  }
  let battles = 0;
  for (const rows of simulated) {
    const { cell, battles: own } = rows[0] ?? { cell: 0, battles: 0 };
    battles += own;
    sums.add(
      cell,
      estimatePayoff(payoff, rows, () => getCellShape(roster, cell), ERROR_RATE / simulated.length),
    );
  }
  const solved = roster.sweep.points - simulated.length;
  return { matrix: sums.matrix, solved, simulated: simulated.length, battles };
}

/** Returns the outcomes and metrics of a cell. */
export function getCellShape({ sweep }: Roster, point: number) {
  return getBoundScenario(sweep.cell(point)?.scenario ?? sweep.spec.scenario).shape;
}
