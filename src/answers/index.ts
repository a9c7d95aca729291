/** What other modules may use of answers. */

export { type Contradiction, contradiction, shareContradicts, toldContradiction } from './agreement.ts';
export { type Aim, allowed } from './aim.ts';
export { Bets } from './betting.ts';
export { clopperPearson, share95 } from './binomial.ts';
export { type Bounds, judgeInterval, judgeValue, type Verdict, watch } from './bounds.ts';
export {
  countsDigest,
  digest,
  moduleRules,
  ownRules,
  type Played,
  RULESET,
  type Rules,
  rulesOf,
  scenarioHash,
} from './digest.ts';
export { type Drop, Elimination, type Goals, type Reason } from './elimination.ts';
export { type Interval, mean95, soleValue, unseenMove, Z95, zScore } from './intervals.ts';
export { asJson, headOf, lawJson, origin, originOf, playedJson } from './json.ts';
export { fixedInterval } from './mean-interval.ts';
export { byName, named } from './named.ts';
export {
  type MetricDifference,
  type OutcomeDifference,
  PairedTally,
  shareDifference,
  type UnsharedOutcome,
} from './paired.ts';
export { meanDifference, rangeOfDifference, Sums } from './paired-means.ts';
export { type Stopping, Target } from './precision.ts';
export { normalUpper, studentUpper } from './quantiles.ts';
export { type Quantity, quantityOf, shareWithin } from './quantity.ts';
export { FigureTally } from './ranking.ts';
export { sampleOfReals } from './sample.ts';
export { exactPairs, type Pairing, ranked, type Standing } from './standings.ts';
export { eachStatistic, STATISTICS, TABLED_STATISTICS } from './statistics.ts';
export {
  boundMeans,
  type MetricSummary,
  type OutcomeSummary,
  type Summary,
  summarise,
  summariseLaw,
} from './summary.ts';
export { type HowEnded, type Rank, type Tails, tailsOf } from './tails.ts';
export {
  battlesIn,
  countBattle,
  emptyTally,
  type MetricCounts,
  makeRoom,
  mergeTally,
  type Spread,
  shapeOf,
  spreadOf,
  type Tally,
  type TallyShape,
  valueCounts,
} from './tally.ts';
export { aimOf, PRECISION, type Wish, wishOf } from './wish.ts';
