/** Searches along one field for adjacent values between which a target is crossed. */
import {
  type BalanceAxis,
  computeAxisValue,
  countValues,
  EvaluationStopped,
  refineAxis,
  type SearchReport,
  type SettingEvaluation,
  type SettingEvaluator,
  searchNear,
} from './setting-evaluator.ts';

/** Evaluates value k of the field; undefined if the scenario does not allow it. */
export type AxisEvaluator = (k: number) => Promise<SettingEvaluation | undefined>;

/** Announces the maximum number of the next evaluations. */
export type CountAnnouncer = (count: number) => void;

/**
 * Two values on either side of the target, in ascending order: adjacent among the examined ones, except for values that
 * simulation could not distinguish from the target.
 */
type Crossing = readonly [SettingEvaluation, SettingEvaluation];

interface LineSearchResult {
  /** Searched range of k. */
  readonly low: number;
  readonly high: number;
  /** True if every value was examined. */
  readonly isWhole: boolean;
  /** True if every value was examined exactly. */
  readonly isComplete: boolean;
  /** Examined values that are allowed, in ascending order. */
  readonly evaluations: readonly SettingEvaluation[];
  readonly crossings: readonly Crossing[];
}

/** Number of values that are examined in a larger range. */
const GRID = 33;

/** Maximum number of values that are all examined. */
const FULL_SCAN_MAX = 1000;

/** Maximum transitions of exact answers for all of them: several seconds, or ten times as long for costly states. */
const STEPS = 1_000_000;

/** Maximum number of values between two undecided ones that are all examined. */
const FULL_GAP_MAX = 64;

/** A search without a crossing ends at this multiple of its first reach. */
const REACH_FACTOR_MAX = 64;

/** Returns `count` evenly spaced whole numbers from low to high. */
function spaceEvenly(low: number, high: number, count: number): number[] {
  if (countValues(low, high) <= count) return Array.from({ length: countValues(low, high) }, (_, i) => low + i);
  return Array.from({ length: count }, (_, i) => low + Math.round(((high - low) * i) / (count - 1)));
}

const isOpposite = (a: SettingEvaluation | undefined, b: SettingEvaluation | undefined): boolean =>
  a !== undefined && b !== undefined && a.side * b.side < 0;

/** Returns true for a value that battles did not exclude. */
const isPossible = ({ exact, verdict }: SettingEvaluation): boolean => !exact && verdict !== 'fails';

type EvaluatedPoint = readonly [k: number, reading: SettingEvaluation];

class LineSearch {
  readonly #look: AxisEvaluator;
  readonly #announce: CountAnnouncer;
  readonly #seen = new Map<number, SettingEvaluation | undefined>();

  constructor(analysis: AxisEvaluator, announce: CountAnnouncer = () => undefined) {
    this.#look = analysis;
    this.#announce = announce;
  }

  async at(k: number): Promise<SettingEvaluation | undefined> {
    const reading = await this.#look(k);
    this.#seen.set(k, reading);
    return reading;
  }

  /** Examines all values if they are few and cheap, otherwise a grid. */
  async scan(low: number, high: number): Promise<void> {
    const count = countValues(low, high);
    const first = spaceEvenly(low, high, 3);
    for (const k of first) await this.at(k);
    const steps = Math.max(...first.map((k) => this.#seen.get(k)?.steps ?? 0));
    const all = count <= FULL_SCAN_MAX && (!this.#isExact() || steps * count <= STEPS);
    const wanted = all ? count : GRID;
    this.#announce(wanted);
    for (const k of spaceEvenly(low, high, wanted)) await this.at(k);
  }

  /** Bisects every gap over which the target is crossed until its ends are adjacent; then calls `#closeIn`. */
  async bisectGaps(): Promise<void> {
    for (const [[low, below], [high, above]] of this.#listGaps()) {
      if (isOpposite(below, above)) await this.#bisect([low, below], [high, above]);
    }
    await this.#closeIn();
  }

  async #bisect([low, below]: EvaluatedPoint, [high, above]: EvaluatedPoint): Promise<void> {
    let [from, to] = [low, high];
    while (to - from > 1) {
      const k = Math.floor((from + to) / 2);
      const middle = await this.at(k);
      if (middle === undefined || middle.side === 0) return;
      if (middle.side === below.side) from = k;
      else if (middle.side === above.side) to = k;
    }
  }

  /** For simulated values: finds the ends of the undecided range, and examines the values between them. */
  async #closeIn(): Promise<void> {
    for (const [[low, below], [high, above]] of this.#listGaps()) {
      if (isPossible(below) !== isPossible(above)) await this.#findEdge(low, high, isPossible(below));
    }
    for (const [[low, below], [high, above]] of this.#listGaps()) {
      if (!isPossible(below) || !isPossible(above)) continue;
      for (const k of spaceEvenly(low + 1, high - 1, FULL_GAP_MAX)) await this.at(k);
    }
  }

  /** @param may true if the value at `low` may meet the target; the value at `high` differs */
  async #findEdge(low: number, high: number, may: boolean): Promise<void> {
    let [from, to] = [low, high];
    while (to - from > 1) {
      const k = Math.floor((from + to) / 2);
      const middle = await this.at(k);
      if (middle === undefined) return;
      if (isPossible(middle) === may) from = k;
      else to = k;
    }
  }

  /** True if a crossing, or a value that equals the target, is known. */
  get hasCrossing(): boolean {
    const known = this.#listEvaluated();
    return known.some(([, { exact, side }]) => exact && side === 0) || this.#listCrossings().length > 0;
  }

  /** True if a crossing, or a value that may meet the target, is known. */
  get hasMatch(): boolean {
    return this.hasCrossing || this.#listEvaluated().some(([, { side }]) => side === 0);
  }

  #listEvaluated(): EvaluatedPoint[] {
    return [...this.#seen]
      .flatMap(([k, reading]) => (reading === undefined ? [] : [[k, reading] as const]))
      .sort(([a], [b]) => a - b);
  }

  /** Returns all pairs of adjacent known values. */
  #listGaps(): (readonly [EvaluatedPoint, EvaluatedPoint])[] {
    const known = this.#listEvaluated();
    return known.slice(1).map((next, i) => [known[i] ?? next, next]);
  }

  #listCrossings(): Crossing[] {
    const sure = this.#listEvaluated()
      .map(([, reading]) => reading)
      .filter(({ exact, side }) => exact || side !== 0);
    return sure.flatMap((reading, i): Crossing[] => {
      const next = sure[i + 1];
      return next !== undefined && isOpposite(reading, next) ? [[reading, next]] : [];
    });
  }

  #isExact(): boolean {
    return this.#listEvaluated().every(([, { exact }]) => exact);
  }

  createResult(low: number, high: number): LineSearchResult {
    const readings = this.#listEvaluated().map(([, reading]) => reading);
    const whole = this.#seen.size >= countValues(low, high);
    return {
      low,
      high,
      isWhole: whole,
      isComplete: whole && this.#isExact(),
      evaluations: readings,
      crossings: this.#listCrossings(),
    };
  }
}

/**
 * Searches a field. Examines all values within reach if they are few and exact answers are cheap. Otherwise examines a
 * grid and bisects gaps that contain the target. A reach without a crossing is doubled, up to 64 times the first one.
 * On a grid, two crossings between neighbors are missed.
 */
export async function searchLine(
  axis: BalanceAxis,
  analysis: AxisEvaluator,
  announce?: CountAnnouncer,
): Promise<LineSearchResult> {
  const from = axis.present;
  const search = new LineSearch(analysis, announce);
  await search.at(from);
  for (let reach = axis.reach; ; reach *= 2) {
    const [low, high] = [Math.max(axis.low, from - reach), Math.min(axis.high, from + reach)];
    await search.scan(low, high);
    const all = low === axis.low && high === axis.high;
    if (!search.hasCrossing && !all && reach < REACH_FACTOR_MAX * axis.reach) continue;
    await search.bisectGaps();
    return search.createResult(low, high);
  }
}

/**
 * Searches for one crossing near a value: first at its neighbors, then at doubled distances, then by bisection.
 * @returns the line between the examined ends
 */
export async function findNearbyCrossing(
  axis: BalanceAxis,
  analysis: AxisEvaluator,
  from: number,
): Promise<LineSearchResult> {
  const search = new LineSearch(analysis);
  await search.at(from);
  for (let reach = 1; ; reach *= 2) {
    const [low, high] = [Math.max(axis.low, from - reach), Math.min(axis.high, from + reach)];
    await search.at(low);
    if (!search.hasMatch) await search.at(high);
    const all = low === axis.low && high === axis.high;
    if (!search.hasMatch && !all && reach < REACH_FACTOR_MAX * axis.reach) continue;
    await search.bisectGaps();
    return search.createResult(low, high);
  }
}

/** Examines every value of a field. */
async function scanEveryValue({ low, high }: BalanceAxis, analysis: AxisEvaluator): Promise<LineSearchResult> {
  const search = new LineSearch(analysis);
  for (let k = low; k <= high; k++) await search.at(k);
  return search.createResult(low, high);
}

// Two fields: for each value of the first, finds the value of the second that is closest to the target.

/** Maximum number of settings of two fields that are all examined if exact answers are affordable. */
const FULL_GRID_MAX = 10_000;

/** Maximum transitions of the exact answers of a search over two fields together. */
const PAIR_STEPS = 10_000_000;

/** Approximate number of settings that the search of a row near its neighbor examines. */
const ROW_EVALUATIONS = 8;

/** Number of examined values of the first field if battles are simulated, or exact answers are costly. */
const ROWS = 41;

/** Values of the first field on either side of the present one, if no range is set. */
const NEIGHBOR_ROWS = 10;

/** Examined settings of two fields. */
export interface ExaminedRows {
  /** Step between examined values of the first field, in its own steps: 1 if all were examined. */
  readonly step: number;
  /** True if every setting of both ranges was examined. */
  readonly allExamined: boolean;
}

/** Lists the values of the first field from the present one outwards, so that each has a known neighbor. */
function listOutwards({ low, high, present, isUserRange }: BalanceAxis, step: number): number[] {
  const reach = isUserRange ? Math.max(high - present, present - low) : NEIGHBOR_ROWS;
  const offsets = Array.from({ length: Math.floor(reach / step) }, (_, i) => (i + 1) * step);
  return [present, ...offsets.flatMap((offset) => [present - offset, present + offset])].filter(
    (k) => k >= low && k <= high,
  );
}

/** Finds the reading whose value is closest to a number. */
function findClosest(readings: readonly SettingEvaluation[], wanted: number): SettingEvaluation | undefined {
  return [...readings].sort((a, b) => Math.abs(a.value - wanted) - Math.abs(b.value - wanted))[0];
}

/** Chooses the affordable part of two ranges, based on the settings at their ends. */
async function chooseRows(one: BalanceAxis, two: BalanceAxis, gauge: SettingEvaluator): Promise<ExaminedRows> {
  if (!one.isUserRange) return { step: 1, allExamined: false };
  const known: SettingEvaluation[] = [];
  for (const k of [one.low, one.high])
    for (const m of two.isUserRange ? [two.low, two.high] : [two.present]) {
      const reading = await gauge.evaluate([computeAxisValue(one, k), computeAxisValue(two, m)]);
      if (reading !== undefined) known.push(reading);
    }
  const steps = Math.max(1, ...known.map((reading) => reading.steps));
  const exact = known.every((reading) => reading.exact);
  const rows = countValues(one.low, one.high);
  const settings = rows * countValues(two.low, two.high);
  const whole = exact && two.isUserRange && settings <= FULL_GRID_MAX && settings * steps <= PAIR_STEPS;
  const most = exact
    ? Math.max(ROWS, Math.min(FULL_SCAN_MAX, Math.floor(PAIR_STEPS / (ROW_EVALUATIONS * steps))))
    : ROWS;
  return { step: whole ? 1 : Math.ceil(rows / most), allExamined: whole };
}

/**
 * Searches the second field for each value of the first. Examines every setting if exact answers for all of them are
 * affordable. Otherwise searches the present value of the first field as a line, and each other one near the result of
 * its neighbor. In a range with too many values, only every second, third, ... is examined.
 * @returns for each examined value of the first field that the scenario allows, in ascending order, the closest
 *   reading
 */
async function searchPairs(
  one: BalanceAxis,
  two: BalanceAxis,
  gauge: SettingEvaluator,
  wanted: number,
): Promise<Required<Pick<SearchData, 'pairs' | 'rows'>>> {
  const found = new Map<number, SettingEvaluation>();
  const rows = await chooseRows(one, two, gauge);
  const getNeighbor = (k: number): SettingEvaluation | undefined => {
    const [nearest] = [...found.keys()].sort((a, b) => Math.abs(a - k) - Math.abs(b - k));
    return nearest === undefined ? undefined : found.get(nearest);
  };
  for (const k of listOutwards(one, rows.step)) {
    const createAnalysis = (m: number): Promise<SettingEvaluation | undefined> =>
      gauge.evaluate([computeAxisValue(one, k), computeAxisValue(two, m)]);
    const near = rows.allExamined ? undefined : getNeighbor(k)?.values[1];
    const from = near === undefined ? undefined : Math.round(near / two.step);
    const line = await (rows.allExamined
      ? scanEveryValue(two, createAnalysis)
      : from === undefined
        ? searchLine(two, createAnalysis, gauge.announce)
        : findNearbyCrossing(two, createAnalysis, from));
    const row = findClosest(line.evaluations, wanted);
    if (row !== undefined) found.set(k, row);
  }
  return { pairs: [...found].sort(([a], [b]) => a - b).map(([, row]) => row), rows };
}

// Searches the settings of one, two or more fields, with a method for each number of fields.

/** Maximum number of divisions by ten of the step of a decimal field. */
const REFINEMENTS = 6;

/** Search data, without the readings of the gauge. */
export interface SearchData {
  /** For one field. */
  readonly line?: LineSearchResult;
  /** For two fields: for each value of the first, in ascending order, the reading closest to the target. */
  readonly pairs?: readonly SettingEvaluation[];
  readonly rows?: ExaminedRows;
  /** For three or more fields. */
  readonly neighborhood?: SearchReport;
  /** False if the signal stopped the search. */
  readonly finished: boolean;
}

/** Refines a crossing in ever smaller steps until a value meets the target. */
async function refineCrossing(coarse: BalanceAxis, crossing: Crossing, gauge: SettingEvaluator): Promise<Crossing> {
  let [axis, found] = [coarse, crossing];
  for (let turn = 0; turn < REFINEMENTS && !found.some((reading) => gauge.isMatch(reading)); turn++) {
    axis = refineAxis(axis);
    const [low = 0, high = 0] = found.map(({ values: [value = 0] }) => Math.round(value / axis.step));
    const part = { ...axis, low, high, present: low, reach: high - low };
    const { crossings } = await searchLine(part, (k) => gauge.evaluate([computeAxisValue(part, k)]), gauge.announce);
    const [next] = crossings;
    // No value between them is allowed, or can be distinguished from the target.
    if (next === undefined || next.every((reading, end) => reading === found[end])) return found;
    found = next;
  }
  return found;
}

async function searchOne(axis: BalanceAxis, gauge: SettingEvaluator): Promise<LineSearchResult> {
  const line = await searchLine(axis, (k) => gauge.evaluate([computeAxisValue(axis, k)]), gauge.announce);
  if (axis.integer) return line;
  const crossings: Crossing[] = [];
  for (const crossing of line.crossings) crossings.push(await refineCrossing(axis, crossing, gauge));
  // The range of a decimal field is never completely examined.
  return { ...line, crossings, isWhole: false, isComplete: false };
}

/** Searches around the present setting, and if nothing near meets the target, along each field. */
async function searchMany(axes: readonly BalanceAxis[], gauge: SettingEvaluator): Promise<SearchReport> {
  const near = await searchNear(axes, gauge);
  if (near.meets) return near;
  for (const [a, axis] of axes.entries()) {
    const getValuesAlong = (k: number): number[] =>
      axes.map((other, b) => computeAxisValue(other, a === b ? k : other.present));
    await searchLine(axis, (k) => gauge.evaluate(getValuesAlong(k)), gauge.announce);
  }
  return near;
}

async function searchAxes(
  axes: readonly BalanceAxis[],
  gauge: SettingEvaluator,
  wanted: number,
): Promise<Omit<SearchData, 'finished'>> {
  const [one, two, ...others] = axes;
  if (one === undefined) return {};
  if (two === undefined) return { line: await searchOne(one, gauge) };
  if (others.length === 0) return await searchPairs(one, two, gauge, wanted);
  return { neighborhood: await searchMany(axes, gauge) };
}

/**
 * @param present values of the scenario in the fields; undefined if one of them is not a number
 * @param wanted the target
 */
export async function searchSettings(
  axes: readonly BalanceAxis[],
  gauge: SettingEvaluator,
  present: readonly number[] | undefined,
  wanted: number,
): Promise<SearchData> {
  try {
    if (present !== undefined) await gauge.evaluate(present);
    return { ...(await searchAxes(axes, gauge, wanted)), finished: true };
  } catch (error) {
    if (error instanceof EvaluationStopped) return { finished: false };
    throw error;
  }
}
