/** What a sweep found, in sentences for the page and the terminal. */

import { endsText, inPercent, intervalText, percent, SHARE, scaleOf, scoreText, valueText } from '../figure.ts';
import type { Answers, Mover, Oddity } from '../survey/answers.ts';
import type { ClassMean } from '../survey/effects.ts';
import { BAND, type Even } from '../survey/even.ts';
import { outcomeText } from '../survey/outcomes.ts';
import { headOf, placeText, type Quantity, type Reading, type Titled, titleOf, titlesOf } from '../survey/quantity.ts';
import type { Survey, Surveyed } from '../survey/survey.ts';
import { cleanText } from '../text/clean.ts';
import { fixed, grouped } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';
import { rounded } from './words.ts';

/** The three answers, each as sentences. */
export interface Told {
  /** What the answers are about: `attacker wins`. */
  readonly of: string;
  readonly balanced: readonly string[];
  readonly matters: readonly string[];
  readonly odd: readonly string[];
}

/** Cells that are named in a sentence, and axes that get one. */
const NAMED = 3;
const MOVERS = 4;

/** Less is not worth a word. */
const TOGETHER = 0.1;

const PERCENT = `${endsText(BAND, (end) => inPercent(fixed, end, 0))} %`;

/** `1 cell`, `12 cells`. */
const counted = (count: number, noun = 'cell'): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A value with its interval, or as exact. */
function knownText(quantity: Quantity, reading: Reading): string {
  const value = valueText(scaleOf(quantity), reading);
  if (reading.interval === undefined) return `${value} (exact)`;
  return `${value} (95 %: ${intervalText(scaleOf(quantity), reading)})`;
}

function nearestText(quantity: Quantity, { nearest }: Even, cells: number, axes: readonly Titled[]): string {
  const found = nearest
    .slice(0, NAMED)
    .map((reading) => `${knownText(quantity, reading)} at ${placeText(reading.axes, axes)}`);
  return `${cells === 1 ? 'In the only cell' : 'Closest to even'}: ${headOf(quantity)} ${found.join('; ')}.`;
}

function withinText({ nearest, within, surely, possibly }: Even, cells: number, exact: boolean): string {
  const [closest] = nearest;
  const of = cells === 1 ? 'the only cell' : `${grouped(within)} of ${grouped(cells)} cells`;
  if (possibly === 0) {
    const side = closest !== undefined && closest.value > BAND[1] ? 'above' : 'below';
    return `No cell lies within ${PERCENT}${exact ? '' : ', nor does an interval reach there'}; the closest lies ${side}.`;
  }
  const verb = within === 1 || cells === 1 ? 'lies' : 'lie';
  if (exact) return `Within ${PERCENT} ${verb} ${of}.`;
  const open = possibly - surely;
  const crosses = `${open === 1 ? 'its interval crosses' : 'their intervals cross'} an end of this range`;
  const rest = open === 0 ? '' : ` For ${counted(open)} it is open: ${crosses}.`;
  const whole = surely === 0 ? 'none' : grouped(surely);
  return `By the estimates ${of} ${verb} within ${PERCENT}, ${whole} with the whole interval.${rest}`;
}

function sidesText(what: string, { never, always, below, above }: Even, cells: number, exact: boolean): string[] {
  const [every, none] = exact ? ['it is certain', 'it is impossible'] : ['every battle ended so', 'none did'];
  const but = exact ? ', to one battle of a billion' : '';
  const decided = [
    ...(always > 0 ? [`in ${counted(always)} ${every}`] : []),
    ...(never > 0 ? [`in ${counted(never)} ${always > 0 || exact ? none : 'no battle ended so'}`] : []),
  ];
  return [
    ...(cells > 1 && (below === cells || above === cells)
      ? [`In every cell it is ${below === cells ? 'less' : 'more'} likely than not that ${what}.`]
      : []),
    ...(decided.length > 0 ? [sentence(`${decided.join(', ')}${but}.`)] : []),
  ];
}

function balancedText({ main, even, cells }: Answers, survey: Survey): string[] {
  if (even === undefined) return ['No outcome is shown, so there is nothing to call even.'];
  const exact = survey.solved === survey.cells;
  return [
    nearestText(main, even, cells, survey.facts.axes),
    withinText(even, cells, exact),
    ...(even.open > 0
      ? [
          `In ${counted(even.open)} the interval holds 50 %: ${even.open === 1 ? 'it' : 'they'} cannot be told from even.`,
        ]
      : []),
    ...sidesText(outcomeText(main.name), even, cells, exact),
  ];
}

/** A mean with the digits that its error leaves, at most two decimals. */
function meanText(quantity: Quantity, { mean, error }: ClassMean): string {
  const half = 1.96 * error;
  if (half === 0 || !Number.isFinite(half)) return rounded(quantity, mean);
  return valueText(scaleOf(quantity), { value: mean, interval: [mean - half, mean + half] });
}

function differenceText(quantity: Quantity, { least, greatest }: Mover): string {
  const off = scaleOf(quantity).times * (greatest.mean - least.mean);
  const text = off >= 10 ? fixed(off, 0) : String(Number(off.toPrecision(2)));
  return quantity.kind === 'outcome' ? `${text} points` : text;
}

function shareText(share: number): string {
  if (share < 0.005) return 'less than 1 %';
  return share < 1 && share >= 0.995 ? 'more than 99 %' : percent(fixed, share, 0);
}

/** What a mover does, from where to where. */
function moveText(quantity: Quantity, mover: Mover, what: string, axis: string): string {
  const { least, greatest, direction } = mover;
  const [from, to] = direction === 'falls' ? [greatest, least] : [least, greatest];
  const off = differenceText(quantity, mover);
  const [first, last] = [meanText(quantity, from), meanText(quantity, to)];
  const [here, there] = [`${axis} ${from.label}`, to.label];
  if (direction === 'rises' || direction === 'falls')
    return `${what} ${direction} from ${first} at ${here} to ${last} at ${there}, by ${off}`;
  return `${what} lies between ${first} at ${here} and ${last} at ${there}, ${off} apart`;
}

/** @param axes of the sweep: a single one explains everything */
function moverText(quantity: Quantity, mover: Mover, place: number, axes: readonly Titled[]): string {
  const what = place === 0 ? `“${headOf(quantity)}”` : 'it';
  const title = titlesOf(axes)(mover.axis);
  const move = sentence(`${moveText(quantity, mover, what, title)}.`);
  if (axes.length === 1) return move;
  const rank = place === 0 ? 'Strongest effect' : 'Next';
  return `${rank}: ${title} (${shareText(mover.share)} of the differences between cells). ${move}`;
}

function mattersText({ main, movers, together = 0, mixed }: Answers, survey: Survey): string[] {
  const { axes } = survey.facts;
  const title = titlesOf(axes);
  const clear = movers.filter((mover) => mover.clear);
  const unclear = movers.filter((mover) => !mover.clear).map(({ axis }) => title(axis));
  const left = clear.slice(MOVERS).map(({ axis }) => title(axis));
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
    ...clear.slice(0, MOVERS).map((mover, place) => moverText(main, mover, place, axes)),
    ...(left.length > 0 ? [`Less: ${left.join(', ')}.`] : []),
    ...(unclear.length > 0 ? [`No difference was found between the values of ${unclear.join(', ')}${why}.`] : []),
    ...(!mixed && axes.length > 1 && clear.length > 0 ? [averages] : []),
    ...(together >= TOGETHER
      ? [`${shareText(together)} of the differences come of axes acting together: what one does depends on the others.`]
      : []),
  ];
}

function neverText({ names, exact }: Extract<Oddity, { kind: 'never' }>, survey: Survey): string {
  const all = names.map((name) => `“${outcomeText(name)}”`).join(', ');
  const least = survey.quantities.filter(({ quantity }) => names.includes(quantity.name));
  const but = least.some(({ greatest }) => greatest.to > 0) ? ', but for one battle of a billion' : '';
  return exact ? `Never possible${but}: ${all}.` : `Never came in ${grouped(survey.battles)} battles: ${all}.`;
}

function turnText(quantity: Quantity, { axis, turn }: Mover, { facts }: Survey): string {
  if (turn === undefined) return '';
  const [before, at, after] = turn;
  const [first, then] = at.mean > before.mean ? ['rises', 'falls'] : ['falls', 'rises'];
  const value = (each: ClassMean): string => `${meanText(quantity, each)} at ${each.label}`;
  return `Along ${titlesOf(facts.axes)(axis)} the ${titleOf(quantity, {})} turns: it ${first} from ${value(before)} to ${value(at)} and ${then} to ${value(after)}, on average over all other axes.`;
}

function oddText(odd: Oddity, main: Quantity, survey: Survey): string {
  const { axes } = survey.facts;
  switch (odd.kind) {
    case 'unfinished':
      return `The sweep is not complete: ${grouped(odd.cells)} of at most ${counted(odd.points)} are there, and all above is about these.`;
    case 'missed':
      return `${counted(odd.cells)} did not reach the precision that was asked for.`;
    case 'disagrees':
      return `In cell ${grouped(odd.cell)} the estimate of ${cleanText(odd.name)} lies ${scoreText(odd.z)} standard errors from the exact value, where ±${fixed(odd.expected, 1)} is the most to be expected.`;
    case 'turns':
      return turnText(main, odd.mover, survey);
    case 'stalemate':
      return `Stalemates, where nobody can win or the limit of rounds was reached, ${survey.solved === survey.cells ? 'can come' : 'came'} in ${counted(odd.cells)}: up to ${valueText(SHARE, odd.greatest)} at ${placeText(odd.greatest.axes, axes)}.`;
    case 'never':
      return neverText(odd, survey);
  }
}

/** What was looked at and is well: silence would say nothing. */
function soundText({ odd, movers, mixed }: Answers, survey: Survey): string {
  const found = new Set(odd.map(({ kind }) => kind));
  const { facts, scores, quantities } = survey;
  const stalemates = quantities.some(({ quantity }) => quantity.kind === 'outcome' && quantity.name === 'stalemate');
  const directed = !mixed && movers.some(({ direction }) => direction === 'rises' || direction === 'falls');
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
      : [`none of ${counted(scores.count, 'estimate')} disagrees with the exact value beside it`]),
  ];
  return sound.length === 0 ? '' : `As it should be: ${sound.join('; ')}.`;
}

/** Which outcomes and metrics say what another says, and are left out; nothing if none is. */
export function sameText(left: readonly Surveyed[]): string {
  const told = left.flatMap(({ quantity, same }) => {
    if (same === undefined) return [];
    const does = same.kind === 'equal' ? 'equals' : 'is 100 % minus';
    return [`“${headOf(quantity)}” ${does} “${headOf(same.as)}”`];
  });
  return told.length === 0 ? '' : `In every cell ${told.join(', ')}: told once, and by --of.`;
}

/** The three answers in sentences. */
export function toldOf(answers: Answers, survey: Survey): Told {
  const odd = answers.odd.map((each) => oddText(each, answers.main, survey));
  const sound = soundText(answers, survey);
  return {
    of: headOf(answers.main),
    balanced: balancedText(answers, survey),
    matters: mattersText(answers, survey),
    odd: [...(odd.length === 0 ? ['Nothing odd was found.'] : odd), ...(sound === '' ? [] : [sound])],
  };
}
