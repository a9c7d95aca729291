/** Piscina worker: checks one segment of a sweep's store. */
import { type CheckedSegment, type CheckJob, checkThere } from '../src/work/node.ts';

export async function checks(job: CheckJob): Promise<CheckedSegment | undefined> {
  return await checkThere(job);
}
