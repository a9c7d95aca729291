/** Piscina worker: solves one scenario exactly. */
import { type AnswerJob, type AnswerResult, solveJob } from '../src/studies/decide.ts';

export async function answer(job: AnswerJob): Promise<AnswerResult> {
  return await solveJob(job);
}
