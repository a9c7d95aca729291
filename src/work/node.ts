/** What other modules may use of work in Node alone. */

export { buildId } from './cluster/build.ts';
export { type ClientCertificate, Link } from './cluster/link.ts';
export { cancelAll, type QueueState, type ServerState, serverState, setPaused } from './cluster/people.ts';
export { deliverShard, mergeFetched, type SharedStore, sharedBucket, sharedFolder } from './cluster/places.ts';
export { openS3 } from './cluster/s3.ts';
export { isS3 } from './cluster/s3-client.ts';
export { Hands, newWorkerName, serve } from './cluster/serve.ts';
export type { Verification } from './folder/verify.ts';
export { type CheckedSegment, type CheckJob, checkThere } from './store/check.ts';
export { type Estimate, estimateSweep } from './store/estimate.ts';
export type { KeptResult, KeptRun, RunShardResult } from './store/into.ts';
export { isRunIn, type Manifest, SWEEPS } from './store/manifest.ts';
export type { Merged } from './store/merge.ts';
export { EXPORT, exportCsv, type OpenStore, openStore } from './store/open.ts';
export { playSegment, type SegmentJob, type SegmentResult } from './store/segment.ts';
export {
  type Mode,
  type Prepared,
  prepareSweep,
  type ShardOptions,
  type ShardResult,
  type SweepOptions,
  type SweepResult,
  sweepInto,
  sweepShard,
} from './store/sweep.ts';
export { verifyStore } from './store/verify.ts';
export { loadSweep, sweepJsonSchema, sweepOf } from './sweep/read.ts';
