/** Types of runs, their setups and simulators. */

import { AbortError, describeFound, InputError, parseCount, parseSeed } from '../../core/index.ts';
import type { BattleEnd, Scenario, SystemModule } from '../../rules/index.ts';
import type { Counts, CountsShape } from '../../stats/index.ts';

import type { AutomatonRounds } from '../automaton/compile.ts';
import type { AutomatonCode } from '../automaton/encode-automaton.ts';
import type { AliasTable } from '../kernel/final-state-kernel.ts';
import type { BattleRows, WasmModule } from '../kernel/instance.ts';

/** Setup of a simulator of one scenario. */
export type ScenarioSetup = KernelSetup | AutomatonSetup | SampledSetup | ReferenceSetup;

/** Setup of a simulator. It can be sent to another thread. */
export type SimulatorSetup = ScenarioSetup | PairedSetup;

/** Several scenarios with the same battles. */
export interface PairedSetup {
  readonly form: 'together';
  /** Setups of the scenarios; not sampled. */
  readonly parts: readonly ScenarioSetup[];
  /** Differences that are counted battle by battle. */
  readonly differences: readonly ReadingDifference[];
}

/** A difference in a battle: the value of the second scenario minus the value of the first. */
export type ReadingDifference = readonly [first: BattleReading, second: BattleReading];

/** A whole number of the result of a battle: a metric, or a value by outcome. */
export interface BattleReading {
  /** Index of the scenario among the parts. */
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

/** A compiled scenario: on request, or if it is small enough and the run long enough. */
export interface AutomatonSetup extends FinalStateSetup {
  readonly form: 'automaton';
  readonly code: AutomatonCode;
  /** For a scenario with rounds. */
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
  /** Module of its system; undefined if the system is shipped, or was passed as a value. */
  readonly module: SystemModule | undefined;
}

/** Setups that a kernel simulates. */
export type KernelBackedSetup = Exclude<ScenarioSetup, ReferenceSetup>;

/**
 * Kind of engine: the kernel of the system, the scenario compiled to an automaton, the reference engine, or draws from
 * the exact distribution.
 */
export type EngineForm = ScenarioSetup['form'];

/** Returns the engine of a setup; for several scenarios, of the first. */
export function findEngineForm(setup: SimulatorSetup): EngineForm {
  return setup.form === 'together' ? (setup.parts[0]?.form ?? 'kernel') : setup.form;
}

/** Prepared setup of a run. */
export interface PreparedRun<S extends SimulatorSetup = SimulatorSetup> {
  readonly setup: S;
  readonly shape: CountsShape;
  /** Reason for the choice, for display. */
  readonly why: string;
  /** Measured seconds per battle in one thread. */
  readonly pace?: number | undefined;
}

export interface BattleSimulator {
  /** Simulates and counts battles from..from+count-1 of the run. */
  play(from: number, count: number): void;
  /** Takes the counts since the last call. */
  take(): Counts;
  /** Releases resources for the next simulator; it is not used again. */
  close(): void;
}

/** A simulator of one scenario that can also list single battles. */
export interface ScenarioSimulator extends BattleSimulator {
  /** Simulates battles, few enough for a listing, with their results. The result is valid until the next call. */
  simulateRows(from: number, count: number): BattleRows;
}

// Options and results of runs.

/**
 * `kernel`: the fastest of a kernel, an automaton and the reference engine. `automaton`: explores and compiles the
 * rules first, regardless of the duration. `reference`: the rules as written, for checks. They simulate identical
 * battles. `sampled` simulates none: it draws results from the exact distribution, which is faster, and they cannot be
 * replayed.
 */
export type Engine = (typeof ENGINES)[number];

/** All engines. */
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
  /** Maximum steps of an exact distribution for `sampled`, or of the exploration for `automaton`. */
  readonly budget?: number | undefined;
}

/** Finished and requested battles. `done` decreases if a thread dies and its battles are repeated. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Default: battles. */
  readonly unit?: string;
}

export interface RunRequestOptions {
  /** Stops the run; the simulated battles are then a prefix of the requested ones. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second and at the end. Its errors end the run. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Battles that a thread claims at once, 1 or more; does not change results. */
  readonly chunk?: number | undefined;
  /** Result of `prepare` for the whole run; default: prepared again. */
  readonly prepared?: PreparedRun | undefined;
}

export interface RunResult {
  readonly counts: Counts;
  /** Range of the simulated battles, from..to-1. */
  readonly from: number;
  readonly to: number;
  /** False if the run was stopped before its end. */
  readonly complete: boolean;
  readonly player: EngineForm;
  /** Reason for the choice of the engine, for display. */
  readonly why?: string | undefined;
  /** Duration from the first job to the merged counts. */
  readonly seconds: number;
  /** Seconds of simulation in all threads together, without waiting for others. */
  readonly busy?: number | undefined;
  /** Number of available threads; 0 if it ran in the calling thread. */
  readonly workers: number;
}

/** @throws InputError if it is present and not a signal */
function checkSignal(signal: unknown): void {
  if (signal === undefined) return;
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>;
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return;
  throw new InputError('signal', 'an AbortSignal', describeFound(signal));
}

/**
 * Checks the signal of a call at its start. @throws InputError if it is not a signal, AbortError if it is already
 * aborted
 */
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
