/** Piscina worker that fills one segment of a sweep. */
import { runSegmentJob, type SegmentJob, type SegmentResult } from '../src/storage/node.ts';

export async function cells(job: SegmentJob): Promise<SegmentResult> {
  return await runSegmentJob(job);
}
