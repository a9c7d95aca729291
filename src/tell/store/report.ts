/** All that a report of a store is made of: figures, single cells, pictures. */

import { InputError } from '../../core/index.ts';
import type { HistogramRow, Store, StoreFacts } from '../../work/index.ts';
import { colourIn } from '../pictures/colours.ts';
import { convergencePicture } from '../pictures/convergence.ts';
import { lawPicture, scoresPicture } from '../pictures/distributions.ts';
import { effectsPicture } from '../pictures/effects.ts';
import { linesPicture } from '../pictures/lines.ts';
import { mapPicture } from '../pictures/map.ts';
import type { Picture } from '../pictures/picture.ts';
import { pointsPicture } from '../pictures/points.ts';
import { ranksPicture } from '../pictures/ranks.ts';
import { type ShownSide, sidesOf } from '../sides.ts';
import { type Answers, answersOf } from '../survey/answers.ts';
import { type Gathered, gather } from '../survey/gather.ts';
import { type Law, lawOf, looksOf } from '../survey/law.ts';
import { keyOf, placeText, settled, type Titled } from '../survey/quantity.ts';
import { type Survey, type Surveyed, survey } from '../survey/survey.ts';
import { type View, type ViewWishes, viewOf } from '../survey/view.ts';
import { type EvenPoints, worthOf } from '../survey/worth.ts';
import { cleanText } from '../text/clean.ts';
import { grouped } from '../text/digits.ts';

export interface ReportWishes extends ViewWishes {
  /** Names of the outcomes and metrics that are shown. */
  readonly of?: readonly string[] | undefined;
  /** The cell whose laws are shown; unless said otherwise one that is typical of the first quantity. */
  readonly cell?: number | undefined;
}

export interface Report {
  readonly survey: Survey;
  /** Those that are shown, outcomes first. */
  readonly shown: readonly Surveyed[];
  /** Those that say what another says, and so are left out. */
  readonly left: readonly Surveyed[];
  /** What is balanced, what matters, what is odd; absent if nothing is shown. */
  readonly answers?: Answers;
  /** At which points the main outcome is even; absent unless two sides have prices. */
  readonly worth?: EvenPoints;
  readonly view: View;
  readonly gathered: Gathered;
  /** Of the chosen cell. */
  readonly laws: readonly Law[];
  readonly pictures: readonly Picture[];
}

/** Outcomes and metrics that are shown unless others are asked for. */
const OUTCOMES = 4;
const METRICS = 2;

/** Metrics that move, totals before their parts. */
function telling(metrics: readonly Surveyed[]): Surveyed[] {
  const depth = ({ quantity: { name } }: Surveyed): number => name.split('.').length;
  return metrics.filter(({ deviation }) => deviation > 0).sort((a, b) => depth(a) - depth(b));
}

/** The outcomes that come and the most telling metrics, or those that are named. */
function chosen({ quantities }: Survey, names: readonly string[] | undefined): readonly Surveyed[] {
  const unknown = names?.find((name) => quantities.every(({ quantity }) => quantity.name !== name));
  if (unknown !== undefined) {
    const known = quantities.map(({ quantity }) => quantity.name).join(', ');
    throw new InputError('--of', `an outcome or metric: ${known}`, `"${unknown}"`);
  }
  if (names !== undefined) return quantities.filter(({ quantity }) => names.includes(quantity.name));
  const of = (kind: string): Surveyed[] =>
    quantities.filter(({ quantity, same }) => quantity.kind === kind && same === undefined);
  const comes = of('outcome').filter(({ quantity, greatest }) => settled(quantity, greatest.to) > 0);
  return [...comes.slice(0, OUTCOMES), ...telling(of('metric')).slice(0, METRICS)];
}

/** Axes by their effect on the first quantity, the greatest first. */
function axesByEffect([first]: readonly Surveyed[]): string[] {
  const axes = first?.effects.axes ?? [];
  return axes.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0)).map(({ axis }) => axis);
}

/** The sides of the scenario that is varied. */
export const sidesIn = ({ scenario }: StoreFacts): readonly ShownSide[] =>
  scenario === undefined ? [] : sidesOf(scenario);

/** Values over the axes of the view. */
function overviews(shown: readonly Surveyed[], view: View, gathered: Gathered, facts: StoreFacts): Picture[] {
  if (view.x === undefined) return [];
  const { counts = {}, axes } = facts;
  const sides = sidesIn(facts);
  const quantities = shown.map(({ quantity }) => quantity);
  const tiles = (key: string) => gathered.tiles.get(key) ?? [];
  if (view.scattered)
    return quantities.map((quantity) => {
      const points = gathered.points.get(keyOf(quantity)) ?? [];
      return pointsPicture(quantity, view, points, { counts, axes, cells: gathered.shown, sides });
    });
  if (view.y !== undefined)
    return quantities.map((quantity) => mapPicture(quantity, view, tiles(keyOf(quantity)), counts, sides));
  const lines = quantities.map((quantity) => ({ quantity, tiles: tiles(keyOf(quantity)) }));
  const outcomes = lines.filter(({ quantity }) => quantity.kind === 'outcome');
  const metrics = lines.filter(({ quantity }) => quantity.kind === 'metric');
  return [...(outcomes.length > 0 ? [outcomes] : []), ...metrics.map((line) => [line])].map((together) =>
    linesPicture(together, view, counts, sides),
  );
}

function laws(rows: readonly HistogramRow[], shown: readonly Surveyed[]): Law[] {
  const metrics = shown.filter(({ quantity }) => quantity.kind === 'metric').map(({ quantity }) => quantity);
  const outcome = shown.find(({ quantity }) => quantity.kind === 'outcome')?.quantity;
  const wanted = [...(outcome === undefined ? [] : [outcome]), ...metrics];
  return wanted.flatMap((quantity) => lawOf(rows, quantity) ?? []);
}

/** How an estimate of the chosen cell settled, where its battles were counted in parts. */
function convergence(
  rows: readonly HistogramRow[],
  shown: readonly Surveyed[],
  place: string,
  sides: readonly ShownSide[],
): Picture[] {
  const outcome = shown.find(({ quantity }) => quantity.kind === 'outcome')?.quantity.name;
  if (outcome === undefined) return [];
  const looks = looksOf(rows, outcome);
  const law = rows.filter(({ kind, probability }) => kind === 'outcome' && probability !== null);
  const exact = law.find((row) => row.outcome === outcome)?.probability ?? (law.length > 0 ? 0 : undefined);
  return looks.length === 0
    ? []
    : [
        convergencePicture({
          outcome,
          colour: colourIn(outcome, sides),
          place,
          looks,
          ...(exact !== undefined && { exact }),
        }),
      ];
}

async function cellRows(
  store: Store,
  cell: number | undefined,
  typical: number | undefined,
): Promise<readonly HistogramRow[]> {
  const wanted = cell ?? typical;
  if (wanted === undefined) return [];
  const rows = await store.histogram(wanted);
  if (cell === undefined || rows.length > 0) return rows;
  throw new InputError(
    '--cell',
    `a cell of the sweep, 0..${String(store.facts.points - 1)}, that is there`,
    String(cell),
  );
}

/** Where the cell with these rows lies, as far as it is known. */
function cellPlace(cell: number, { typical, lines }: Gathered, axes: readonly Titled[]): string {
  const values = typical?.cell === cell ? typical.axes : lines.find((line) => line.cell === cell)?.axes;
  return `cell ${grouped(cell)}${values === undefined ? '' : `: ${placeText(values, axes)}`}`;
}

/**
 * Reads a store twice, once for its figures and once for what is drawn of it, and makes the pictures.
 * @throws InputError if a wish names nothing that the store has
 */
export async function reportOf(store: Store, wishes: ReportWishes = {}): Promise<Report> {
  const { facts } = store;
  const found = await survey(store);
  const shown = chosen(found, wishes.of);
  const view = viewOf(facts, wishes, axesByEffect(shown));
  const quantities = shown.map(({ quantity }) => quantity);
  const answers = answersOf(found, shown);
  const cells = new Set(answers?.even?.nearest.map(({ cell }) => cell));
  const ranges = shown.map(({ least, greatest }) => [least.from, greatest.to] as const);
  const gathered = await gather(store, { quantities, view, mean: shown[0]?.mean ?? 0, ranges, cells });
  const rows = await cellRows(store, wishes.cell, gathered.typical?.cell);
  const { axes } = facts;
  const place = cellPlace(rows[0]?.cell ?? 0, gathered, axes);
  const known = laws(rows, shown);
  const worth = answers?.main.kind === 'outcome' ? await worthOf(store, answers.main.name) : undefined;
  const several = found.cells > 1;
  const { counts = {} } = facts;
  const sides = sidesIn(facts);
  const pictures = [
    ...overviews(shown, view, gathered, facts),
    ...(several ? shown.flatMap((each) => ranksPicture(each, gathered.ends, axes, counts, sides) ?? []) : []),
    ...(axes.length > 1 ? shown.flatMap((each) => effectsPicture(each, axes, counts, sides) ?? []) : []),
    ...known.map((law) => lawPicture(law, place, counts, sides)),
    ...convergence(rows, shown, place, sides),
    ...(found.scores.count > 0 ? [scoresPicture(found.scores)] : []),
  ];
  const left = wishes.of === undefined ? found.quantities.filter(({ same }) => same !== undefined) : [];
  return {
    ...{ survey: found, shown, left, view, gathered, laws: known, pictures },
    ...(answers && { answers }),
    ...(worth && { worth }),
  };
}

/** How many battles a cell played, in words. */
export function battlesText({ battles, precision, precisionOf }: StoreFacts): string {
  if (precision !== undefined)
    return `to ±${cleanText(String(precision))}${precisionOf === undefined ? '' : ` of ${cleanText(precisionOf)}`}`;
  return battles === undefined || battles === 0 ? 'solved exactly' : `${grouped(battles)} battles each`;
}

/** Characters of a digest that are shown: enough to tell sweeps apart. */
const PREFIX = 8;

/** The small print beneath pictures: what they were made of, so that they can be made again. */
export function footerOf({ facts, cells, battles }: Survey): string {
  return [
    cleanText(facts.name),
    facts.system,
    facts.complete ? `${grouped(cells)} cells` : `${grouped(cells)} of ${grouped(facts.points)} cells, not complete`,
    battlesText(facts),
    ...(battles === 0 ? [] : [`seed ${facts.seed}`]),
    ...(facts.digest === undefined ? [] : [`digest ${facts.digest.slice(0, PREFIX)}`]),
    `warpool ${facts.warpool}`,
  ].join(' · ');
}

/** Names of files for pictures, each once: letters, digits and hyphens. */
export function fileNames(pictures: readonly Picture[]): string[] {
  const taken = new Set<string>();
  return pictures.map(({ kind, of }) => {
    const plain = [kind, of.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')]
      .join('-')
      .replaceAll(/-+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 60);
    let name = plain;
    for (let n = 2; taken.has(name); n++) name = `${plain}-${String(n)}`;
    taken.add(name);
    return name;
  });
}
