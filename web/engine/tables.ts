/** The tables of an answer, and the laws of its metrics: loaded when the first answer is there. */
import type { Summary } from '../../src/answers/summary.ts';
import type { Tally, TallyShape } from '../../src/answers/tally.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { disagreement } from '../../src/studies/look.ts';
import { exactMetricTable, exactOutcomeTable, metricTable, outcomeTable } from '../../src/tell/estimates.ts';
import { SHARE, valueText } from '../../src/tell/figure.ts';
import { givenTable } from '../../src/tell/given.ts';
import { type ShownSide, sideIn } from '../../src/tell/sides.ts';
import { phraseOf } from '../../src/tell/survey/outcomes.ts';
import { type Law, lawsOf, moves } from './laws.ts';
import { partsOf, type SheetPart } from './sheet.ts';

/** One outcome of a battle, for a bar. */
export interface AnsweredOutcome {
  readonly name: string;
  /** `the attacker wins` */
  readonly phrase: string;
  /** Of the side that it is of; undefined if it is nobody's. */
  readonly tone: number | undefined;
  readonly p: number;
  /** `57.67 %` */
  readonly share: string;
  readonly interval?: readonly [low: number, high: number] | undefined;
  /** The exact probability, beside one that was played. */
  readonly exact?: number | undefined;
}

export interface Tables {
  readonly outcomes: readonly AnsweredOutcome[];
  readonly outcomeTable: readonly SheetPart[];
  /** Of metrics that vary; a line for the others. */
  readonly metricTable: readonly SheetPart[];
  /** Means by outcome. */
  readonly givenTable: readonly SheetPart[];
  readonly laws: readonly Law[];
}

/** What the tables are of: a law by itself, or what was played with the law beside it. */
export interface Tabled {
  readonly sides: readonly ShownSide[];
  readonly shape: TallyShape;
  readonly summary: Summary;
  readonly tally: Tally;
  /** That were played; undefined for a law. */
  readonly battles?: number | undefined;
  /** Beside what was played. */
  readonly exact?: Summary | undefined;
  /** Of a law: battles that are not in it. */
  readonly lost?: number;
}

function outcomesOf({ outcomes }: Summary, exact: Summary | undefined, sides: readonly ShownSide[]): AnsweredOutcome[] {
  const probabilities = new Map(exact?.outcomes.map(({ name, p }) => [name, p]));
  return outcomes
    .map((outcome): AnsweredOutcome => {
      const { name, p, ci95 } = outcome;
      const share = valueText(SHARE, { value: p, interval: ci95 });
      const tone = sideIn(name, sides)?.tone;
      return { name, phrase: phraseOf(name), tone, p, share, interval: ci95, exact: probabilities.get(name) };
    })
    .filter(({ p, exact: q = 0 }) => p > 0 || q > 0);
}

/** What never varies is told in a line. */
function stillLine(still: Summary['metrics'], isPlayed: boolean): SheetPart[] {
  if (still.length === 0) return [];
  const all = still.map(({ name, min }) => `${name} ${String(min)}`).join(', ');
  return [{ kind: 'line', text: `The same in every battle${isPlayed ? ' played' : ''}: ${all}.` }];
}

function metricsOf({ sides, summary, battles, exact }: Tabled): SheetPart[] {
  const others = new Map(exact?.metrics.map((metric) => [metric.name, metric]));
  const moving = summary.metrics.filter((metric) => moves(metric, others.get(metric.name)));
  const still = summary.metrics.filter((metric) => !moving.includes(metric));
  const shown = { ...summary, metrics: moving };
  const only = exact && { ...exact, metrics: exact.metrics.filter(({ name }) => moving.some((m) => m.name === name)) };
  const table = battles === undefined ? exactMetricTable(shown) : metricTable(shown, battles, only);
  return [
    ...(moving.length === 0 ? [] : partsOf(table, sides)),
    ...stillLine(still, battles !== undefined && exact === undefined),
  ];
}

/** @param whole means by outcome too: not while it is played */
export function tablesOf(of: Tabled, whole: boolean): Tables {
  const { shape, sides, summary, tally, battles, exact, lost = 0 } = of;
  return {
    outcomes: outcomesOf(summary, exact, sides),
    outcomeTable: partsOf(
      battles === undefined ? exactOutcomeTable(summary, lost) : outcomeTable(summary, battles, exact),
      sides,
    ),
    metricTable: metricsOf(of),
    givenTable: whole ? partsOf(givenTable(shape, tally, summary, battles === undefined), sides) : [],
    laws: lawsOf(summary, shape, exact, sides),
  };
}

/** What is said in front of an answer whose battles contradict its law. */
export function doubtOf(scenario: Scenario, { summary, exact, battles = 0 }: Tabled): string[] {
  const text = disagreement(scenario, summary, exact, battles);
  return text === undefined ? [] : [text];
}
