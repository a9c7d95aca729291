/** Who plays the battles of a run: the one place where kernel and reference model are told apart. */
import type { Rounds } from '../automaton/compile.ts';
import type { AutomatonCode } from '../automaton/encode.ts';
import type { AliasTable } from '../exact/alias.ts';
import { EndingsKernel } from '../kernel/endings.ts';
import type { Module } from '../kernel/instance.ts';
import { KERNEL_BATTLES_MAX, Kernel } from '../kernel/kernel.ts';
import { mergeTally, type Tally, type TallyShape } from '../stats/tally.ts';
import type { BattleResult } from '../systems/battle.ts';
import { portable } from '../systems/opened.ts';
import type { SystemModule } from '../systems/registry.ts';
import type { Scenario } from '../systems/system.ts';

/** What a player is opened with. It is plain enough to be sent to another thread. */
export type Setup = KernelSetup | AutomatonSetup | SampledSetup | ReferenceSetup;

export interface KernelSetup {
  readonly form: 'kernel';
  readonly seed: bigint;
  readonly module: Module;
  readonly shape: TallyShape;
  /** The scenario as its system encodes it. */
  readonly words: Int32Array<ArrayBuffer>;
}

interface EndingsCommon {
  readonly seed: bigint;
  readonly module: Module;
  readonly shape: TallyShape;
  readonly endings: readonly BattleResult[];
}

/** The engine `kernel` for a scenario that is small enough, and a run that is long enough, to be compiled. */
export interface AutomatonSetup extends EndingsCommon {
  readonly form: 'automaton';
  readonly code: AutomatonCode;
  /** Of a scenario that has rounds. */
  readonly rounds: Rounds | undefined;
}

export interface SampledSetup extends EndingsCommon {
  readonly form: 'sampled';
  readonly table: AliasTable;
}

export interface ReferenceSetup {
  readonly form: 'reference';
  readonly seed: bigint;
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  /** Where the code of its system lies; undefined if the system is shipped, or was given as a value. */
  readonly module: SystemModule | undefined;
}

/** Whether another thread can be sent a setup: not if its system was given as a value. */
export function isPortable(setup: Setup): boolean {
  return setup.form !== 'reference' || portable(setup.scenario) !== undefined;
}

export interface Player {
  /** Plays and counts battles from..from+count-1 of the run. */
  play(from: number, count: number): void;
  /** The counts since the last call. */
  take(): Tally;
  /** Leaves what it holds to the next player; it is not used again. */
  close(): void;
}

/**
 * Battles of one call into a kernel. V8 cannot replace a running WebAssembly function by its optimised
 * version: a first call that never ends would stay slow for ever.
 */
const CALL = 2 ** 12;

/** Setups that are played by a kernel. */
export type Compiled = Exclude<Setup, ReferenceSetup>;

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

export class KernelPlayer implements Player {
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

  #call(from: number, count: number): void {
    if (this.#held + count > this.#room) this.#earlier = this.take();
    this.#kernel.run(this.#seed, from, count);
    this.#held += count;
  }
}

/** The reference model is loaded only where it plays: it brings the schemas along, two thirds of a thread's start. */
export async function openPlayer(setup: Setup): Promise<Player> {
  if (setup.form !== 'reference') return new KernelPlayer(setup);
  const { ReferencePlayer } = await import('./reference.ts');
  return await ReferencePlayer.open(setup);
}
