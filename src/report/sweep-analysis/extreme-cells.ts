/** The cells with the greatest and the least values, kept while all cells pass by. */
import { formatRange, formatValue, getScale, SHARE } from '../sheet/estimated-value.ts';
import { countSupportedDecimals, formatFixed } from '../text/number-format.ts';
import { type CellReading, type SweepQuantity, snapProbability } from './quantity.ts';

/** Levels that are kept at each end. */
const MAX_LEVELS = 10;

/** Cells whose values are told as one; if they are many, which of them are named would be arbitrary. */
export interface CellLevel {
  readonly from: number;
  readonly to: number;
  readonly cells: number;
  /** The first of them. */
  readonly readings: readonly CellReading[];
}

/** Levels from the end inwards. */
export interface ExtremeCells {
  readonly top: readonly CellLevel[];
  readonly bottom: readonly CellLevel[];
}

/** Cells of a level that are named. */
const MAX_NAMED = 3;

interface MutableLevel extends CellLevel {
  /** What stands for its values. */
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

/** The cells at one end of all values. */
export class ExtremeCellCollector {
  readonly #sign: 1 | -1;
  #level: MutableLevel | undefined;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** @param at its value, settled */
  add(at: number, reading: CellReading): void {
    const beyond = this.#level === undefined ? 1 : this.#sign * (at - this.#level.at);
    if (beyond > 0) this.#level = createLevel(at, reading);
    else if (beyond === 0 && this.#level !== undefined) addToLevel(this.#level, reading);
  }

  /** Undefined before the first cell. */
  get level(): CellLevel | undefined {
    return this.#level;
  }
}

/** Values within this part of the distance between the least and the greatest count as at the end. */
const END_TOLERANCE = 0.001;

/** Levels at both ends of values whose least and greatest are known. */
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

  /** Of equal values the first that came stays. */
  add(reading: CellReading): void {
    const { value } = reading;
    const at = snapProbability({ kind: this.#kind }, value);
    const room = END_TOLERANCE * (this.#greatest - this.#least);
    insertLevel(this.top, reading, value >= this.#greatest - room ? this.#greatest : at, -1);
    insertLevel(this.bottom, reading, value <= this.#least + room ? this.#least : at, 1);
  }
}

/** A level that has dropped out never comes back: those kept only get better. @param order -1: the greatest first */
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

/** Few cells one by one, the outermost first. */
function splitLevel(level: CellLevel, order: 1 | -1): CellLevel[] {
  if (level.cells > level.readings.length) return [level];
  const inOrder = level.readings.toSorted((a, b) => order * (a.value - b.value));
  return inOrder.map((reading) => ({ from: reading.value, to: reading.value, cells: 1, readings: [reading] }));
}

/** The outermost level, and single cells until the next group: more groups would say nothing of any cell. */
function selectLevels(levels: readonly CellLevel[], order: 1 | -1, most: number): CellLevel[] {
  const single = levels.flatMap((level) => splitLevel(level, order));
  const next = single.findIndex(({ cells }, place) => place > 0 && cells > 1);
  return single.slice(0, next < 0 ? most : Math.min(next, most));
}

/** Both ends as they are told, each level once and both descending: single cells, or how many there are. */
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

/** Differences below this part of a value are the rounding of equal numbers. */
const ROUNDING = 1e-9;

/** The value of a level, or from where to where its values go; in short the inner end alone. */
export function formatLevel(quantity: SweepQuantity, { from, to, readings }: CellLevel, inner?: 'from' | 'to'): string {
  const scale = getScale(quantity);
  const [first] = readings;
  if (quantity.kind === 'outcome' && to > 0 && snapProbability(quantity, to) === 0) return `< 0.0000001${SHARE.sign}`;
  if (quantity.kind === 'outcome' && from < 1 && snapProbability(quantity, from) === 1)
    return `> 99.9999999${SHARE.sign}`;
  if (to - from <= ROUNDING * Math.abs(to)) return first === undefined ? '' : formatValue(scale, first);
  const decimals = Math.max(0, countSupportedDecimals(scale.times * (to - from)));
  const text = (end: number): string => formatFixed(scale.times * end, decimals);
  if (inner !== undefined) return `${inner === 'from' ? `≥ ${text(from)}` : `≤ ${text(to)}`}${scale.sign}`;
  return formatRange([from, to], text) + scale.sign;
}
