/** Unit types of armies, and the matchups without one of them. */
import type { PayoffMatrix } from '../../analysis/index.ts';
import { InputError, suggestName } from '../../core/index.ts';
import { splitPath } from '../../rules/index.ts';
import type { Army } from './price-list.ts';
import type { Roster } from './roster.ts';

/** Adds the names of all numbers above 0 in a value. */
function collectTypes(value: unknown, name: string, types: Set<string>): void {
  if (typeof value === 'number' && value > 0) types.add(name);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) collectTypes(inner, Array.isArray(value) ? name : key, types);
}

/** Lists the unit types of an army: the names of all fields that it sets to numbers above 0. */
export function listUnitTypes({ values }: Army): ReadonlySet<string> {
  const types = new Set<string>();
  for (const [path, value] of Object.entries(values)) collectTypes(value, String(splitPath(path).at(-1) ?? ''), types);
  return types;
}

/**
 * Removes all armies with a unit type from a payoff matrix. The others keep their payoffs.
 * @throws InputError if no army has the type, or none is left
 */
export function removeUnitType({ attackers, defenders }: Roster, matrix: PayoffMatrix, type: string): PayoffMatrix {
  const types = [...new Set([...attackers, ...defenders].flatMap((army) => [...listUnitTypes(army)]))];
  if (!types.includes(type))
    throw new InputError(
      'without',
      `a unit type of the armies: ${types.join(', ')}`,
      `"${type}"${suggestName(type, types)}`,
    );
  const select = (armies: readonly Army[]): number[] =>
    [...armies.keys()].filter((a) => armies[a] !== undefined && !listUnitTypes(armies[a]).has(type));
  const [rows, columns] = [select(attackers), select(defenders)];
  if (rows.length === 0 || columns.length === 0)
    throw new InputError('without', 'a unit type that some armies of both sides do not have', `"${type}"`);
  const width = matrix.columns.length;
  const pick = (cells: Float64Array): Float64Array =>
    Float64Array.from(rows.flatMap((row) => columns.map((column) => cells[row * width + column] ?? 0)));
  return {
    rows: rows.map((row) => matrix.rows[row] ?? ''),
    columns: columns.map((column) => matrix.columns[column] ?? ''),
    values: pick(matrix.values),
    lower: pick(matrix.lower),
    upper: pick(matrix.upper),
  };
}
