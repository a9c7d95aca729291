/** What is left of a side when a battle is over: which metric says so, and how it is said. */
import { type Summary, type Tally, type TallyShape, valueCounts } from '../../answers/index.ts';
import type { Counts } from '../../rules/index.ts';
import { type ShownSide, sideIn } from '../sides.ts';
import { fixed, plain } from '../text/digits.ts';
import { type Subject, subjectOf, verb } from './names.ts';

/** First parts of metrics that count what is left, and what they count unless the system says so. */
const KEPT: Readonly<Record<string, string>> = {
  hp: 'hit points',
  left: 'units',
  survivors: 'combatants',
  units: 'units',
  armies: 'armies',
  figures: 'figures',
  steps: 'steps',
  models: 'models',
  ships: 'ships',
  troops: 'troops',
  lives: 'lives',
};

/** First parts of metrics that count what is gone. */
const LOST: Readonly<Record<string, string>> = { losses: 'units', lost: 'units', killed: 'models' };

/** A metric that says what is left of a side, or what it lost. */
export interface LeftMetric {
  readonly side: ShownSide;
  /** Its index in the shape. */
  readonly metric: number;
  readonly name: string;
  /** `hit points` */
  readonly noun: string;
  readonly verb: 'keeps' | 'loses';
}

interface Given {
  readonly summary: Summary;
  readonly sides: readonly ShownSide[];
  readonly counts: Counts;
}

const firstOf = (name: string): string => name.split('.')[0] ?? '';

/**
 * The metrics of a side, not of parts of it, by one of some words: that of its only fighter first, then those that vary, then
 * those that are not 0.
 */
function named(
  { summary, sides }: Given,
  side: ShownSide,
  words: Readonly<Record<string, string>>,
): number | undefined {
  const { metrics } = summary;
  const all = [...metrics.entries()].filter(
    ([, { name }]) => name.split('.').length === 2 && firstOf(name) in words && sideIn(name, sides)?.id === side.id,
  );
  const isTotal = (name: string): boolean => name.endsWith(`.${side.id}`);
  const fighters = all.filter(([, { name }]) => !isTotal(name));
  const totals = all.filter(([, { name }]) => isTotal(name));
  const own = fighters.length === 1 ? [...fighters, ...totals] : totals;
  const found = own.find(([, { min, max }]) => min < max) ?? own.find(([, { max }]) => max > 0) ?? own[0];
  return found?.[0];
}

/**
 * For each side the metric that says what is left of it: the first that counts what is kept, or else the first that counts
 * what is lost; metrics that never vary come last. Sides without either have none.
 */
export function leftMetrics(given: Given): LeftMetric[] {
  const { summary, sides, counts } = given;
  return sides.flatMap((side): LeftMetric[] => {
    const kept = named(given, side, KEPT);
    const metric = kept ?? named(given, side, LOST);
    const name = metric === undefined ? undefined : summary.metrics[metric]?.name;
    if (metric === undefined || name === undefined) return [];
    const word = firstOf(name);
    const noun = counts[word] ?? KEPT[word] ?? LOST[word] ?? word;
    return [{ side, metric, name, noun, verb: kept === undefined ? 'loses' : 'keeps' }];
  });
}

/** `units` as one: `unit`. */
export function singular(noun: string): string {
  if (noun === 'lives') return 'life';
  return noun.replace(/ies$/, 'y').replace(/(?<![s])s$/, '');
}

const nounFor = (noun: string, amount: number): string => (amount === 1 ? singular(noun) : noun);

/** A mean as people say it: one decimal, none from a hundred on. */
function meanShown(mean: number): string {
  return fixed(mean, Math.abs(mean) >= 100 ? 0 : 1);
}

/** `keeps 4.1 tanks on average`, `keeps 40 hit points`: over all battles, or those of one outcome. */
export function keepsText(
  shape: TallyShape,
  tally: Tally,
  { metric, noun, verb: word }: LeftMetric,
  subject: Subject,
  outcome?: number,
): string | undefined {
  const { unit = 1 } = shape.metrics[metric] ?? {};
  const pairs = valueCounts(tally, metric, outcome);
  const [first] = pairs;
  if (first === undefined) return undefined;
  const does = verb(subject, word);
  const only = first[0] * unit;
  if (pairs.length === 1 && only === 0) return `${does} no ${noun}`;
  if (pairs.length === 1) return `${does} ${plain(only)} ${nounFor(noun, only)}`;
  const total = pairs.reduce((sum, [, count]) => sum + count, 0);
  const mean = pairs.reduce((sum, [value, count]) => sum + value * unit * count, 0) / total;
  const shown = meanShown(mean);
  return `${does} ${shown === '0.0' ? 'hardly any' : shown} ${noun} on average`;
}

/** `the attacker keeps 2.1 armies on average` */
export function sideKeepsText(shape: TallyShape, tally: Tally, left: LeftMetric): string | undefined {
  const subject = subjectOf(left.side);
  const text = keepsText(shape, tally, left, subject);
  return text === undefined ? undefined : `${subject.text} ${text}`;
}
