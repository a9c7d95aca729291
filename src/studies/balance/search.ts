/** Searches along one field for the values between which a target is crossed. */
import {
  type BalanceAxis,
  countBetween,
  finer,
  type Gauge,
  type GaugeReading,
  type Near,
  Stopped,
  searchNear,
  valueAt,
} from './gauge.ts';

/** Looks at the value k of the field; undefined if the scenario does not allow it. */
export type LookAt = (k: number) => Promise<GaugeReading | undefined>;

/** Says how many values come next, at most. */
export type Announce = (count: number) => void;

/**
 * Two values, one on either side of the target, in their order: next to each other among those that were looked at, but
 * for values that could not be told from the target by playing.
 */
type Crossing = readonly [GaugeReading, GaugeReading];

interface Line {
  /** The k that were searched. */
  readonly low: number;
  readonly high: number;
  /** True if every one of them was looked at. */
  readonly whole: boolean;
  /** True if every one of them was looked at, and known exactly. */
  readonly complete: boolean;
  /** Those that were looked at and are allowed, in ascending order. */
  readonly readings: readonly GaugeReading[];
  readonly crossings: readonly Crossing[];
}

/** Values that are looked at in a range that is too large for all of them. */
const GRID = 33;

/** So many values are all looked at. */
const ALL = 1000;

/** Transitions that exact answers for all of them may take: some seconds, or some tens where states are costly. */
const STEPS = 1_000_000;

/** Values between two that may both meet the target by playing: so many are all looked at. */
const FILLED = 64;

/** A search that finds no crossing ends where it has so many times its first reach. */
const FARTHEST = 64;

/** `count` whole numbers from low to high, evenly. */
function spread(low: number, high: number, count: number): number[] {
  if (countBetween(low, high) <= count) return Array.from({ length: countBetween(low, high) }, (_, i) => low + i);
  return Array.from({ length: count }, (_, i) => low + Math.round(((high - low) * i) / (count - 1)));
}

const apart = (a: GaugeReading | undefined, b: GaugeReading | undefined): boolean =>
  a !== undefined && b !== undefined && a.side * b.side < 0;

/** True of a value that battles did not exclude. */
const possible = ({ exact, verdict }: GaugeReading): boolean => !exact && verdict !== 'fails';

type Known = readonly [k: number, reading: GaugeReading];

class Search {
  readonly #look: LookAt;
  readonly #announce: Announce;
  readonly #seen = new Map<number, GaugeReading | undefined>();

  constructor(look: LookAt, announce: Announce = () => undefined) {
    this.#look = look;
    this.#announce = announce;
  }

  async at(k: number): Promise<GaugeReading | undefined> {
    const reading = await this.#look(k);
    this.#seen.set(k, reading);
    return reading;
  }

  /** Looks at all values if they are few and cheap, otherwise at a grid. */
  async scan(low: number, high: number): Promise<void> {
    const count = countBetween(low, high);
    const first = spread(low, high, 3);
    for (const k of first) await this.at(k);
    const steps = Math.max(...first.map((k) => this.#seen.get(k)?.steps ?? 0));
    const all = count <= ALL && (!this.#exact() || steps * count <= STEPS);
    const wanted = all ? count : GRID;
    this.#announce(wanted);
    for (const k of spread(low, high, wanted)) await this.at(k);
  }

  /** Halves every gap over which the target is crossed until nothing is left between its ends; then `#closeIn`. */
  async narrow(): Promise<void> {
    for (const [[low, below], [high, above]] of this.#gaps()) {
      if (apart(below, above)) await this.#halve([low, below], [high, above]);
    }
    await this.#closeIn();
  }

  async #halve([low, below]: Known, [high, above]: Known): Promise<void> {
    let [from, to] = [low, high];
    while (to - from > 1) {
      const k = Math.floor((from + to) / 2);
      const middle = await this.at(k);
      if (middle === undefined || middle.side === 0) return;
      if (middle.side === below.side) from = k;
      else if (middle.side === above.side) to = k;
    }
  }

  /** Where battles are played: finds the ends of what may meet the target, and looks at what is between them. */
  async #closeIn(): Promise<void> {
    for (const [[low, below], [high, above]] of this.#gaps()) {
      if (possible(below) !== possible(above)) await this.#edge(low, high, possible(below));
    }
    for (const [[low, below], [high, above]] of this.#gaps()) {
      if (!possible(below) || !possible(above)) continue;
      for (const k of spread(low + 1, high - 1, FILLED)) await this.at(k);
    }
  }

  /** @param may whether the value at `low` may meet the target; that at `high` is different */
  async #edge(low: number, high: number, may: boolean): Promise<void> {
    let [from, to] = [low, high];
    while (to - from > 1) {
      const k = Math.floor((from + to) / 2);
      const middle = await this.at(k);
      if (middle === undefined) return;
      if (possible(middle) === may) from = k;
      else to = k;
    }
  }

  /** True if a crossing, or a value that is known to be the target, is known. */
  get crossed(): boolean {
    const known = this.#known();
    return known.some(([, { exact, side }]) => exact && side === 0) || this.#crossings().length > 0;
  }

  /** True if a crossing, or a value that cannot be told from the target, is known. */
  get found(): boolean {
    return this.crossed || this.#known().some(([, { side }]) => side === 0);
  }

  #known(): Known[] {
    return [...this.#seen]
      .flatMap(([k, reading]) => (reading === undefined ? [] : [[k, reading] as const]))
      .sort(([a], [b]) => a - b);
  }

  /** Every two neighbours that are known. */
  #gaps(): (readonly [Known, Known])[] {
    const known = this.#known();
    return known.slice(1).map((next, i) => [known[i] ?? next, next]);
  }

  #crossings(): Crossing[] {
    const sure = this.#known()
      .map(([, reading]) => reading)
      .filter(({ exact, side }) => exact || side !== 0);
    return sure.flatMap((reading, i): Crossing[] => {
      const next = sure[i + 1];
      return next !== undefined && apart(reading, next) ? [[reading, next]] : [];
    });
  }

  #exact(): boolean {
    return this.#known().every(([, { exact }]) => exact);
  }

  line(low: number, high: number): Line {
    const readings = this.#known().map(([, reading]) => reading);
    const whole = this.#seen.size >= countBetween(low, high);
    return { low, high, whole, complete: whole && this.#exact(), readings, crossings: this.#crossings() };
  }
}

/**
 * Looks along a field: at all values within its reach where they are few and exact answers cheap, otherwise at a grid,
 * whose gaps are halved where the target lies between their ends. A reach in which the target is not crossed is doubled,
 * up to 64 times the first one. On a grid two crossings between neighbours are missed.
 */
export async function searchLine(axis: BalanceAxis, look: LookAt, announce?: Announce): Promise<Line> {
  const from = axis.present;
  const search = new Search(look, announce);
  await search.at(from);
  for (let reach = axis.reach; ; reach *= 2) {
    const [low, high] = [Math.max(axis.low, from - reach), Math.min(axis.high, from + reach)];
    await search.scan(low, high);
    const all = low === axis.low && high === axis.high;
    if (!search.crossed && !all && reach < FARTHEST * axis.reach) continue;
    await search.narrow();
    return search.line(low, high);
  }
}

/**
 * Looks for one crossing near a value: first at its neighbours, then twice as far, and halves the gap.
 * @returns the line between the ends that were looked at
 */
export async function crossNear(axis: BalanceAxis, look: LookAt, from: number): Promise<Line> {
  const search = new Search(look);
  await search.at(from);
  for (let reach = 1; ; reach *= 2) {
    const [low, high] = [Math.max(axis.low, from - reach), Math.min(axis.high, from + reach)];
    await search.at(low);
    if (!search.found) await search.at(high);
    const all = low === axis.low && high === axis.high;
    if (!search.found && !all && reach < FARTHEST * axis.reach) continue;
    await search.narrow();
    return search.line(low, high);
  }
}

/** Looks at every value of a field. */
async function everyValue({ low, high }: BalanceAxis, look: LookAt): Promise<Line> {
  const search = new Search(look);
  for (let k = low; k <= high; k++) await search.at(k);
  return search.line(low, high);
}

// Two fields: for each value of the first the value of the second that comes closest to the target.

/** Settings of two fields that are all examined where their exact answers are affordable. */
const GRID_MOST = 10_000;

/** Transitions that the exact answers of a search over two fields may take together. */
const PAIR_STEPS = 10_000_000;

/** Settings that the search of a row near its neighbor takes, about. */
const ROW_LOOKS = 8;

/** Values of the first field that are examined where battles are simulated, or exact answers are costly. */
const ROWS = 41;

/** Values of the first field on either side of its present one, if no range is given. */
const BESIDE = 10;

/** Which settings of two fields were examined. */
export interface Rows {
  /** Between the values of the first field that were examined, in its steps: 1 if none was left out. */
  readonly step: number;
  /** True if every setting of both ranges was examined. */
  readonly whole: boolean;
}

/** The k of the first field from the present one outwards, so that each has a neighbor that is known. */
function outwards({ low, high, present, given }: BalanceAxis, step: number): number[] {
  const reach = given ? Math.max(high - present, present - low) : BESIDE;
  const offsets = Array.from({ length: Math.floor(reach / step) }, (_, i) => (i + 1) * step);
  return [present, ...offsets.flatMap((offset) => [present - offset, present + offset])].filter(
    (k) => k >= low && k <= high,
  );
}

/** The reading whose value is closest to a number. */
function closest(readings: readonly GaugeReading[], wanted: number): GaugeReading | undefined {
  return [...readings].sort((a, b) => Math.abs(a.value - wanted) - Math.abs(b.value - wanted))[0];
}

/** How much of two ranges is affordable, judged by the settings at their ends. */
async function affordableRows(one: BalanceAxis, two: BalanceAxis, gauge: Gauge): Promise<Rows> {
  if (!one.given) return { step: 1, whole: false };
  const known: GaugeReading[] = [];
  for (const k of [one.low, one.high])
    for (const m of two.given ? [two.low, two.high] : [two.present]) {
      const reading = await gauge.look([valueAt(one, k), valueAt(two, m)]);
      if (reading !== undefined) known.push(reading);
    }
  const steps = Math.max(1, ...known.map((reading) => reading.steps));
  const exact = known.every((reading) => reading.exact);
  const rows = countBetween(one.low, one.high);
  const settings = rows * countBetween(two.low, two.high);
  const whole = exact && two.given && settings <= GRID_MOST && settings * steps <= PAIR_STEPS;
  const most = exact ? Math.max(ROWS, Math.min(ALL, Math.floor(PAIR_STEPS / (ROW_LOOKS * steps)))) : ROWS;
  return { step: whole ? 1 : Math.ceil(rows / most), whole };
}

/**
 * Searches the second field for each value of the first. Examines every setting where exact answers for all of them are
 * affordable. Otherwise the present value of the first is searched as along a line, and each other one near the value
 * that its neighbor has; of a range with too many values, every second, third, ... is examined.
 * @returns for each examined value of the first field that the scenario allows, in ascending order, the closest reading
 */
async function searchPairs(
  one: BalanceAxis,
  two: BalanceAxis,
  gauge: Gauge,
  wanted: number,
): Promise<Required<Pick<Haul, 'pairs' | 'rows'>>> {
  const found = new Map<number, GaugeReading>();
  const rows = await affordableRows(one, two, gauge);
  const neighbor = (k: number): GaugeReading | undefined => {
    const [nearest] = [...found.keys()].sort((a, b) => Math.abs(a - k) - Math.abs(b - k));
    return nearest === undefined ? undefined : found.get(nearest);
  };
  for (const k of outwards(one, rows.step)) {
    const look = (m: number): Promise<GaugeReading | undefined> => gauge.look([valueAt(one, k), valueAt(two, m)]);
    const near = rows.whole ? undefined : neighbor(k)?.values[1];
    const from = near === undefined ? undefined : Math.round(near / two.step);
    const line = await (rows.whole
      ? everyValue(two, look)
      : from === undefined
        ? searchLine(two, look, gauge.announce)
        : crossNear(two, look, from));
    const row = closest(line.readings, wanted);
    if (row !== undefined) found.set(k, row);
  }
  return { pairs: [...found].sort(([a], [b]) => a - b).map(([, row]) => row), rows };
}

// Searches the settings of one field, of two, or of more, each in its own way.

/** A step of a field of numbers is divided by ten at most so often. */
const REFINEMENTS = 6;

/** What was searched, apart from what the gauge has seen. */
export interface Haul {
  /** Of one field. */
  readonly line?: Line;
  /** Of two fields: for each value of the first, in ascending order, the reading closest to the target. */
  readonly pairs?: readonly GaugeReading[];
  readonly rows?: Rows;
  /** Of three or more. */
  readonly near?: Near;
  /** False if a signal came first. */
  readonly finished: boolean;
}

/** The crossing between values ever closer to each other, until one of them meets the target. */
async function refined(coarse: BalanceAxis, crossing: Crossing, gauge: Gauge): Promise<Crossing> {
  let [axis, found] = [coarse, crossing];
  for (let turn = 0; turn < REFINEMENTS && !found.some((reading) => gauge.meets(reading)); turn++) {
    axis = finer(axis);
    const [low = 0, high = 0] = found.map(({ values: [value = 0] }) => Math.round(value / axis.step));
    const part = { ...axis, low, high, present: low, reach: high - low };
    const { crossings } = await searchLine(part, (k) => gauge.look([valueAt(part, k)]), gauge.announce);
    const [next] = crossings;
    // Nothing between them is allowed, or can be told from the target.
    if (next === undefined || next.every((reading, end) => reading === found[end])) return found;
    found = next;
  }
  return found;
}

async function searchOne(axis: BalanceAxis, gauge: Gauge): Promise<Line> {
  const line = await searchLine(axis, (k) => gauge.look([valueAt(axis, k)]), gauge.announce);
  if (axis.integer) return line;
  const crossings: Crossing[] = [];
  for (const crossing of line.crossings) crossings.push(await refined(axis, crossing, gauge));
  // Between any two numbers there are others.
  return { ...line, crossings, whole: false, complete: false };
}

/** Around the present setting; and where nothing near meets the target, along each field by itself. */
async function searchMany(axes: readonly BalanceAxis[], gauge: Gauge): Promise<Near> {
  const near = await searchNear(axes, gauge);
  if (near.meets) return near;
  for (const [a, axis] of axes.entries()) {
    const along = (k: number): number[] => axes.map((other, b) => valueAt(other, a === b ? k : other.present));
    await searchLine(axis, (k) => gauge.look(along(k)), gauge.announce);
  }
  return near;
}

async function searched(axes: readonly BalanceAxis[], gauge: Gauge, wanted: number): Promise<Omit<Haul, 'finished'>> {
  const [one, two, ...others] = axes;
  if (one === undefined) return {};
  if (two === undefined) return { line: await searchOne(one, gauge) };
  if (others.length === 0) return await searchPairs(one, two, gauge, wanted);
  return { near: await searchMany(axes, gauge) };
}

/**
 * @param present what the scenario has in the fields; undefined if it has no numbers in all of them
 * @param wanted  the target
 */
export async function search(
  axes: readonly BalanceAxis[],
  gauge: Gauge,
  present: readonly number[] | undefined,
  wanted: number,
): Promise<Haul> {
  try {
    if (present !== undefined) await gauge.look(present);
    return { ...(await searched(axes, gauge, wanted)), finished: true };
  } catch (error) {
    if (error instanceof Stopped) return { finished: false };
    throw error;
  }
}
