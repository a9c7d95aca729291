/** How one's own battle stands among all: whether it was luck. */
import { battlesIn, type HowEnded, type Rank, share95, type Tails, tailsOf, valueCounts } from '../../answers/index.ts';
import { opened, type Scenario } from '../../rules/index.ts';
import { type ShownSide, sidesOf } from '../sides.ts';
import { sentence } from '../text/sentence.ts';
import { battlesText, chancePercent } from './chances.ts';
import type { Counted } from './lead.ts';
import { type LeftMetric, leftMetrics } from './left.ts';
import { clauseOf, subjectOf, winnerOf } from './names.ts';

/** What is known of the scenario that the battle was fought with. */
export interface Known extends Counted {
  readonly scenario: Scenario;
  /** That were played; undefined for an exact law. */
  readonly battles?: number | undefined;
}

/** A way a battle can have ended, and what can be said of it. */
export interface LuckOption {
  readonly outcome: string;
  /** `Swordsmen win` */
  readonly clause: string;
  /** What was left is asked in this metric. */
  readonly metric?:
    | {
        readonly name: string;
        /** `hit points of Swordsmen left` */
        readonly title: string;
        readonly low: number;
        readonly high: number;
        readonly step: number;
        /** Half of the battles that end so have no more. */
        readonly middle: number;
      }
    | undefined;
}

interface Table {
  readonly known: Known;
  readonly sides: readonly ShownSide[];
  readonly lefts: readonly LeftMetric[];
}

function tableOf(known: Known): Table {
  const sides = sidesOf(known.scenario);
  const counts = opened(known.scenario).system.counts ?? {};
  return { known, sides, lefts: leftMetrics({ summary: known.summary, sides, counts }) };
}

/** The metric that tells endings of one outcome apart: of its winner, or of the first side where nobody wins. */
function measureOf(outcome: string, { sides, lefts }: Table): LeftMetric | undefined {
  const side = winnerOf(outcome, sides) ?? sides[0];
  return lefts.find((left) => left.side === side);
}

function optionOf(outcome: string, o: number, table: Table): LuckOption {
  const { known, sides } = table;
  const clause = clauseOf(outcome, sides);
  const left = measureOf(outcome, table);
  const pairs = left === undefined ? [] : valueCounts(known.tally, left.metric, o);
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (left === undefined || first === undefined || last === undefined || first === last) return { outcome, clause };
  const step = opened(known.scenario).shape.metrics[left.metric]?.unit ?? 1;
  const total = pairs.reduce((sum, [, weight]) => sum + weight, 0);
  const upTo = (p: number): number => pairs.reduce((sum, [, weight], at) => (at > p ? sum : sum + weight), 0);
  const middle = pairs.find((_, p) => upTo(p) >= total / 2) ?? last;
  return {
    outcome,
    clause,
    metric: {
      name: left.name,
      title: `${left.noun} that ${subjectOf(left.side).text} ${left.verb === 'keeps' ? 'had left' : 'lost'}`,
      ...{ low: first[0] * step, high: last[0] * step, step, middle: middle[0] * step },
    },
  };
}

/** The endings that come, the commonest first. */
export function luckOptions(known: Known): LuckOption[] {
  const table = tableOf(known);
  const { outcomes } = known.summary;
  const came = [...outcomes.entries()].filter(([, { p }]) => p > 0).toSorted(([, a], [, b]) => b.p - a.p);
  return came.map(([o, { name }]) => optionOf(name, o, table));
}

/**
 * The order of endings for a side: those that another side wins, those that nobody wins, those that it wins itself; among
 * these by what is left, more of its own and less of another's is better.
 */
function standingsFor(side: ShownSide, table: Table): Rank[] {
  return opened(table.known.scenario).shape.outcomes.map((outcome): Rank => {
    const winner = winnerOf(outcome, table.sides);
    const left = measureOf(outcome, table);
    const rank = winner === undefined ? 1 : winner.id === side.id ? 2 : 0;
    if (left === undefined) return { rank };
    const kept = left.verb === 'keeps' ? 1 : -1;
    const own = left.side.id === side.id ? 1 : -1;
    return { rank, by: { metric: left.metric, more: kept * own > 0 ? 1 : -1 } };
  });
}

/** What is said of a part of all battles. */
function partText(count: number, { tally, battles }: Known): { readonly often: string; readonly share: string } {
  if (battles === undefined) return { often: battlesText(Math.min(count, 1)), share: chancePercent({ value: count }) };
  const total = battlesIn(tally);
  const share = chancePercent({ value: count / total, interval: share95(count, total) });
  return { often: battlesText(Math.min(count / total, 1 - 1e-9)), share };
}

/** Rarer than this on a side is luck. */
const LUCK = 0.05;

/** Commoner than this on both sides is nothing special. */
const USUAL = 0.2;

function verdictOf({ worse, same, better }: Tails, total: number, name: string): string {
  const [low, high] = [(worse + same) / total, (better + same) / total];
  if (low < LUCK && high < LUCK) return 'Such an ending hardly ever comes';
  if (low < LUCK) return `Bad luck for ${name}`;
  if (high < LUCK) return `Good luck for ${name}`;
  return low > USUAL && high > USUAL ? 'Nothing unusual' : 'Somewhat unusual, but no great luck';
}

export interface LuckTold {
  /** `Bad luck for the attacker` */
  readonly verdict: string;
  /** Both tails, and what is just so. */
  readonly lines: readonly string[];
}

/** How much ends worse and better for a side, as counts or probabilities. */
export function luckTails(known: Known, side: ShownSide, outcome: string, value: number | undefined): Tails {
  const table = tableOf(known);
  const { shape } = opened(known.scenario);
  const left = measureOf(outcome, table);
  const unit = shape.metrics[left?.metric ?? -1]?.unit ?? 1;
  const ending: HowEnded = { outcome: shape.outcomes.indexOf(outcome), value: Math.round((value ?? 0) / unit) };
  return tailsOf(known.tally, standingsFor(side, table), ending);
}

/**
 * How a battle that ended so stands among all, for each of its sides in turn.
 * @param value of the metric that is asked for with the outcome, in its unit; the middle one unless given
 */
export function luckOf(known: Known, outcome: string, value: number | undefined): LuckTold[] {
  const total = battlesIn(known.tally);
  const sides = sidesOf(known.scenario);
  // What is worse for one of two is better for the other.
  return sides.slice(0, sides.length === 2 ? 1 : sides.length).map((side) => {
    const tails = luckTails(known, side, outcome, value);
    const name = subjectOf(side).text;
    const [worse, better, same] = [tails.worse + tails.same, tails.better + tails.same, tails.same].map((count) =>
      partText(count, known),
    );
    return {
      verdict: verdictOf(tails, total, name),
      lines: [
        `That, or worse for ${name}, happens ${worse?.often ?? ''} (${worse?.share ?? ''}).`,
        `That, or better for ${name}, happens ${better?.often ?? ''} (${better?.share ?? ''}).`,
        `${sentence(same?.share ?? '')} of battles end just so, and count on both sides.`,
      ],
    };
  });
}

/** What "worse" means, for those who ask. */
export const LUCK_ORDER =
  'Worse for a side: battles that another side wins come before those that nobody wins, and these before its own victories. Among battles with one winner it is the worse, the less is left of it where it wins, and the more is left of the winner where it does not.';
