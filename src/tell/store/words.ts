/** What a report says in words and rows, for the page and for the terminal. */

import type { StoredAxis, StoreFacts } from '../../work/index.ts';
import { pricesText } from '../costs.ts';
import { scaleOf, scoreText, wideText } from '../figure.ts';
import { axisText, axisTitle, headOf, type Quantity } from '../survey/quantity.ts';
import type { Scores } from '../survey/scores.ts';
import type { Survey, Surveyed } from '../survey/survey.ts';
import { cleanText } from '../text/clean.ts';
import { exactly, fixed, grouped, plain } from '../text/digits.ts';
import { battlesText } from './report.ts';

/** Values of an axis that are written out. */
const WRITTEN = 12;

/** The values of an axis: all, or the first and the last, or its range. */
export function valuesText({ values, range }: StoredAxis): string {
  if (values === undefined) return range === undefined ? '' : `${axisText(range[0])}..${axisText(range[1])}, drawn`;
  const texts = values.map(axisText);
  if (texts.length <= WRITTEN) return texts.join(', ');
  return `${texts.slice(0, 3).join(', ')}, … ${texts.at(-1) ?? ''} (${grouped(texts.length)} values)`;
}

/** What an axis sets, where its title does not say it; its name, which options ask for, goes before where it is another. */
export function pathsText(axis: StoredAxis): string {
  const [name, title] = [cleanText(axis.name), axisTitle(axis)];
  const paths = axis.paths.map(cleanText).join(', ');
  if (paths === title) return '';
  return name === title || axis.paths.includes(axis.name) ? paths : `${name}: ${paths}`;
}

function cellsText({ facts, cells }: Survey): string {
  const left = facts.points - cells;
  if (facts.complete && left > 0) return `${grouped(cells)} (${grouped(left)} points are left out by a condition)`;
  return facts.complete ? grouped(cells) : `${grouped(cells)} of at most ${grouped(facts.points)}: not complete`;
}

const STREAMS: Readonly<Record<StoreFacts['streams'], string>> = {
  common: 'the same dice in all cells',
  independent: 'dice of its own for each cell',
};

/** What was asked, as pairs of a name and a text. */
export function factRows(survey: Survey): [name: string, text: string][] {
  const { facts } = survey;
  const seed: [string, string][] = survey.battles === 0 ? [] : [['seed', `${facts.seed}, ${STREAMS[facts.streams]}`]];
  const total = survey.battles > 0 ? `, ${grouped(survey.battles)} in all` : '';
  return [
    ['system', `${facts.system}, ruleset ${facts.ruleset}`],
    ['design', `${facts.design}, ${grouped(facts.points)} points`],
    ['cells', cellsText(survey)],
    ...(facts.costs === undefined ? [] : [['prices', facts.costs.map(pricesText).join(', ')] as [string, string]]),
    ['battles', battlesText(facts) + total],
    ['exact answers', survey.solved === 0 ? 'none' : `${grouped(survey.solved)} cells`],
    ...seed,
    ['version', `warpool ${facts.warpool}`],
    ['digest', facts.digest ?? 'none, for the sweep is not complete'],
  ];
}

/** A value over many cells: two digits of what it says, no more than deserved. */
export function rounded(quantity: Quantity, value: number): string {
  const scale = scaleOf(quantity).times;
  const text = exactly(scale * value, scale === 100 ? 2 : Math.max(0, 3 - Math.ceil(Math.log10(Math.abs(value) + 1))));
  return scale === 100 ? `${text} %` : text;
}

/** The head of a column of those. */
export const precisionHead = (all: readonly Surveyed[]): string =>
  all.every(({ halfWidth }) => halfWidth === undefined) ? 'known' : 'intervals up to';

/** An interval of a mean that reaches this many times as far to one side as to the other is not symmetric. */
const LOPSIDED = 1.5;

/** Half of the widest interval, as text; for a mean both sides where they differ: `-0.4, +38`. */
export function precisionText({ quantity, halfWidth, reach: [below, above] }: Surveyed): string {
  if (halfWidth === undefined) return 'exact';
  const { times, sign, part } = scaleOf(quantity);
  const text = (width: number): string => plain(Number((times * width).toPrecision(2)));
  if (!part && Math.max(below, above) > LOPSIDED * Math.min(below, above)) return `-${text(below)}, +${text(above)}`;
  return `±${text(halfWidth)}${sign}`;
}

/** Says over which cells a row of the overview is, where not all have it, and which settings make wide intervals narrow. */
export function overviewSentences({ cells }: Survey, shown: readonly Surveyed[]): string[] {
  const partial = shown.filter((each) => each.cells < cells);
  const names = partial.map(({ quantity, cells: own }) => `${headOf(quantity)} (${grouped(own)})`);
  const wide = shown.filter(({ rangeBound }) => rangeBound).map(({ quantity }) => `${wideText(headOf(quantity))}.`);
  if (names.length === 0) return wide;
  return [`Not all ${grouped(cells)} cells have ${names.join(', ')}: their rows are over those that do.`, ...wide];
}

/** What the z-scores of a sweep say, sentence by sentence; nothing if there are none. */
export function scoreSentences({ scores, facts }: Survey): string[] {
  const { count, rare, mean, deviation, greatest, expected } = scores;
  if (count === 0) return [];
  const where = greatest === undefined ? '' : ` (${cleanText(greatest.name)}, cell ${grouped(greatest.cell)})`;
  const beyond = Math.abs(greatest?.z ?? 0) > expected;
  const sentences = [
    `${grouped(count)} estimates stand beside exact values. Their z-scores have mean ${fixed(mean, 2)} and standard deviation ${fixed(deviation, 2)}; 0 and 1 are to be expected.`,
    `The farthest is ${scoreText(greatest?.z ?? 0)}${where}. In 95 % of sound sweeps of this size none passes ±${fixed(expected, 1)}, however the scores depend on each other (Bonferroni).`,
    beyond
      ? 'This one does: battles and exact answers should be compared in that cell.'
      : 'There is no sign that battles and exact answers disagree.',
  ];
  if (facts.streams === 'common')
    sentences.push('All cells play the same dice, so their scores move together: a mean off 0 is no alarm by itself.');
  if (rare > 0) sentences.push(`${grouped(rare)} scores of events too rare for the normal law are left out.`);
  return sentences;
}

/** Mean, spread and farthest of some scores. */
export function scoreCells({ count, mean, deviation, greatest }: Scores): string[] {
  return [grouped(count), fixed(mean, 2), fixed(deviation, 2), greatest === undefined ? '' : scoreText(greatest.z)];
}
