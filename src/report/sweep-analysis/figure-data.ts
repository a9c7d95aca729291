/** Data of single cells for figures and tables, in a second pass over the rows. */
import type { ResultRow, Store } from '../../storage/index.ts';
import { type ExtremeCells, RankCollector } from './extreme-cells.ts';
import {
  type CellReading,
  createReading,
  getQuantityKey,
  QuantityMap,
  READING_KEYS,
  type ReadingRow,
  type SweepQuantity,
} from './quantity.ts';
import { isShown, type SweepView } from './view.ts';

/** Tile: the cells of one class of x, y and panel, usually one cell. */
export interface CellTile {
  readonly x: number;
  readonly y: number;
  readonly panel: number;
  readonly cells: number;
  /** Value of the only cell, or mean of all. */
  readonly value: number;
  /** Reading of the only cell; absent if there are several. */
  readonly reading?: CellReading;
}

/** Readings of one cell for all shown quantities. */
export interface CellReadings {
  readonly cell: number;
  readonly axes: ResultRow['axes'];
  /** By key of the quantity. */
  readonly readings: ReadonlyMap<string, CellReading>;
}

export interface FigureData {
  /** Tiles by key of the quantity; ordered by panel, y, x. */
  readonly tiles: ReadonlyMap<string, readonly CellTile[]>;
  /** First shown cells as points, by key of the quantity. */
  readonly points: ReadonlyMap<string, readonly CellReading[]>;
  /** First cells of the sweep. */
  readonly lines: readonly CellReadings[];
  /** Requested cells, by number. */
  readonly selected: ReadonlyMap<number, CellReadings>;
  /** By key of the quantity. */
  readonly ends: ReadonlyMap<string, ExtremeCells>;
  /** Number of shown cells. */
  readonly shown: number;
  /** Cell whose value of the first quantity is closest to the mean over all cells. */
  readonly typical?: CellReading;
}

export interface FigureDataOptions {
  readonly quantities: readonly SweepQuantity[];
  readonly view: SweepView;
  /** Mean of the first quantity over all cells. */
  readonly mean: number;
  /** Smallest and largest value of each quantity, if its ends are requested. */
  readonly ranges?: readonly (readonly [least: number, greatest: number])[];
  /** Numbers of the cells with requested lines. */
  readonly cells?: ReadonlySet<number>;
}

/** Maximum number of points of a scatter plot; more would overlap. */
export const MAX_POINTS = 2000;

/** Maximum number of rows of the table of cells. */
export const MAX_LINES = 10_000;

class TileCollector {
  readonly #view: SweepView;
  readonly #tiles = new Map<number, CellTile>();

  constructor(view: SweepView) {
    this.#view = view;
  }

  add(reading: CellReading): void {
    const { x, y, panels } = this.#view;
    const at = (classes: typeof x): number =>
      classes === undefined ? 0 : (classes.of(reading.axes[classes.axis]) ?? -1);
    const [column, row, panel] = [at(x), at(y), at(panels)];
    if (Math.min(column, row, panel) < 0) return;
    const key = (panel * (y?.labels.length ?? 1) + row) * (x?.labels.length ?? 1) + column;
    const { cells = 0, value = 0 } = this.#tiles.get(key) ?? {};
    const mean = value + (reading.value - value) / (cells + 1);
    const place = { x: column, y: row, panel, cells: cells + 1, value: mean };
    this.#tiles.set(key, cells === 0 ? { ...place, reading } : place);
  }

  get all(): CellTile[] {
    return [...this.#tiles].sort(([a], [b]) => a - b).map(([, tile]) => tile);
  }
}

interface MutableCellReadings extends CellReadings {
  readonly readings: Map<string, CellReading>;
}

class FigureDataCollector {
  readonly #options: FigureDataOptions;
  readonly #keys = new QuantityMap<string>();
  readonly #tiles: ReadonlyMap<string, TileCollector>;
  readonly #points: ReadonlyMap<string, CellReading[]>;
  readonly #lines: MutableCellReadings[] = [];
  readonly #picked = new Map<number, MutableCellReadings>();
  readonly #main: string;
  readonly #ends = new Map<string, RankCollector>();
  #shown = 0;
  #last = -1;
  #typical: CellReading | undefined;

  constructor(targets: FigureDataOptions) {
    this.#options = targets;
    const keys = targets.quantities.map((quantity) => this.#keys.set(quantity, getQuantityKey(quantity)));
    this.#main = keys[0] ?? '';
    this.#tiles = new Map(keys.map((key) => [key, new TileCollector(targets.view)]));
    this.#points = new Map(keys.map((key) => [key, []]));
    for (const [q, [least, greatest]] of (targets.ranges ?? []).entries()) {
      const quantity = targets.quantities[q];
      if (quantity !== undefined)
        this.#ends.set(getQuantityKey(quantity), new RankCollector(quantity, least, greatest));
    }
  }

  #list(key: string, reading: CellReading): void {
    const { cell, axes } = reading;
    if (this.#lines.at(-1)?.cell !== cell && this.#lines.length < MAX_LINES)
      this.#lines.push({ cell, axes, readings: new Map() });
    const line = this.#lines.at(-1);
    if (line?.cell === cell) line.readings.set(key, reading);
  }

  #pick(key: string, reading: CellReading): void {
    const { cell, axes } = reading;
    if (this.#options.cells?.has(cell) !== true) return;
    const line = this.#picked.get(cell) ?? { cell, axes, readings: new Map<string, CellReading>() };
    this.#picked.set(cell, line);
    line.readings.set(key, reading);
  }

  #draw(key: string, reading: CellReading): void {
    if (!isShown(this.#options.view, reading.axes)) return;
    if (reading.cell !== this.#last) this.#shown += 1;
    this.#last = reading.cell;
    this.#tiles.get(key)?.add(reading);
    const points = this.#points.get(key);
    if (this.#options.view.scattered && points !== undefined && points.length < MAX_POINTS) points.push(reading);
  }

  #isCloser({ value }: CellReading): boolean {
    const { mean } = this.#options;
    return this.#typical === undefined || Math.abs(value - mean) < Math.abs(this.#typical.value - mean);
  }

  add(row: ReadingRow): void {
    const key = this.#keys.get(row);
    if (key === undefined) return;
    const reading = createReading(row);
    if (reading === undefined) return;
    if (key === this.#main && this.#isCloser(reading)) this.#typical = reading;
    this.#list(key, reading);
    this.#pick(key, reading);
    this.#draw(key, reading);
    this.#ends.get(key)?.add(reading);
  }

  createFigureData(): FigureData {
    return {
      tiles: new Map([...this.#tiles].map(([key, tiles]) => [key, tiles.all])),
      points: this.#points,
      lines: this.#lines,
      selected: this.#picked,
      ends: this.#ends,
      shown: this.#shown,
      ...(this.#typical && { typical: this.#typical }),
    };
  }
}

/** Collects the data of figures. Its memory is bounded by the classes of the view and the limits above. */
export async function collectFigureData(store: Pick<Store, 'parts'>, targets: FigureDataOptions): Promise<FigureData> {
  const gathering = new FigureDataCollector(targets);
  for await (const rows of store.parts(READING_KEYS)) for (const row of rows) gathering.add(row);
  return gathering.createFigureData();
}
