/**
 * Targets of a balance problem:
 *
 *     plain.attacker = 50%
 *     45% <= hill.attacker <= 55%
 *     rounds <= 6
 *     hill.attacker - plain.attacker >= 10%
 *     quantile(plain.rounds, 95%) <= 12
 *     share(plain.rounds <= 6) >= 80%
 *
 * An outcome is its probability, a metric its mean. With one scenario, its name can be omitted. Names with blanks have quotes.
 */
import { type Amount, InputError, suggestName } from '../../core/index.ts';
import {
  type Bounds,
  type CountsShape,
  createEstimand,
  createQuantileEstimand,
  createShareEstimand,
  type Estimand,
  type Interval,
  judgeInterval,
  judgeValue,
  type QuantileEstimand,
} from '../../stats/index.ts';
import { TokenReader } from '../condition.ts';

/** Number of a scenario that a target refers to. */
export type TargetEstimand = Estimand | QuantileEstimand;

/** Term of a target: a factor and a number of a scenario. */
export interface TargetTerm {
  readonly factor: number;
  /** Index of the scenario. */
  readonly scenario: number;
  /** Key of the estimand: terms of a scenario with equal keys are equal. */
  readonly key: string;
  readonly estimand: TargetEstimand;
}

/** Condition on a sum of terms. */
export interface ProblemTarget {
  /** As written. */
  readonly text: string;
  readonly terms: readonly TargetTerm[];
  /** Bounds of the sum, inclusive; for an equality the value minus and plus the tolerance. One can be infinite. */
  readonly bounds: Bounds;
  /** Value of an equality. */
  readonly equals?: number;
  /** Unit of misses; for an equality the accepted deviation, too. */
  readonly tolerance: number;
  /** True if all terms are probabilities. */
  readonly isShare: boolean;
}

/** Name and counts of a scenario. */
export interface TargetScenario {
  readonly name: string;
  readonly shape: CountsShape;
}

/** Default tolerance; for larger bounds the default is this fraction of the bound. */
const TOLERANCE = 0.01;

/** Sum of a constant and terms. */
interface Sum {
  readonly constant: number;
  readonly terms: readonly TargetTerm[];
}

const TOKEN =
  /(?<number>(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?(?: *%)?)|(?<sign>[<>]=|[=<>()+*/,-])|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<name>[\p{L}_$](?:[\p{L}\p{N}_$.[\]]|-(?=[\p{L}]))*)/uy;

const RELATIONS = ['=', '<=', '>='] as const;

type Relation = (typeof RELATIONS)[number];

const parseNumber = (text: string): number => (text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text));

const scaleSum = ({ constant, terms }: Sum, by: number): Sum => ({
  constant: constant * by,
  terms: terms.map((term) => ({ ...term, factor: term.factor * by })),
});

/** Adds sums; equal terms are joined. */
function addSums(a: Sum, b: Sum): Sum {
  const joined = new Map<string, TargetTerm>();
  for (const term of [...a.terms, ...b.terms]) {
    const key = `${String(term.scenario)} ${term.key}`;
    joined.set(key, { ...term, factor: term.factor + (joined.get(key)?.factor ?? 0) });
  }
  const terms = [...joined.values()].filter(({ factor }) => factor !== 0);
  return { constant: a.constant + b.constant, terms };
}

class TargetReader extends TokenReader {
  readonly #scenarios: readonly TargetScenario[];
  readonly #place: string;

  constructor(text: string, scenarios: readonly TargetScenario[], place: string) {
    super(text, TOKEN, place);
    this.#scenarios = scenarios;
    this.#place = place;
  }

  /** Parses the whole text. */
  read(): { readonly sum: Sum; readonly relation: Relation; readonly low?: number } {
    const first = this.#parseSum();
    const relation = this.#parseRelation();
    const second = this.#parseSum();
    const { token } = this;
    if (token.kind === 'end') return { sum: addSums(first, scaleSum(second, -1)), relation };
    if (this.#parseRelation() !== relation || relation === '=')
      this.reject('<= or >= on both sides of a sum, or the end', token);
    const third = this.#parseSum();
    if (this.token.kind !== 'end') this.reject('the end');
    const [low, high] = relation === '<=' ? [first, third] : [third, first];
    if (low.terms.length + high.terms.length > 0 || low.constant > high.constant)
      throw this.error('numbers on both sides, the smaller one first for <=', 'other bounds', 1);
    return {
      sum: addSums(second, { constant: -high.constant, terms: [] }),
      relation: '<=',
      low: low.constant - high.constant,
    };
  }

  #parseRelation(): Relation {
    const sign = this.sign(...RELATIONS) as Relation | undefined;
    return sign ?? this.reject('=, <= or >=');
  }

  #parseSum(): Sum {
    let sum = this.#parseProduct();
    for (;;) {
      const sign = this.sign('+', '-');
      if (sign === undefined) return sum;
      sum = addSums(sum, scaleSum(this.#parseProduct(), sign === '+' ? 1 : -1));
    }
  }

  #parseProduct(): Sum {
    let product = this.#parseOperand();
    for (;;) {
      const sign = this.sign('*', '/');
      if (sign === undefined) return product;
      const { token } = this;
      const other = this.#parseOperand();
      const isConstant = other.terms.length === 0;
      if ((!isConstant && (sign === '/' || product.terms.length > 0)) || (sign === '/' && other.constant === 0))
        throw this.error('a constant factor', `"${token.text}"`, token.at);
      product = isConstant
        ? scaleSum(product, sign === '*' ? other.constant : 1 / other.constant)
        : scaleSum(other, product.constant);
    }
  }

  #parseOperand(): Sum {
    if (this.sign('-') !== undefined) return scaleSum(this.#parseOperand(), -1);
    if (this.sign('(') !== undefined) {
      const sum = this.#parseSum();
      if (this.sign(')') === undefined) this.reject(')');
      return sum;
    }
    const { kind, text } = this.token;
    if (kind === 'end' || kind === 'sign') this.reject('an outcome, a metric or a number');
    if (kind === 'number') return { constant: parseNumber(this.skip().text), terms: [] };
    return { constant: 0, terms: [kind === 'name' ? this.#parseFunction(text) : this.#parseName()] };
  }

  #parseFunction(name: string): TargetTerm {
    const token = this.skip();
    if ((name !== 'quantile' && name !== 'share') || this.sign('(') === undefined) return this.#resolveName(token.text);
    const term = name === 'quantile' ? this.#parseQuantile() : this.#parseShare();
    if (this.sign(')') === undefined) this.reject(')');
    return term;
  }

  #parseName(): TargetTerm {
    if (this.token.kind === 'end' || ['sign', 'number'].includes(this.token.kind)) this.reject('a metric');
    return this.#resolveName(this.skip().text);
  }

  /** Parses `rounds, 95%`. */
  #parseQuantile(): TargetTerm {
    const { scenario, estimand } = this.#parseName();
    if (this.sign(',') === undefined) this.reject('a comma');
    const share = this.#parseNumber('a share above 0 and below 1', (value) => value > 0 && value < 1);
    const { shape } = this.#getScenario(scenario);
    const quantile = createQuantileEstimand(shape, estimand.of, share, this.#place);
    return { factor: 1, scenario, key: `quantile ${String(share)} ${estimand.of}`, estimand: quantile };
  }

  /** Parses `rounds <= 6`. */
  #parseShare(): TargetTerm {
    const { scenario, estimand } = this.#parseName();
    const relation = this.#parseRelation();
    const bound = this.#parseNumber('a number', () => true);
    const bounds: Bounds = [
      relation === '<=' ? Number.NEGATIVE_INFINITY : bound,
      relation === '>=' ? Number.POSITIVE_INFINITY : bound,
    ];
    const { shape } = this.#getScenario(scenario);
    const share = createShareEstimand(shape, estimand.of, bounds, this.#place);
    return { factor: 1, scenario, key: `share ${estimand.of} ${bounds.join(' ')}`, estimand: share };
  }

  #parseNumber(expected: string, isAccepted: (value: number) => boolean): number {
    const negative = this.sign('-') !== undefined;
    const { kind, text } = this.token;
    const value = parseNumber(text) * (negative ? -1 : 1);
    if (kind !== 'number' || !isAccepted(value)) this.reject(expected);
    this.skip();
    return value;
  }

  #getScenario(index: number): TargetScenario {
    return this.#scenarios[index] ?? { name: '', shape: { outcomes: [], metrics: [] } };
  }

  /** Resolves `attacker` or `plain.attacker`. */
  #resolveName(text: string): TargetTerm {
    const [only] = this.#scenarios;
    const named = this.#scenarios.findIndex(({ name }) => text.startsWith(`${name}.`));
    if (named < 0 && (only === undefined || this.#scenarios.length > 1)) {
      const names = this.#scenarios.map(({ name }) => name);
      const [prefix = ''] = text.split('.');
      throw new InputError(
        this.#place,
        `the name of a scenario before outcomes and metrics: ${names.map((name) => `${name}.`).join(', ')}`,
        `"${text}"${suggestName(prefix, names)}`,
      );
    }
    const scenario = Math.max(0, named);
    const { name, shape } = this.#getScenario(scenario);
    const of = named < 0 ? text : text.slice(name.length + 1);
    return { factor: 1, scenario, key: of, estimand: createEstimand(shape, of, this.#place) };
  }
}

/**
 * Parses a target.
 * @param tolerance default: 0.01, or 1 % of the larger bound if that is more
 * @param place name of the target in error messages
 * @throws InputError if it is invalid, or a scenario has no such outcome or metric
 */
export function parseProblemTarget(
  text: string,
  tolerance: Amount | undefined,
  scenarios: readonly TargetScenario[],
  place: string,
): ProblemTarget {
  const { sum, relation, low } = new TargetReader(text, scenarios, place).read();
  const { constant, terms } = sum;
  if (terms.length === 0) throw new InputError(place, 'a target with an outcome or a metric', JSON.stringify(text));
  // The sign of `constant` is the one of the left side.
  const bound = -constant + 0;
  const sizes = low === undefined ? [bound] : [bound, bound + low];
  const isShare = terms.every(({ estimand: { kind } }) => kind === 'outcome' || kind === 'share');
  if (tolerance?.unit === 'pp' && !isShare)
    throw new InputError(place, 'a tolerance in the unit of the target', `${String(100 * tolerance.value)}pp`);
  const unit = tolerance?.value ?? Math.max(TOLERANCE, ...sizes.map((size) => TOLERANCE * Math.abs(size)));
  const bounds: Record<Relation, Bounds> = {
    '=': [bound - unit, bound + unit],
    '<=': [low === undefined ? Number.NEGATIVE_INFINITY : bound + low, bound],
    '>=': [bound, Number.POSITIVE_INFINITY],
  };
  const target = { text, terms, bounds: bounds[relation], tolerance: unit, isShare };
  if (isShare) checkBounds(target, place);
  return relation === '=' ? { ...target, equals: bound } : target;
}

/** Checks that a sum of probabilities can be within the bounds of a target. @throws InputError */
function checkBounds({ text, terms, bounds: [low, high] }: ProblemTarget, place: string): void {
  const least = terms.reduce((sum, { factor }) => sum + Math.min(0, factor), 0);
  const most = terms.reduce((sum, { factor }) => sum + Math.max(0, factor), 0);
  if (low <= most && high >= least) return;
  const [from, to] = [least, most].map((sum) => `${String(Number((100 * sum).toPrecision(12)))}%`);
  const reach = `${from ?? ''}..${to ?? ''}`;
  throw new InputError(place, `bounds that probabilities can reach, within ${reach}`, JSON.stringify(text));
}

/** Computes the distance of a value from the bounds of a target, in units of its tolerance; 0 if the value is within. */
export function computeMiss({ bounds, tolerance }: ProblemTarget, value: number): number {
  if (judgeValue(value, bounds) === 'holds') return 0;
  const [low, high] = bounds;
  return Math.max(low - value, value - high) / tolerance;
}

/** Computes the least and the greatest miss of the values of an interval. */
export function computeMissInterval(target: ProblemTarget, [low, high]: Interval): Interval {
  const ends = [computeMiss(target, low), computeMiss(target, high)] as const;
  const isPossible = low === high ? ends[0] === 0 : judgeInterval([low, high], target.bounds) !== 'fails';
  return [isPossible ? 0 : Math.min(...ends), Math.max(...ends)];
}

/**
 * Computes the interval of the sum of a target from the intervals of its terms.
 * @param getTerm returns the interval of a term
 */
export function sumTerms({ terms }: ProblemTarget, getTerm: (term: TargetTerm) => Interval): Interval {
  let [low, high] = [0, 0];
  for (const term of terms) {
    const [least, greatest] = getTerm(term);
    low += term.factor * (term.factor > 0 ? least : greatest);
    high += term.factor * (term.factor > 0 ? greatest : least);
  }
  return [low, high];
}
