/** Checks the armies of a roster before any matchup is computed. */
import { InputError } from '../../core/index.ts';
import { splitPath } from '../../rules/index.ts';
import type { Sweep } from '../sweep/sweep.ts';
import type { Army } from './price-list.ts';
import type { RosterFile } from './roster-file.ts';

type Locate = (path: readonly (string | number)[]) => string;

const SIDES = ['attacker', 'defender'] as const;

type Side = (typeof SIDES)[number];

/** Returns the place of a field of an army in the file. @param path of the field in the side */
function locateField(file: RosterFile, side: Side, army: Army, path: string, locate: Locate): string {
  const field = file.armies === undefined ? (`${side}s` as const) : 'armies';
  const list = file[field];
  const index = Array.isArray(list) ? list.findIndex(({ name }) => name === army.name) : 0;
  if ('' in army.values) return locate([field, index, 'value', ...splitPath(path)]);
  const set = Object.keys(army.values).find((key) => path === key || path.startsWith(`${key}.`));
  return locate([field, index, 'set', ...(set === undefined ? [] : [set])]);
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
 * Checks each listed army against the first army of the other side.
 * @throws InputError at the first invalid field, with its place in the file if the field belongs to one army
 */
export function checkArmies(
  file: RosterFile,
  armies: Readonly<Record<Side, readonly Army[]>>,
  sweep: Sweep,
  locate: Locate,
): void {
  for (const side of SIDES) {
    if (!Array.isArray(file.armies ?? file[`${side}s`])) continue;
    for (const [a, army] of armies[side].entries()) {
      try {
        sweep.cell(side === 'attacker' ? a * armies.defender.length : a);
      } catch (error) {
        throw locateError(
          error,
          file,
          { attacker: armies.attacker[0], defender: armies.defender[0], [side]: army },
          locate,
        );
      }
    }
  }
}
