/** Sweeps of one or two fields, computed like the cells of a sweep file on the command line. */
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
  /** One or two axes. */
  readonly axes: readonly SweptField[];
  readonly exact: 'auto' | 'always' | 'never';
  /** Battles per cell; 0 only with `exact: always`. */
  readonly battles: number;
  /** Half-width of the intervals of all outcomes; it replaces `battles`. */
  readonly precision?: number | undefined;
}

/** Sweep as a file of the command line. */
export interface SweepFileText {
  readonly yaml: string;
  readonly yamlName: string;
  readonly command: string;
}

/** Plan of a sweep, known before it runs. */
export interface SweepPlan extends SweepFileText {
  /** Hash: sweeps with equal hashes have the same cells and results. */
  readonly hash: string;
  readonly points: number;
  readonly axes: readonly StoredAxis[];
  /** Values of the scenario on the axes. */
  readonly here: ResultRow['axes'];
  /** Scenario name, game, units and settings. */
  readonly battle: string;
  /** Units of metrics. */
  readonly counts: MetricLabels;
  /** Sides of the scenario, for their colors. */
  readonly sides: readonly ScenarioSide[];
}

/** Results of some cells. */
export interface SweepProgressPart {
  readonly rows: readonly ResultRow[];
  /** Points that are completed. */
  readonly points: readonly number[];
  /** Points whose scenario is rejected, with the reason. */
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

/** Checks the limits. @throws InputError for more values or cells than the page can draw */
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

/** Creates the requested sweep. @throws InputError for an invalid sweep */
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

/** Creates the sweep file, which contains the scenario. */
function createSweepFile(ask: SweepRequest, { system, ...fields }: Scenario): SweepFileText {
  const name = `${getFileStem(ask.file)}-sweep`;
  const yamlName = `${name}.yaml`;
  return {
    yaml: stringify({ scenario: { system, ...fields }, ...createSweepContent(ask) }, { lineWidth: 0 }),
    yamlName,
    command: formatCommandLine('sweep', { file: yamlName }, '--out', name),
  };
}

/** Formats the battle: `Combined arms on land (Axis & Allies: 4 infantry against 5 infantry), defender.losses gun`. */
function formatBattle(scenario: Scenario): string {
  const { title, system } = createSharedAnswer({ scenario });
  const set = listSettings(scenario).filter(({ isDefault }) => !isDefault);
  return [`${title} (${system})`, ...set.map(({ path, value }) => `${path} ${value}`)].join(', ');
}

/** Returns the value of a field; null if an axis cannot have it. */
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

/** Receives a part; over a channel, it returns a promise that resolves when the part has arrived. */
type SweepPartListener = (part: SweepProgressPart) => unknown;

/** Sender of parts at intervals. */
class SweepPartSender {
  readonly #onPart: SweepPartListener;
  readonly #sent: unknown[] = [];
  #part: MutableSweepPart = { rows: [], points: [], rejected: [] };
  #last = 0;

  constructor(onPart: SweepPartListener) {
    this.#onPart = onPart;
  }

  add(part: Partial<SweepProgressPart>): void {
    this.#part.rows.push(...(part.rows ?? []));
    this.#part.points.push(...(part.points ?? []));
    this.#part.rejected.push(...(part.rejected ?? []));
    if (performance.now() - this.#last > MESSAGE_INTERVAL) this.send();
  }

  send(): void {
    this.#last = performance.now();
    this.#sent.push(this.#onPart(this.#part));
    this.#part = { rows: [], points: [], rejected: [] };
  }

  /** Sends the rest. Resolves when all parts have arrived: the result uses another channel and could arrive first. */
  async end(): Promise<void> {
    this.send();
    await Promise.all(this.#sent);
  }
}

const noop = (): void => undefined;

/** Budget of some hundredths of a second, because there are many cells. */
const SMALL_BUDGET = createSideBudget(1);

/** Lists the points at the ends of all axes; the last axis varies fastest. */
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

/** Computes the rows of a point; undefined if it was stopped. */
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
    // A rejected scenario is a hole in the heat map.
    if (error instanceof Error && error.name.startsWith('InputError')) return { rejected: [[point, error.message]] };
    throw error;
  }
}

export const sweep = {
  /** Plans a sweep. @throws InputError for an invalid sweep or scenario */
  sweepPlan(ask: SweepRequest): SweepPlan {
    return createPlan(ask, parseScenarioText(ask.text));
  },

  /** Creates the sweep file for the command line, which has no limit on cells. @throws InputError for the scenario */
  sweepFile(ask: SweepRequest): SweepFileText {
    return createSweepFile(ask, parseScenarioText(ask.text));
  },

  /**
   * Returns whether exact answers of all cells are quick, judged by the corners.
   * @throws InputError for an invalid sweep or scenario
   */
  async sweepIsSmall(ask: SweepRequest): Promise<boolean> {
    const requested = createSweep(ask, await loadSolvableScenario(ask.text));
    for (const corner of listCornerPoints(requested)) {
      await pause();
      try {
        const cell = requested.cell(corner);
        if (cell !== undefined && !isSmallScenario(cell.scenario)) return false;
      } catch (error) {
        // A rejected corner says nothing about other cells.
        if (!(error instanceof Error) || !error.name.startsWith('InputError')) throw error;
      }
    }
    return true;
  },

  /**
   * Computes the missing cells in order.
   * @param done completed points
   * @param onPart receives results several times per second, all before the promise resolves
   * @returns whether all points are completed; false if it was stopped
   * @throws BudgetError if exact answers are required and one is too large
   */
  async sweep(ask: SweepRequest, done: readonly number[], task: number, onPart: SweepPartListener): Promise<boolean> {
    const requested = createSweep(ask, await loadSolvableScenario(ask.text));
    const there = new Set(done);
    const signal = getSignal(task);
    const sender = new SweepPartSender(onPart);
    for (let point = 0; point < requested.points; point++) {
      if (there.has(point)) continue;
      await pause();
      const came = signal.aborted ? undefined : await computePoint(requested, point, signal);
      if (came === undefined) {
        await sender.end();
        return false;
      }
      sender.add(came);
    }
    await sender.end();
    return true;
  },

  /** Creates the CSV of rows, as `warpool export` does. */
  sweepCsv(rows: readonly ResultRow[], axes: readonly StoredAxis[]): string {
    const ordered = rows.toSorted((a, b) => a.cell - b.cell);
    return formatCsv(
      listRowColumns(axes),
      ordered.map((row) => createTableRecord(row, axes)),
    );
  },
};

// Results of a sweep as a figure and a table.

export interface SweepFigureRequest {
  readonly plan: Pick<SweepPlan, 'axes' | 'counts' | 'sides' | 'here'>;
  /** Quantities; several only for one field. */
  readonly of: readonly SweepQuantity[];
  /** Rows of those quantities. */
  readonly rows: readonly ResultRow[];
  /** Small print of the figure. */
  readonly footer: string;
}

/** Cell of the figure. */
export interface SweepCellView {
  /** Indices on the first and second axis. */
  readonly x: number;
  readonly y: number;
  /** Position, as at the start of mark titles: `attacker’s hit points 30, defender’s hit points 29`. */
  readonly place: string;
  /** Values, one line per quantity. */
  readonly lines: readonly string[];
  /** Changes from the swept scenario to the scenario of the cell. */
  readonly changes: readonly PathChange[];
  /** True for the current scenario. */
  readonly here: boolean;
}

export interface SweepFigureView {
  readonly picture: RenderedFigure;
  readonly title: string;
  /** Drawn cells, in the order of the sweep. */
  readonly cells: readonly SweepCellView[];
  readonly table: Extract<SheetPart, { kind: 'table' }>;
}

type SweepTable = SweepFigureView['table'];

const createNumberHead = (head: string) => ({ head, number: true });

/** Creates the table of one field: a row per value, with intervals. */
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

/**
 * Creates the table of two fields: a row per value of the second field, highest first as in the heat map; a column per
 * value of the first.
 */
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

/** Yields rows like a store. */
// eslint-disable-next-line @typescript-eslint/require-await -- they are there already
async function* streamRows(rows: readonly ResultRow[]): AsyncGenerator<readonly ResultRow[]> {
  yield rows;
}

/** Adds the position of the current scenario, if it is a cell. */
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
  /** Draws a line chart of one field, or a heat map of two; missing cells are omitted. */
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
