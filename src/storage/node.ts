/** What other modules may use of work in Node alone. */

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
export { type CheckedSegment, type CheckJob, checkSegmentInThread } from './store/check-segments.ts';
export { estimateSweep, type SweepEstimate } from './store/estimate.ts';
export type { KeptResult, KeptRun, RunShardResult } from './store/into.ts';
export { isRunIn, type StoreManifest, SWEEP_FOLDERS } from './store/manifest.ts';
export type { MergeResult } from './store/merge-stores.ts';
export { EXPORT, exportCsv, type OpenStore, openStore } from './store/open-store.ts';
export {
  type Prepared,
  prepareSweep,
  type ShardOptions,
  type ShardResult,
  type SweepMode,
  type SweepOptions,
  type SweepResult,
  sweepInto,
  sweepShard,
} from './store/run-sweep.ts';
export { runSegmentJob, type SegmentJob, type SegmentResult } from './store/segment.ts';
export { verifyStore } from './store/verify-store.ts';
export { loadSweep, parseSweep, sweepJsonSchema } from './sweep/load-sweep.ts';
