/** Piscina worker: plays one segment of a sweep. */
import { playSegment, type SegmentJob, type SegmentResult } from '../src/work/node.ts';

export async function cells(job: SegmentJob): Promise<SegmentResult> {
  return await playSegment(job);
}
