/** Sweeps of one or two fields: the cells of a sweep file, played and solved as the command line does. */
import { stringify } from 'yaml';
import { pause } from '#platform/pause';
import { solveWithBudget } from '../../../src/analysis/index.ts';
import { BudgetError, InputError, RunError } from '../../../src/core/index.ts';
import { createSideBudget } from '../../../src/engines/index.ts';
import {
  type CellTile,
  type ChartLine,
  collectFigureData,
  createHeatMap,
  createLineChart,
  createSharedAnswer,
  createSweepView,
  type Figure,
  formatCellPlace,
  formatCommandLine,
  formatInterval,
  formatQuantityHeading,
  formatQuantityTitle,
  formatReading,
  formatValue,
  getQuantityKey,
  getScale,
  getSides,
  listSettings,
  type ScenarioSide,
  type SweepQuantity,
  type SweepView,
} from '../../../src/report/index.ts';
import {
  checkBySchema,
  getBoundScenario,
  getValueAt,
  type MetricLabels,
  type Scenario,
  splitPath,
} from '../../../src/rules/index.ts';
import {
  type AxisValue,
  computeCell,
  computeSweepHash,
  createRows,
  createStoredAxis,
  createTableRecord,
  listRowColumns,
  openSweep,
  type ResultRow,
  type StoredAxis,
  type Sweep,
  schema,
} from '../../../src/storage/index.ts';
import { parseScenarioText } from '../editing/check.ts';
import { getFileStem } from '../file-stem.ts';
import { formatCsv, type PathChange, type RenderedFigure, renderFigure } from '../output/figures.ts';
import type { SheetPart } from '../output/sheet.ts';
import { ProgressiveRunner } from '../progressive-runner.ts';
import { getSignal, loadSolvableScenario } from '../task.ts';
import { CELLS_MAX, LINE_MAX, SIDE_MAX } from './limits.ts';

/** A field and its values. */
export type SweptField =
  | { readonly path: string; readonly range: readonly [low: number, high: number]; readonly step: number }
  | { readonly path: string; readonly values: readonly (number | string | boolean)[] };

export interface SweepRequest {
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
export interface SweepFileText {
  readonly yaml: string;
  readonly yamlName: string;
  readonly command: string;
}

/** What is known of a sweep before it is played. */
export interface SweepPlan extends SweepFileText {
  /** Sweeps of one hash have the same cells with the same results. */
  readonly hash: string;
  readonly points: number;
  readonly axes: readonly StoredAxis[];
  /** What the scenario itself has of the axes. */
  readonly here: ResultRow['axes'];
  /** The name of the scenario, the game, the units and the settings. */
  readonly battle: string;
  /** What metrics are counted in. */
  readonly counts: MetricLabels;
  /** The sides of the scenario, for their colours. */
  readonly sides: readonly ScenarioSide[];
}

/** What came of some cells. */
export interface SweepProgressPart {
  readonly rows: readonly ResultRow[];
  /** Points that are done with these. */
  readonly points: readonly number[];
  /** Points whose scenario is refused, and why. */
  readonly rejected: readonly (readonly [point: number, why: string])[];
}

/** Milliseconds between two messages to the page. */
const MESSAGE_INTERVAL = 120;

const SOURCE_NAME = 'sweep';

function createSweepContent({ axes, exact, battles, precision, seed }: SweepRequest) {
  const small = Number(seed) <= Number.MAX_SAFE_INTEGER;
  return {
    axes: axes.map((axis) => ({ ...axis })),
    ...(precision === undefined ? { battles } : { precision }),
    exact,
    seed: small ? Number(seed) : seed,
  };
}

/** Refuses more than can be drawn. */
function checkSweepSize({ points, columns }: Sweep): void {
  const most = columns.length === 1 ? LINE_MAX : SIDE_MAX;
  for (const { name, labels = [] } of columns) {
    if (labels.length <= most) continue;
    const expected = `at most ${String(most)} values in the web app (increase the step or use the command line)`;
    throw new InputError(name, expected, String(labels.length));
  }
  if (points > CELLS_MAX)
    throw new InputError(SOURCE_NAME, `at most ${String(CELLS_MAX)} cells in the web app`, String(points));
}

/** The sweep that is asked for. @throws InputError for whatever is wrong with it */
function createSweep(ask: SweepRequest, scenario: Scenario): Sweep {
  const value = { scenario: '-', ...createSweepContent(ask) };
  const { scenario: _, ...file } = checkBySchema(schema, {
    value,
    spot: undefined,
    problems: [],
    place: () => SOURCE_NAME,
  });
  const sweep = openSweep({ ...file, scenario }, SOURCE_NAME);
  checkSweepSize(sweep);
  return sweep;
}

/** The sweep as a file, with the scenario in it. */
function createSweepFile(ask: SweepRequest, { system, ...fields }: Scenario): SweepFileText {
  const name = `${getFileStem(ask.file)}-sweep`;
  const yamlName = `${name}.yaml`;
  return {
    yaml: stringify({ scenario: { system, ...fields }, ...createSweepContent(ask) }, { lineWidth: 0 }),
    yamlName,
    command: formatCommandLine('sweep', { file: yamlName }, '--out', name),
  };
}

/** Returns `Combined arms on land (Axis & Allies: 4 infantry against 5 infantry), defender.losses gun`. */
function formatBattle(scenario: Scenario): string {
  const { title, system } = createSharedAnswer({ scenario });
  const set = listSettings(scenario).filter(({ isDefault }) => !isDefault);
  return [`${title} (${system})`, ...set.map(({ path, value }) => `${path} ${value}`)].join(', ');
}

/** What a field has, where it is something that an axis can have. */
function getCurrentValue(scenario: Scenario, path: string): AxisValue {
  const value = getValueAt(scenario, splitPath(path));
  return ['number', 'string', 'boolean'].includes(typeof value) ? (value as AxisValue) : null;
}

function createPlan(ask: SweepRequest, scenario: Scenario): SweepPlan {
  const sweep = createSweep(ask, scenario);
  return {
    ...createSweepFile(ask, scenario),
    hash: computeSweepHash(sweep.spec),
    points: sweep.points,
    axes: sweep.columns.map((column) => createStoredAxis(column, scenario)),
    here: Object.fromEntries(sweep.columns.map(({ name }) => [name, getCurrentValue(scenario, name)])),
    battle: formatBattle(scenario),
    counts: getBoundScenario(scenario).system.counts ?? {},
    sides: getSides(scenario),
  };
}

type MutableSweepPart = { -readonly [K in keyof SweepProgressPart]: SweepProgressPart[K][number][] };

/** Gets what came; over a channel it gives a promise that resolves when the part has arrived. */
type SweepPartListener = (part: SweepProgressPart) => unknown;

/** Sends what came now and then. */
class SweepPartSender {
  readonly #tell: SweepPartListener;
  readonly #sent: unknown[] = [];
  #part: MutableSweepPart = { rows: [], points: [], rejected: [] };
  #last = 0;

  constructor(tell: SweepPartListener) {
    this.#tell = tell;
  }

  add(part: Partial<SweepProgressPart>): void {
    this.#part.rows.push(...(part.rows ?? []));
    this.#part.points.push(...(part.points ?? []));
    this.#part.rejected.push(...(part.rejected ?? []));
    if (performance.now() - this.#last > MESSAGE_INTERVAL) this.send();
  }

  send(): void {
    this.#last = performance.now();
    this.#sent.push(this.#tell(this.#part));
    this.#part = { rows: [], points: [], rejected: [] };
  }

  /** Sends the rest. Over when all parts have arrived: a result comes by another channel, and could be there before them. */
  async end(): Promise<void> {
    this.send();
    await Promise.all(this.#sent);
  }
}

const noop = (): void => undefined;

/** Some hundredths of a second: there are many cells. */
const SMALL_BUDGET = createSideBudget(1);

/** The points at which every axis is at one of its ends; the last axis goes fastest. */
function listCornerPoints({ columns }: Sweep): number[] {
  return columns.reduce<number[]>(
    (points, { labels = [] }) => {
      const ends = new Set([0, labels.length - 1]);
      return points.flatMap((point) => [...ends].map((end) => point * labels.length + end));
    },
    [0],
  );
}

function isSmallScenario(scenario: Scenario): boolean {
  try {
    solveWithBudget(scenario, SMALL_BUDGET);
    return true;
  } catch (error) {
    if (error instanceof BudgetError) return false;
    throw error;
  }
}

/** The rows of a point; nothing where it was stopped. */
async function computePoint(
  sweep: Sweep,
  point: number,
  signal: AbortSignal,
): Promise<Partial<SweepProgressPart> | undefined> {
  try {
    const cell = sweep.cell(point);
    if (cell === undefined) return { points: [point] };
    const result = await computeCell(cell, sweep, { players: new ProgressiveRunner(noop), signal });
    return { points: [point], rows: createRows(result, sweep) };
  } catch (error) {
    if (signal.aborted && error instanceof RunError) return undefined;
    // A scenario that cannot be is a hole in the map.
    if (error instanceof Error && error.name.startsWith('InputError')) return { rejected: [[point, error.message]] };
    throw error;
  }
}

export const sweep = {
  /** What a sweep will be. @throws InputError for whatever is wrong with it or its scenario */
  sweepPlan(ask: SweepRequest): SweepPlan {
    return createPlan(ask, parseScenarioText(ask.text));
  },

  /** The sweep for the command line, which has no limit on cells. @throws InputError for the scenario */
  sweepFile(ask: SweepRequest): SweepFileText {
    return createSweepFile(ask, parseScenarioText(ask.text));
  },

  /**
   * Whether exact answers of all cells come at once: they do between the ends of the axes where they do there.
   * @throws InputError for whatever is wrong with the sweep or its scenario
   */
  async sweepIsSmall(ask: SweepRequest): Promise<boolean> {
    const asked = createSweep(ask, await loadSolvableScenario(ask.text));
    for (const corner of listCornerPoints(asked)) {
      await pause();
      try {
        const cell = asked.cell(corner);
        if (cell !== undefined && !isSmallScenario(cell.scenario)) return false;
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
  async sweep(ask: SweepRequest, done: readonly number[], task: number, tell: SweepPartListener): Promise<boolean> {
    const asked = createSweep(ask, await loadSolvableScenario(ask.text));
    const there = new Set(done);
    const signal = getSignal(task);
    const telling = new SweepPartSender(tell);
    for (let point = 0; point < asked.points; point++) {
      if (there.has(point)) continue;
      await pause();
      const came = signal.aborted ? undefined : await computePoint(asked, point, signal);
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
  sweepCsv(rows: readonly ResultRow[], axes: readonly StoredAxis[]): string {
    const ordered = rows.toSorted((a, b) => a.cell - b.cell);
    return formatCsv(
      listRowColumns(axes),
      ordered.map((row) => createTableRecord(row, axes)),
    );
  },
};

// What came of a sweep as a picture, and the same numbers as a table.

export interface SweepFigureRequest {
  readonly plan: Pick<SweepPlan, 'axes' | 'counts' | 'sides' | 'here'>;
  /** Several along one field alone: all outcomes. */
  readonly of: readonly SweepQuantity[];
  /** As far as they are of those quantities. */
  readonly rows: readonly ResultRow[];
  /** Small print of the picture. */
  readonly footer: string;
}

/** A cell that is drawn. */
export interface SweepCellView {
  /** Classes of the first and the second field. */
  readonly x: number;
  readonly y: number;
  /** Where it lies, as marks of the picture begin: `attacker’s hit points 30, defender’s hit points 29`. */
  readonly place: string;
  /** What it is, in a line for each quantity. */
  readonly lines: readonly string[];
  /** What makes its scenario of the one that is swept. */
  readonly changes: readonly PathChange[];
  /** It is the scenario itself. */
  readonly here: boolean;
}

export interface SweepFigureView {
  readonly picture: RenderedFigure;
  readonly title: string;
  /** What is drawn, in the order of the sweep. */
  readonly cells: readonly SweepCellView[];
  readonly table: Extract<SheetPart, { kind: 'table' }>;
}

type SweepTable = SweepFigureView['table'];

const createNumberHead = (head: string) => ({ head, number: true });

/** A row for each value: what was found, with its interval. */
function createLineTable(lines: readonly ChartLine[], { x }: SweepView): SweepTable {
  const heads = [
    createNumberHead(x?.title ?? ''),
    ...lines.flatMap(({ quantity }) => [
      createNumberHead(formatQuantityHeading(quantity)),
      { head: '95 % interval', number: true },
    ]),
  ];
  const rows = (x?.labels ?? []).map((label, at) => [
    label,
    ...lines.flatMap(({ quantity, tiles }) => {
      const reading = tiles.find((tile) => tile.x === at)?.reading;
      if (reading === undefined) return ['', ''];
      return [formatValue(getScale(quantity), reading), formatInterval(getScale(quantity), reading) || 'exact'];
    }),
  ]);
  return { kind: 'table', heads, rows };
}

/** A row for each value of the second field, the highest first as in the heat map; a column for each of the first. */
function createMapTable(quantity: SweepQuantity, tiles: readonly CellTile[], { x, y }: SweepView): SweepTable {
  const found = new Map(tiles.map((tile) => [`${String(tile.x)} ${String(tile.y)}`, tile]));
  const heads = [
    createNumberHead(`${y?.title ?? ''} \\ ${x?.title ?? ''}`),
    ...(x?.labels ?? []).map(createNumberHead),
  ];
  const rows = (y?.labels ?? []).map((label, row) => [
    label,
    ...(x?.labels ?? []).map((_, column) => {
      const tile = found.get(`${String(column)} ${String(row)}`);
      return tile === undefined ? '' : formatValue(getScale(quantity), tile.reading ?? tile);
    }),
  ]);
  return { kind: 'table', heads, rows: rows.toReversed() };
}

function createFigureTitle(of: readonly SweepQuantity[], counts: SweepFigureRequest['plan']['counts']): string {
  const [first] = of;
  if (first === undefined || of.length > 1) return 'probability of outcomes';
  return formatQuantityTitle(first, counts);
}

/** Rows as a store gives them. */
// eslint-disable-next-line @typescript-eslint/require-await -- they are there already
async function* streamRows(rows: readonly ResultRow[]): AsyncGenerator<readonly ResultRow[]> {
  yield rows;
}

/** With the place of the scenario itself, if it is one of the cells. */
function markCurrentCell(view: SweepView, here: ResultRow['axes']): SweepView {
  const [x, y] = [view.x, view.y].map((classes) => classes?.of(here[classes.axis]));
  if (x === undefined || (view.y !== undefined && y === undefined)) return view;
  return { ...view, currentCell: [x, y ?? 0] };
}

function createCellViews(
  lines: readonly ChartLine[],
  { currentCell }: SweepView,
  axes: SweepPlan['axes'],
): SweepCellView[] {
  const spots = new Map<number, SweepCellView>();
  for (const { quantity, tiles } of lines)
    for (const { x, y, reading } of tiles) {
      if (reading === undefined) continue;
      const before = spots.get(reading.cell)?.lines ?? [];
      spots.set(reading.cell, {
        ...{ x, y },
        place: formatCellPlace(reading.axes, axes),
        lines: [...before, formatReading(quantity, reading)],
        changes: axes.flatMap(({ name, paths }) => paths.map((path): PathChange => [path, reading.axes[name]])),
        here: currentCell !== undefined && x === currentCell[0] && y === currentCell[1],
      });
    }
  return [...spots].toSorted(([a], [b]) => a - b).map(([, spot]) => spot);
}

export const sweepPictures = {
  /** Draws a line along one field, or a map of two; cells that are not there yet are left out. */
  async sweepShow({ plan, of, rows, footer }: SweepFigureRequest): Promise<SweepFigureView> {
    const { axes, counts, sides, here } = plan;
    const [x, y] = axes.map(({ name }) => name);
    const view = markCurrentCell(createSweepView({ axes, design: 'grid' }, { x, y }, []), here);
    const { tiles } = await collectFigureData({ parts: () => streamRows(rows) }, { quantities: of, view, mean: 0 });
    const all = of.map((quantity): ChartLine => ({ quantity, tiles: tiles.get(getQuantityKey(quantity)) ?? [] }));
    const comes = all.filter((line) => line.tiles.some(({ value }) => value > 0));
    const lines = comes.length > 0 ? comes : all;
    const [first] = lines;
    if (first === undefined) throw new TypeError('no quantity to draw');
    const flat = y === undefined;
    const picture: Figure = flat
      ? createLineChart(lines, view, counts, sides)
      : createHeatMap(first.quantity, view, first.tiles, counts, sides);
    const table = flat ? createLineTable(lines, view) : createMapTable(first.quantity, first.tiles, view);
    const spots = createCellViews(all, view, axes);
    return {
      picture: await renderFigure(picture, footer, 'sweep'),
      title: createFigureTitle(of, counts),
      cells: spots,
      table,
    };
  },
};
