/** What players are, and what they are opened with. */

import type { Tally, TallyShape } from '../../answers/tally.ts';
import type { BattleResult } from '../../rules/battle.ts';
import type { SystemModule } from '../../rules/registry.ts';
import type { Scenario } from '../../rules/system.ts';
import type { Rounds } from '../automaton/compile.ts';
import type { AutomatonCode } from '../automaton/encode.ts';
import type { AliasTable } from '../exact/alias.ts';
import type { Module } from '../kernel/instance.ts';

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

/** A scenario that was compiled: because it was asked for, or is small enough and the run long enough. */
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

/** Setups that are played by a kernel. */
export type Compiled = Exclude<Setup, ReferenceSetup>;

/**
 * What has played: the kernel of the system, the scenario compiled to an automaton, the rules as written, or nothing but
 * draws from the exact law.
 */
export type Form = Setup['form'];

/** What is made ready for a run. */
export interface PreparedRun {
  readonly setup: Setup;
  readonly shape: TallyShape;
  /** Why it was chosen, for people. */
  readonly why: string;
  /** Seconds of a battle in one thread, if that was measured. */
  readonly pace?: number | undefined;
}

export interface Player {
  /** Plays and counts battles from..from+count-1 of the run. */
  play(from: number, count: number): void;
  /** The counts since the last call. */
  take(): Tally;
  /** Leaves what it holds to the next player; it is not used again. */
  close(): void;
}
