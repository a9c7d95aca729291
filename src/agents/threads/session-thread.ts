/** The end of a session that plays: what its thread shows to the other through Comlink. */
import { EnvironmentKernel } from '../kernel.ts';
import { RulesInThread, type RulesSetup, type ThreadDeed } from './rules.ts';
import { type KernelTask, perform } from './task.ts';
import type { EnvironmentSetup } from './thread.ts';

/** What the thread is started with. */
export type SessionSetup = EnvironmentSetup | RulesSetup;

/** The thread that plays; the caller's is thread 0. */
const THREAD = 1;

export interface SessionThread {
  /** Performs a task in all environments. */
  perform(task: KernelTask): number;
  /** Does what only this thread can, where it plays by the rules. */
  grant(wish: ThreadDeed): Uint8Array[];
  /** Bytes of the memory that both threads share. */
  memoryBytes(): number;
}

/** @throws InputError if the code of the system has changed since, or cannot be loaded */
export async function sessionThread(setup: SessionSetup): Promise<SessionThread> {
  const { room } = setup;
  if ('module' in setup) {
    const kernel = EnvironmentKernel.attach(setup.module, setup.configBytes, room, THREAD, setup.memory);
    return {
      perform: (task) => perform(kernel, task, 0, room.envs),
      grant: () => [],
      memoryBytes: () => setup.memory.buffer.byteLength,
    };
  }
  const rules = await RulesInThread.of(setup);
  return {
    perform: (task) => rules.engine.perform(task, 0, room.envs),
    grant: (wish) => rules.grant(wish),
    memoryBytes: () => setup.memory.byteLength,
  };
}
