/** Exports of warpool on all platforms. */

export {
  type BalanceOptions,
  type BalanceResult,
  type BalanceSetting as Setting,
  balance,
  type ExchangeRate,
  type FieldCurve,
  type SearchRange,
  type SearchReport,
  type VariedField,
} from './analysis/balance/index.ts';
export {
  type BestScenario,
  type CompareOptions,
  type Comparison,
  compare,
  type PairedDifference,
  type RankedScenario,
} from './analysis/comparing/compare.ts';
export {
  type CompareRulesOptions,
  compareRules,
  type RulesComparison,
  type RulesComparisonJson,
} from './analysis/comparing/compare-rules.ts';
export { type BattleMatch, type FindOptions, type FindResult, findBattles } from './analysis/find-battles.ts';
export { type FieldEstimate, type FitOptions, type FitResult, fitFields, type ModelTest } from './analysis/fit/fit.ts';
export type { ObservedBattles } from './analysis/fit/observations.ts';
export { type AlphaRankOptions, computeAlphaRank } from './analysis/matchup/alpha-rank.ts';
export type { AlphaRank, AlphaRankedArmy, RoleAlphaRank } from './analysis/matchup/alpha-rank-analysis.ts';
export {
  analyzeMatchups,
  type MatchupAnalysis,
  type MatchupOptions,
  type RoleAnalysis,
  type SymmetricAnalysis,
  type UndecidedCell,
  type UndecidedReason,
} from './analysis/matchup/analyze-matchups.ts';
export {
  type CertificationOptions,
  type CertifiedGame,
  certifyMatrixGame,
  type MatrixCell,
} from './analysis/matchup/certify-matrix-game.ts';
export { compareMatchups, type MatchupComparison, type RatingChange } from './analysis/matchup/compare-matchups.ts';
export type { CycleReport, MatchupCycle } from './analysis/matchup/cycles.ts';
export type { PartShare, PayoffDecomposition } from './analysis/matchup/decomposition.ts';
export type { DominatedArmy, EliminationRound, MixDominatedArmy } from './analysis/matchup/dominance.ts';
export type { BoundedSolution } from './analysis/matchup/double-oracle.ts';
export type { EquilibriumArmy, MatchupEquilibrium, SymmetricEquilibrium } from './analysis/matchup/equilibrium.ts';
export type { BoundedPayoff, PayoffInterval, PayoffMatrix } from './analysis/matchup/payoff-matrix.ts';
export type { ArmySideBias, RankedArmy, SideBias } from './analysis/matchup/ranking.ts';
export {
  estimateRareOutcome,
  type RareOutcomeEstimate,
  type RareOutcomeJson,
  type RareOutcomeOptions,
  type SplittingStage,
} from './analysis/rare-outcome/estimate-rare-outcome.ts';
export { type BattleResult, type Replay, type ReplayOptions, replay, runScript } from './analysis/replay.ts';
export {
  measureRuleCoverage,
  measureRuleCoverageSync,
  type RuleCoverage,
  type RuleCoverageOptions,
  type RuleCoverageSyncOptions,
} from './analysis/rule-coverage.ts';
export {
  type MorrisField,
  type MorrisOptions,
  type MorrisSensitivity,
  morrisSensitivity,
  type Sensitivity,
  type SobolField,
  type SobolOptions,
  type SobolSensitivity,
  type StepEffect,
  type StepField,
  type StepOptions,
  type StepSensitivity,
  sobolSensitivity,
  stepSensitivity,
} from './analysis/sensitivity/index.ts';
export type { ExactMode } from './analysis/shared-options.ts';
export {
  type Engine,
  type Progress,
  type RunJson,
  type SimulateOptions,
  type SimulationResult,
  type StoppingResult,
  simulate,
} from './analysis/simulate.ts';
export {
  type ExactJson,
  type ExactResult,
  type SolveOptions,
  type SolveSyncOptions,
  solve,
  solveSync,
} from './analysis/solve.ts';
export type { ReplayEvent } from './core/chance/recorded-chance.ts';
export type { ScriptEntry } from './core/chance/scripted-chance.ts';
export type { SeedLike } from './core/chance/stream.ts';
export {
  AbortError,
  BudgetError,
  type ErrorCode,
  type ErrorJson,
  InputError,
  type InputPosition,
  RulesError,
  RunError,
  reviveError,
  ScriptError,
  WarpoolError,
} from './core/errors.ts';
export type { WorkProgress } from './core/progress.ts';
export { VERSION as version } from './core/version.ts';
export type { ProgressOptions } from './engines/pool/offload.ts';
export { ThreadPool, type ThreadPoolOptions } from './engines/pool/thread-pool.ts';
export { loadSystems } from './rules/load-systems.ts';
export { type SystemModule, SystemRegistry } from './rules/registry.ts';
export { scenarioCosts } from './rules/scenario/costs.ts';
export {
  type LoadScenarioOptions,
  loadScenario,
  parseScenario,
  type ReadOptions,
  systemJsonSchema,
  updateScenario,
  type ValidateOptions,
  validateScenario,
} from './rules/scenario/index.ts';
export {
  type ScenarioInput,
  type ScenarioOfSystem,
  type ShippedScenarios,
  type SystemsLike,
  shippedSystems,
} from './rules/shipped-registry.ts';
export type { Metric, Scenario, System } from './rules/system.ts';
export type { Counts, CountsShape } from './stats/counts.ts';
export { RULESET } from './stats/digest.ts';
export type { Interval } from './stats/intervals.ts';
export type { PrecisionTarget } from './stats/precision-spec.ts';
export type { MetricSummary, OutcomeSummary, Quantiles, Summary } from './stats/summary.ts';
