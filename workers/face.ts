/** Tasks of a Web Worker of the pool, each loaded on demand. */
import { preloadSolver } from '../src/core/platform/browser/kernels.ts';
import type { ThreadInterface } from '../src/core/platform/browser/threads.ts';
import { type AnswerTask, executeCommand, type Job, runJob, type SimulatorCommand } from '../src/engines/index.ts';

const TASKS: Readonly<Record<string, (task: never) => unknown>> = {
  batch: (job: Job | null) => job && runJob(job),
  obey: (order: SimulatorCommand) => executeCommand(order),
  async answer(task: AnswerTask) {
    // Exact answers are computed synchronously, so kernels must be loaded before.
    await preloadSolver(task.scenario);
    return (await import('../src/environments/answer-functions.ts')).computeAnswer(task);
  },
};

/** Keeps promises alive: collecting one would free the lock, which must be held until the thread ends. */
const kept: unknown[] = [];

/** @param before awaited before each task */
export const faceOf = (before?: (task: unknown) => Promise<void>): ThreadInterface => ({
  perform: async (name, task) => {
    await before?.(task);
    return await TASKS[name]?.(task as never);
  },
  hold: (lock) =>
    new Promise((held) => {
      void navigator.locks.request(lock, () => {
        held();
        return new Promise((free) => kept.push(free));
      });
    }),
});
