/** What players are, and what they are opened with. */

import { AbortError, describeFound, InputError, parseCount, parseSeed } from '../../core/index.ts';
import type { BattleEnd, Scenario, SystemModule } from '../../rules/index.ts';
import type { Counts, CountsShape } from '../../stats/index.ts';

import type { AutomatonRounds } from '../automaton/compile.ts';
import type { AutomatonCode } from '../automaton/encode-automaton.ts';
import type { AliasTable } from '../kernel/final-state-kernel.ts';
import type { BattleRows, WasmModule } from '../kernel/instance.ts';

/** What a player of one scenario is opened with. */
export type ScenarioSetup = KernelSetup | AutomatonSetup | SampledSetup | ReferenceSetup;

/** What a player is opened with. It is plain enough to be sent to another thread. */
export type SimulatorSetup = ScenarioSetup | PairedSetup;

/** Several scenarios that play the same battles. */
export interface PairedSetup {
  readonly form: 'together';
  /** Who plays each; nothing is sampled. */
  readonly parts: readonly ScenarioSetup[];
  /** What is counted between them, battle by battle. */
  readonly differences: readonly ReadingDifference[];
}

/** A difference in a battle: what is read of the second scenario less what is read of the first. */
export type ReadingDifference = readonly [first: BattleReading, second: BattleReading];

/** A whole number that is read off how a battle ended: a metric, or what its outcome counts. */
export interface BattleReading {
  /** The place of the scenario among the parts. */
  readonly part: number;
  readonly of: number | readonly number[];
}

export interface KernelSetup {
  readonly form: 'kernel';
  readonly seed: bigint;
  readonly module: WasmModule;
  readonly shape: CountsShape;
  /** The scenario as its system encodes it. */
  readonly words: Int32Array<ArrayBuffer>;
}

interface FinalStateSetup {
  readonly seed: bigint;
  readonly module: WasmModule;
  readonly shape: CountsShape;
  readonly finalStates: readonly BattleEnd[];
}

/** A scenario that was compiled: because it was asked for, or is small enough and the run long enough. */
export interface AutomatonSetup extends FinalStateSetup {
  readonly form: 'automaton';
  readonly code: AutomatonCode;
  /** Of a scenario that has rounds. */
  readonly rounds: AutomatonRounds | undefined;
}

export interface SampledSetup extends FinalStateSetup {
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
export type KernelBackedSetup = Exclude<ScenarioSetup, ReferenceSetup>;

/**
 * What has played: the kernel of the system, the scenario compiled to an automaton, the rules as written, or nothing but
 * draws from the exact law.
 */
export type EngineForm = ScenarioSetup['form'];

/** Who plays with a setup; of several scenarios, the first. */
export function findEngineForm(setup: SimulatorSetup): EngineForm {
  return setup.form === 'together' ? (setup.parts[0]?.form ?? 'kernel') : setup.form;
}

/** What is made ready for a run. */
export interface PreparedRun<S extends SimulatorSetup = SimulatorSetup> {
  readonly setup: S;
  readonly shape: CountsShape;
  /** Why it was chosen, for people. */
  readonly why: string;
  /** Seconds of a battle in one thread, if that was measured. */
  readonly pace?: number | undefined;
}

export interface BattleSimulator {
  /** Plays and counts battles from..from+count-1 of the run. */
  play(from: number, count: number): void;
  /** The counts since the last call. */
  take(): Counts;
  /** Leaves what it holds to the next player; it is not used again. */
  close(): void;
}

/** A player of one scenario, that can also tell of each battle. */
export interface ScenarioSimulator extends BattleSimulator {
  /** As `play`, of battles that are few enough to be listed at once. What is returned holds until the next call. */
  simulateRows(from: number, count: number): BattleRows;
}

// What a run is, and what comes of it.

/**
 * `kernel`: whoever is fastest, a kernel, an automaton, or the rules as written. `automaton`: the rules are explored and
 * compiled first, however long that takes. `reference`: the rules as written, for checking. They play the same battles.
 * `sampled` plays none: it draws endings from the exact law, faster still, and they cannot be replayed.
 */
export type Engine = (typeof ENGINES)[number];

/** By name. */
export const ENGINES = ['kernel', 'automaton', 'reference', 'sampled'] as const;

/** Battles from..to-1 of a scenario. */
export interface RunRequest {
  readonly engine: Engine;
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  /** 0..2^64-1. */
  readonly seed: bigint;
  /** 0 <= from <= to <= 2^53. */
  readonly from: number;
  readonly to: number;
  /** Steps that an exact law to draw from may take, or exploring for an automaton that is asked for. */
  readonly budget?: number | undefined;
}

/** Battles finished and asked for. `done` steps back when a thread dies and its battles are played again. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface RunRequestOptions {
  /** Ends the run early; what was played is then a prefix of what was asked for. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second and at the end. What it throws ends the run. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Battles that a thread claims at once, 1 or more; changes no result. */
  readonly chunk?: number | undefined;
  /** What `prepare` has given for a run of which this one is a part; made ready anew unless given. */
  readonly prepared?: PreparedRun | undefined;
}

export interface RunResult {
  readonly tally: Counts;
  /** Battles from..to-1 were played. */
  readonly from: number;
  readonly to: number;
  /** False if the run was stopped before its end. */
  readonly complete: boolean;
  readonly player: EngineForm;
  /** Why that has played, for people. */
  readonly why?: string | undefined;
  /** From the first job handed out to the merged tally. */
  readonly seconds: number;
  /** Seconds that were spent on battles, in all threads together, without what others did meanwhile. */
  readonly busy?: number | undefined;
  /** Threads that the run could use; 0 if it was played in the calling thread. */
  readonly workers: number;
}

/** @throws InputError if it is given and no signal */
function checkSignal(signal: unknown): void {
  if (signal === undefined) return;
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>;
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return;
  throw new InputError('signal', 'an AbortSignal', describeFound(signal));
}

/** Checks the signal of a call that begins. @throws InputError if it is no signal, AbortError if it is already aborted */
export function checkStart(signal: AbortSignal | undefined): void {
  checkSignal(signal);
  if (signal?.aborted === true) throw new AbortError('stopped before the first step', signal);
}

/** @throws InputError if the run or its options are out of range */
export function checkRun(
  { engine, seed, from, to }: RunRequest,
  { chunk, signal, onProgress }: RunRequestOptions,
): void {
  checkSignal(signal);
  if (onProgress !== undefined && typeof (onProgress as unknown) !== 'function')
    throw new InputError('onProgress', 'a function', describeFound(onProgress));
  if (!ENGINES.includes(engine))
    throw new InputError('engine', `${ENGINES.slice(0, -1).join(', ')} or ${String(ENGINES.at(-1))}`, `"${engine}"`);
  parseSeed(seed);
  parseCount(from, 'from', 0);
  parseCount(to, 'to', from);
  if (chunk !== undefined) parseCount(chunk, 'chunk', 1);
}
