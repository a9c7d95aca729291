/** Exact matrix games and random numbers, independent of the solver in src. */

/**
 * Computes the value of a matrix game whose rows maximize, as numerator and denominator. Simplex method on integers
 * with a common denominator (J. Edmonds), first eligible variable (R. Bland): max sum(y), A y <= 1, y >= 0 with A > 0.
 */
export function solveExactly(payoffs: readonly (readonly bigint[])[]): [numerator: bigint, denominator: bigint] {
  const least = payoffs.flat().reduce((a, b) => (b < a ? b : a), 1n);
  const rows = payoffs.map((row) => [...row.map((entry) => entry - least + 1n), 1n]);
  const width = (rows[0]?.length ?? 1) - 1;
  const table = [...rows, [...Array.from({ length: width }, () => -1n), 0n]];
  const at = (r: number, c: number): bigint => table[r]?.[c] ?? 0n;
  const height = rows.length;
  /** Variables of the columns and of the basis. */
  const outside = Array.from({ length: width }, (_, k) => k);
  const basis = rows.map((_, k) => width + k);
  let denominator = 1n;
  for (;;) {
    const candidates = outside.filter((_, c) => at(height, c) < 0n);
    if (candidates.length === 0) break;
    const c = outside.indexOf(Math.min(...candidates));
    let r = -1;
    for (let k = 0; k < height; k++) {
      if (at(k, c) <= 0n) continue;
      const excess = r < 0 ? -1n : at(k, width) * at(r, c) - at(r, width) * at(k, c);
      if (excess < 0n || (excess === 0n && (basis[k] ?? 0) < (basis[r] ?? 0))) r = k;
    }
    const pivot = at(r, c);
    const pivotRow = table[r] ?? [];
    for (const [k, row] of table.entries()) {
      if (k === r) continue;
      const factor = row[c] ?? 0n;
      for (const [j, entry] of row.entries())
        row[j] = j === c ? -factor : (entry * pivot - factor * (pivotRow[j] ?? 0n)) / denominator;
    }
    pivotRow[c] = denominator;
    denominator = pivot;
    [outside[c], basis[r]] = [basis[r] ?? 0, outside[c] ?? 0];
  }
  const sum = at(height, width);
  return [denominator + (least - 1n) * sum, sum];
}

/** Divides integers of any size. */
export const divide = (numerator: bigint, denominator: bigint): number => {
  const whole = numerator / denominator;
  return Number(whole) + Number(((numerator - whole * denominator) * 2n ** 60n) / denominator) / 2 ** 60;
};

/** Computes the value of a matrix game to 1e-13. */
export const computeValue = (payoffs: readonly (readonly number[])[]): number =>
  divide(...solveExactly(payoffs.map((row) => row.map((entry) => BigInt(Math.round(entry * 1e14)))))) / 1e14;

/** Returns a whole number below `limit` that is determined by the words. */
export function draw(limit: number, ...words: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const word of [...words, limit]) {
    hash = Math.imul(hash ^ word, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) % limit;
}
