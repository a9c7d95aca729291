/** The answer in a player's words: who wins how often, what is left then, how else it can end. */
import type { OutcomeSummary, Summary, Tally, TallyShape } from '../../answers/index.ts';
import { opened, type Scenario } from '../../rules/index.ts';
import { boundText, intervalText, SHARE, valueText } from '../figure.ts';
import { type ShownSide, sidesOf } from '../sides.ts';
import { fixed, grouped } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';
import { type OddsPart, oddsOf } from './bar.ts';
import { battlesText, chancePercent, preciseText, sharePercent, timesText } from './chances.ts';
import { keepsText, type LeftMetric, leftMetrics, sideKeepsText } from './left.ts';
import { clauseOf, isNamed, subjectOf, winnerOf } from './names.ts';

/** What is known of a scenario: its law, or what was counted. */
export interface Counted {
  readonly summary: Summary;
  /** Counts, or the probabilities of an exact law. */
  readonly tally: Tally;
}

/** A question and what is known of it: something at least. */
export interface Leading {
  readonly scenario: Scenario;
  readonly exact?: Counted | undefined;
  readonly played?: (Counted & { readonly battles: number }) | undefined;
}

export interface Lead {
  /** The answer, and how else it ends. */
  readonly lines: readonly string[];
  /** Small print: what was played, with its interval. */
  readonly small: readonly string[];
  readonly odds: readonly OddsPart[];
  /** Metrics that say what is left of the sides, or what they lost. */
  readonly left: readonly LeftTitle[];
}

/** A metric that says what is left. */
export interface LeftTitle {
  readonly metric: string;
  /** `Swordsmen: hit points left`, `The defender: units lost` */
  readonly title: string;
  readonly tone: number;
}

/** What all sentences take. */
interface Telling {
  readonly shape: TallyShape;
  readonly sides: readonly ShownSide[];
  readonly lefts: readonly LeftMetric[];
  readonly tally: Tally;
}

/** Outcomes that are named. */
const NAMED = 3;

/** Half of an interval from here on says more than a fraction would. */
const WIDE = 0.02;

const isWide = ({ ci95 }: OutcomeSummary): boolean => ci95 !== undefined && (ci95[1] - ci95[0]) / 2 > WIDE;

/** `57 to 100 of 100`: of few battles. */
const rangeText = ([low, high]: readonly [number, number]): string =>
  `${fixed(100 * low, 0)} to ${fixed(100 * high, 0)} of 100`;

/** `57.65 %`, or with what it is surely within: `57.67 ± 0.10 %`. */
function figureOf({ p, ci95 }: OutcomeSummary): string {
  return preciseText({ value: p, interval: ci95 });
}

/** What the winner of an outcome is left with: ` and then keeps 4.1 tanks on average`. */
function thenText(outcome: string, { shape, sides, lefts, tally }: Telling): string {
  const winner = winnerOf(outcome, sides);
  const left = lefts.find(({ side }) => side === winner);
  if (!isNamed(outcome, winner) || left === undefined) return '';
  const text = keepsText(shape, tally, left, subjectOf(winner), shape.outcomes.indexOf(outcome));
  return text === undefined ? '' : ` and then ${text}`;
}

function firstLine(first: OutcomeSummary, telling: Telling): string {
  const { name, p, ci95 } = first;
  const clause = clauseOf(name, telling.sides);
  const then = thenText(name, telling);
  const isWin = isNamed(name, winnerOf(name, telling.sides));
  const figure = p >= 1 && ci95 === undefined ? '' : ` (${figureOf(first)})`;
  if (isWide(first) && ci95 !== undefined && p < 1) {
    const range = `${rangeText(ci95)} ${isWin ? 'times' : 'battles'}`;
    return isWin ? `${sentence(clause)} ${range}${then}.` : `In ${range} ${clause}.`;
  }
  if (p === 1 && ci95 !== undefined) {
    // However many battles were played, another one may end otherwise.
    const all = first.count === 1 ? 'the one battle played' : `each of the ${grouped(first.count)} battles played`;
    return isWin ? `${sentence(clause)} ${all}${figure}${then}.` : `In ${all} ${clause}${figure}.`;
  }
  if (isWin) return `${sentence(clause)} ${timesText(p)}${figure}${then}.`;
  return `${sentence(battlesText(p))} ${clause}${figure}.`;
}

/** `Pikemen win in 36.21 % and then keep 9.8 hit points on average; both sides fall in 6.14 %.` */
function otherLine(others: readonly OutcomeSummary[], telling: Telling): string[] {
  const named = others.slice(0, others.length === NAMED ? NAMED : NAMED - 1);
  const rest = others.slice(named.length);
  const p = rest.reduce((sum, each) => sum + each.p, 0);
  const parts = named.map((each) => {
    const share = chancePercent({ value: each.p, interval: each.ci95 });
    return `${clauseOf(each.name, telling.sides)} in ${share}${thenText(each.name, telling)}`;
  });
  const more =
    rest.length === 0 ? [] : [`${grouped(rest.length)} other endings come in ${sharePercent(p, 1)} together`];
  const all = [...parts, ...more];
  return all.length === 0 ? [] : [`${sentence(all.join('; '))}.`];
}

/** What is left of all sides, where nobody wins most often. */
function leftLine({ shape, tally, lefts }: Telling): string[] {
  const parts = lefts.flatMap((left) => sideKeepsText(shape, tally, left) ?? []);
  return parts.length === 0 ? [] : [`${sentence(parts.join('; '))}.`];
}

/** `Played: 57.67 % of 1 000 000 battles (95 % interval 57.57 .. 57.77 %).` */
function playedLine({ name }: OutcomeSummary, { summary, battles }: Counted & { readonly battles: number }): string[] {
  const outcome = summary.outcomes.find((each) => each.name === name);
  if (outcome === undefined) return [];
  const figure = { value: outcome.p, interval: outcome.ci95 };
  const bound = boundText(SHARE, figure);
  const within = bound === undefined ? `95 % interval ${intervalText(SHARE, figure)}` : `95 % bound ${bound}`;
  const count = `${grouped(battles)} battle${battles === 1 ? '' : 's'}`;
  return [`Played: ${valueText(SHARE, figure)} of ${count} (${within}).`];
}

const NOTHING: Lead = { lines: [], small: [], odds: [], left: [] };

function titleOf({ side, name, noun, verb }: LeftMetric): LeftTitle {
  const what = `${noun} ${verb === 'keeps' ? 'left' : 'lost'}`;
  return { metric: name, title: `${sentence(subjectOf(side).text)}: ${what}`, tone: side.tone };
}

/** The answer to a scenario. The exact law leads where it is known; what was played stands in small print. */
export function leadOf({ scenario, exact, played }: Leading): Lead {
  const found = exact ?? played;
  if (found === undefined) return NOTHING;
  const { shape, system } = opened(scenario);
  const sides = sidesOf(scenario);
  const lefts = leftMetrics({ summary: found.summary, sides, counts: system.counts ?? {} });
  const telling: Telling = { shape, sides, lefts, tally: found.tally };
  const came = found.summary.outcomes.filter(({ p }) => p > 0).toSorted((a, b) => b.p - a.p);
  const [first, ...others] = came;
  if (first === undefined) return NOTHING;
  const isWin = isNamed(first.name, winnerOf(first.name, sides));
  return {
    lines: [firstLine(first, telling), ...otherLine(others, telling), ...(isWin ? [] : leftLine(telling))],
    small: played === undefined ? [] : playedLine(first, played),
    odds: oddsOf(found.summary, sides),
    left: lefts.map(titleOf),
  };
}
