/** Who plays the battles of a run: the one place where kernel and reference model are told apart. */

import { mergeTally, type Tally } from '../../answers/index.ts';
import { portable } from '../../rules/index.ts';
import { EndingsKernel } from '../kernel/endings.ts';
import type { Listed } from '../kernel/instance.ts';
import { KERNEL_BATTLES_MAX, Kernel } from '../kernel/kernel.ts';
import type { Compiled, Player, Setup, SoloPlayer, SoloSetup } from './run.ts';

/** Whether another thread can be sent a setup: not if its system was given as a value. */
export function isPortable(setup: Setup): boolean {
  if (setup.form === 'together') return setup.parts.every(isPortable);
  return setup.form !== 'reference' || portable(setup.scenario) !== undefined;
}

/**
 * Battles of one call into a kernel. V8 cannot replace a running WebAssembly function by its optimised
 * version: a first call that never ends would stay slow for ever.
 */
const CALL = 2 ** 12;

/**
 * An instance of the kernel that a setup asks for.
 * @throws RangeError if it needs more memory than a kernel has
 */
export function openKernel(setup: Compiled): Kernel | EndingsKernel {
  const { module, shape } = setup;
  switch (setup.form) {
    case 'kernel':
      return new Kernel(module, shape, setup.words);
    case 'automaton':
      return EndingsKernel.compiled(module, shape, setup.endings, setup.code, setup.rounds);
    case 'sampled':
      return EndingsKernel.sampled(module, shape, setup.endings, setup.table);
  }
}

export class KernelPlayer implements SoloPlayer {
  readonly #kernel: Kernel | EndingsKernel;
  readonly #seed: bigint;
  /** Battles that the kernel's counters can hold, and hold. */
  readonly #room: number;
  #held = 0;
  #earlier: Tally | undefined;

  /** @param room after how many battles the counters are emptied; less than their full room only in tests */
  constructor(setup: Compiled, room: number = KERNEL_BATTLES_MAX) {
    this.#kernel = openKernel(setup);
    this.#seed = setup.seed;
    this.#room = room;
  }

  play(from: number, count: number): void {
    for (let played = 0; played < count; played += CALL) {
      this.#call(from + played, Math.min(CALL, count - played));
    }
  }

  take(): Tally {
    const tally = this.#kernel.take();
    if (this.#earlier !== undefined) mergeTally(tally, this.#earlier);
    this.#earlier = undefined;
    this.#held = 0;
    return tally;
  }

  close(): void {
    this.#kernel.close();
  }

  list(from: number, count: number): Listed {
    this.#hold(count);
    return this.#kernel.list(this.#seed, from, count);
  }

  #call(from: number, count: number): void {
    this.#hold(count);
    this.#kernel.run(this.#seed, from, count);
  }

  /** Sees that the counters can hold so many more battles. */
  #hold(count: number): void {
    if (this.#held + count > this.#room) this.#earlier = this.take();
    this.#held += count;
  }
}

/** The reference model is loaded only where it plays: it brings the schemas along, two thirds of a thread's start. */
export async function openPlayer(setup: Setup): Promise<Player> {
  if (setup.form !== 'together') return await openSolo(setup);
  const { TogetherPlayer } = await import('./together.ts');
  return new TogetherPlayer(setup, await Promise.all(setup.parts.map(openSolo)));
}

async function openSolo(setup: SoloSetup): Promise<SoloPlayer> {
  if (setup.form !== 'reference') return new KernelPlayer(setup);
  const { ReferencePlayer } = await import('./reference.ts');
  return await ReferencePlayer.open(setup);
}
