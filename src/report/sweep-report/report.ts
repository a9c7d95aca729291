/** Data of a sweep report: analysis, single cells, figures. */

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
  /** Names of the shown outcomes and metrics. */
  readonly of?: readonly string[] | undefined;
  /** Cell with shown distributions. Default: a typical cell of the first quantity. */
  readonly cell?: number | undefined;
}

export interface SweepReport {
  readonly survey: SweepAnalysis;
  /** Shown quantities, outcomes first. */
  readonly shown: readonly QuantityAnalysis[];
  /** Omitted quantities with the same information as another one. */
  readonly duplicates: readonly QuantityAnalysis[];
  /** Findings; absent if no quantity is shown. */
  readonly answers?: Findings;
  /** Points at which the main outcome has 50 %; absent unless two sides have prices. */
  readonly unitValues?: BreakEvenPoints;
  readonly view: SweepView;
  readonly figureData: FigureData;
  /** Distributions of the selected cell. */
  readonly distributions: readonly CellDistribution[];
  readonly figures: readonly Figure[];
}

/** Maximum numbers of outcomes and metrics shown by default. */
const MAX_OUTCOMES = 4;
const MAX_METRICS = 2;

/** Selects metrics that vary, totals before parts. */
function sortMetrics(metrics: readonly QuantityAnalysis[]): QuantityAnalysis[] {
  const getDepth = ({ quantity: { name } }: QuantityAnalysis): number => name.split('.').length;
  return metrics.filter(({ deviation }) => deviation > 0).sort((a, b) => getDepth(a) - getDepth(b));
}

/** Selects the named quantities; by default, outcomes that occur and the most informative metrics. */
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

/** Sorts axes by their effect on the first quantity, the largest first. */
function sortAxesByEffect([first]: readonly QuantityAnalysis[]): string[] {
  const axes = first?.effects.axes ?? [];
  return axes.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0)).map(({ axis }) => axis);
}

/** Sides of the varied scenario. */
export const getStoreSides = ({ scenario }: StoreInfo): readonly ScenarioSide[] =>
  scenario === undefined ? [] : getSides(scenario);

/** Creates the figures over the axes of the view. */
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
  const createTiles = (key: string) => gathered.tiles.get(key) ?? [];
  if (view.scattered)
    return quantities.map((quantity) => {
      const points = gathered.points.get(getQuantityKey(quantity)) ?? [];
      return createScatterPlot(quantity, view, points, { counts, axes, cells: gathered.shown, sides });
    });
  if (view.y !== undefined)
    return quantities.map((quantity) =>
      createHeatMap(quantity, view, createTiles(getQuantityKey(quantity)), counts, sides),
    );
  const lines = quantities.map((quantity) => ({ quantity, tiles: createTiles(getQuantityKey(quantity)) }));
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

/** Creates the convergence figure of the selected cell, if its battles were counted in parts. */
function createConvergenceFigures(
  rows: readonly HistogramRow[],
  shown: readonly QuantityAnalysis[],
  place: string,
  sides: readonly ScenarioSide[],
): Figure[] {
  const outcome = shown.find(({ quantity }) => quantity.kind === 'outcome')?.quantity.name;
  if (outcome === undefined) return [];
  const looks = createConvergencePoints(rows, outcome);
  const distribution = rows.filter(({ kind, probability }) => kind === 'outcome' && probability !== null);
  const exact =
    distribution.find((row) => row.outcome === outcome)?.probability ?? (distribution.length > 0 ? 0 : undefined);
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
  throw new InputError('--cell', `a complete cell of the sweep, 0..${String(store.info.points - 1)}`, String(cell));
}

/** Formats a cell with its axis values, if they are known. */
function formatCellCaption(cell: number, { typical, lines }: FigureData, axes: readonly AxisTitle[]): string {
  const values = typical?.cell === cell ? typical.axes : lines.find((line) => line.cell === cell)?.axes;
  return `cell ${formatGrouped(cell)}${values === undefined ? '' : `: ${formatCellPlace(values, axes)}`}`;
}

/**
 * Creates the report of a store, which it reads twice: for the analysis, and for the data of figures.
 * @throws InputError if an option names a quantity, axis, value or cell that the store does not have
 */
export async function createSweepReport(store: Store, targets: SweepReportOptions = {}): Promise<SweepReport> {
  const { info } = store;
  const found = await analyzeSweep(store);
  const shown = selectQuantities(found, targets.of);
  const view = createSweepView(info, targets, sortAxesByEffect(shown));
  const quantities = shown.map(({ quantity }) => quantity);
  const answers = createFindings(found, shown);
  const cells = new Set(answers?.even?.nearest.map(({ cell }) => cell));
  const ranges = shown.map(({ least, greatest }) => [least.from, greatest.to] as const);
  const gathered = await collectFigureData(store, { quantities, view, mean: shown[0]?.mean ?? 0, ranges, cells });
  const rows = await readCellRows(store, targets.cell, gathered.typical?.cell);
  const { axes } = info;
  const place = formatCellCaption(rows[0]?.cell ?? 0, gathered, axes);
  const known = createDistributions(rows, shown);
  const unitValues = answers?.main.kind === 'outcome' ? await computeUnitValues(store, answers.main.name) : undefined;
  const several = found.cells > 1;
  const { counts = {} } = info;
  const sides = getStoreSides(info);
  const pictures = [
    ...createOverviewFigures(shown, view, gathered, info),
    ...(several ? shown.flatMap((each) => createRankingFigure(each, gathered.ends, axes, counts, sides) ?? []) : []),
    ...(axes.length > 1 ? shown.flatMap((each) => createMainEffectsFigure(each, axes, counts, sides) ?? []) : []),
    ...known.map((distribution) => createDistributionFigure(distribution, place, counts, sides)),
    ...createConvergenceFigures(rows, shown, place, sides),
    ...(found.scores.count > 0 ? [createZScoreFigure(found.scores)] : []),
  ];
  const left = targets.of === undefined ? found.quantities.filter(({ same }) => same !== undefined) : [];
  return {
    ...{ survey: found, shown, duplicates: left, view, figureData: gathered, distributions: known, figures: pictures },
    ...(answers && { answers }),
    ...(unitValues && { unitValues }),
  };
}

/** Formats the number of battles of a cell. */
export function formatBattles({ battles, precision, precisionOf }: StoreInfo): string {
  if (precision !== undefined)
    return `to ±${sanitizeXmlText(String(precision))}${precisionOf === undefined ? '' : ` of ${sanitizeXmlText(precisionOf)}`}`;
  return battles === undefined || battles === 0 ? 'solved exactly' : `${formatGrouped(battles)} battles each`;
}

/** Number of shown characters of a digest. */
const DIGEST_PREFIX = 8;

/** Creates the footer of figures: the facts that reproduce them. */
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

/** Creates distinct file names of figures from letters, digits and hyphens. */
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
