/** What other modules may use of storage, in Node only. */

export { balanceScenarios } from './balance/balance-scenarios.ts';
export { balanceProblemJsonSchema, parseProblemFile } from './balance/load-problem.ts';
export { computeBuildId } from './cluster/build.ts';
export { type ClientCertificate, RedisConnection } from './cluster/redis-connection.ts';
export { isS3Url } from './cluster/s3-client.ts';
export { openS3Parts } from './cluster/s3-parts.ts';
export {
  deliverShard,
  mergeRemoteStores,
  openSharedBucket,
  openSharedFolder,
  type SharedStore,
} from './cluster/shared-store.ts';
export { cancelAll, type QueueState, readServerState, type ServerState, setPaused } from './cluster/worker-registry.ts';
export { createWorkerName, LocalJobHandler, runWorkerService } from './cluster/worker-service.ts';
export type { Verification } from './folder/verification.ts';
export { type CertifiedMatchup, certifyMatchup } from './matchup/certify-matchup.ts';
export { checkRoster, checkRosterSentences } from './matchup/check-roster.ts';
export { loadRoster, parseRosterFile, rosterJsonSchema } from './matchup/load-roster.ts';
export { matchup, readMatchup } from './matchup/matchup.ts';
export { type CheckedSegment, type CheckJob, checkSegmentInThread } from './store/check-segments.ts';
export { createStore, type StoreStatus } from './store/create-store.ts';
export { estimateSweep, type SweepEstimate } from './store/estimate.ts';
export { isRunIn, type StoreManifest, SWEEP_FOLDERS } from './store/manifest.ts';
export type { MergeResult } from './store/merge-stores.ts';
export { EXPORT, exportCsv, type OpenStore, openStore } from './store/open-store.ts';
export {
  getSweepMode,
  MODE,
  runSweep,
  type ShardResult,
  type SweepExecutionOptions,
  type SweepMode,
  type SweepResult,
} from './store/run-sweep.ts';
export { runSegmentJob, type SegmentJob, type SegmentResult } from './store/segment.ts';
export type { ResumableRun, RunShardResult, StoredSimulationResult } from './store/simulate.ts';
export { verifyStore } from './store/verify-store.ts';
export { loadSweep, parseSweep, sweepJsonSchema } from './sweep/load-sweep.ts';
