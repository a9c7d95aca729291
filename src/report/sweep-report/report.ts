/** All that a report of a store is made of: figures, single cells, pictures. */

import { InputError } from '../../core/index.ts';
import type { HistogramRow, Store, StoreInfo } from '../../storage/index.ts';
import { createRankingFigure } from '../figures/cell-ranking.ts';
import { getSideColor } from '../figures/colors.ts';
import { createConvergenceFigure } from '../figures/convergence.ts';
import { createDistributionFigure, createZScoreFigure } from '../figures/distributions.ts';
import type { Figure } from '../figures/figure.ts';
import { createHeatMap } from '../figures/heat-map.ts';
import { createLineChart } from '../figures/line-chart.ts';
import { createMainEffectsFigure } from '../figures/main-effects.ts';
import { createScatterPlot } from '../figures/scatter-plot.ts';
import { getSides, type ScenarioSide } from '../scenario/sides.ts';
import { analyzeSweep, type QuantityAnalysis, type SweepAnalysis } from '../sweep-analysis/analysis.ts';
import {
  type CellDistribution,
  createCellDistribution,
  createConvergencePoints,
} from '../sweep-analysis/cell-distribution.ts';
import { collectFigureData, type FigureData } from '../sweep-analysis/figure-data.ts';
import { createFindings, type Findings } from '../sweep-analysis/findings.ts';
import { type AxisTitle, formatCellPlace, getQuantityKey, snapProbability } from '../sweep-analysis/quantity.ts';
import { type BreakEvenPoints, computeUnitValues } from '../sweep-analysis/unit-values.ts';
import { createSweepView, type SweepView, type SweepViewOptions } from '../sweep-analysis/view.ts';
import { formatGrouped } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';

export interface SweepReportOptions extends SweepViewOptions {
  /** Names of the outcomes and metrics that are shown. */
  readonly of?: readonly string[] | undefined;
  /** The cell whose laws are shown; unless said otherwise one that is typical of the first quantity. */
  readonly cell?: number | undefined;
}

export interface SweepReport {
  readonly survey: SweepAnalysis;
  /** Those that are shown, outcomes first. */
  readonly shown: readonly QuantityAnalysis[];
  /** Those that say what another says, and so are left out. */
  readonly duplicates: readonly QuantityAnalysis[];
  /** What is balanced, what matters, what is odd; absent if nothing is shown. */
  readonly answers?: Findings;
  /** At which points the main outcome is even; absent unless two sides have prices. */
  readonly unitValues?: BreakEvenPoints;
  readonly view: SweepView;
  readonly figureData: FigureData;
  /** Of the chosen cell. */
  readonly distributions: readonly CellDistribution[];
  readonly figures: readonly Figure[];
}

/** Outcomes and metrics that are shown unless others are asked for. */
const MAX_OUTCOMES = 4;
const MAX_METRICS = 2;

/** Metrics that move, totals before their parts. */
function sortMetrics(metrics: readonly QuantityAnalysis[]): QuantityAnalysis[] {
  const depth = ({ quantity: { name } }: QuantityAnalysis): number => name.split('.').length;
  return metrics.filter(({ deviation }) => deviation > 0).sort((a, b) => depth(a) - depth(b));
}

/** The outcomes that come and the most telling metrics, or those that are named. */
function selectQuantities(
  { quantities }: SweepAnalysis,
  names: readonly string[] | undefined,
): readonly QuantityAnalysis[] {
  const unknown = names?.find((name) => quantities.every(({ quantity }) => quantity.name !== name));
  if (unknown !== undefined) {
    const known = quantities.map(({ quantity }) => quantity.name).join(', ');
    throw new InputError('--of', `an outcome or metric: ${known}`, `"${unknown}"`);
  }
  if (names !== undefined) return quantities.filter(({ quantity }) => names.includes(quantity.name));
  const of = (kind: string): QuantityAnalysis[] =>
    quantities.filter(({ quantity, same }) => quantity.kind === kind && same === undefined);
  const comes = of('outcome').filter(({ quantity, greatest }) => snapProbability(quantity, greatest.to) > 0);
  return [...comes.slice(0, MAX_OUTCOMES), ...sortMetrics(of('metric')).slice(0, MAX_METRICS)];
}

/** Axes by their effect on the first quantity, the greatest first. */
function sortAxesByEffect([first]: readonly QuantityAnalysis[]): string[] {
  const axes = first?.effects.axes ?? [];
  return axes.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0)).map(({ axis }) => axis);
}

/** The sides of the scenario that is varied. */
export const getStoreSides = ({ scenario }: StoreInfo): readonly ScenarioSide[] =>
  scenario === undefined ? [] : getSides(scenario);

/** Values over the axes of the view. */
function createOverviewFigures(
  shown: readonly QuantityAnalysis[],
  view: SweepView,
  gathered: FigureData,
  facts: StoreInfo,
): Figure[] {
  if (view.x === undefined) return [];
  const { counts = {}, axes } = facts;
  const sides = getStoreSides(facts);
  const quantities = shown.map(({ quantity }) => quantity);
  const tiles = (key: string) => gathered.tiles.get(key) ?? [];
  if (view.scattered)
    return quantities.map((quantity) => {
      const points = gathered.points.get(getQuantityKey(quantity)) ?? [];
      return createScatterPlot(quantity, view, points, { counts, axes, cells: gathered.shown, sides });
    });
  if (view.y !== undefined)
    return quantities.map((quantity) => createHeatMap(quantity, view, tiles(getQuantityKey(quantity)), counts, sides));
  const lines = quantities.map((quantity) => ({ quantity, tiles: tiles(getQuantityKey(quantity)) }));
  const outcomes = lines.filter(({ quantity }) => quantity.kind === 'outcome');
  const metrics = lines.filter(({ quantity }) => quantity.kind === 'metric');
  return [...(outcomes.length > 0 ? [outcomes] : []), ...metrics.map((line) => [line])].map((together) =>
    createLineChart(together, view, counts, sides),
  );
}

function createDistributions(rows: readonly HistogramRow[], shown: readonly QuantityAnalysis[]): CellDistribution[] {
  const metrics = shown.filter(({ quantity }) => quantity.kind === 'metric').map(({ quantity }) => quantity);
  const outcome = shown.find(({ quantity }) => quantity.kind === 'outcome')?.quantity;
  const wanted = [...(outcome === undefined ? [] : [outcome]), ...metrics];
  return wanted.flatMap((quantity) => createCellDistribution(rows, quantity) ?? []);
}

/** How an estimate of the chosen cell settled, where its battles were counted in parts. */
function createConvergenceFigures(
  rows: readonly HistogramRow[],
  shown: readonly QuantityAnalysis[],
  place: string,
  sides: readonly ScenarioSide[],
): Figure[] {
  const outcome = shown.find(({ quantity }) => quantity.kind === 'outcome')?.quantity.name;
  if (outcome === undefined) return [];
  const looks = createConvergencePoints(rows, outcome);
  const law = rows.filter(({ kind, probability }) => kind === 'outcome' && probability !== null);
  const exact = law.find((row) => row.outcome === outcome)?.probability ?? (law.length > 0 ? 0 : undefined);
  return looks.length === 0
    ? []
    : [
        createConvergenceFigure({
          outcome,
          colour: getSideColor(outcome, sides),
          place,
          checkpoints: looks,
          ...(exact !== undefined && { exact }),
        }),
      ];
}

async function readCellRows(
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
    `a cell of the sweep, 0..${String(store.info.points - 1)}, that is there`,
    String(cell),
  );
}

/** Where the cell with these rows lies, as far as it is known. */
function formatCellCaption(cell: number, { typical, lines }: FigureData, axes: readonly AxisTitle[]): string {
  const values = typical?.cell === cell ? typical.axes : lines.find((line) => line.cell === cell)?.axes;
  return `cell ${formatGrouped(cell)}${values === undefined ? '' : `: ${formatCellPlace(values, axes)}`}`;
}

/**
 * Reads a store twice, once for its figures and once for what is drawn of it, and makes the pictures.
 * @throws InputError if a wish names nothing that the store has
 */
export async function createSweepReport(store: Store, wishes: SweepReportOptions = {}): Promise<SweepReport> {
  const { info } = store;
  const found = await analyzeSweep(store);
  const shown = selectQuantities(found, wishes.of);
  const view = createSweepView(info, wishes, sortAxesByEffect(shown));
  const quantities = shown.map(({ quantity }) => quantity);
  const answers = createFindings(found, shown);
  const cells = new Set(answers?.even?.nearest.map(({ cell }) => cell));
  const ranges = shown.map(({ least, greatest }) => [least.from, greatest.to] as const);
  const gathered = await collectFigureData(store, { quantities, view, mean: shown[0]?.mean ?? 0, ranges, cells });
  const rows = await readCellRows(store, wishes.cell, gathered.typical?.cell);
  const { axes } = info;
  const place = formatCellCaption(rows[0]?.cell ?? 0, gathered, axes);
  const known = createDistributions(rows, shown);
  const worth = answers?.main.kind === 'outcome' ? await computeUnitValues(store, answers.main.name) : undefined;
  const several = found.cells > 1;
  const { counts = {} } = info;
  const sides = getStoreSides(info);
  const pictures = [
    ...createOverviewFigures(shown, view, gathered, info),
    ...(several ? shown.flatMap((each) => createRankingFigure(each, gathered.ends, axes, counts, sides) ?? []) : []),
    ...(axes.length > 1 ? shown.flatMap((each) => createMainEffectsFigure(each, axes, counts, sides) ?? []) : []),
    ...known.map((law) => createDistributionFigure(law, place, counts, sides)),
    ...createConvergenceFigures(rows, shown, place, sides),
    ...(found.scores.count > 0 ? [createZScoreFigure(found.scores)] : []),
  ];
  const left = wishes.of === undefined ? found.quantities.filter(({ same }) => same !== undefined) : [];
  return {
    ...{ survey: found, shown, duplicates: left, view, figureData: gathered, distributions: known, figures: pictures },
    ...(answers && { answers }),
    ...(worth && { unitValues: worth }),
  };
}

/** How many battles a cell played, in words. */
export function formatBattles({ battles, precision, precisionOf }: StoreInfo): string {
  if (precision !== undefined)
    return `to ±${sanitizeXmlText(String(precision))}${precisionOf === undefined ? '' : ` of ${sanitizeXmlText(precisionOf)}`}`;
  return battles === undefined || battles === 0 ? 'solved exactly' : `${formatGrouped(battles)} battles each`;
}

/** Characters of a digest that are shown: enough to tell sweeps apart. */
const DIGEST_PREFIX = 8;

/** The small print beneath pictures: what they were made of, so that they can be made again. */
export function formatFooter({ facts, cells, battles }: SweepAnalysis): string {
  return [
    sanitizeXmlText(facts.name),
    facts.system,
    facts.complete
      ? `${formatGrouped(cells)} cells`
      : `${formatGrouped(cells)} of ${formatGrouped(facts.points)} cells, not complete`,
    formatBattles(facts),
    ...(battles === 0 ? [] : [`seed ${facts.seed}`]),
    ...(facts.digest === undefined ? [] : [`digest ${facts.digest.slice(0, DIGEST_PREFIX)}`]),
    `warpool ${facts.warpool}`,
  ].join(' · ');
}

/** Names of files for pictures, each once: letters, digits and hyphens. */
export function createFileNames(pictures: readonly Figure[]): string[] {
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
