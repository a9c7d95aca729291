/** Cells with the largest and smallest values, collected in one pass. */
import { formatRange, formatValue, getScale, SHARE } from '../sheet/estimated-value.ts';
import { countSupportedDecimals, formatFixed } from '../text/number-format.ts';
import { type CellReading, type SweepQuantity, snapProbability } from './quantity.ts';

/** Number of levels at each end. */
const MAX_LEVELS = 10;

/** Group of cells with equal values. */
export interface CellLevel {
  readonly from: number;
  readonly to: number;
  readonly cells: number;
  /** First cells of the group. */
  readonly readings: readonly CellReading[];
}

/** Levels of both ends, the most extreme first. */
export interface ExtremeCells {
  readonly top: readonly CellLevel[];
  readonly bottom: readonly CellLevel[];
}

/** Maximum number of listed cells of a level. */
const MAX_NAMED = 3;

interface MutableLevel extends CellLevel {
  /** Value of the level. */
  readonly at: number;
  from: number;
  to: number;
  cells: number;
  readonly readings: CellReading[];
}

const createLevel = (at: number, reading: CellReading): MutableLevel => {
  return { at, from: reading.value, to: reading.value, cells: 1, readings: [reading] };
};

function addToLevel(level: MutableLevel, reading: CellReading): void {
  level.from = Math.min(level.from, reading.value);
  level.to = Math.max(level.to, reading.value);
  level.cells += 1;
  if (level.readings.length < MAX_NAMED) level.readings.push(reading);
}

/** Cells at one end of all values. */
export class ExtremeCellCollector {
  readonly #sign: 1 | -1;
  #level: MutableLevel | undefined;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** @param at its value, after snapping to 0 and 1 */
  add(at: number, reading: CellReading): void {
    const beyond = this.#level === undefined ? 1 : this.#sign * (at - this.#level.at);
    if (beyond > 0) this.#level = createLevel(at, reading);
    else if (beyond === 0 && this.#level !== undefined) addToLevel(this.#level, reading);
  }

  /** Extreme value; undefined before the first cell. */
  get level(): CellLevel | undefined {
    return this.#level;
  }
}

/** Values within this fraction of the range from an end count as equal to the end. */
const END_TOLERANCE = 0.001;

/** Levels at both ends, given the smallest and largest value. */
export class RankCollector implements ExtremeCells {
  readonly #kind: SweepQuantity['kind'];
  readonly #least: number;
  readonly #greatest: number;
  readonly top: MutableLevel[] = [];
  readonly bottom: MutableLevel[] = [];

  constructor({ kind }: SweepQuantity, least: number, greatest: number) {
    this.#kind = kind;
    this.#least = least;
    this.#greatest = greatest;
  }

  /** Adds a cell. The first ones of equal values stay. */
  add(reading: CellReading): void {
    const { value } = reading;
    const at = snapProbability({ kind: this.#kind }, value);
    const room = END_TOLERANCE * (this.#greatest - this.#least);
    insertLevel(this.top, reading, value >= this.#greatest - room ? this.#greatest : at, -1);
    insertLevel(this.bottom, reading, value <= this.#least + room ? this.#least : at, 1);
  }
}

/** Adds to levels, which only become more extreme, so dropped ones never return. @param order -1: largest first */
function insertLevel(levels: MutableLevel[], reading: CellReading, at: number, order: 1 | -1): void {
  const last = levels.at(-1);
  if (levels.length === MAX_LEVELS && last !== undefined && order * (at - last.at) > 0) return;
  const same = levels.find((level) => level.at === at);
  if (same !== undefined) {
    addToLevel(same, reading);
    return;
  }
  const place = levels.findIndex((level) => order * (at - level.at) < 0);
  levels.splice(place < 0 ? levels.length : place, 0, createLevel(at, reading));
  if (levels.length > MAX_LEVELS) levels.pop();
}

/** Splits groups of few cells into single cells, the outermost first. */
function splitLevel(level: CellLevel, order: 1 | -1): CellLevel[] {
  if (level.cells > level.readings.length) return [level];
  const inOrder = level.readings.toSorted((a, b) => order * (a.value - b.value));
  return inOrder.map((reading) => ({ from: reading.value, to: reading.value, cells: 1, readings: [reading] }));
}

/** Selects the outermost level, and single cells up to the next group, because further groups name no cells. */
function selectLevels(levels: readonly CellLevel[], order: 1 | -1, most: number): CellLevel[] {
  const single = levels.flatMap((level) => splitLevel(level, order));
  const next = single.findIndex(({ cells }, place) => place > 0 && cells > 1);
  return single.slice(0, next < 0 ? most : Math.min(next, most));
}

/** Selects the levels of both ends without duplicates, both descending. */
export function selectExtremes(
  { top, bottom }: ExtremeCells,
  most: number,
): { highest: CellLevel[]; lowest: CellLevel[] } {
  const name = ({ cells, readings }: CellLevel): string => `${String(cells)} ${String(readings[0]?.cell)}`;
  const highest = selectLevels(top, -1, most);
  const known = new Set(highest.map(name));
  const lowest = selectLevels(bottom, 1, most);
  return { highest, lowest: lowest.filter((level) => !known.has(name(level))).toReversed() };
}

/** Smaller relative differences are rounding errors. */
const ROUNDING = 1e-9;

/** Formats the value or range of a level; in short form, only the inner end. */
export function formatLevel(quantity: SweepQuantity, { from, to, readings }: CellLevel, inner?: 'from' | 'to'): string {
  const scale = getScale(quantity);
  const [first] = readings;
  if (quantity.kind === 'outcome' && to > 0 && snapProbability(quantity, to) === 0) return `< 0.0000001${SHARE.sign}`;
  if (quantity.kind === 'outcome' && from < 1 && snapProbability(quantity, from) === 1)
    return `> 99.9999999${SHARE.sign}`;
  if (to - from <= ROUNDING * Math.abs(to)) return first === undefined ? '' : formatValue(scale, first);
  const decimals = Math.max(0, countSupportedDecimals(scale.times * (to - from)));
  const formatEnd = (end: number): string => formatFixed(scale.times * end, decimals);
  if (inner !== undefined) return `${inner === 'from' ? `≥ ${formatEnd(from)}` : `≤ ${formatEnd(to)}`}${scale.sign}`;
  return formatRange([from, to], formatEnd) + scale.sign;
}
