/** What a kernel does with environments from..to-1: numbers, so that other threads can be told. */
import type { EnvironmentKernel } from '../kernel.ts';

/** All that is done to a range of environments at once, and `wish`: what a message says (rules.ts). */
export const OPS = ['step', 'reset', 'reset-marked', 'suggest', 'rollout', 'wish'] as const;
export type Op = Exclude<(typeof OPS)[number], 'wish'>;

/** An operation with up to three whole numbers below 2^32. */
export interface KernelTask {
  readonly op: Op;
  readonly args: readonly number[];
}

/** What is posted to a thread. */
export interface Posted {
  readonly op: Op | 'wish';
  readonly args: readonly number[];
}

/** Whether that is something to do with environments, not a wish. */
export const isTask = (posted: Posted): posted is KernelTask => posted.op !== 'wish';

/** Performs a task. @returns episodes that are over for `step`, actions taken for `rollout`, else 0 */
export function perform({ exports }: EnvironmentKernel, { op, args }: KernelTask, from: number, to: number): number {
  const [policy = 0, steps = 0, episodes = 0] = args;
  switch (op) {
    case 'step':
      return exports.env_step(from, to);
    case 'reset':
      exports.env_reset(from, to);
      return 0;
    case 'reset-marked':
      exports.env_reset_masked(from, to);
      return 0;
    case 'suggest':
      exports.env_suggest(policy, from, to);
      return 0;
    case 'rollout':
      return exports.env_rollout(policy, from, to, steps, episodes) >>> 0;
  }
}
