/** Piscina worker: plays one job. Called without a job it only shows that the thread is up. */
import { type Job, type JobResult, playJob } from '../src/engines/index.ts';

export async function batch(job: Job | null): Promise<JobResult | null> {
  return job && playJob(job);
}
