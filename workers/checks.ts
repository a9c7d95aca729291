/** Piscina worker that checks one segment of a sweep's store. */
import { type CheckedSegment, type CheckJob, checkSegmentInThread } from '../src/storage/node.ts';

export async function checks(job: CheckJob): Promise<CheckedSegment | undefined> {
  return await checkSegmentInThread(job);
}
