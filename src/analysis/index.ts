/** Interface of this module. */

export { BALANCE, type BalanceResult, balance } from './balance/balance.ts';
export {
  type BalanceSetting,
  compareValues,
  type ExaminedRows,
  type FieldCurve,
  type SearchRange,
  type SearchReport,
} from './balance/index.ts';
export type { VariedField } from './balance/setting-evaluator.ts';
export type { CellTerms, ReadingCache } from './balance-problem/cell-table.ts';
export type { ProblemSetting, TargetValue } from './balance-problem/evaluated-setting.ts';
export type { SettingOptimizer } from './balance-problem/optimizer-search.ts';
export {
  type BalanceProblem,
  countSettings,
  createProblemField,
  getFieldValue,
  PROBLEM_FIELDS_MAX,
  type ProblemField,
  type ProblemScenario,
  type ScenarioPath,
} from './balance-problem/problem.ts';
export {
  BALANCE_SCENARIOS,
  type BalanceSolution,
  SEARCH_PROBLEM_OPTIONS,
  type SearchProblemOptions,
  searchProblem,
} from './balance-problem/search-problem.ts';
export { type ProblemTarget, parseProblemTarget } from './balance-problem/target.ts';
export { checkAgreement, describeDisagreement, openBattleFunction, visitBattles } from './battle-function.ts';
export { findBriefExactAnswer, findExactAnswerOffThread } from './bounds-decision.ts';
export {
  type BestScenario,
  COMPARE,
  type Comparison,
  compare,
  type PairedDifference,
  type RankedScenario,
} from './comparing/compare.ts';
export { COMPARE_RULES, compareRules, type RulesComparison } from './comparing/compare-rules.ts';
export { ConditionReader, type Term } from './condition.ts';
export { createLatinHypercube, createRandomDesign, createStudyStream, type Design } from './designs/design.ts';
export { createSobolDesign } from './designs/sobol-design.ts';
export { EXECUTION, type ExecutionOptions, pickExecutionOptions, THREADS } from './execution-options.ts';
export { CHECK_EXPECTATIONS } from './expectations/check-expectations.ts';
export { type BattleCondition, FIND, type FindResult, findBattles, parseBattleCondition } from './find-battles.ts';
export { FIT, type FieldEstimate, type FitResult, fitFields } from './fit/fit.ts';
export type { AlphaRankedArmy, AlphaRankSummary } from './matchup/alpha-rank-analysis.ts';
export {
  analyzeMatchups,
  MATCHUP,
  type MatchupAnalysis,
  type RoleAnalysis,
  type SymmetricAnalysis,
} from './matchup/analyze-matchups.ts';
export { type CertifiedGame, certifyMatrixGame, type MatrixCell } from './matchup/certify-matrix-game.ts';
export type { MatchupCycle } from './matchup/cycles.ts';
export type { DominatedArmy, EliminationRound, MixDominatedArmy } from './matchup/dominance.ts';
export type { EquilibriumArmy } from './matchup/equilibrium.ts';
export type { PayoffInterval } from './matchup/payoff-matrix.ts';
export {
  ARMIES_MAX,
  type BoundedPayoff,
  isSameRoster,
  type PayoffMatrix,
  symmetrize,
} from './matchup/payoff-matrix.ts';
export type { RankedArmy } from './matchup/ranking.ts';
export type { RareOutcomeEstimate, SplittingStage } from './rare-outcome/estimate-rare-outcome.ts';
export { type BattleResult, createBattleResult, REPLAY, type Replay, replay } from './replay.ts';
export { COVERAGE, measureRuleCoverageSync, type RuleCoverage } from './rule-coverage.ts';
export {
  BATTLES,
  pickRunLength,
  pickRunSpec,
  RUN,
  RUN_LENGTH,
  RUN_POSITION,
  type RunSpec,
  resolveBattleSpan,
} from './run-options.ts';
export type { PlannedValue, RunPlan } from './run-plan.ts';
export { ScenarioLoader } from './scenario-loader.ts';
export { STUDY } from './sensitivity/cell-evaluator.ts';
export type {
  MorrisField,
  MorrisSensitivity,
  Sensitivity,
  SobolField,
  SobolSensitivity,
  StepEffect,
  StepField,
  StepSensitivity,
} from './sensitivity/index.ts';
export { MORRIS, morrisSensitivity } from './sensitivity/morris.ts';
export { SOBOL, sobolSensitivity } from './sensitivity/sobol.ts';
export { STEP, stepSensitivity } from './sensitivity/step.ts';
export { computeWhatIf, type FieldMoveEffect, type SideMoveEffects, type WhatIfResult } from './sensitivity/what-if.ts';
export { ALONGSIDE_BUDGET, BUDGET, EXACT, EXACTNESS, type ExactMode } from './shared-options.ts';
export {
  type Engine,
  type Progress,
  type SimulateOptions,
  type SimulationResult,
  type StoppingResult,
  simulate,
} from './simulate.ts';
export { type ExactResult, solveSync, solveWithBudget } from './solve.ts';
