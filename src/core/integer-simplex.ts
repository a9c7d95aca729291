/** Simplex method on integers with a common denominator (J. Edmonds 1967): without rounding errors, for small matrix games. */

/** Tableau of the greatest sum of weights of columns such that no row is above 1. */
class IntegerTableau {
  /** Rows with their bounds last; the last row has the reduced costs and the sum. */
  readonly #cells: bigint[][];
  /** By row and by column: its variable; columns first, then slack of rows. */
  readonly #basis: number[];
  readonly #free: number[];
  #denominator = 1n;

  constructor(payoffs: readonly (readonly bigint[])[]) {
    const columns = payoffs[0]?.length ?? 0;
    this.#cells = [...payoffs.map((row) => [...row, 1n]), [...new Array<bigint>(columns).fill(-1n), 0n]];
    this.#basis = payoffs.map((_, row) => columns + row);
    this.#free = [...new Array(columns).keys()];
  }

  #at(row: number, column: number): bigint {
    return this.#cells[row]?.[column] ?? 0n;
  }

  /** Finds the row with the least ratio of bound and cell; among equals, that of the first variable. */
  #findRow(column: number): number {
    const width = this.#free.length;
    return this.#basis.reduce((best, variable, row) => {
      if (this.#at(row, column) <= 0n) return best;
      if (best < 0) return row;
      const excess = this.#at(row, width) * this.#at(best, column) - this.#at(best, width) * this.#at(row, column);
      return excess < 0n || (excess === 0n && variable < (this.#basis[best] ?? 0)) ? row : best;
    }, -1);
  }

  #pivot(row: number, column: number): void {
    const [own = [], pivot] = [this.#cells[row], this.#at(row, column)];
    for (const line of this.#cells) {
      if (line === own) continue;
      const factor = line[column] ?? 0n;
      for (const [c, cell] of line.entries())
        line[c] = c === column ? -factor : (cell * pivot - factor * (own[c] ?? 0n)) / this.#denominator;
    }
    own[column] = this.#denominator;
    this.#denominator = pivot;
    [this.#free[column], this.#basis[row]] = [this.#basis[row] ?? 0, this.#free[column] ?? 0];
  }

  /** Solves the program by Bland's rule, which cannot cycle. @returns probabilities of rows and of columns */
  solve(): readonly [rows: Float64Array, columns: Float64Array] {
    const [height, width] = [this.#basis.length, this.#free.length];
    for (;;) {
      const entering = Math.min(...this.#free.filter((_, column) => this.#at(height, column) < 0n));
      const column = this.#free.indexOf(entering);
      if (column < 0) break;
      this.#pivot(this.#findRow(column), column);
    }
    const sum = this.#at(height, width);
    const divide = (weight: bigint): number => Number((weight * 2n ** 60n) / sum) / 2 ** 60;
    const [rows, columns] = [new Float64Array(height), new Float64Array(width)];
    for (const [row, variable] of this.#basis.entries())
      if (variable < width) columns[variable] = divide(this.#at(row, width));
    for (const [column, variable] of this.#free.entries())
      if (variable >= width) rows[variable - width] = divide(this.#at(height, column));
    return [rows, columns];
  }
}

/** Finds an equilibrium of a matrix game. @param payoffs payoffs above 0 of the row player, who maximizes */
export function solveIntegerGame(
  payoffs: readonly (readonly bigint[])[],
): readonly [rows: Float64Array, columns: Float64Array] {
  return new IntegerTableau(payoffs).solve();
}
