/** What a report says in words and rows, for the page and for the terminal. */

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

/** Values of an axis that are written out. */
const MAX_VALUES = 12;

/** The values of an axis: all, or the first and the last, or its range. */
export function formatAxisValues({ values, range }: StoredAxis): string {
  if (values === undefined)
    return range === undefined ? '' : `${formatAxisValue(range[0])}..${formatAxisValue(range[1])}, drawn`;
  const texts = values.map(formatAxisValue);
  if (texts.length <= MAX_VALUES) return texts.join(', ');
  return `${texts.slice(0, 3).join(', ')}, … ${texts.at(-1) ?? ''} (${formatGrouped(texts.length)} values)`;
}

/** What an axis sets, where its title does not say it; its name, which options ask for, goes before where it is another. */
export function formatAxisPaths(axis: StoredAxis): string {
  const [name, title] = [sanitizeXmlText(axis.name), formatAxisTitle(axis)];
  const paths = axis.paths.map(sanitizeXmlText).join(', ');
  if (paths === title) return '';
  return name === title || axis.paths.includes(axis.name) ? paths : `${name}: ${paths}`;
}

function formatCellCount({ facts, cells }: SweepAnalysis): string {
  const left = facts.points - cells;
  if (facts.complete && left > 0)
    return `${formatGrouped(cells)} (${formatGrouped(left)} points are left out by a condition)`;
  return facts.complete
    ? formatGrouped(cells)
    : `${formatGrouped(cells)} of at most ${formatGrouped(facts.points)}: not complete`;
}

const STREAM_NAMES: Readonly<Record<StoreInfo['streams'], string>> = {
  common: 'the same dice in all cells',
  independent: 'dice of its own for each cell',
};

/** What was asked, as pairs of a name and a text. */
export function createFactRows(survey: SweepAnalysis): [name: string, text: string][] {
  const { facts } = survey;
  const seed: [string, string][] =
    survey.battles === 0 ? [] : [['seed', `${facts.seed}, ${STREAM_NAMES[facts.streams]}`]];
  const total = survey.battles > 0 ? `, ${formatGrouped(survey.battles)} in all` : '';
  return [
    ['system', `${facts.system}, ruleset ${facts.ruleset}`],
    ['design', `${facts.design}, ${formatGrouped(facts.points)} points`],
    ['cells', formatCellCount(survey)],
    ...(facts.costs === undefined ? [] : [['prices', facts.costs.map(formatPrices).join(', ')] as [string, string]]),
    ['battles', formatBattles(facts) + total],
    ['exact answers', survey.solved === 0 ? 'none' : `${formatGrouped(survey.solved)} cells`],
    ...seed,
    ['version', `warpool ${facts.warpool}`],
    ['digest', facts.digest ?? 'none, for the sweep is not complete'],
  ];
}

/** A value over many cells: two digits of what it says, no more than deserved. */
export function formatRounded(quantity: SweepQuantity, value: number): string {
  const scale = getScale(quantity).times;
  const text = formatExact(
    scale * value,
    scale === 100 ? 2 : Math.max(0, 3 - Math.ceil(Math.log10(Math.abs(value) + 1))),
  );
  return scale === 100 ? `${text} %` : text;
}

/** The head of a column of those. */
export const formatPrecisionHeading = (all: readonly QuantityAnalysis[]): string =>
  all.every(({ halfWidth }) => halfWidth === undefined) ? 'known' : 'intervals up to';

/** An interval of a mean that reaches this many times as far to one side as to the other is not symmetric. */
const ASYMMETRY_LIMIT = 1.5;

/** Half of the widest interval, as text; for a mean both sides where they differ: `-0.4, +38`. */
export function formatPrecision({ quantity, halfWidth, reach: [below, above] }: QuantityAnalysis): string {
  if (halfWidth === undefined) return 'exact';
  const { times, sign, part } = getScale(quantity);
  const text = (width: number): string => formatNumber(Number((times * width).toPrecision(2)));
  if (!part && Math.max(below, above) > ASYMMETRY_LIMIT * Math.min(below, above))
    return `-${text(below)}, +${text(above)}`;
  return `±${text(halfWidth)}${sign}`;
}

/** Says over which cells a row of the overview is, where not all have it, and which settings make wide intervals narrow. */
export function createOverviewSentences({ cells }: SweepAnalysis, shown: readonly QuantityAnalysis[]): string[] {
  const partial = shown.filter((each) => each.cells < cells);
  const names = partial.map(({ quantity, cells: own }) => `${formatQuantityHeading(quantity)} (${formatGrouped(own)})`);
  const wide = shown
    .filter(({ rangeBound }) => rangeBound)
    .map(({ quantity }) => `${explainWideInterval(formatQuantityHeading(quantity))}.`);
  if (names.length === 0) return wide;
  return [
    `Not all ${formatGrouped(cells)} cells have ${names.join(', ')}: their rows are over those that do.`,
    ...wide,
  ];
}

/** What the z-scores of a sweep say, sentence by sentence; nothing if there are none. */
export function createScoreSentences({ scores, facts }: SweepAnalysis): string[] {
  const { count, rare, mean, deviation, greatest, expected } = scores;
  if (count === 0) return [];
  const where =
    greatest === undefined ? '' : ` (${sanitizeXmlText(greatest.name)}, cell ${formatGrouped(greatest.cell)})`;
  const beyond = Math.abs(greatest?.z ?? 0) > expected;
  const sentences = [
    `${formatGrouped(count)} estimates stand beside exact values. Their z-scores have mean ${formatFixed(mean, 2)} and standard deviation ${formatFixed(deviation, 2)}; 0 and 1 are to be expected.`,
    `The farthest is ${formatZScore(greatest?.z ?? 0)}${where}. In 95 % of sound sweeps of this size none passes ±${formatFixed(expected, 1)}, however the scores depend on each other (Bonferroni).`,
    beyond
      ? 'This one does: battles and exact answers should be compared in that cell.'
      : 'There is no sign that battles and exact answers disagree.',
  ];
  if (facts.streams === 'common')
    sentences.push('All cells play the same dice, so their scores move together: a mean off 0 is no alarm by itself.');
  if (rare > 0) sentences.push(`${formatGrouped(rare)} scores of events too rare for the normal law are left out.`);
  return sentences;
}

/** Mean, spread and farthest of some scores. */
export function formatScoreCells({ count, mean, deviation, greatest }: ZScoreSummary): string[] {
  return [
    formatGrouped(count),
    formatFixed(mean, 2),
    formatFixed(deviation, 2),
    greatest === undefined ? '' : formatZScore(greatest.z),
  ];
}
