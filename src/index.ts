/**
 * warpool: exact and simulated answers to battles of tabletop war games.
 *
 * ```ts
 * import { loadScenario, simulate, solve } from 'warpool';
 *
 * const scenario = await loadScenario('scenarios/attrition-direct.yaml');
 * const { summary, digest } = await simulate(scenario, { battles: 1e6, seed: 1 });
 * const exact = solve(scenario).summary;
 * ```
 *
 * @module warpool
 */
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
export { type Config, defineConfig } from './config.ts';
export { BudgetError, InputError, InputErrors, RulesError, RunError } from './errors.ts';
export { budgetOf, type ExactBudget, FULL_BUDGET, sideBudget } from './exact/budget.ts';
export {
  type Expectation,
  expectationsJsonSchema,
  type Judged,
  type JudgeOptions,
  judgeExpectations,
  loadExpectations,
} from './expectations/index.ts';
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
export { exportCsv } from './store/csv.ts';
export { type Estimate, estimateSweep } from './store/estimate.ts';
export { type Merged, type MergeOptions, type Missing, mergeStores } from './store/merge.ts';
export { openStore } from './store/open.ts';
export type { HistogramRow, Row } from './store/rows.ts';
export {
  type Prepared,
  type PrepareOptions,
  prepareSweep,
  type ShardOptions,
  type ShardResult,
  sweepShard,
} from './store/shard.ts';
export type { Store, StoreFacts } from './store/store.ts';
export { type SweepOptions, type SweepResult, sweepInto } from './store/sweep.ts';
export { type Verification, type VerifyOptions, verifyStore } from './store/verify.ts';
export { loadSweep } from './sweep/read.ts';
export type { Shard } from './sweep/shard.ts';
export type { Cell, Sweep } from './sweep/sweep.ts';
export { type SystemsLike, systems } from './systems/index.ts';
export { loadSystems } from './systems/load.ts';
export { Registry, type SystemModule } from './systems/registry.ts';
export type { Metric, Scenario, System } from './systems/system.ts';
export type { PrepareRunOptions } from './tallies/asked.ts';
export {
  type KeptResult,
  type KeptRun,
  prepareRun,
  type RunShardResult,
  type SimulateIntoOptions,
  type SimulateShardOptions,
  simulateInto,
  simulateShard,
} from './tallies/into.ts';
export { type Disagreement, type MergedRun, type MergeRunOptions, mergeRun } from './tallies/merge.ts';
