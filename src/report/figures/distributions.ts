/** Distributions of a metric or of the outcomes in one cell, and of the z-scores of a sweep. */

import type { TopLevelSpec } from 'vega-lite';
import type { MetricLabels } from '../../rules/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import type { CellDistribution, DistributionBin } from '../sweep-analysis/cell-distribution.ts';
import { getMetricUnit } from '../sweep-analysis/quantity.ts';
import type { ZScoreSummary } from '../sweep-analysis/z-scores.ts';
import { formatFixed, formatGrouped } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { assignObservedOutcomeColors, getSideColor } from './colors.ts';
import { createFit, createFrame, createLabelExpression, type Figure } from './figure.ts';
import { GREY, INK, SINGLE_COLUMN } from './theme.ts';

function formatShare(share: number): string {
  return formatPercent(formatFixed, share, 3);
}

function formatBinTooltip({ label, share, exact }: DistributionBin): string {
  const parts = [
    ...(share === undefined ? [] : [`sampled ${formatShare(share)}`]),
    ...(exact === undefined ? [] : [`exact ${formatShare(exact)}`]),
  ];
  return `${sanitizeXmlText(label)}: ${parts.join(', ')}`;
}

/** Formats the result of a test of counts against the exact distribution as a sentence. */
function formatFit({ fit }: CellDistribution): string {
  if (fit === undefined) return '';
  const { statistic, degrees, limit } = fit;
  const verdict = statistic <= limit ? 'they agree' : 'they differ more than in 19 of 20 correct cases';
  const formatDigits = (value: number): string => formatFixed(value, 1);
  return `Chi-square of counts against the exact distribution: ${formatDigits(statistic)} with ${String(degrees)} degrees of freedom (below ${formatDigits(limit)} in 95 %): ${verdict}.`;
}

/** Colors of the bars: one for a metric, one for each outcome. */
function createBinColors(
  { quantity, bins }: CellDistribution,
  sides: readonly ScenarioSide[],
): (bin: DistributionBin) => string {
  const own = getSideColor(quantity.name, sides);
  if (quantity.kind === 'metric') return () => own;
  const all = assignObservedOutcomeColors(
    bins.map(({ label, share = 0, exact = share }) => ({ name: label, p: Math.max(share, exact) })),
    sides,
  );
  return ({ label }) => all.get(label) ?? GREY;
}

/** Creates bars of simulated shares, and dots of exact ones; dots are colored if there are no bars. */
function createDistributionLayers(isSimulated: boolean, solved: boolean, bins: number) {
  const y = { type: 'quantitative', title: isSimulated ? 'share of battles (%)' : 'probability (%)' };
  const description = { field: 'tooltip', type: 'nominal' };
  const color = { field: 'colour', type: 'nominal', scale: null };
  const bars = {
    mark: { type: 'bar', opacity: solved ? 0.55 : 1 },
    encoding: { y: { ...y, field: 'share' }, color, description },
  };
  const dots = {
    mark: { type: 'point', filled: true, color: INK, opacity: 1, size: bins > 30 ? 10 : 20 },
    encoding: { y: { ...y, field: 'exact' }, ...(!isSimulated && { color }), description },
  };
  return [...(isSimulated ? [bars] : []), ...(solved ? [dots] : [])];
}

/**
 * Creates the figure of the distribution of a metric or of the outcomes in one cell.
 * @param place axis values of the cell
 */
export function createDistributionFigure(
  distribution: CellDistribution,
  place: string,
  counts: MetricLabels,
  sides: readonly ScenarioSide[] = [],
): Figure {
  const { quantity, bins, battles } = distribution;
  const metric = quantity.kind === 'metric';
  const unit = getMetricUnit(quantity, counts);
  const title = metric ? `distribution of ${sanitizeXmlText(quantity.name)}` : 'outcomes of a cell';
  const colour = createBinColors(distribution, sides);
  const values = bins.map((bin, place) => ({
    colour: colour(bin),
    place: String(place),
    share: 100 * (bin.share ?? 0),
    exact: 100 * (bin.exact ?? 0),
    tooltip: formatBinTooltip(bin),
  }));
  const labels = bins.map(({ label }) => sanitizeXmlText(label));
  const x = {
    field: 'place',
    type: 'ordinal',
    sort: null,
    title: metric ? `${sanitizeXmlText(quantity.name)}${unit === '' || unit === '%' ? '' : ` (${unit})`}` : 'outcome',
    axis: { labelExpr: createLabelExpression(labels), labelAngle: 0, labelOverlap: true },
  };
  const solved = bins.some(({ exact }) => exact !== undefined);
  const spec = {
    ...createFrame(title, place, SINGLE_COLUMN),
    ...createFit(SINGLE_COLUMN, 210),
    data: { values },
    encoding: { x },
    layer: createDistributionLayers(battles > 0, solved, bins.length),
  } as unknown as TopLevelSpec;
  const parts = [
    ...(battles > 0 ? [`Bars: ${formatGrouped(battles)} battles.`] : []),
    ...(solved ? ['Dots: exact distribution.'] : []),
    ...(distribution.width > 1 ? ['Neighboring values are combined.'] : []),
    ...(metric ? ['Values at the ends with probabilities below 0.01 % are omitted.'] : []),
    formatFit(distribution),
  ];
  return {
    kind: 'law',
    of: metric ? quantity.name : 'outcomes',
    width: SINGLE_COLUMN,
    caption: parts.filter((part) => part !== '').join(' '),
    spec,
  };
}

/** Density of the standard normal distribution. */
const computeNormalDensity = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** Creates a histogram of z-scores with the standard normal density, which they should follow. */
export function createZScoreFigure(scores: ZScoreSummary): Figure {
  const bars = scores.bins.map(({ from, to, count }) => ({
    from,
    to,
    density: count / scores.count / (to - from),
    tooltip: `z ${String(from)} .. ${String(to)}: ${formatGrouped(count)} scores`,
  }));
  const ends = [scores.bins[0]?.from ?? -5, scores.bins.at(-1)?.to ?? 5] as const;
  const curve = Array.from({ length: 101 }, (_, k) => ends[0] + ((ends[1] - ends[0]) * k) / 100);
  const x = { type: 'quantitative', title: 'z: standard errors from the exact value', scale: { nice: false } };
  const y = { type: 'quantitative', title: 'density', axis: { tickCount: 5 } };
  const spec = {
    ...createFrame('simulation against exact results', '', SINGLE_COLUMN),
    ...createFit(SINGLE_COLUMN, 190),
    layer: [
      {
        data: { values: bars },
        mark: { type: 'bar', color: GREY, stroke: 'white', strokeWidth: 0.5 },
        encoding: {
          x: { ...x, field: 'from' },
          x2: { field: 'to' },
          y: { ...y, field: 'density' },
          y2: { datum: 0 },
          description: { field: 'tooltip', type: 'nominal' },
        },
      },
      {
        data: { values: curve.map((z) => ({ z, density: computeNormalDensity(z) })) },
        mark: { type: 'line', color: INK, strokeWidth: 1, aria: false },
        encoding: { x: { ...x, field: 'z' }, y: { ...y, field: 'density' } },
      },
    ],
  } as unknown as TopLevelSpec;
  const caption = `${formatGrouped(scores.count)} z-scores (bars) and the standard normal distribution (line). The outermost bars include scores beyond 5.`;
  return { kind: 'scores', of: '', width: SINGLE_COLUMN, caption, spec };
}
