/**
 * warpool: exact and simulated answers to battles of tabletop war games.
 *
 * ```ts
 * import { loadScenario, simulate, solve } from 'warpool';
 *
 * const scenario = await loadScenario('scenarios/attrition-direct.yaml');
 * const { summary, digest } = await simulate(scenario, { battles: 1e6, seed: 1 });
 * const { summary: exact } = await solve(scenario);
 * ```
 *
 * @module warpool
 */

export type { ProblemSetting, TargetValue } from './analysis/balance-problem/evaluated-setting.ts';
export type { SettingOptimizer } from './analysis/balance-problem/optimizer-search.ts';
export type { BalanceProblem, ProblemField, ProblemScenario } from './analysis/balance-problem/problem.ts';
export type { BalanceSolution, ScenarioCells, SettingGrid } from './analysis/balance-problem/search-problem.ts';
export type { ProblemTarget } from './analysis/balance-problem/target.ts';
export {
  type CheckExpectationsOptions,
  checkExpectations,
  type DigestExpectation,
  type Expectation,
  type ExpectationResult,
  expectationsJsonSchema,
  loadExpectations,
  type ValueExpectation,
} from './analysis/expectations/index.ts';
export * from './portable.ts';
export { type Config, defineConfig } from './rules/custom/config.ts';
export { type BalanceScenariosOptions, balanceScenarios } from './storage/balance/balance-scenarios.ts';
export { loadBalanceProblem, validateBalanceProblem } from './storage/balance/load-problem.ts';
export type { Shard } from './storage/folder/shard.ts';
export type { Verification, VerifyOptions } from './storage/folder/verification.ts';
export {
  type CertifiedMatchup,
  type CertifyMatchupOptions,
  certifyMatchup,
} from './storage/matchup/certify-matchup.ts';
export { loadRoster, validateRoster } from './storage/matchup/load-roster.ts';
export { matchup, type RunMatchupOptions } from './storage/matchup/matchup.ts';
export type { MatchupResult } from './storage/matchup/matchup-cells.ts';
export type { Roster, RosterChanges } from './storage/matchup/roster.ts';
export { createStore, type StoreStatus } from './storage/store/create-store.ts';
export { type EstimateSweepOptions, estimateSweep, type SweepEstimate } from './storage/store/estimate.ts';
export { type MergeOptions, type MergeResult, type MissingParts, mergeStores } from './storage/store/merge-stores.ts';
export { exportCsv, openStore } from './storage/store/open-store.ts';
export {
  type RunShardOptions,
  type RunSweepOptions,
  runSweep,
  type ShardResult,
  type StoreModeOptions,
  type SweepExecutionOptions,
  type SweepResult,
} from './storage/store/run-sweep.ts';
export {
  type ResumableRun,
  type RunShardResult,
  type ShardRunOptions,
  type StoredRunOptions,
  type StoredSimulationResult,
  simulate,
} from './storage/store/simulate.ts';
export { type CellResult, type SweepCellsOptions, sweepCells } from './storage/store/sweep-cells.ts';
export { verifyStore } from './storage/store/verify-store.ts';
export { loadSweep, validateSweep } from './storage/sweep/load-sweep.ts';
export type { PrepareRunOptions } from './storage/sweep/ranges.ts';
export type { HistogramRow, ResultRow, Store, StoreInfo } from './storage/sweep/rows.ts';
export type { Cell, Sweep } from './storage/sweep/sweep.ts';
