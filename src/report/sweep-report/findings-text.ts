/** Sentences on the findings of a sweep, for HTML and the terminal. */

import {
  formatInterval,
  formatPercent,
  formatPercentNumber,
  formatRange,
  formatValue,
  formatZScore,
  getScale,
  SHARE,
} from '../sheet/estimated-value.ts';
import type { QuantityAnalysis, SweepAnalysis } from '../sweep-analysis/analysis.ts';
import { BAND, type BalancedCells } from '../sweep-analysis/balanced-cells.ts';
import type { Anomaly, AxisInfluence, Findings } from '../sweep-analysis/findings.ts';
import type { ClassMean } from '../sweep-analysis/main-effects.ts';
import { formatOutcome } from '../sweep-analysis/outcome-text.ts';
import {
  type AxisTitle,
  type CellReading,
  createAxisTitles,
  formatCellPlace,
  formatQuantityHeading,
  formatQuantityTitle,
  type SweepQuantity,
} from '../sweep-analysis/quantity.ts';
import { capitalize } from '../text/capitalize.ts';
import { formatFixed, formatGrouped } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { formatRounded } from './facts-text.ts';

/** Sentences on balanced cells, main effects and anomalies. */
export interface FindingsText {
  /** Outcome or metric of the findings: `attacker wins`. */
  readonly of: string;
  readonly balanced: readonly string[];
  readonly matters: readonly string[];
  readonly odd: readonly string[];
}

/** Maximum numbers of cells in a sentence, and of axes with a sentence. */
const MAX_NAMED = 3;
const MAX_INFLUENCES = 4;

/** Smaller shares of interactions are not mentioned. */
const MIN_COMBINED_SHARE = 0.1;

const BAND_PERCENT = `${formatRange(BAND, (end) => formatPercentNumber(formatFixed, end, 0))} %`;

/** `1 cell`, `12 cells`. */
const formatCount = (count: number, noun = 'cell'): string =>
  `${formatGrouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Formats a value with its interval, or as exact. */
function formatValueWithInterval(quantity: SweepQuantity, reading: CellReading): string {
  const value = formatValue(getScale(quantity), reading);
  if (reading.interval === undefined) return `${value} (exact)`;
  return `${value} (95 %: ${formatInterval(getScale(quantity), reading)})`;
}

function formatNearestCells(
  quantity: SweepQuantity,
  { nearest }: BalancedCells,
  cells: number,
  axes: readonly AxisTitle[],
): string {
  const found = nearest
    .slice(0, MAX_NAMED)
    .map((reading) => `${formatValueWithInterval(quantity, reading)} at ${formatCellPlace(reading.axes, axes)}`);
  return `${cells === 1 ? 'In the only cell' : 'Closest to even'}: ${formatQuantityHeading(quantity)} ${found.join('; ')}.`;
}

function formatCellsWithinBand(
  { nearest, within, surely, possibly }: BalancedCells,
  cells: number,
  exact: boolean,
): string {
  const [closest] = nearest;
  const of = cells === 1 ? 'the only cell' : `${formatGrouped(within)} of ${formatGrouped(cells)} cells`;
  if (possibly === 0) {
    const side = closest !== undefined && closest.value > BAND[1] ? 'above' : 'below';
    return `No cell${exact ? '' : ' or interval'} is within ${BAND_PERCENT}; the closest cell is ${side}.`;
  }
  const verb = within === 1 || cells === 1 ? 'is' : 'are';
  if (exact) return `${capitalize(of)} ${verb} within ${BAND_PERCENT}.`;
  const open = possibly - surely;
  const crosses = `${open === 1 ? 'its interval crosses' : 'their intervals cross'} an end of this range`;
  const rest = open === 0 ? '' : ` ${formatCount(open)} ${open === 1 ? 'is' : 'are'} undecided: ${crosses}.`;
  const whole = surely === 0 ? 'none' : formatGrouped(surely);
  return `By their estimates, ${of} ${verb} within ${BAND_PERCENT}, ${whole} with the whole interval.${rest}`;
}

function formatCellsOutsideBand(
  what: string,
  { never, always, below, above }: BalancedCells,
  cells: number,
  exact: boolean,
): string[] {
  const [every, none] = exact ? ['it is certain', 'it is impossible'] : ['all battles ended so', 'none did'];
  const but = exact ? ', within one battle in a billion' : '';
  const decided = [
    ...(always > 0 ? [`in ${formatCount(always)} ${every}`] : []),
    ...(never > 0 ? [`in ${formatCount(never)} ${always > 0 || exact ? none : 'no battle ended so'}`] : []),
  ];
  return [
    ...(cells > 1 && (below === cells || above === cells)
      ? [`In every cell it is ${below === cells ? 'less' : 'more'} likely than not that ${what}.`]
      : []),
    ...(decided.length > 0 ? [capitalize(`${decided.join(', ')}${but}.`)] : []),
  ];
}

function formatBalance({ main, even, cells }: Findings, survey: SweepAnalysis): string[] {
  if (even === undefined) return ['No outcome is shown, so there are no balanced cells.'];
  const exact = survey.solved === survey.cells;
  return [
    formatNearestCells(main, even, cells, survey.facts.axes),
    formatCellsWithinBand(even, cells, exact),
    ...(even.open > 0
      ? [
          `In ${formatCount(even.open)}, the interval contains 50 %: ${even.open === 1 ? 'it does' : 'they do'} not differ significantly from even.`,
        ]
      : []),
    ...formatCellsOutsideBand(formatOutcome(main.name), even, cells, exact),
  ];
}

/** Formats a mean with the digits that its error supports. */
function formatClassMean(quantity: SweepQuantity, { mean, error }: ClassMean): string {
  const half = 1.96 * error;
  if (half === 0 || !Number.isFinite(half)) return formatRounded(quantity, mean);
  return formatValue(getScale(quantity), { value: mean, interval: [mean - half, mean + half] });
}

function formatDifference(quantity: SweepQuantity, { least, greatest }: AxisInfluence): string {
  const off = getScale(quantity).times * (greatest.mean - least.mean);
  const text = off >= 10 ? formatFixed(off, 0) : String(Number(off.toPrecision(2)));
  return quantity.kind === 'outcome' ? `${text} points` : text;
}

function formatShare(share: number): string {
  if (share < 0.005) return 'less than 1 %';
  return share < 1 && share >= 0.995 ? 'more than 99 %' : formatPercent(formatFixed, share, 0);
}

/** Formats the effect of an axis, with both end values. */
function formatInfluence(quantity: SweepQuantity, mover: AxisInfluence, what: string, axis: string): string {
  const { least, greatest, direction } = mover;
  const [from, to] = direction === 'falls' ? [greatest, least] : [least, greatest];
  const off = formatDifference(quantity, mover);
  const [first, last] = [formatClassMean(quantity, from), formatClassMean(quantity, to)];
  const [here, there] = [`${axis} ${from.label}`, to.label];
  if (direction === 'rises' || direction === 'falls')
    return `${what} ${direction} from ${first} at ${here} to ${last} at ${there}, by ${off}`;
  return `${what} is between ${first} at ${here} and ${last} at ${there}, a difference of ${off}`;
}

/** @param axes axes of the sweep; a single one explains all differences */
function formatRankedInfluence(
  quantity: SweepQuantity,
  mover: AxisInfluence,
  place: number,
  axes: readonly AxisTitle[],
): string {
  const what = place === 0 ? `“${formatQuantityHeading(quantity)}”` : 'it';
  const title = createAxisTitles(axes)(mover.axis);
  const move = capitalize(`${formatInfluence(quantity, mover, what, title)}.`);
  if (axes.length === 1) return move;
  const rank = place === 0 ? 'Strongest effect' : 'Next';
  return `${rank}: ${title} (${formatShare(mover.share)} of the differences between cells). ${move}`;
}

function formatInfluences({ main, influences, together = 0, mixed }: Findings, survey: SweepAnalysis): string[] {
  const { axes } = survey.facts;
  const title = createAxisTitles(axes);
  const clear = influences.filter((mover) => mover.clear);
  const unclear = influences.filter((mover) => !mover.clear).map(({ axis }) => title(axis));
  const left = clear.slice(MAX_INFLUENCES).map(({ axis }) => title(axis));
  const why =
    survey.solved < survey.cells
      ? ': chance can explain the differences of averages'
      : mixed
        ? ' beyond what the other axes can explain'
        : ' on average';
  const averages = mixed
    ? 'Not every combination of values has a cell, so averages along an axis also include effects of other axes.'
    : 'These are averages over the other axes.';
  if (survey.cells < 2) return ['There is only one cell, so there are no effects.'];
  return [
    ...(mixed ? [averages] : []),
    ...clear.slice(0, MAX_INFLUENCES).map((mover, place) => formatRankedInfluence(main, mover, place, axes)),
    ...(left.length > 0 ? [`Weaker: ${left.join(', ')}.`] : []),
    ...(unclear.length > 0 ? [`No significant difference between the values of ${unclear.join(', ')}${why}.`] : []),
    ...(!mixed && axes.length > 1 && clear.length > 0 ? [averages] : []),
    ...(together >= MIN_COMBINED_SHARE
      ? [`${formatShare(together)} of the differences are interactions: the effect of one axis depends on the others.`]
      : []),
  ];
}

function formatNeverObserved({ names, exact }: Extract<Anomaly, { kind: 'never' }>, survey: SweepAnalysis): string {
  const all = names.map((name) => `“${formatOutcome(name)}”`).join(', ');
  const least = survey.quantities.filter(({ quantity }) => names.includes(quantity.name));
  const but = least.some(({ greatest }) => greatest.to > 0) ? ', except for one battle in a billion' : '';
  return exact
    ? `Never possible${but}: ${all}.`
    : `Never observed in ${formatGrouped(survey.battles)} battles: ${all}.`;
}

function formatTurn(quantity: SweepQuantity, { axis, turn }: AxisInfluence, { facts }: SweepAnalysis): string {
  if (turn === undefined) return '';
  const [before, at, after] = turn;
  const [first, then] = at.mean > before.mean ? ['rises', 'falls'] : ['falls', 'rises'];
  const formatFindingValue = (each: ClassMean): string => `${formatClassMean(quantity, each)} at ${each.label}`;
  return `Along ${createAxisTitles(facts.axes)(axis)} the ${formatQuantityTitle(quantity, {})} is not monotonic: it ${first} from ${formatFindingValue(before)} to ${formatFindingValue(at)} and ${then} to ${formatFindingValue(after)}, on average over all other axes.`;
}

function formatAnomaly(odd: Anomaly, main: SweepQuantity, survey: SweepAnalysis): string {
  const { axes } = survey.facts;
  switch (odd.kind) {
    case 'unfinished':
      return `The sweep is not complete: ${formatGrouped(odd.cells)} of at most ${formatCount(odd.points)} are complete, and all findings are about these.`;
    case 'missed':
      return `${formatCount(odd.cells)} did not reach the requested precision.`;
    case 'disagrees':
      return `In cell ${formatGrouped(odd.cell)}, the estimate of ${sanitizeXmlText(odd.name)} is ${formatZScore(odd.z)} standard errors from the exact value; at most ±${formatFixed(odd.expected, 1)} is expected.`;
    case 'turns':
      return formatTurn(main, odd.mover, survey);
    case 'stalemate':
      return `Stalemates, in which no side can win or the limit of rounds is reached, ${survey.solved === survey.cells ? 'can occur' : 'occurred'} in ${formatCount(odd.cells)}: up to ${formatValue(SHARE, odd.greatest)} at ${formatCellPlace(odd.greatest.axes, axes)}.`;
    case 'never':
      return formatNeverObserved(odd, survey);
  }
}

/** Lists the checks that passed. */
function formatNoAnomalies({ anomalies, influences, mixed }: Findings, survey: SweepAnalysis): string {
  const found = new Set(anomalies.map(({ kind }) => kind));
  const { facts, scores, quantities } = survey;
  const stalemates = quantities.some(({ quantity }) => quantity.kind === 'outcome' && quantity.name === 'stalemate');
  const directed = !mixed && influences.some(({ direction }) => direction === 'rises' || direction === 'falls');
  const sound = [
    ...(found.has('unfinished') ? [] : ['all cells are complete']),
    ...(facts.precision === undefined || found.has('missed') ? [] : ['all cells reached their precision']),
    ...(stalemates && !found.has('stalemate')
      ? [`no stalemates ${survey.solved < survey.cells ? 'occurred' : 'can occur'}`]
      : []),
    ...(directed && !found.has('turns')
      ? [`averages along each axis are monotonic${survey.solved < survey.cells ? ', apart from chance' : ''}`]
      : []),
    ...(scores.count === 0 || found.has('disagrees')
      ? []
      : [`${formatCount(scores.count, 'estimate')} agree with the exact values`]),
  ];
  return sound.length === 0 ? '' : `Passed checks: ${sound.join('; ')}.`;
}

/**
 * Names outcomes and metrics that are omitted because another one has the same information. Empty if there are none.
 */
export function formatDuplicates(left: readonly QuantityAnalysis[]): string {
  const reported = left.flatMap(({ quantity, same }) => {
    if (same === undefined) return [];
    const does = same.kind === 'equal' ? 'equals' : 'is 100 % minus';
    return [`“${formatQuantityHeading(quantity)}” ${does} “${formatQuantityHeading(same.as)}”`];
  });
  return reported.length === 0
    ? ''
    : `In every cell ${reported.join(', ')}; duplicates are omitted unless selected by --of.`;
}

/** Creates the sentences on the findings. */
export function createFindingsText(answers: Findings, survey: SweepAnalysis): FindingsText {
  const odd = answers.anomalies.map((each) => formatAnomaly(each, answers.main, survey));
  const sound = formatNoAnomalies(answers, survey);
  return {
    of: formatQuantityHeading(answers.main),
    balanced: formatBalance(answers, survey),
    matters: formatInfluences(answers, survey),
    odd: [...(odd.length === 0 ? ['No anomalies.'] : odd), ...(sound === '' ? [] : [sound])],
  };
}
