/** What a Web Worker of the pool does: its tasks, each loaded when it is first asked for. */
import { holdKernels } from '../src/core/platform/browser/kernels.ts';
import type { ThreadFace } from '../src/core/platform/browser/threads.ts';
import { type AnswerTask, type Job, type Order, obey, playJob } from '../src/engines/index.ts';

const TASKS: Readonly<Record<string, (task: never) => unknown>> = {
  batch: (job: Job | null) => job && playJob(job),
  obey: (order: Order) => obey(order),
  async answer(task: AnswerTask) {
    // Exact answers are computed without a pause, so the kernels must be loaded before.
    await holdKernels(['chain', task.scenario.system]);
    return (await import('../src/agents/answers.ts')).answer(task);
  },
};

/** What would free the lock, which only the end of the thread is to do: a promise that nobody can keep is collected. */
const kept: unknown[] = [];

/** @param before is waited for before each task, which it is given */
export const faceOf = (before?: (task: unknown) => Promise<void>): ThreadFace => ({
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
