/** Plays several scenarios of one system on the same streams and ranks them. */
import { parseCount, parseSeed, type SeedLike } from './chance/seed.ts';
import { MAX_BATTLES } from './chance/stream.ts';
import { differenceOf, type RulesDifference } from './diff-rules.ts';
import { InputError, RunError } from './errors.ts';
import { lookAt } from './look.ts';
import { didYouMean } from './scenario/suggest.ts';
import { PairedTally } from './stats/paired.ts';
import { type Figure, FigureTally, type Gap, groupsOf } from './stats/ranking.ts';
import type { Summary } from './stats/summary.ts';
import type { TallyShape } from './stats/tally.ts';
import type { BattleResult } from './systems/battle.ts';
import type { Scenario } from './systems/system.ts';
import { BATTLES, exactAnswers, type Opened, opened } from './together.ts';

/** All pairs are compared: more than this is a sweep. */
const SCENARIOS_MAX = 100;

/** Exact values that differ by less, in units of the larger, are equal: rounding makes this much. */
const ROUNDING = 1e-11;

export interface CompareOptions {
  /** How many battles each scenario plays; 200 000 unless said otherwise. */
  readonly battles?: number;
  /** 1 unless said otherwise. */
  readonly seed?: SeedLike;
  /** Index of the first battle; 0 unless said otherwise. */
  readonly from?: number;
  /** What is compared: an outcome, or a metric that all have. The first scenario's first outcome but a stalemate. */
  readonly of?: string;
  /** Ends the comparison early; what was played is returned. */
  readonly signal?: AbortSignal;
}

export interface Standing extends Figure {
  /** The exact value, where those of all scenarios are known. */
  readonly exact?: number;
  /** The best and the worst place that a scenario can have by the pairs that can be told apart; 1 is the highest. */
  readonly rank: readonly [best: number, worst: number];
}

export interface Pairing extends Gap {
  /** The exact difference, where it is known; the verdict is by it. */
  readonly exact?: number;
}

export interface Comparison {
  readonly seed: bigint;
  /** Battles from..from+battles-1 were played by every scenario. */
  readonly from: number;
  readonly battles: number;
  /** What is compared: the share of an outcome, 0..1, or the mean of a metric. */
  readonly of: string;
  readonly kind: 'outcome' | 'metric';
  /** By scenario, in the order given. */
  readonly standings: readonly Standing[];
  /** Every two scenarios, by their places in the order given. */
  readonly pairs: readonly Pairing[];
  /** Places of the scenarios, the highest figure first: by exact values where all are known. */
  readonly order: readonly number[];
  /** The largest groups in which no two can be told apart; they may overlap. */
  readonly groups: readonly (readonly number[])[];
  /** For two scenarios: all outcomes and metrics. */
  readonly all?: RulesDifference;
}

/** What is compared, and how it is read off the ways in which a battle ended. */
export interface Subject {
  readonly of: string;
  readonly kind: Comparison['kind'];
  readonly unit: number;
  /** @param scenario the place of the scenario whose battle it was */
  readonly read: (battle: BattleResult, scenario: number) => number;
  readonly exact: (summary: Summary) => number;
}

function outcomeSubject(of: string, shapes: readonly TallyShape[]): Subject {
  const places = shapes.map(({ outcomes }) => outcomes.indexOf(of));
  return {
    of,
    kind: 'outcome',
    unit: 1,
    read: ({ outcome }, scenario) => (outcome === places[scenario] ? 1 : 0),
    exact: ({ outcomes }) => outcomes.find(({ name }) => name === of)?.p ?? 0,
  };
}

function metricSubject(of: string, shapes: readonly TallyShape[]): Subject {
  const places = shapes.map(({ metrics }) => metrics.findIndex(({ name }) => name === of));
  return {
    of,
    kind: 'metric',
    unit: shapes[0]?.metrics[places[0] ?? 0]?.unit ?? 1,
    read: ({ metrics }, scenario) => metrics[places[scenario] ?? 0] ?? 0,
    exact: ({ metrics }) => metrics.find(({ name }) => name === of)?.mean ?? 0,
  };
}

/**
 * @param asked an outcome or a metric; the first shape's first outcome but a stalemate, unless one is named
 * @throws InputError if no scenario has the outcome, or not all have the metric
 */
export function subjectOf(asked: string | undefined, shapes: readonly TallyShape[]): Subject {
  const outcomes = [...new Set(shapes.flatMap((shape) => shape.outcomes))];
  const of = asked ?? outcomes.find((outcome) => outcome !== 'stalemate') ?? '';
  if (outcomes.includes(of)) return outcomeSubject(of, shapes);
  const [first, ...others] = shapes.map(({ metrics }) => metrics.map(({ name }) => name));
  const shared = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  if (shared.includes(of)) return metricSubject(of, shapes);
  const words = [...outcomes, ...shared];
  throw new InputError('--of', `one of ${words.join(', ')}`, `"${of}"${didYouMean(of, words)}`);
}

/** The pairs with exact differences, by which they are then told apart. */
function exactPairs(gaps: readonly Gap[], values: readonly number[]): Pairing[] {
  return gaps.map((gap) => {
    const [x, y] = [values[gap.first] ?? 0, values[gap.second] ?? 0];
    const equal = Math.abs(y - x) <= ROUNDING * Math.max(1, Math.abs(x), Math.abs(y));
    return { ...gap, exact: equal ? 0 : y - x, verdict: equal ? 'tie' : y > x ? 'higher' : 'lower' };
  });
}

/** How many pairs say that a scenario is lower, or higher, than another. */
function told(pairs: readonly Pairing[], scenario: number, as: 'higher' | 'lower'): number {
  const seen = (gap: Pairing): boolean =>
    gap.second === scenario ? gap.verdict === as : gap.first === scenario && !['tie', as].includes(gap.verdict);
  return pairs.filter(seen).length;
}

function ranked(figures: readonly Figure[], pairs: readonly Pairing[], exact: readonly number[] | undefined) {
  const standings = figures.map((figure, s): Standing => {
    const rank = [1 + told(pairs, s, 'lower'), figures.length - told(pairs, s, 'higher')] as const;
    const known = exact?.[s];
    return { ...figure, ...(known !== undefined && { exact: known }), rank };
  });
  const valueAt = (s: number): number => standings[s]?.exact ?? standings[s]?.value ?? 0;
  const order = [...standings.keys()].sort((a, b) => valueAt(b) - valueAt(a) || a - b);
  const apart = pairs.filter(({ verdict }) => verdict !== 'tie').map(({ first, second }) => [first, second] as const);
  return { standings, order, groups: groupsOf(order, apart) };
}

function pairOf([one, two, ...others]: readonly Opened[]): PairedTally | undefined {
  if (one === undefined || two === undefined || others.length > 0) return undefined;
  return new PairedTally(one.shape, two.shape);
}

function checked(scenarios: readonly Scenario[]): void {
  const { length } = scenarios;
  if (length < 2 || length > SCENARIOS_MAX)
    throw new InputError('scenarios', `2..${String(SCENARIOS_MAX)} of them`, String(length));
  const system = scenarios[0]?.system ?? '';
  const stray = scenarios.find((scenario) => scenario.system !== system);
  if (stray !== undefined) throw new InputError('system', `${system}, as in the first scenario`, stray.system);
}

/**
 * Plays the same battles in every scenario: battle i of seed s has the same stream in all of them, and a draw has its
 * place in it, so what luck does to one it does to the others. Differences are paired, battle by battle.
 * @param scenarios 2..100 complete scenarios of one system; otherwise they may differ in anything
 * @throws InputError if the systems differ or an option is out of range
 * @throws RunError if the kernel is not built, or the signal came before the first battle
 */
export async function compare(scenarios: readonly Scenario[], options: CompareOptions = {}): Promise<Comparison> {
  checked(scenarios);
  const { signal } = options;
  const seed = parseSeed(options.seed ?? 1n);
  const from = parseCount(options.from ?? 0, 'from', 0, MAX_BATTLES - 1);
  const asked = parseCount(options.battles ?? BATTLES, 'battles', 1, MAX_BATTLES - from);
  const sides = await Promise.all(scenarios.map(opened));
  const shapes = sides.map(({ shape }) => shape);
  const { of, kind, unit, read, exact } = subjectOf(options.of, shapes);
  const tally = new FigureTally(sides.length, kind === 'outcome', unit);
  const paired = pairOf(sides);
  await lookAt(from, asked, signal, (battle) => {
    const results = sides.map(({ play }) => play(seed, battle));
    tally.count(results.map(read));
    const [one, two] = results;
    if (one !== undefined && two !== undefined) paired?.count(one, two);
    return true;
  });
  const { battles } = tally;
  if (battles === 0) throw new RunError('stopped before the first battle');
  const answers = signal?.aborted === true ? undefined : exactAnswers(scenarios, asked);
  const values = answers?.map(exact);
  const pairs = values === undefined ? tally.gaps() : exactPairs(tally.gaps(), values);
  const all = paired && { all: differenceOf(paired, seed, answers) };
  return { seed, from, battles, of, kind, pairs, ...ranked(tally.figures(), pairs, values), ...all };
}
