/** Piscina worker: solves one scenario exactly. */
import { type AnswerJob, type AnswerResult, solveJob } from '../src/patient.ts';

export function answer(job: AnswerJob): AnswerResult {
  return solveJob(job);
}
