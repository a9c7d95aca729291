/** How one's own battle stands among all: whether it was luck. */

import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import {
  clopperPearson95,
  computeTailWeights,
  getBattleCount,
  listValueCounts,
  type OutcomeRank,
  type RankedEnd,
  type TailWeights,
} from '../../stats/index.ts';
import { getSides, type ScenarioSide } from '../scenario/sides.ts';
import { capitalize } from '../text/capitalize.ts';
import type { SummarizedCounts } from './headline.ts';
import { createSubject, findWinner, formatOutcomeClause } from './outcome-names.ts';
import { formatBattleShare, formatEstimatedPercent } from './probability-text.ts';
import { findRemainingMetrics, type RemainingMetric } from './remaining-metrics.ts';

/** What is known of the scenario that the battle was fought with. */
export interface LuckInput extends SummarizedCounts {
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

interface LuckContext {
  readonly input: LuckInput;
  readonly sides: readonly ScenarioSide[];
  readonly lefts: readonly RemainingMetric[];
}

function createLuckContext(input: LuckInput): LuckContext {
  const sides = getSides(input.scenario);
  const counts = getBoundScenario(input.scenario).system.counts ?? {};
  return { input, sides, lefts: findRemainingMetrics({ summary: input.summary, sides, counts }) };
}

/** The metric that tells endings of one outcome apart: of its winner, or of the first side where nobody wins. */
function findOutcomeMetric(outcome: string, { sides, lefts }: LuckContext): RemainingMetric | undefined {
  const side = findWinner(outcome, sides) ?? sides[0];
  return lefts.find((left) => left.side === side);
}

function createLuckOption(outcome: string, o: number, table: LuckContext): LuckOption {
  const { input, sides } = table;
  const clause = formatOutcomeClause(outcome, sides);
  const left = findOutcomeMetric(outcome, table);
  const pairs = left === undefined ? [] : listValueCounts(input.tally, left.metric, o);
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (left === undefined || first === undefined || last === undefined || first === last) return { outcome, clause };
  const step = getBoundScenario(input.scenario).shape.metrics[left.metric]?.unit ?? 1;
  const total = pairs.reduce((sum, [, weight]) => sum + weight, 0);
  const upTo = (p: number): number => pairs.reduce((sum, [, weight], at) => (at > p ? sum : sum + weight), 0);
  const middle = pairs.find((_, p) => upTo(p) >= total / 2) ?? last;
  return {
    outcome,
    clause,
    metric: {
      name: left.name,
      title: `${left.noun} that ${createSubject(left.side).text} ${left.verb === 'keeps' ? 'had left' : 'lost'}`,
      ...{ low: first[0] * step, high: last[0] * step, step, middle: middle[0] * step },
    },
  };
}

/** The endings that come, the commonest first. */
export function listLuckOptions(input: LuckInput): LuckOption[] {
  const table = createLuckContext(input);
  const { outcomes } = input.summary;
  const came = [...outcomes.entries()].filter(([, { p }]) => p > 0).toSorted(([, a], [, b]) => b.p - a.p);
  return came.map(([o, { name }]) => createLuckOption(name, o, table));
}

/**
 * The order of endings for a side: those that another side wins, those that nobody wins, those that it wins itself; among
 * these by what is left, more of its own and less of another's is better.
 */
function rankResults(side: ScenarioSide, table: LuckContext): OutcomeRank[] {
  return getBoundScenario(table.input.scenario).shape.outcomes.map((outcome): OutcomeRank => {
    const winner = findWinner(outcome, table.sides);
    const left = findOutcomeMetric(outcome, table);
    const rank = winner === undefined ? 1 : winner.id === side.id ? 2 : 0;
    if (left === undefined) return { rank };
    const kept = left.verb === 'keeps' ? 1 : -1;
    const own = left.side.id === side.id ? 1 : -1;
    return { rank, by: { metric: left.metric, more: kept * own > 0 ? 1 : -1 } };
  });
}

/** What is said of a part of all battles. */
function formatPartOfBattles(
  count: number,
  { tally, battles }: LuckInput,
): { readonly often: string; readonly share: string } {
  if (battles === undefined)
    return { often: formatBattleShare(Math.min(count, 1)), share: formatEstimatedPercent({ value: count }) };
  const total = getBattleCount(tally);
  const share = formatEstimatedPercent({ value: count / total, interval: clopperPearson95(count, total) });
  return { often: formatBattleShare(Math.min(count / total, 1 - 1e-9)), share };
}

/** Rarer than this on a side is luck. */
const LUCK_LIMIT = 0.05;

/** Commoner than this on both sides is nothing special. */
const USUAL_LIMIT = 0.2;

function formatLuckVerdict({ worse, same, better }: TailWeights, total: number, name: string): string {
  const [low, high] = [(worse + same) / total, (better + same) / total];
  if (low < LUCK_LIMIT && high < LUCK_LIMIT) return 'Such an ending hardly ever comes';
  if (low < LUCK_LIMIT) return `Bad luck for ${name}`;
  if (high < LUCK_LIMIT) return `Good luck for ${name}`;
  return low > USUAL_LIMIT && high > USUAL_LIMIT ? 'Nothing unusual' : 'Somewhat unusual, but no great luck';
}

export interface LuckReport {
  /** `Bad luck for the attacker` */
  readonly verdict: string;
  /** Both tails, and what is just so. */
  readonly lines: readonly string[];
}

/** How much ends worse and better for a side, as counts or probabilities. */
export function computeLuckTails(
  input: LuckInput,
  side: ScenarioSide,
  outcome: string,
  value: number | undefined,
): TailWeights {
  const table = createLuckContext(input);
  const { shape } = getBoundScenario(input.scenario);
  const left = findOutcomeMetric(outcome, table);
  const unit = shape.metrics[left?.metric ?? -1]?.unit ?? 1;
  const ending: RankedEnd = { outcome: shape.outcomes.indexOf(outcome), value: Math.round((value ?? 0) / unit) };
  return computeTailWeights(input.tally, rankResults(side, table), ending);
}

/**
 * How a battle that ended so stands among all, for each of its sides in turn.
 * @param value of the metric that is asked for with the outcome, in its unit; the middle one unless given
 */
export function createLuckReports(input: LuckInput, outcome: string, value: number | undefined): LuckReport[] {
  const total = getBattleCount(input.tally);
  const sides = getSides(input.scenario);
  // What is worse for one of two is better for the other.
  return sides.slice(0, sides.length === 2 ? 1 : sides.length).map((side) => {
    const tails = computeLuckTails(input, side, outcome, value);
    const name = createSubject(side).text;
    const [worse, better, same] = [tails.worse + tails.same, tails.better + tails.same, tails.same].map((count) =>
      formatPartOfBattles(count, input),
    );
    return {
      verdict: formatLuckVerdict(tails, total, name),
      lines: [
        `That, or worse for ${name}, happens ${worse?.often ?? ''} (${worse?.share ?? ''}).`,
        `That, or better for ${name}, happens ${better?.often ?? ''} (${better?.share ?? ''}).`,
        `${capitalize(same?.share ?? '')} of battles end just so, and count on both sides.`,
      ],
    };
  });
}

/** What "worse" means, for those who ask. */
export const LUCK_ORDER_EXPLANATION =
  'Worse for a side: battles that another side wins come before those that nobody wins, and these before its own victories. Among battles with one winner it is the worse, the less is left of it where it wins, and the more is left of the winner where it does not.';
