/** Armies of a price list: all combinations of units that the points allow. */
import { ARMIES_MAX } from '../../analysis/index.ts';
import { InputError } from '../../core/index.ts';
import { roundCosts } from '../../rules/index.ts';
import type { PriceListFile } from './roster-file.ts';

/** An army of a roster. */
export interface Army {
  readonly name: string;
  /** Values of the side: of its fields, by path, or of the side itself, with an empty path. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A unit type of a price list. */
interface UnitType {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly price: number;
  readonly min: number;
  readonly max: number;
}

/** Number of armies up to which a message has their exact number. */
const COUNTED_MAX = 1_000_000;

/** Rounding of sums of prices. */
const ROUNDING = 1e-6;

const readName = (path: string): string => /([^.[\]]+)\]?$/.exec(path)?.[1] ?? path;

function readUnitTypes(
  { points, units }: PriceListFile,
  findPrice: (path: string) => number | undefined,
  place: string,
): UnitType[] {
  return Object.entries(units).map(([path, { min, max }]) => {
    const price = findPrice(path);
    if (price === undefined) throw new InputError(`${place}.units`, 'unit types with costs', `"${path}" without costs`);
    if (price === 0 && max === undefined)
      throw new InputError(`${place}.units.${path}`, 'a max for units without costs', 'nothing');
    if (max !== undefined && max < min)
      throw new InputError(`${place}.units.${path}`, `a max of at least the min, ${String(min)}`, String(max));
    const affordable = price === 0 ? Number.POSITIVE_INFINITY : Math.floor(points / price + ROUNDING);
    return { path, name: readName(path), price, min, max: Math.min(max ?? affordable, affordable) };
  });
}

/** Yields the numbers of units by type. The first type varies slowest, from its maximum down. */
function* listCounts(types: readonly UnitType[], points: number, isExact: boolean): Generator<readonly number[]> {
  const [type, ...rest] = types;
  if (type === undefined) {
    if (!isExact || Math.abs(points) <= ROUNDING) yield [];
    return;
  }
  const affordable = type.price === 0 ? type.max : Math.floor(points / type.price + ROUNDING);
  for (let count = Math.min(type.max, affordable); count >= type.min; count--) {
    const left = roundCosts(points - count * type.price);
    for (const others of listCounts(rest, left, isExact)) yield [count, ...others];
  }
}

/**
 * Lists all armies that a price list allows, except the empty one.
 * @param findPrice returns the price of a unit type by its path in the side
 * @param place name of the price list in messages
 * @throws InputError if a unit type has no price, or the list allows no army or too many
 */
export function listAffordableArmies(
  list: PriceListFile,
  findPrice: (path: string) => number | undefined,
  place: string,
): Army[] {
  const types = readUnitTypes(list, findPrice, place);
  const armies: Army[] = [];
  let count = 0;
  for (const counts of listCounts(types, list.points, list.spend === 'exactly')) {
    if (counts.every((units) => units === 0)) continue;
    if (++count > COUNTED_MAX) break;
    if (count > ARMIES_MAX) continue;
    const parts = types.flatMap(({ name }, t) => (counts[t] ? [`${String(counts[t])} ${name}`] : []));
    armies.push({
      name: parts.join(' + '),
      values: Object.fromEntries(types.map(({ path }, t) => [path, counts[t] ?? 0])),
    });
  }
  if (count === 0) throw new InputError(place, 'points that allow an army', String(list.points));
  if (count > ARMIES_MAX) {
    const found = count > COUNTED_MAX ? `more than ${String(COUNTED_MAX)}` : String(count);
    throw new InputError(place, `at most ${String(ARMIES_MAX)} armies`, found);
  }
  return armies;
}
