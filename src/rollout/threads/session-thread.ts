/** The end of a session that plays: what its thread shows to the other through Comlink. */
import type { Memory, Module } from '../../kernel/instance.ts';
import { EnvironmentKernel, type Room } from '../kernel.ts';
import { perform, type Task } from './task.ts';

/** What the thread is started with. */
export interface SessionSetup {
  readonly module: Module;
  readonly memory: Memory;
  readonly configBytes: number;
  readonly room: Room;
}

/** The thread that plays; the caller's is thread 0. */
const THREAD = 1;

export class SessionThread {
  readonly #kernel: EnvironmentKernel;

  constructor({ module, memory, configBytes, room }: SessionSetup) {
    this.#kernel = EnvironmentKernel.attach(module, configBytes, room, THREAD, memory);
  }

  /** Performs a task in all environments. */
  perform(task: Task): number {
    return perform(this.#kernel, task, 0, this.#kernel.envs);
  }

  /** Bytes of the memory that both threads share. */
  memoryBytes(): number {
    return this.#kernel.exports.memory.buffer.byteLength;
  }
}
