/** Sweeps of one or two fields: the cells of a sweep file, played and solved as the command line does. */
import { stringify } from 'yaml';
import { pause } from '#platform/pause';
import { BudgetError, InputError, RunError } from '../../src/core/index.ts';
import { sideBudget } from '../../src/engines/index.ts';
import { type Counts, checkWith, opened, type Scenario, stepsOf, valueAt } from '../../src/rules/index.ts';
import { solveWithin } from '../../src/studies/index.ts';
import {
  commandLine,
  gather,
  headOf,
  intervalText,
  keyOf,
  type Line,
  linesPicture,
  mapPicture,
  type Picture,
  placeText,
  type Quantity,
  readingText,
  type ShownSide,
  scaleOf,
  settingsOf,
  sidesOf,
  type Tile,
  titleOf,
  toldOf,
  type View,
  valueText,
  viewOf,
} from '../../src/tell/index.ts';
import {
  type AxisValue,
  makeCell,
  openSweep,
  type Row,
  rowNames,
  type StoredAxis,
  type Sweep,
  schema,
  storedAxis,
  sweepHash,
  tableRecord,
  tidyRows,
} from '../../src/work/index.ts';
import { scenarioOf } from './check.ts';
import { CELLS_MAX, LINE_MAX, SIDE_MAX } from './limits.ts';
import { type Change, csvOf, type Drawn, draw } from './pictures.ts';
import type { SheetPart } from './sheet.ts';
import { stemOf } from './stem.ts';
import { signalOf, solvable } from './task.ts';
import { Watched } from './watched.ts';

/** A field and its values. */
export type SweptField =
  | { readonly path: string; readonly range: readonly [low: number, high: number]; readonly step: number }
  | { readonly path: string; readonly values: readonly (number | string | boolean)[] };

export interface SweepAsk {
  readonly text: string;
  readonly file: string;
  readonly seed: string;
  /** One or two. */
  readonly axes: readonly SweptField[];
  readonly exact: 'auto' | 'always' | 'never';
  /** Of each cell; 0 with `exact: always` alone. */
  readonly battles: number;
  /** Half-width of the intervals of all outcomes; `battles` does not count then. */
  readonly precision?: number | undefined;
}

/** A sweep as the command line reads it. */
export interface SweepFile {
  readonly yaml: string;
  readonly yamlName: string;
  readonly command: string;
}

/** What is known of a sweep before it is played. */
export interface SweepPlan extends SweepFile {
  /** Sweeps of one hash have the same cells with the same results. */
  readonly hash: string;
  readonly points: number;
  readonly axes: readonly StoredAxis[];
  /** What the scenario itself has of the axes. */
  readonly here: Row['axes'];
  /** The name of the scenario, the game, the units and the settings. */
  readonly battle: string;
  /** What metrics are counted in. */
  readonly counts: Counts;
  /** The sides of the scenario, for their colours. */
  readonly sides: readonly ShownSide[];
}

/** What came of some cells. */
export interface SweepPart {
  readonly rows: readonly Row[];
  /** Points that are done with these. */
  readonly points: readonly number[];
  /** Points whose scenario is refused, and why. */
  readonly refused: readonly (readonly [point: number, why: string])[];
}

/** Milliseconds between two messages to the page. */
const TELL_EVERY = 120;

const PLACE = 'sweep';

function contentOf({ axes, exact, battles, precision, seed }: SweepAsk) {
  const small = Number(seed) <= Number.MAX_SAFE_INTEGER;
  return {
    axes: axes.map((axis) => ({ ...axis })),
    ...(precision === undefined ? { battles } : { precision }),
    exact,
    seed: small ? Number(seed) : seed,
  };
}

/** Refuses more than can be drawn. */
function checkSize({ points, columns }: Sweep): void {
  const most = columns.length === 1 ? LINE_MAX : SIDE_MAX;
  for (const { name, labels = [] } of columns) {
    if (labels.length <= most) continue;
    const expected = `at most ${String(most)} values in the page (a larger step, or the command line)`;
    throw new InputError(name, expected, String(labels.length));
  }
  if (points > CELLS_MAX) throw new InputError(PLACE, `at most ${String(CELLS_MAX)} cells in the page`, String(points));
}

/** The sweep that is asked for. @throws InputError for whatever is wrong with it */
function sweepOf(ask: SweepAsk, scenario: Scenario): Sweep {
  const value = { scenario: '-', ...contentOf(ask) };
  const { scenario: _, ...file } = checkWith(schema, { value, spot: undefined, problems: [], place: () => PLACE });
  const sweep = openSweep({ ...file, scenario }, PLACE);
  checkSize(sweep);
  return sweep;
}

/** The sweep as a file, with the scenario in it. */
function fileOf(ask: SweepAsk, { system, ...fields }: Scenario): SweepFile {
  const name = `${stemOf(ask.file)}-sweep`;
  const yamlName = `${name}.yaml`;
  return {
    yaml: stringify({ scenario: { system, ...fields }, ...contentOf(ask) }, { lineWidth: 0 }),
    yamlName,
    command: commandLine('sweep', { file: yamlName }, '--out', name),
  };
}

/** Returns `Combined arms on land (Axis & Allies: 4 infantry against 5 infantry), defender.losses gun`. */
function battleText(scenario: Scenario): string {
  const { title, system } = toldOf({ scenario });
  const set = settingsOf(scenario).filter(({ isDefault }) => !isDefault);
  return [`${title} (${system})`, ...set.map(({ path, value }) => `${path} ${value}`)].join(', ');
}

/** What a field has, where it is something that an axis can have. */
function hereOf(scenario: Scenario, path: string): AxisValue {
  const value = valueAt(scenario, stepsOf(path));
  return ['number', 'string', 'boolean'].includes(typeof value) ? (value as AxisValue) : null;
}

function plan(ask: SweepAsk, scenario: Scenario): SweepPlan {
  const sweep = sweepOf(ask, scenario);
  return {
    ...fileOf(ask, scenario),
    hash: sweepHash(sweep.spec),
    points: sweep.points,
    axes: sweep.columns.map((column) => storedAxis(column, scenario)),
    here: Object.fromEntries(sweep.columns.map(({ name }) => [name, hereOf(scenario, name)])),
    battle: battleText(scenario),
    counts: opened(scenario).system.counts ?? {},
    sides: sidesOf(scenario),
  };
}

type Open = { -readonly [K in keyof SweepPart]: SweepPart[K][number][] };

/** Gets what came; over a channel it gives a promise that resolves when the part has arrived. */
type Tell = (part: SweepPart) => unknown;

/** Sends what came now and then. */
class Telling {
  readonly #tell: Tell;
  readonly #sent: unknown[] = [];
  #part: Open = { rows: [], points: [], refused: [] };
  #last = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  add(part: Partial<SweepPart>): void {
    this.#part.rows.push(...(part.rows ?? []));
    this.#part.points.push(...(part.points ?? []));
    this.#part.refused.push(...(part.refused ?? []));
    if (performance.now() - this.#last > TELL_EVERY) this.send();
  }

  send(): void {
    this.#last = performance.now();
    this.#sent.push(this.#tell(this.#part));
    this.#part = { rows: [], points: [], refused: [] };
  }

  /** Sends the rest. Over when all parts have arrived: a result comes by another channel, and could be there before them. */
  async end(): Promise<void> {
    this.send();
    await Promise.all(this.#sent);
  }
}

const NOBODY = (): void => undefined;

/** Some hundredths of a second: there are many cells. */
const SMALL = sideBudget(1);

/** The points at which every axis is at one of its ends; the last axis goes fastest. */
function cornersOf({ columns }: Sweep): number[] {
  return columns.reduce<number[]>(
    (points, { labels = [] }) => {
      const ends = new Set([0, labels.length - 1]);
      return points.flatMap((point) => [...ends].map((end) => point * labels.length + end));
    },
    [0],
  );
}

function isSmall(scenario: Scenario): boolean {
  try {
    solveWithin(scenario, SMALL);
    return true;
  } catch (error) {
    if (error instanceof BudgetError) return false;
    throw error;
  }
}

/** The rows of a point; nothing where it was stopped. */
async function pointOf(sweep: Sweep, point: number, signal: AbortSignal): Promise<Partial<SweepPart> | undefined> {
  try {
    const cell = sweep.cell(point);
    if (cell === undefined) return { points: [point] };
    const result = await makeCell(cell, sweep, { players: new Watched(NOBODY), signal });
    return { points: [point], rows: tidyRows(result, sweep) };
  } catch (error) {
    if (signal.aborted && error instanceof RunError) return undefined;
    // A scenario that cannot be is a hole in the map.
    if (error instanceof Error && error.name.startsWith('InputError')) return { refused: [[point, error.message]] };
    throw error;
  }
}

export const sweep = {
  /** What a sweep will be. @throws InputError for whatever is wrong with it or its scenario */
  sweepPlan(ask: SweepAsk): SweepPlan {
    return plan(ask, scenarioOf(ask.text));
  },

  /** The sweep for the command line, which has no limit on cells. @throws InputError for the scenario */
  sweepFile(ask: SweepAsk): SweepFile {
    return fileOf(ask, scenarioOf(ask.text));
  },

  /**
   * Whether exact answers of all cells come at once: they do between the ends of the axes where they do there.
   * @throws InputError for whatever is wrong with the sweep or its scenario
   */
  async sweepIsSmall(ask: SweepAsk): Promise<boolean> {
    const asked = sweepOf(ask, await solvable(ask.text));
    for (const corner of cornersOf(asked)) {
      await pause();
      try {
        const cell = asked.cell(corner);
        if (cell !== undefined && !isSmall(cell.scenario)) return false;
      } catch (error) {
        // A corner that the scenario does not allow says nothing of the others.
        if (!(error instanceof Error) || !error.name.startsWith('InputError')) throw error;
      }
    }
    return true;
  },

  /**
   * Plays and solves the cells that are not there yet, in their order.
   * @param done points that are there
   * @param tell gets what came, some times a second; all of it before the promise resolves
   * @returns whether all points are done; false if it was stopped
   * @throws BudgetError if exact answers are demanded and one is too large
   */
  async sweep(ask: SweepAsk, done: readonly number[], task: number, tell: Tell): Promise<boolean> {
    const asked = sweepOf(ask, await solvable(ask.text));
    const there = new Set(done);
    const signal = signalOf(task);
    const telling = new Telling(tell);
    for (let point = 0; point < asked.points; point++) {
      if (there.has(point)) continue;
      await pause();
      const came = signal.aborted ? undefined : await pointOf(asked, point, signal);
      if (came === undefined) {
        await telling.end();
        return false;
      }
      telling.add(came);
    }
    await telling.end();
    return true;
  },

  /** The rows as `warpool export` writes them. */
  sweepCsv(rows: readonly Row[], axes: readonly StoredAxis[]): string {
    const ordered = rows.toSorted((a, b) => a.cell - b.cell);
    return csvOf(
      rowNames(axes),
      ordered.map((row) => tableRecord(row, axes)),
    );
  },
};

// What came of a sweep as a picture, and the same numbers as a table.

export interface SweepShow {
  readonly plan: Pick<SweepPlan, 'axes' | 'counts' | 'sides' | 'here'>;
  /** Several along one field alone: all outcomes. */
  readonly of: readonly Quantity[];
  /** As far as they are of those quantities. */
  readonly rows: readonly Row[];
  /** Small print of the picture. */
  readonly footer: string;
}

/** A cell that is drawn. */
export interface Spot {
  /** Classes of the first and the second field. */
  readonly x: number;
  readonly y: number;
  /** Where it lies, as marks of the picture begin: `attacker’s hit points 30, defender’s hit points 29`. */
  readonly place: string;
  /** What it is, in a line for each quantity. */
  readonly lines: readonly string[];
  /** What makes its scenario of the one that is swept. */
  readonly changes: readonly Change[];
  /** It is the scenario itself. */
  readonly here: boolean;
}

export interface SweepShown {
  readonly picture: Drawn;
  readonly title: string;
  /** What is drawn, in the order of the sweep. */
  readonly spots: readonly Spot[];
  readonly table: Extract<SheetPart, { kind: 'table' }>;
}

type Table = SweepShown['table'];

const number = (head: string) => ({ head, number: true });

/** A row for each value: what was found, with its interval. */
function lineTable(lines: readonly Line[], { x }: View): Table {
  const heads = [
    number(x?.title ?? ''),
    ...lines.flatMap(({ quantity }) => [number(headOf(quantity)), { head: '95 % interval', number: true }]),
  ];
  const rows = (x?.labels ?? []).map((label, at) => [
    label,
    ...lines.flatMap(({ quantity, tiles }) => {
      const reading = tiles.find((tile) => tile.x === at)?.reading;
      if (reading === undefined) return ['', ''];
      return [valueText(scaleOf(quantity), reading), intervalText(scaleOf(quantity), reading) || 'exact'];
    }),
  ]);
  return { kind: 'table', heads, rows };
}

/** A row for each value of the second field, the highest first as in the heat map; a column for each of the first. */
function mapTable(quantity: Quantity, tiles: readonly Tile[], { x, y }: View): Table {
  const found = new Map(tiles.map((tile) => [`${String(tile.x)} ${String(tile.y)}`, tile]));
  const heads = [number(`${y?.title ?? ''} \\ ${x?.title ?? ''}`), ...(x?.labels ?? []).map(number)];
  const rows = (y?.labels ?? []).map((label, row) => [
    label,
    ...(x?.labels ?? []).map((_, column) => {
      const tile = found.get(`${String(column)} ${String(row)}`);
      return tile === undefined ? '' : valueText(scaleOf(quantity), tile.reading ?? tile);
    }),
  ]);
  return { kind: 'table', heads, rows: rows.toReversed() };
}

function titleFor(of: readonly Quantity[], counts: SweepShow['plan']['counts']): string {
  const [first] = of;
  if (first === undefined || of.length > 1) return 'probability of outcomes';
  return titleOf(first, counts);
}

/** Rows as a store gives them. */
// eslint-disable-next-line @typescript-eslint/require-await -- they are there already
async function* given(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

/** With the place of the scenario itself, if it is one of the cells. */
function marked(view: View, here: Row['axes']): View {
  const [x, y] = [view.x, view.y].map((classes) => classes?.of(here[classes.axis]));
  if (x === undefined || (view.y !== undefined && y === undefined)) return view;
  return { ...view, here: [x, y ?? 0] };
}

function spotsOf(lines: readonly Line[], { here }: View, axes: SweepPlan['axes']): Spot[] {
  const spots = new Map<number, Spot>();
  for (const { quantity, tiles } of lines)
    for (const { x, y, reading } of tiles) {
      if (reading === undefined) continue;
      const before = spots.get(reading.cell)?.lines ?? [];
      spots.set(reading.cell, {
        ...{ x, y },
        place: placeText(reading.axes, axes),
        lines: [...before, readingText(quantity, reading)],
        changes: axes.flatMap(({ name, paths }) => paths.map((path): Change => [path, reading.axes[name]])),
        here: here !== undefined && x === here[0] && y === here[1],
      });
    }
  return [...spots].toSorted(([a], [b]) => a - b).map(([, spot]) => spot);
}

export const sweepPictures = {
  /** Draws a line along one field, or a map of two; cells that are not there yet are left out. */
  async sweepShow({ plan, of, rows, footer }: SweepShow): Promise<SweepShown> {
    const { axes, counts, sides, here } = plan;
    const [x, y] = axes.map(({ name }) => name);
    const view = marked(viewOf({ axes, design: 'grid' }, { x, y }, []), here);
    const { tiles } = await gather({ parts: () => given(rows) }, { quantities: of, view, mean: 0 });
    const all = of.map((quantity): Line => ({ quantity, tiles: tiles.get(keyOf(quantity)) ?? [] }));
    const comes = all.filter((line) => line.tiles.some(({ value }) => value > 0));
    const lines = comes.length > 0 ? comes : all;
    const [first] = lines;
    if (first === undefined) throw new TypeError('a picture of nothing was asked for');
    const flat = y === undefined;
    const picture: Picture = flat
      ? linesPicture(lines, view, counts, sides)
      : mapPicture(first.quantity, view, first.tiles, counts, sides);
    const table = flat ? lineTable(lines, view) : mapTable(first.quantity, first.tiles, view);
    const spots = spotsOf(all, view, axes);
    return { picture: await draw(picture, footer, 'sweep'), title: titleFor(of, counts), spots, table };
  },
};
