/** Opens the simulator of a setup: the only place that distinguishes kernels and the reference engine. */

import { toPortable } from '../../rules/index.ts';
import { type Counts, mergeCounts } from '../../stats/index.ts';
import { FinalStateKernel } from '../kernel/final-state-kernel.ts';
import type { BattleRows } from '../kernel/instance.ts';
import { KERNEL_BATTLES_MAX, SystemKernel } from '../kernel/kernel.ts';
import type { BattleSimulator, KernelBackedSetup, ScenarioSetup, ScenarioSimulator, SimulatorSetup } from './run.ts';

/** Returns true if a setup can be sent to another thread: not if its system was passed as a value. */
export function isPortable(setup: SimulatorSetup): boolean {
  if (setup.form === 'together') return setup.parts.every(isPortable);
  return setup.form !== 'reference' || toPortable(setup.scenario) !== undefined;
}

/**
 * Battles of one call into a kernel. V8 cannot replace a running WebAssembly function by its optimized
 * version: a first call that never ends would stay slow for ever.
 */
const BATTLES_PER_CALL = 2 ** 12;

/**
 * Opens an instance of the kernel of a setup.
 * @throws RangeError if it exceeds the memory of a kernel
 */
export function openKernel(setup: KernelBackedSetup): SystemKernel | FinalStateKernel {
  const { module, shape } = setup;
  switch (setup.form) {
    case 'kernel':
      return new SystemKernel(module, shape, setup.words);
    case 'automaton':
      return FinalStateKernel.createCompiled(module, shape, setup.finalStates, setup.code, setup.rounds);
    case 'sampled':
      return FinalStateKernel.createSampled(module, shape, setup.finalStates, setup.table);
  }
}

export class KernelSimulator implements ScenarioSimulator {
  readonly #kernel: SystemKernel | FinalStateKernel;
  readonly #seed: bigint;
  /** Capacity of the counters in battles, and their present number. */
  readonly #room: number;
  #held = 0;
  #earlier: Counts | undefined;

  /** @param room number of battles after which the counters are emptied; below their capacity only in tests */
  constructor(setup: KernelBackedSetup, room: number = KERNEL_BATTLES_MAX) {
    this.#kernel = openKernel(setup);
    this.#seed = setup.seed;
    this.#room = room;
  }

  play(from: number, count: number): void {
    for (let played = 0; played < count; played += BATTLES_PER_CALL) {
      this.#call(from + played, Math.min(BATTLES_PER_CALL, count - played));
    }
  }

  take(): Counts {
    const counts = this.#kernel.take();
    if (this.#earlier !== undefined) mergeCounts(counts, this.#earlier);
    this.#earlier = undefined;
    this.#held = 0;
    return counts;
  }

  close(): void {
    this.#kernel.close();
  }

  simulateRows(from: number, count: number): BattleRows {
    this.#hold(count);
    return this.#kernel.simulateRows(this.#seed, from, count);
  }

  #call(from: number, count: number): void {
    this.#hold(count);
    this.#kernel.run(this.#seed, from, count);
  }

  /** Ensures that the counters have space for a number of battles. */
  #hold(count: number): void {
    if (this.#held + count > this.#room) this.#earlier = this.take();
    this.#held += count;
  }
}

/**
 * Opens a simulator. The reference engine is loaded on demand: with its schemas it takes two thirds of the start of a
 * thread.
 */
export async function openSimulator(setup: SimulatorSetup): Promise<BattleSimulator> {
  if (setup.form !== 'together') return await openScenarioSimulator(setup);
  const { PairedSimulator } = await import('./paired-simulator.ts');
  return new PairedSimulator(setup, await Promise.all(setup.parts.map(openScenarioSimulator)));
}

async function openScenarioSimulator(setup: ScenarioSetup): Promise<ScenarioSimulator> {
  if (setup.form !== 'reference') return new KernelSimulator(setup);
  const { ReferenceSimulator } = await import('./reference-simulator.ts');
  return await ReferenceSimulator.open(setup);
}
