/** What warpool exports wherever it runs. */

export { RULESET } from './answers/digest.ts';
export type { Interval } from './answers/intervals.ts';
export type { MetricSummary, OutcomeSummary, Quantiles, Summary } from './answers/summary.ts';
export type { Tally, TallyShape } from './answers/tally.ts';
export type { PrecisionLike } from './answers/wish.ts';
export type { StoryEvent } from './core/chance/recorded.ts';
export type { ScriptEntry } from './core/chance/scripted.ts';
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
export { VERSION as version } from './core/version.ts';
export type { WorkProgress } from './core/work.ts';
export type { WatchOptions } from './engines/pool/offload.ts';
export { Pool, type PoolOptions } from './engines/pool/pool.ts';
export { type SystemsLike, systems } from './rules/known-systems.ts';
export { loadSystems } from './rules/load.ts';
export { Registry, type SystemModule } from './rules/registry.ts';
export { pointsOf } from './rules/scenario/costs.ts';
export {
  jsonSchema,
  loadScenario,
  parseScenario,
  type ReadOptions,
  updateScenario,
  validateScenario,
} from './rules/scenario/index.ts';
export type { Metric, Payoff, Scenario, System } from './rules/system.ts';
export {
  type Along,
  type Balance,
  type BalanceOptions,
  balance,
  type GaugedSetting as Setting,
  type Near,
  type Rate,
  type Searched,
  type Vary,
} from './studies/balance/index.ts';
export {
  type Best,
  type CompareOptions,
  type Comparison,
  compare,
  type Pairing,
  type Standing,
} from './studies/comparing/compare.ts';
export {
  type DifferencesJson,
  type DiffOptions,
  diffRules,
  type RulesDifference,
} from './studies/comparing/diff-rules.ts';
export {
  type CoverageOptions,
  type CoverageSyncOptions,
  coverage,
  coverageSync,
  type RuleCoverage,
} from './studies/coverage.ts';
export { type FindOptions, type Found, find, type Search } from './studies/find.ts';
export type { Exactness } from './studies/questions.ts';
export { type Ending, playScript, type Replay, type ReplayOptions, replay } from './studies/replay.ts';
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
} from './studies/sensitivity/index.ts';
export {
  type Engine,
  type Progress,
  type RunJson,
  type SimulateOptions,
  type SimulationResult,
  type Stopping,
  simulate,
} from './studies/simulate.ts';
export {
  type ExactJson,
  type ExactResult,
  type SolveOptions,
  type SolveSyncOptions,
  solve,
  solveSync,
} from './studies/solve.ts';
export {
  type CardChoice,
  type CardPolicies,
  type CardPolicy,
  type CardSide,
  type CardsJson,
  type CardsSolution,
  type SolveCardsOptions,
  type SolveCardsSyncOptions,
  solveCards,
  solveCardsSync,
  type TokenGame,
  type TokenSide,
} from './studies/solve-cards.ts';
