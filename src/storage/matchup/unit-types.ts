/** Unit types of armies, and the matchups without one of them. */
import type { PayoffMatrix } from '../../analysis/index.ts';
import { InputError, suggestName } from '../../core/index.ts';
import { getValueAt, splitPath } from '../../rules/index.ts';
import { listArmyCells } from './check-armies.ts';
import type { Army } from './price-list.ts';
import type { Roster } from './roster.ts';

/** Adds the names of all numbers above 0 in a value. */
function collectTypes(value: unknown, name: string, types: Set<string>): void {
  if (typeof value === 'number' && value > 0) types.add(name);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) collectTypes(inner, Array.isArray(value) ? name : key, types);
}

/**
 * Lists the unit types of all armies: the names of all numbers above 0 in the side with which an army fights, on any
 * terrain. Fields that the army does not set are those of the scenario.
 */
export function listUnitTypes({ sweep, sides, attackers, defenders, terrains }: Roster) {
  const types = new Map([...attackers, ...defenders].map((army) => [army, new Set<string>()]));
  for (const terrain of terrains.keys()) {
    for (const { side, army, point } of listArmyCells({ attacker: attackers, defender: defenders }, terrain)) {
      const path = splitPath(sides[side]);
      collectTypes(getValueAt(sweep.cell(point)?.scenario, path), String(path.at(-1)), types.get(army) ?? new Set());
    }
  }
  return types as ReadonlyMap<Army, ReadonlySet<string>>;
}

/**
 * Removes all armies with a unit type from a payoff matrix. The others keep their payoffs.
 * @throws InputError if no army has the type, or none is left
 */
export function removeUnitType(roster: Roster, matrix: PayoffMatrix, type: string): PayoffMatrix {
  const typesOf = listUnitTypes(roster);
  const types = [...new Set([...typesOf.values()].flatMap((own) => [...own]))];
  if (!types.includes(type))
    throw new InputError(
      'without',
      `a unit type of the armies: ${types.join(', ')}`,
      `"${type}"${suggestName(type, types)}`,
    );
  const select = (armies: readonly Army[]): number[] =>
    armies.flatMap((army, a) => (typesOf.get(army)?.has(type) === true ? [] : [a]));
  const [rows, columns] = [select(roster.attackers), select(roster.defenders)];
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
