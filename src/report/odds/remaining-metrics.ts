/** Metrics of the remaining or lost units of a side, and their texts. */

import type { MetricLabels } from '../../rules/index.ts';
import { type Counts, type CountsShape, listValueCounts, type Summary } from '../../stats/index.ts';
import { findSide, type ScenarioSide } from '../scenario/sides.ts';
import { formatFixed, formatNumber } from '../text/number-format.ts';
import { createSubject, inflectVerb, type SentenceSubject } from './outcome-names.ts';

/** Prefixes of metrics that count remaining units, with default nouns. */
const REMAINING_NOUNS: Readonly<Record<string, string>> = {
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

/** Prefixes of metrics that count losses. */
const LOSS_NOUNS: Readonly<Record<string, string>> = { losses: 'units', lost: 'units', killed: 'models' };

/** Metric of the remaining or lost units of a side. */
export interface RemainingMetric {
  readonly side: ScenarioSide;
  /** Index of the metric in the shape. */
  readonly metric: number;
  readonly name: string;
  /** `hit points` */
  readonly noun: string;
  readonly verb: 'keeps' | 'loses';
}

interface SideMetricsInput {
  readonly summary: Summary;
  readonly sides: readonly ScenarioSide[];
  readonly counts: MetricLabels;
}

const getFirstPart = (name: string): string => name.split('.')[0] ?? '';

/**
 * Lists the total metrics of a side with one of some prefixes: the metric of its only combatant first, then varying
 * ones, then others that are not 0.
 */
function findSideMetric(
  { summary, sides }: SideMetricsInput,
  side: ScenarioSide,
  words: Readonly<Record<string, string>>,
): number | undefined {
  const { metrics } = summary;
  const all = [...metrics.entries()].filter(
    ([, { name }]) =>
      name.split('.').length === 2 && getFirstPart(name) in words && findSide(name, sides)?.id === side.id,
  );
  const isTotal = (name: string): boolean => name.endsWith(`.${side.id}`);
  const fighters = all.filter(([, { name }]) => !isTotal(name));
  const totals = all.filter(([, { name }]) => isTotal(name));
  const own = fighters.length === 1 ? [...fighters, ...totals] : totals;
  const found = own.find(([, { min, max }]) => min < max) ?? own.find(([, { max }]) => max > 0) ?? own[0];
  return found?.[0];
}

/**
 * Selects a metric for each side: the first that counts remaining units, otherwise the first that counts losses;
 * constant metrics come last. Sides without such a metric have none.
 */
export function findRemainingMetrics(input: SideMetricsInput): RemainingMetric[] {
  const { summary, sides, counts } = input;
  return sides.flatMap((side): RemainingMetric[] => {
    const kept = findSideMetric(input, side, REMAINING_NOUNS);
    const metric = kept ?? findSideMetric(input, side, LOSS_NOUNS);
    const name = metric === undefined ? undefined : summary.metrics[metric]?.name;
    if (metric === undefined || name === undefined) return [];
    const word = getFirstPart(name);
    const noun = counts[word] ?? REMAINING_NOUNS[word] ?? LOSS_NOUNS[word] ?? word;
    return [{ side, metric, name, noun, verb: kept === undefined ? 'loses' : 'keeps' }];
  });
}

/** Singular of a noun: `unit` for `units`. */
export function toSingular(noun: string): string {
  if (noun === 'lives') return 'life';
  return noun.replace(/ies$/, 'y').replace(/(?<![s])s$/, '');
}

const inflectNoun = (noun: string, amount: number): string => (amount === 1 ? toSingular(noun) : noun);

/** Formats a mean with one decimal, without decimals from 100. */
function formatRoundedMean(mean: number): string {
  return formatFixed(mean, Math.abs(mean) >= 100 ? 0 : 1);
}

/** `keeps 4.1 tanks on average`, `keeps 40 hit points`: over all battles, or the battles with one outcome. */
export function formatRemainingClause(
  shape: CountsShape,
  counts: Counts,
  { metric, noun, verb: word }: RemainingMetric,
  subject: SentenceSubject,
  outcome?: number,
): string | undefined {
  const { unit = 1 } = shape.metrics[metric] ?? {};
  const pairs = listValueCounts(counts, metric, outcome);
  const [first] = pairs;
  if (first === undefined) return undefined;
  const does = inflectVerb(subject, word);
  const only = first[0] * unit;
  if (pairs.length === 1 && only === 0) return `${does} no ${noun}`;
  if (pairs.length === 1) return `${does} ${formatNumber(only)} ${inflectNoun(noun, only)}`;
  const total = pairs.reduce((sum, [, count]) => sum + count, 0);
  const mean = pairs.reduce((sum, [value, count]) => sum + value * unit * count, 0) / total;
  const shown = formatRoundedMean(mean);
  return `${does} ${shown === '0.0' ? 'hardly any' : shown} ${noun} on average`;
}

/** `the attacker keeps 2.1 armies on average` */
export function formatSideRemainder(shape: CountsShape, counts: Counts, left: RemainingMetric): string | undefined {
  const subject = createSubject(left.side);
  const text = formatRemainingClause(shape, counts, left, subject);
  return text === undefined ? undefined : `${subject.text} ${text}`;
}
