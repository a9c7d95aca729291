/** Piscina worker that runs one job. Called without a job it only shows that the thread has started. */
import { type Job, type JobResult, runJob } from '../src/engines/index.ts';

export async function batch(job: Job | null): Promise<JobResult | null> {
  return job && runJob(job);
}
