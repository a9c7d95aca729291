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
export { type Config, defineConfig } from './config.ts';
export {
  type DigestExpectation,
  type Expectation,
  expectationsJsonSchema,
  type Judged,
  type JudgeOptions,
  judgeExpectations,
  loadExpectations,
  type ValueExpectation,
} from './expectations/index.ts';
export * from './portable.ts';
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
export { verifyRun } from './tallies/verify.ts';
