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

export * from './portable.ts';
export { type Config, defineConfig } from './rules/own/config.ts';
export {
  type DigestExpectation,
  type Expectation,
  expectationsJsonSchema,
  type Judged,
  type JudgeOptions,
  judgeExpectations,
  loadExpectations,
  type ValueExpectation,
} from './studies/expectations/index.ts';
export type { Shard } from './work/folder/shard.ts';
export type { Verification, VerifyOptions } from './work/folder/verify.ts';
export { type SweepCellsOptions, type SweptCell, sweepCells } from './work/store/cells.ts';
export { type Estimate, estimateSweep } from './work/store/estimate.ts';
export {
  type KeptResult,
  type KeptRun,
  prepareRun,
  type RunShardResult,
  type SimulateIntoOptions,
  type SimulateShardOptions,
  simulateInto,
  simulateShard,
} from './work/store/into.ts';
export { type Merged, type MergeOptions, type Missing, mergeStores } from './work/store/merge.ts';
export { exportCsv, openStore } from './work/store/open.ts';
export type { HistogramRow, Row, Store, StoreFacts } from './work/store/rows.ts';
export {
  type Prepared,
  type PrepareOptions,
  prepareSweep,
  type ShardOptions,
  type ShardResult,
  type SweepOptions,
  type SweepResult,
  sweepInto,
  sweepShard,
} from './work/store/sweep.ts';
export { verifyStore } from './work/store/verify.ts';
export type { PrepareRunOptions } from './work/sweep/ranges.ts';
export { loadSweep, validateSweep } from './work/sweep/read.ts';
export type { Cell, Sweep } from './work/sweep/sweep.ts';
