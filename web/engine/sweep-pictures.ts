/** What came of a sweep as a picture, and the same numbers as a table. */
import { intervalText, scaleOf, valueText } from '../../src/tell/figure.ts';
import { type Line, linesPicture } from '../../src/tell/pictures/lines.ts';
import { mapPicture } from '../../src/tell/pictures/map.ts';
import type { Picture } from '../../src/tell/pictures/picture.ts';
import { gather, type Tile } from '../../src/tell/survey/gather.ts';
import { headOf, keyOf, placeText, type Quantity, readingText, titleOf } from '../../src/tell/survey/quantity.ts';
import { type View, viewOf } from '../../src/tell/survey/view.ts';
import type { Row } from '../../src/work/store/rows.ts';
import { type Drawn, draw } from './pictures.ts';
import type { Change } from './set.ts';
import type { SheetPart } from './sheet.ts';
import type { SweepPlan } from './sweep.ts';

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
