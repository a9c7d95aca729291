/** Checks the armies and the terrains of a roster before any matchup is computed. */
import { InputError } from '../../core/index.ts';
import { formatPath, splitPath } from '../../rules/index.ts';
import type { Sweep } from '../sweep/sweep.ts';
import type { Army } from './price-list.ts';
import type { RosterFile } from './roster-file.ts';

/** Formats a path of a roster file, with the name of the file and the line. */
export type Locate = (path: readonly (string | number)[]) => string;

type Side = keyof RosterFile['sides'];

export const SIDES = ['attacker', 'defender'] as const satisfies Side[];

type Armies = Readonly<Record<Side, readonly Army[]>>;

/** Joins the path of a side and the path of a field in the side; an empty path is the side itself. */
export const joinPaths = (side: string, path: string): string =>
  path === '' ? side : formatPath([...splitPath(side), ...splitPath(path)]);

/** An army, and a cell in which it fights against the first army of the other side. */
interface ArmyCell {
  readonly side: Side;
  readonly army: Army;
  readonly point: number;
}

/** Lists a cell of each army on a terrain. */
export function listArmyCells({ attacker, defender }: Armies, terrain: number): ArmyCell[] {
  const first = terrain * attacker.length * defender.length;
  return [
    ...attacker.map((army, a) => ({ side: 'attacker' as const, army, point: first + a * defender.length })),
    ...defender.map((army, d) => ({ side: 'defender' as const, army, point: first + d })),
  ];
}

/** Returns the place of a field of an army in the file. @param path of the field in the side */
function locateField(file: RosterFile, side: Side, army: Army, path: string, locate: Locate): string {
  const field = file.armies === undefined ? (`${side}s` as const) : 'armies';
  const list = file[field];
  const set = Object.keys(army.values).find((key) => path === key || path.startsWith(`${key}.`));
  const end = set === undefined ? [] : [set];
  if (!Array.isArray(list)) return locate([field, 'units', ...end]);
  const index = list.findIndex(({ name }) => name === army.name);
  if ('' in army.values) return locate([field, index, 'value', ...splitPath(path)]);
  return locate([field, index, 'set', ...end]);
}

/** Two armies that fight each other. */
type Pair = Readonly<Record<Side, Army | undefined>>;

/** Returns the error of a cell with the place in the file, if its field belongs to one army. */
function locateError(error: unknown, file: RosterFile, pair: Pair, locate: Locate): unknown {
  if (!(error instanceof InputError)) return error;
  const { place, expected, found, code } = error;
  const path = place.split(' ').at(-1) ?? '';
  const side = SIDES.find((each) => path.startsWith(`${file.sides[each]}.`));
  const army = side && pair[side];
  if (side === undefined || army === undefined) return error;
  const field = path.slice(file.sides[side].length + 1);
  return new InputError(locateField(file, side, army, field, locate), expected, found, { code });
}

/**
 * Checks each army against the first army of the other side, on the first terrain.
 * @throws InputError at the first invalid field, with its place in the file if the field belongs to one army
 */
export function checkArmies(file: RosterFile, armies: Armies, sweep: Sweep, locate: Locate): void {
  for (const { side, army, point } of listArmyCells(armies, 0)) {
    try {
      sweep.cell(point);
    } catch (error) {
      const pair = { attacker: armies.attacker[0], defender: armies.defender[0], [side]: army };
      throw locateError(error, file, pair, locate);
    }
  }
}

/** Checks that no army replaces a field that a terrain sets. @throws InputError at the first such field */
export function checkTerrains({ terrains = [], sides }: RosterFile, armies: Armies, locate: Locate): void {
  const fields = SIDES.flatMap((side) =>
    armies[side].flatMap(({ name, values }) =>
      Object.keys(values).map((path) => [joinPaths(sides[side], path), name] as const),
    ),
  );
  const replaced = [...new Map(fields)].map(([path, army]) => ({ steps: splitPath(path), army }));
  for (const [t, { set }] of terrains.entries()) {
    for (const field of Object.keys(set)) {
      const path = splitPath(field);
      const army = replaced.find(({ steps }) => steps.every((step, at) => step === path[at]))?.army;
      if (army === undefined) continue;
      const found = `"${field}", which army "${army}" replaces`;
      throw new InputError(locate(['terrains', t, 'set', field]), 'a field that no army replaces', found);
    }
  }
}
