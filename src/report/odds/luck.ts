/** Rank of the result of a real battle among all possible results: whether it was luck. */

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

/** Results of the scenario of the battle. */
export interface LuckInput extends SummarizedCounts {
  readonly scenario: Scenario;
  /** Number of simulated battles; undefined for exact results. */
  readonly battles?: number | undefined;
}

/** Possible outcome, with a metric to enter. */
export interface LuckOption {
  readonly outcome: string;
  /** `Swordsmen win` */
  readonly clause: string;
  /** Metric of the remaining or lost units, if there is one. */
  readonly metric?:
    | {
        readonly name: string;
        /** `hit points of Swordsmen left` */
        readonly title: string;
        readonly low: number;
        readonly high: number;
        readonly step: number;
        /** Median over the battles with this outcome. */
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

/** Finds the metric that ranks battles with the same outcome: of the winner, or of the first side if nobody wins. */
function findOutcomeMetric(outcome: string, { sides, lefts }: LuckContext): RemainingMetric | undefined {
  const side = findWinner(outcome, sides) ?? sides[0];
  return lefts.find((left) => left.side === side);
}

function createLuckOption(outcome: string, o: number, table: LuckContext): LuckOption {
  const { input, sides } = table;
  const clause = formatOutcomeClause(outcome, sides);
  const left = findOutcomeMetric(outcome, table);
  const pairs = left === undefined ? [] : listValueCounts(input.counts, left.metric, o);
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (left === undefined || first === undefined || last === undefined || first === last) return { outcome, clause };
  const step = getBoundScenario(input.scenario).shape.metrics[left.metric]?.unit ?? 1;
  const total = pairs.reduce((sum, [, weight]) => sum + weight, 0);
  const sumUpTo = (p: number): number => pairs.reduce((sum, [, weight], at) => (at > p ? sum : sum + weight), 0);
  const middle = pairs.find((_, p) => sumUpTo(p) >= total / 2) ?? last;
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

/** Lists the outcomes that occur, the most frequent first. */
export function listLuckOptions(input: LuckInput): LuckOption[] {
  const table = createLuckContext(input);
  const { outcomes } = input.summary;
  const came = [...outcomes.entries()].filter(([, { p }]) => p > 0).toSorted(([, a], [, b]) => b.p - a.p);
  return came.map(([o, { name }]) => createLuckOption(name, o, table));
}

/**
 * Ranks outcomes for a side: wins of other sides, outcomes without a winner, its own wins. Battles with the same
 * outcome are ranked by remaining units: more of its own and fewer of the others is better.
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

/** Formats a share of all battles. */
function formatPartOfBattles(
  count: number,
  { counts, battles }: LuckInput,
): { readonly often: string; readonly share: string } {
  if (battles === undefined)
    return { often: formatBattleShare(Math.min(count, 1)), share: formatEstimatedPercent({ value: count }) };
  const total = getBattleCount(counts);
  const share = formatEstimatedPercent({ value: count / total, interval: clopperPearson95(count, total) });
  return { often: formatBattleShare(Math.min(count / total, 1 - 1e-9)), share };
}

/** A result with a smaller tail probability is luck. */
const LUCK_LIMIT = 0.05;

/** A result with larger tail probabilities on both sides is usual. */
const USUAL_LIMIT = 0.2;

function formatLuckVerdict({ worse, same, better }: TailWeights, total: number, name: string): string {
  const [low, high] = [(worse + same) / total, (better + same) / total];
  if (low < LUCK_LIMIT && high < LUCK_LIMIT) return 'Such a result is very rare';
  if (low < LUCK_LIMIT) return `Bad luck for ${name}`;
  if (high < LUCK_LIMIT) return `Good luck for ${name}`;
  return low > USUAL_LIMIT && high > USUAL_LIMIT ? 'Nothing unusual' : 'Slightly unusual';
}

export interface LuckReport {
  /** `Bad luck for the attacker` */
  readonly verdict: string;
  /** Sentences on both tails, and on equal results. */
  readonly lines: readonly string[];
}

/** Computes the weights of worse, equal and better results for a side, as counts or probabilities. */
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
  const result: RankedEnd = { outcome: shape.outcomes.indexOf(outcome), value: Math.round((value ?? 0) / unit) };
  return computeTailWeights(input.counts, rankResults(side, table), result);
}

/**
 * Creates reports on a result for each side; for two sides, only for the first.
 * @param value value of the metric of the outcome, in its unit
 */
export function createLuckReports(input: LuckInput, outcome: string, value: number | undefined): LuckReport[] {
  const total = getBattleCount(input.counts);
  const sides = getSides(input.scenario);
  // With two sides, worse for one is better for the other.
  return sides.slice(0, sides.length === 2 ? 1 : sides.length).map((side) => {
    const tails = computeLuckTails(input, side, outcome, value);
    const name = createSubject(side).text;
    const [worse, better, same] = [tails.worse + tails.same, tails.better + tails.same, tails.same].map((count) =>
      formatPartOfBattles(count, input),
    );
    return {
      verdict: formatLuckVerdict(tails, total, name),
      lines: [
        `This or a worse result for ${name} happens ${worse?.often ?? ''} (${worse?.share ?? ''}).`,
        `This or a better result for ${name} happens ${better?.often ?? ''} (${better?.share ?? ''}).`,
        `${capitalize(same?.share ?? '')} of battles have exactly this result and count in both.`,
      ],
    };
  });
}

/** Definition of "worse". */
export const LUCK_ORDER_EXPLANATION =
  'Results from worst to best for a side: another side wins, nobody wins, the side wins. Among its own wins, fewer remaining units are worse; among wins of others, more remaining units of the winner are worse.';
