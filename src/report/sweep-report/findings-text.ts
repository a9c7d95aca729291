/** What a sweep found, in sentences for the page and the terminal. */

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

/** The three answers, each as sentences. */
export interface FindingsText {
  /** What the answers are about: `attacker wins`. */
  readonly of: string;
  readonly balanced: readonly string[];
  readonly matters: readonly string[];
  readonly odd: readonly string[];
}

/** Cells that are named in a sentence, and axes that get one. */
const MAX_NAMED = 3;
const MAX_INFLUENCES = 4;

/** Less is not worth a word. */
const MIN_COMBINED_SHARE = 0.1;

const BAND_PERCENT = `${formatRange(BAND, (end) => formatPercentNumber(formatFixed, end, 0))} %`;

/** `1 cell`, `12 cells`. */
const formatCount = (count: number, noun = 'cell'): string =>
  `${formatGrouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A value with its interval, or as exact. */
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
    return `No cell lies within ${BAND_PERCENT}${exact ? '' : ', nor does an interval reach there'}; the closest lies ${side}.`;
  }
  const verb = within === 1 || cells === 1 ? 'lies' : 'lie';
  if (exact) return `Within ${BAND_PERCENT} ${verb} ${of}.`;
  const open = possibly - surely;
  const crosses = `${open === 1 ? 'its interval crosses' : 'their intervals cross'} an end of this range`;
  const rest = open === 0 ? '' : ` For ${formatCount(open)} it is open: ${crosses}.`;
  const whole = surely === 0 ? 'none' : formatGrouped(surely);
  return `By the estimates ${of} ${verb} within ${BAND_PERCENT}, ${whole} with the whole interval.${rest}`;
}

function formatCellsOutsideBand(
  what: string,
  { never, always, below, above }: BalancedCells,
  cells: number,
  exact: boolean,
): string[] {
  const [every, none] = exact ? ['it is certain', 'it is impossible'] : ['every battle ended so', 'none did'];
  const but = exact ? ', to one battle of a billion' : '';
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
  if (even === undefined) return ['No outcome is shown, so there is nothing to call even.'];
  const exact = survey.solved === survey.cells;
  return [
    formatNearestCells(main, even, cells, survey.facts.axes),
    formatCellsWithinBand(even, cells, exact),
    ...(even.open > 0
      ? [
          `In ${formatCount(even.open)} the interval holds 50 %: ${even.open === 1 ? 'it' : 'they'} cannot be told from even.`,
        ]
      : []),
    ...formatCellsOutsideBand(formatOutcome(main.name), even, cells, exact),
  ];
}

/** A mean with the digits that its error leaves, at most two decimals. */
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

/** What a mover does, from where to where. */
function formatInfluence(quantity: SweepQuantity, mover: AxisInfluence, what: string, axis: string): string {
  const { least, greatest, direction } = mover;
  const [from, to] = direction === 'falls' ? [greatest, least] : [least, greatest];
  const off = formatDifference(quantity, mover);
  const [first, last] = [formatClassMean(quantity, from), formatClassMean(quantity, to)];
  const [here, there] = [`${axis} ${from.label}`, to.label];
  if (direction === 'rises' || direction === 'falls')
    return `${what} ${direction} from ${first} at ${here} to ${last} at ${there}, by ${off}`;
  return `${what} lies between ${first} at ${here} and ${last} at ${there}, ${off} apart`;
}

/** @param axes of the sweep: a single one explains everything */
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
      ? ': by the averages, chance can explain what is seen'
      : mixed
        ? ' beyond what the other axes can explain'
        : ' on average';
  const averages = mixed
    ? 'Not every combination of values has a cell, so averages along an axis also carry what the other axes do.'
    : 'These are averages over the other axes.';
  if (survey.cells < 2) return ['There is one cell, so there is nothing to compare.'];
  return [
    ...(mixed ? [averages] : []),
    ...clear.slice(0, MAX_INFLUENCES).map((mover, place) => formatRankedInfluence(main, mover, place, axes)),
    ...(left.length > 0 ? [`Less: ${left.join(', ')}.`] : []),
    ...(unclear.length > 0 ? [`No difference was found between the values of ${unclear.join(', ')}${why}.`] : []),
    ...(!mixed && axes.length > 1 && clear.length > 0 ? [averages] : []),
    ...(together >= MIN_COMBINED_SHARE
      ? [
          `${formatShare(together)} of the differences come of axes acting together: what one does depends on the others.`,
        ]
      : []),
  ];
}

function formatNeverObserved({ names, exact }: Extract<Anomaly, { kind: 'never' }>, survey: SweepAnalysis): string {
  const all = names.map((name) => `“${formatOutcome(name)}”`).join(', ');
  const least = survey.quantities.filter(({ quantity }) => names.includes(quantity.name));
  const but = least.some(({ greatest }) => greatest.to > 0) ? ', but for one battle of a billion' : '';
  return exact ? `Never possible${but}: ${all}.` : `Never came in ${formatGrouped(survey.battles)} battles: ${all}.`;
}

function formatTurn(quantity: SweepQuantity, { axis, turn }: AxisInfluence, { facts }: SweepAnalysis): string {
  if (turn === undefined) return '';
  const [before, at, after] = turn;
  const [first, then] = at.mean > before.mean ? ['rises', 'falls'] : ['falls', 'rises'];
  const value = (each: ClassMean): string => `${formatClassMean(quantity, each)} at ${each.label}`;
  return `Along ${createAxisTitles(facts.axes)(axis)} the ${formatQuantityTitle(quantity, {})} turns: it ${first} from ${value(before)} to ${value(at)} and ${then} to ${value(after)}, on average over all other axes.`;
}

function formatAnomaly(odd: Anomaly, main: SweepQuantity, survey: SweepAnalysis): string {
  const { axes } = survey.facts;
  switch (odd.kind) {
    case 'unfinished':
      return `The sweep is not complete: ${formatGrouped(odd.cells)} of at most ${formatCount(odd.points)} are there, and all above is about these.`;
    case 'missed':
      return `${formatCount(odd.cells)} did not reach the precision that was asked for.`;
    case 'disagrees':
      return `In cell ${formatGrouped(odd.cell)} the estimate of ${sanitizeXmlText(odd.name)} lies ${formatZScore(odd.z)} standard errors from the exact value, where ±${formatFixed(odd.expected, 1)} is the most to be expected.`;
    case 'turns':
      return formatTurn(main, odd.mover, survey);
    case 'stalemate':
      return `Stalemates, where nobody can win or the limit of rounds was reached, ${survey.solved === survey.cells ? 'can come' : 'came'} in ${formatCount(odd.cells)}: up to ${formatValue(SHARE, odd.greatest)} at ${formatCellPlace(odd.greatest.axes, axes)}.`;
    case 'never':
      return formatNeverObserved(odd, survey);
  }
}

/** What was looked at and is well: silence would say nothing. */
function formatNoAnomalies({ anomalies, influences, mixed }: Findings, survey: SweepAnalysis): string {
  const found = new Set(anomalies.map(({ kind }) => kind));
  const { facts, scores, quantities } = survey;
  const stalemates = quantities.some(({ quantity }) => quantity.kind === 'outcome' && quantity.name === 'stalemate');
  const directed = !mixed && influences.some(({ direction }) => direction === 'rises' || direction === 'falls');
  const sound = [
    ...(found.has('unfinished') ? [] : ['every cell is there']),
    ...(facts.precision === undefined || found.has('missed') ? [] : ['every cell reached its precision']),
    ...(stalemates && !found.has('stalemate')
      ? [`no battle ${survey.solved < survey.cells ? 'was' : 'can be'} cut off or stuck`]
      : []),
    ...(directed && !found.has('turns')
      ? [`along no axis do the averages turn${survey.solved < survey.cells ? ' by more than chance' : ''}`]
      : []),
    ...(scores.count === 0 || found.has('disagrees')
      ? []
      : [`none of ${formatCount(scores.count, 'estimate')} disagrees with the exact value beside it`]),
  ];
  return sound.length === 0 ? '' : `As it should be: ${sound.join('; ')}.`;
}

/** Which outcomes and metrics say what another says, and are left out; nothing if none is. */
export function formatDuplicates(left: readonly QuantityAnalysis[]): string {
  const told = left.flatMap(({ quantity, same }) => {
    if (same === undefined) return [];
    const does = same.kind === 'equal' ? 'equals' : 'is 100 % minus';
    return [`“${formatQuantityHeading(quantity)}” ${does} “${formatQuantityHeading(same.as)}”`];
  });
  return told.length === 0 ? '' : `In every cell ${told.join(', ')}: told once, and by --of.`;
}

/** The three answers in sentences. */
export function createFindingsText(answers: Findings, survey: SweepAnalysis): FindingsText {
  const odd = answers.anomalies.map((each) => formatAnomaly(each, answers.main, survey));
  const sound = formatNoAnomalies(answers, survey);
  return {
    of: formatQuantityHeading(answers.main),
    balanced: formatBalance(answers, survey),
    matters: formatInfluences(answers, survey),
    odd: [...(odd.length === 0 ? ['Nothing odd was found.'] : odd), ...(sound === '' ? [] : [sound])],
  };
}
