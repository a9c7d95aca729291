/** What warpool exports wherever it runs. */
export {
  type Along,
  type Balance,
  type BalanceOptions,
  balance,
  type Near,
  type Searched,
  type Setting,
  type Vary,
} from './balance/index.ts';
export type { StoryEvent } from './chance/recorded.ts';
export { type ScriptEntry, ScriptError } from './chance/scripted.ts';
export type { SeedLike } from './chance/seed.ts';
export {
  type Best,
  type CompareOptions,
  type Comparison,
  compare,
  type Pairing,
  type Standing,
} from './comparing/compare.ts';
export { type DifferencesJson, type DiffOptions, diffRules, type RulesDifference } from './comparing/diff-rules.ts';
export { BudgetError, InputError, InputErrors, RulesError, RunError } from './errors.ts';
export { budgetOf, type ExactBudget, FULL_BUDGET, sideBudget } from './exact/budget.ts';
export { Pool, type PoolOptions } from './pool/pool.ts';
export { type CoverageOptions, coverage, type RuleCoverage } from './running/coverage.ts';
export { type FindOptions, type Found, find, type Search } from './running/find.ts';
export { type Ending, playScript, type Replay, type ReplayOptions, replay } from './running/replay.ts';
export {
  type Engine,
  type Progress,
  type RunJson,
  type SimulateOptions,
  type SimulationResult,
  type Stopping,
  simulate,
} from './running/simulate.ts';
export { type ExactJson, type ExactResult, solve } from './running/solve.ts';
export {
  type CardChoice,
  type CardPolicies,
  type CardPolicy,
  type CardSide,
  type CardsJson,
  type CardsSolution,
  type Payoff,
  solveCards,
  type TokenGame,
  type TokenSide,
} from './running/solve-cards.ts';
export {
  changeScenario,
  checkScenario,
  jsonSchema,
  loadScenario,
  parseScenario,
  type ReadOptions,
} from './scenario/index.ts';
export type { Exactness } from './sensitivity/cells.ts';
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
} from './sensitivity/index.ts';
export { RULESET } from './stats/digest.ts';
export type { Interval } from './stats/intervals.ts';
export type { MetricSummary, OutcomeSummary, Quantiles, Summary } from './stats/summary.ts';
export type { Tally, TallyShape } from './stats/tally.ts';
export type { PrecisionLike } from './stats/wish.ts';
export { type SystemsLike, systems } from './systems/index.ts';
export { loadSystems } from './systems/load.ts';
export { Registry, type SystemModule } from './systems/registry.ts';
export type { Metric, Scenario, System } from './systems/system.ts';
