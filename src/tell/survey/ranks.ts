/** The cells with the greatest and the least values, kept while all cells pass by. */
import { endsText, SHARE, scaleOf, valueText } from '../figure.ts';
import { decimalsFor, fixed } from '../text/digits.ts';
import { type Quantity, type Reading, settled } from './quantity.ts';

/** Levels that are kept at each end. */
const RANKED = 10;

/** Cells whose values are told as one; if they are many, which of them are named would be arbitrary. */
export interface Level {
  readonly from: number;
  readonly to: number;
  readonly cells: number;
  /** The first of them. */
  readonly readings: readonly Reading[];
}

/** Levels from the end inwards. */
export interface Ends {
  readonly top: readonly Level[];
  readonly bottom: readonly Level[];
}

/** Cells of a level that are named. */
const NAMED = 3;

interface OpenLevel extends Level {
  /** What stands for its values. */
  readonly at: number;
  from: number;
  to: number;
  cells: number;
  readonly readings: Reading[];
}

const begun = (at: number, reading: Reading): OpenLevel => {
  return { at, from: reading.value, to: reading.value, cells: 1, readings: [reading] };
};

function join(level: OpenLevel, reading: Reading): void {
  level.from = Math.min(level.from, reading.value);
  level.to = Math.max(level.to, reading.value);
  level.cells += 1;
  if (level.readings.length < NAMED) level.readings.push(reading);
}

/** The cells at one end of all values. */
export class EndCells {
  readonly #sign: 1 | -1;
  #level: OpenLevel | undefined;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** @param at its value, settled */
  add(at: number, reading: Reading): void {
    const beyond = this.#level === undefined ? 1 : this.#sign * (at - this.#level.at);
    if (beyond > 0) this.#level = begun(at, reading);
    else if (beyond === 0 && this.#level !== undefined) join(this.#level, reading);
  }

  /** Undefined before the first cell. */
  get level(): Level | undefined {
    return this.#level;
  }
}

/** Values within this part of the distance between the least and the greatest count as at the end. */
const END = 0.001;

/** Levels at both ends of values whose least and greatest are known. */
export class Ranks implements Ends {
  readonly #kind: Quantity['kind'];
  readonly #least: number;
  readonly #greatest: number;
  readonly top: OpenLevel[] = [];
  readonly bottom: OpenLevel[] = [];

  constructor({ kind }: Quantity, least: number, greatest: number) {
    this.#kind = kind;
    this.#least = least;
    this.#greatest = greatest;
  }

  /** Of equal values the first that came stays. */
  add(reading: Reading): void {
    const { value } = reading;
    const at = settled({ kind: this.#kind }, value);
    const room = END * (this.#greatest - this.#least);
    raise(this.top, reading, value >= this.#greatest - room ? this.#greatest : at, -1);
    raise(this.bottom, reading, value <= this.#least + room ? this.#least : at, 1);
  }
}

/** A level that has dropped out never comes back: those kept only get better. @param order -1: the greatest first */
function raise(kept: OpenLevel[], reading: Reading, at: number, order: 1 | -1): void {
  const last = kept.at(-1);
  if (kept.length === RANKED && last !== undefined && order * (at - last.at) > 0) return;
  const same = kept.find((level) => level.at === at);
  if (same !== undefined) {
    join(same, reading);
    return;
  }
  const place = kept.findIndex((level) => order * (at - level.at) < 0);
  kept.splice(place < 0 ? kept.length : place, 0, begun(at, reading));
  if (kept.length > RANKED) kept.pop();
}

/** Few cells one by one, the outermost first. */
function parted(level: Level, order: 1 | -1): Level[] {
  if (level.cells > level.readings.length) return [level];
  const inOrder = level.readings.toSorted((a, b) => order * (a.value - b.value));
  return inOrder.map((reading) => ({ from: reading.value, to: reading.value, cells: 1, readings: [reading] }));
}

/** The outermost level, and single cells until the next group: more groups would say nothing of any cell. */
function told(levels: readonly Level[], order: 1 | -1, most: number): Level[] {
  const single = levels.flatMap((level) => parted(level, order));
  const next = single.findIndex(({ cells }, place) => place > 0 && cells > 1);
  return single.slice(0, next < 0 ? most : Math.min(next, most));
}

/** Both ends as they are told, each level once and both descending: single cells, or how many there are. */
export function endsOf({ top, bottom }: Ends, most: number): { highest: Level[]; lowest: Level[] } {
  const name = ({ cells, readings }: Level): string => `${String(cells)} ${String(readings[0]?.cell)}`;
  const highest = told(top, -1, most);
  const known = new Set(highest.map(name));
  const lowest = told(bottom, 1, most);
  return { highest, lowest: lowest.filter((level) => !known.has(name(level))).toReversed() };
}

/** Differences below this part of a value are the rounding of equal numbers. */
const ROUNDING = 1e-9;

/** The value of a level, or from where to where its values go; in short the inner end alone. */
export function levelText(quantity: Quantity, { from, to, readings }: Level, inner?: 'from' | 'to'): string {
  const scale = scaleOf(quantity);
  const [first] = readings;
  if (quantity.kind === 'outcome' && to > 0 && settled(quantity, to) === 0) return `< 0.0000001${SHARE.sign}`;
  if (quantity.kind === 'outcome' && from < 1 && settled(quantity, from) === 1) return `> 99.9999999${SHARE.sign}`;
  if (to - from <= ROUNDING * Math.abs(to)) return first === undefined ? '' : valueText(scale, first);
  const decimals = Math.max(0, decimalsFor(scale.times * (to - from)));
  const text = (end: number): string => fixed(scale.times * end, decimals);
  if (inner !== undefined) return `${inner === 'from' ? `≥ ${text(from)}` : `≤ ${text(to)}`}${scale.sign}`;
  return endsText([from, to], text) + scale.sign;
}
