/** Facts and sentences of sweep reports, for HTML and the terminal. */

import type { StoredAxis, StoreInfo } from '../../storage/index.ts';
import { formatPrices } from '../scenario/costs.ts';
import { explainWideInterval, formatZScore, getScale } from '../sheet/estimated-value.ts';
import type { QuantityAnalysis, SweepAnalysis } from '../sweep-analysis/analysis.ts';
import {
  formatAxisTitle,
  formatAxisValue,
  formatQuantityHeading,
  type SweepQuantity,
} from '../sweep-analysis/quantity.ts';
import type { ZScoreSummary } from '../sweep-analysis/z-scores.ts';
import { formatExact, formatFixed, formatGrouped, formatNumber } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { formatBattles } from './report.ts';

/** Maximum number of listed values of an axis. */
const MAX_VALUES = 12;

/** Formats the values of an axis: all, or the first ones and the last one, or its range. */
export function formatAxisValues({ values, range }: StoredAxis): string {
  if (values === undefined)
    return range === undefined ? '' : `${formatAxisValue(range[0])}..${formatAxisValue(range[1])}, drawn`;
  const texts = values.map(formatAxisValue);
  if (texts.length <= MAX_VALUES) return texts.join(', ');
  return `${texts.slice(0, 3).join(', ')}, … ${texts.at(-1) ?? ''} (${formatGrouped(texts.length)} values)`;
}

/** Formats the fields of an axis, with its name if its title differs. Empty if the title is the field. */
export function formatAxisPaths(axis: StoredAxis): string {
  const [name, title] = [sanitizeXmlText(axis.name), formatAxisTitle(axis)];
  const paths = axis.paths.map(sanitizeXmlText).join(', ');
  if (paths === title) return '';
  return name === title || axis.paths.includes(axis.name) ? paths : `${name}: ${paths}`;
}

function formatCellCount({ facts, cells }: SweepAnalysis): string {
  const left = facts.points - cells;
  if (facts.complete && left > 0)
    return `${formatGrouped(cells)} (${formatGrouped(left)} points excluded by the condition)`;
  return facts.complete
    ? formatGrouped(cells)
    : `${formatGrouped(cells)} of at most ${formatGrouped(facts.points)}: not complete`;
}

const STREAM_NAMES: Readonly<Record<StoreInfo['streams'], string>> = {
  common: 'the same dice in all cells',
  independent: 'independent dice in each cell',
};

/** Settings of the sweep, as pairs of name and text. */
export function createFactRows(survey: SweepAnalysis): [name: string, text: string][] {
  const { facts } = survey;
  const seed: [string, string][] =
    survey.battles === 0 ? [] : [['seed', `${facts.seed}, ${STREAM_NAMES[facts.streams]}`]];
  const total = survey.battles > 0 ? `, ${formatGrouped(survey.battles)} in total` : '';
  return [
    ['system', `${facts.system}, ruleset ${facts.ruleset}`],
    ['design', `${facts.design}, ${formatGrouped(facts.points)} points`],
    ['cells', formatCellCount(survey)],
    ...(facts.costs === undefined ? [] : [['prices', facts.costs.map(formatPrices).join(', ')] as [string, string]]),
    ['battles', formatBattles(facts) + total],
    ['exact results', survey.solved === 0 ? 'none' : `${formatGrouped(survey.solved)} cells`],
    ...seed,
    ['version', `warpool ${facts.warpool}`],
    ['digest', facts.digest ?? 'none, because the sweep is not complete'],
  ];
}

/** Formats a value over many cells: percentages with at most two decimals, means with about three digits. */
export function formatRounded(quantity: SweepQuantity, value: number): string {
  const scale = getScale(quantity).times;
  const text = formatExact(
    scale * value,
    scale === 100 ? 2 : Math.max(0, 3 - Math.ceil(Math.log10(Math.abs(value) + 1))),
  );
  return scale === 100 ? `${text} %` : text;
}

/** Head of the column of interval sizes. */
export const formatPrecisionHeading = (all: readonly QuantityAnalysis[]): string =>
  all.every(({ halfWidth }) => halfWidth === undefined) ? 'known' : 'intervals up to';

/** Intervals of means with a larger ratio of both sides are not symmetric. */
const ASYMMETRY_LIMIT = 1.5;

/** Formats the largest half-width, or both sides of an asymmetric interval of a mean: `-0.4, +38`. */
export function formatPrecision({ quantity, halfWidth, reach: [below, above] }: QuantityAnalysis): string {
  if (halfWidth === undefined) return 'exact';
  const { times, sign, part } = getScale(quantity);
  const text = (width: number): string => formatNumber(Number((times * width).toPrecision(2)));
  if (!part && Math.max(below, above) > ASYMMETRY_LIMIT * Math.min(below, above))
    return `-${text(below)}, +${text(above)}`;
  return `±${text(halfWidth)}${sign}`;
}

/** Notes of the overview: rows that not all cells have, and settings that narrow wide intervals. */
export function createOverviewSentences({ cells }: SweepAnalysis, shown: readonly QuantityAnalysis[]): string[] {
  const partial = shown.filter((each) => each.cells < cells);
  const names = partial.map(({ quantity, cells: own }) => `${formatQuantityHeading(quantity)} (${formatGrouped(own)})`);
  const wide = shown
    .filter(({ rangeBound }) => rangeBound)
    .map(({ quantity }) => `${explainWideInterval(formatQuantityHeading(quantity))}.`);
  if (names.length === 0) return wide;
  return [
    `Not all ${formatGrouped(cells)} cells have ${names.join(', ')}; these rows cover only cells that have them.`,
    ...wide,
  ];
}

/** Sentences on the z-scores of a sweep. Empty if there are none. */
export function createScoreSentences({ scores, facts }: SweepAnalysis): string[] {
  const { count, rare, mean, deviation, greatest, expected } = scores;
  if (count === 0) return [];
  const where =
    greatest === undefined ? '' : ` (${sanitizeXmlText(greatest.name)}, cell ${formatGrouped(greatest.cell)})`;
  const beyond = Math.abs(greatest?.z ?? 0) > expected;
  const sentences = [
    `${formatGrouped(count)} estimates have exact values. Their z-scores have mean ${formatFixed(mean, 2)} and standard deviation ${formatFixed(deviation, 2)}; 0 and 1 are expected.`,
    `The largest deviation is ${formatZScore(greatest?.z ?? 0)}${where}. In 95 % of correct sweeps of this size, no score exceeds ±${formatFixed(expected, 1)} (Bonferroni).`,
    beyond
      ? 'This one does: compare simulation and exact results in this cell.'
      : 'There is no evidence that simulation and exact results disagree.',
  ];
  if (facts.streams === 'common')
    sentences.push('All cells use the same dice, so scores are correlated: a mean off 0 is not an error by itself.');
  if (rare > 0) sentences.push(`${formatGrouped(rare)} scores of very rare events are omitted.`);
  return sentences;
}

/** Formats count, mean, standard deviation and largest deviation of z-scores. */
export function formatScoreCells({ count, mean, deviation, greatest }: ZScoreSummary): string[] {
  return [
    formatGrouped(count),
    formatFixed(mean, 2),
    formatFixed(deviation, 2),
    greatest === undefined ? '' : formatZScore(greatest.z),
  ];
}
