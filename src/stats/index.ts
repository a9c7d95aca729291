/** Interface of this module. */

export { type Contradiction, describeContradiction, findContradiction, isContradictoryShare } from './agreement.ts';
export { clopperPearson, clopperPearson95 } from './binomial.ts';
export { type Bounds, type BoundsVerdict, createInterimSchedule, judgeInterval, judgeValue } from './bounds.ts';
export { computeChiSquareTail } from './chi-square.ts';
export { ComparisonCounts } from './comparison-counts.ts';
export { ConfidenceSequence } from './confidence-sequence.ts';
export {
  addBattle,
  type Counts,
  type CountsShape,
  collectValueWeights,
  createCountsShape,
  createEmptyCounts,
  getBattleCount,
  listValueCounts,
  type MetricCounts,
  mergeCounts,
  reserveRange,
  type ValueWeights,
} from './counts.ts';
export {
  computeCountsDigest,
  computeDigest,
  computeSplittingDigest,
  hashScenario,
  identifyModuleRules,
  identifyRules,
  pickModuleFields,
  RULESET,
  type RulesIdentity,
  type RunIdentity,
} from './digest.ts';
export { type DroppedScenario, Elimination, type EliminationStopReason, type SelectionGoal } from './elimination.ts';
export {
  createEstimand,
  createQuantileEstimand,
  createShareEstimand,
  type Estimand,
  type QuantileEstimand,
} from './estimand.ts';
export { computeMaxHalfWidth, type HalfWidthTarget } from './half-width-target.ts';
export {
  computeMeanInterval95,
  computeSingleValueInterval,
  computeUnobservedShift,
  type Interval,
  Z95,
  zScore,
} from './intervals.ts';
export {
  createProvenance,
  createResultHeader,
  createVersionInfo,
  toCountsJson,
  toDistributionJson,
  withToJson,
} from './json.ts';
export { computeFixedLengthInterval } from './mean-interval.ts';
export {
  computeShareDifference,
  type MetricDifference,
  type OutcomeDifference,
  PairedCounts,
  type UnsharedOutcome,
} from './paired-counts.ts';
export { computeDifferenceRange, computeMeanDifference, PowerSums } from './paired-means.ts';
export { createHalfWidthTarget, createPrecisionSpec, PRECISION, type PrecisionSpec } from './precision-spec.ts';
export { normalUpper, studentUpper } from './quantiles.ts';
export { type PairedDifference, type RankedScenario, rankScenarios, withExactDifferences } from './ranked-scenarios.ts';
export { createRecord, indexByName } from './records.ts';
export { computeMean, computeRealSampleMoments, computeVariance } from './sample-moments.ts';
export { mapStatistics, STATISTICS, TABLE_STATISTICS } from './statistics.ts';
export { type StoppingResult, StoppingRule } from './stopping-rule.ts';
export {
  boundMeans,
  type MetricSummary,
  type OutcomeSummary,
  type Summary,
  summarizeBattles,
  summarizeDistribution,
} from './summary.ts';
export { computeTailWeights, type OutcomeRank, type RankedEnd, type TailWeights } from './tail-weights.ts';
