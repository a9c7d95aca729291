/** Payoffs of matchups: sums of outcome probabilities and metric means with factors. */
import { InputError } from '../../core/index.ts';
import {
  type CountsShape,
  clopperPearson,
  computeFixedLengthInterval,
  computeRealSampleMoments,
  type Interval,
} from '../../stats/index.ts';
import { parseSum } from '../sweep/condition.ts';
import type { ResultRow } from '../sweep/rows.ts';

/** Payoff of the attacker in a matchup. */
export interface Payoff {
  /** As written: `difference`, `win`, or a sum. */
  readonly text: string;
  readonly constant: number;
  /** Factors of outcomes and metrics, by name. */
  readonly factors: ReadonlyMap<string, number>;
  /** Metrics among them. */
  readonly metrics: readonly string[];
}

/** Row of an outcome or metric of a cell. */
export type PayoffRow = Pick<ResultRow, 'kind' | 'name' | 'battles' | 'estimate' | 'exact' | 'standard_deviation'>;

/** Sums that have a name; the attacker's outcome is `attacker`. */
const NAMED: ReadonlyMap<string, { readonly constant: number; readonly factors: Readonly<Record<string, number>> }> =
  new Map([
    ['difference', { constant: 0, factors: { attacker: 1, defender: -1 } }],
    ['win', { constant: -1, factors: { attacker: 2 } }],
  ]);

/** Largest rounding error of a sum of factors. */
const ROUNDING = 1e-9;

/** Computes the factors of a sum by its values at zero and at unit vectors. */
function computeFactors(
  evaluate: (values: ReadonlyMap<string, number>) => number,
  names: readonly string[],
  place: string,
): Pick<Payoff, 'constant' | 'factors'> {
  const constant = evaluate(new Map());
  const factors = new Map(names.map((name) => [name, evaluate(new Map([[name, 1]])) - constant]));
  const sample = new Map(names.map((name, n) => [name, 0.37 + 0.29 * n]));
  const sum = names.reduce((total, name) => total + (factors.get(name) ?? 0) * (sample.get(name) ?? 0), constant);
  // The comparison is false for NaN.
  if (Math.abs(evaluate(sample) - sum) <= ROUNDING * Math.max(1, Math.abs(sum))) return { constant, factors };
  throw new InputError(place, 'a sum of outcomes and metrics with constant factors', 'another function');
}

/**
 * Parses a payoff: a name of `NAMED`, an outcome, a metric, or a sum of these with factors, such as `attacker - 0.5 * mutual`.
 * @param shape counts of the scenario
 * @throws InputError if it is invalid, or the scenario has no such outcome or metric
 */
export function parsePayoff(text: string, { outcomes, metrics }: CountsShape, place: string): Payoff {
  const metricNames = metrics.map(({ name }) => name);
  const known = [...outcomes, ...metricNames];
  const create = ({ constant, factors }: Pick<Payoff, 'constant' | 'factors'>): Payoff => ({
    text,
    constant,
    factors: new Map([...factors].filter(([, factor]) => factor !== 0)),
    metrics: metricNames.filter((name) => (factors.get(name) ?? 0) !== 0),
  });
  if (known.includes(text)) return create({ constant: 0, factors: new Map([[text, 1]]) });
  const named = NAMED.get(text);
  if (named !== undefined) {
    const missing = Object.keys(named.factors).find((name) => !outcomes.includes(name));
    if (missing === undefined) return create({ ...named, factors: new Map(Object.entries(named.factors)) });
    throw new InputError(
      place,
      `a sum of the outcomes and metrics ${known.join(', ')}`,
      `${text}, which needs the outcome ${missing}`,
    );
  }
  const evaluate = parseSum(text, place, known);
  return create(computeFactors((values) => evaluate((name) => values.get(name) ?? 0), known, place));
}

/** Computes the interval of a probability or a mean from a row. @param level error rate */
function computeRowInterval(
  { kind, name, battles, estimate, standard_deviation: deviation }: PayoffRow,
  { metrics }: CountsShape,
  level: number,
): Interval {
  const mean = estimate ?? 0;
  if (kind === 'outcome') return clopperPearson(Math.round(mean * battles), battles, level);
  const { min, max, unit = 1 } = metrics.find((metric) => metric.name === name) ?? { min: mean, max: mean };
  const moments = { battles, mean, variance: deviation ** 2, thirdMoment: 0, range: [min * unit, max * unit] as const };
  return computeFixedLengthInterval(moments, level / 2);
}

/** Value of a payoff with its interval, whose ends equal the value if it is exact. */
export interface PayoffEstimate {
  readonly value: number;
  readonly interval: Interval;
  readonly isExact: boolean;
}

/**
 * Computes the interval of a payoff: of the mean of its values in single battles if it has only outcomes; otherwise the sum
 * of the intervals of its terms.
 */
function computePayoffInterval(
  payoff: Payoff,
  terms: readonly PayoffRow[],
  shape: CountsShape,
  level: number,
): Interval {
  const { constant, factors, metrics } = payoff;
  const factorOf = ({ name }: { readonly name: string }): number => factors.get(name) ?? 0;
  const [only] = terms;
  if (metrics.length > 0 || (terms.length === 1 && only !== undefined)) {
    let [low, high] = [constant, constant];
    for (const row of terms) {
      const ends = computeRowInterval(row, shape, level / terms.length).map((end) => end * factorOf(row));
      low += Math.min(...ends);
      high += Math.max(...ends);
    }
    return [low, high];
  }
  const battles = only?.battles ?? 0;
  const pairs = terms.map((row) => [constant + factorOf(row), Math.round((row.estimate ?? 0) * battles)] as const);
  const others = battles - pairs.reduce((sum, [, count]) => sum + count, 0);
  const hasOthers = shape.outcomes.length > terms.length;
  const all = hasOthers ? [...pairs, [constant, others] as const] : pairs;
  const values = all.map(([value]) => value);
  const observed = all.filter(([, count]) => count > 0);
  return computeFixedLengthInterval(
    computeRealSampleMoments(observed, [Math.min(...values), Math.max(...values)]),
    level / 2,
  );
}

/**
 * Computes the payoff of a cell.
 * @param rows rows of the cell
 * @param getShape returns the counts of the cell; only called for a simulated cell
 * @param level error rate of its interval
 */
export function estimatePayoff(
  payoff: Payoff,
  rows: readonly PayoffRow[],
  getShape: () => CountsShape,
  level: number,
): PayoffEstimate {
  const terms = rows.filter(({ name }) => payoff.factors.has(name));
  const value = terms.reduce(
    (sum, { name, exact, estimate }) => sum + (payoff.factors.get(name) ?? 0) * (exact ?? estimate ?? 0),
    payoff.constant,
  );
  if (terms.every(({ exact }) => exact !== null)) return { value, interval: [value, value], isExact: true };
  const [low, high] = computePayoffInterval(payoff, terms, getShape(), level);
  return { value, interval: [Math.min(low, value), Math.max(high, value)], isExact: false };
}
