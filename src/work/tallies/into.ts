/** Plays one run, however long, or a share of its ranges, into a folder: what is there is read, what is not is played. */

import { emptyTally, mergeTally, type Tally } from '../../answers/index.ts';
import { checkKind, InputError, optionsOf, parseCount, RunError } from '../../core/index.ts';
import {
  checkStart,
  formOf,
  Lease,
  type Players,
  type PlayOptions,
  type PreparedRun,
  type Progress,
  prepare,
  type Run,
  type RunResult,
} from '../../engines/index.ts';
import type { Scenario } from '../../rules/index.ts';
import { settled, word } from '../../rules/setting.ts';
import {
  askedOf,
  BUDGET,
  EXECUTION,
  type Execution,
  executionOf,
  RUN,
  type SimulationResult,
  simulate,
} from '../../studies/index.ts';
import { lockFolder, makeFolder } from '../folder/begin.ts';
import { filesIn, partNow, type StoredPart } from '../folder/files.ts';
import type { Lock } from '../folder/lock.ts';
import { isOwn, type Shard } from '../folder/shard.ts';
import {
  beginRun,
  cutAt,
  newRun,
  optionsOfRun,
  type PrepareRunOptions,
  partFile,
  type Range,
  RUNS,
  type RunManifest,
  rangesIn,
} from './manifest.ts';
import { RunStore } from './store.ts';

/** A part of the run is not there, and nobody is to play it. */
export class MissingPart extends RunError {
  readonly range: Range;

  constructor(folder: string, file: string, range: Range) {
    super(`${folder} has no ${file}`);
    this.range = range;
  }
}

/** Battles of a run that are there before it is played. */
async function battlesThere({ folder, run }: RunStore): Promise<(asked: Range) => number> {
  const files = new Set(await filesIn(folder, RUNS.folders));
  return (asked) => {
    let battles = 0;
    for (const { from, to } of cutAt(run, asked)) if (files.has(partFile(run, { from, to }))) battles += to - from;
    return battles;
  };
}

export class StoredPlayers implements Players {
  /** Files that were read or written, in the order of their battles. */
  readonly files: string[] = [];
  /** Battles that were read; the others were played. */
  before = 0;
  readonly #store: RunStore;
  readonly #others: Players | undefined;
  #prepared: PreparedRun | undefined;
  #there: ((asked: Range) => number) | undefined;

  /** @param others play what is not there; undefined if nobody is to */
  constructor(store: RunStore, others: Players | undefined) {
    this.#store = store;
    this.#others = others;
  }

  /**
   * Progress is told of those battles that are not there yet.
   * @throws MissingPart if a part is not there and nobody is to play it
   * @throws RunError if one is damaged, or cannot be written
   */
  async play(run: Run, options: PlayOptions = {}): Promise<RunResult> {
    const { run: whole, shape } = this.#store;
    this.#there ??= await battlesThere(this.#store);
    const tally = emptyTally(shape);
    const prepared = options.prepared ?? (await this.#ready(run, options.signal));
    const result = {
      tally,
      player: formOf(prepared.setup),
      why: prepared.why,
      from: run.from,
      to: run.from,
      seconds: 0,
      workers: 0,
    };
    const due = run.to - run.from - this.#there(run);
    let played = 0;
    for (const range of cutAt(whole, run)) {
      if (options.signal?.aborted === true) break;
      const onProgress = ({ done }: Progress): void => options.onProgress?.({ done: played + done, asked: due });
      const part = await this.#part({ ...run, ...range }, { ...options, prepared, onProgress });
      mergeTally(tally, part.tally);
      result.to = part.to;
      result.seconds += part.seconds;
      result.workers = Math.max(result.workers, part.workers);
      if (!part.there) played += part.to - part.from;
      if (!part.complete) break;
      this.files.push(partFile(whole, range));
    }
    return { ...result, complete: result.to === run.to };
  }

  /** What a run of the whole would be played with: its parts are too short to be worth what that takes. */
  async #ready(run: Run, signal: AbortSignal | undefined): Promise<PreparedRun> {
    this.#prepared ??= await prepare({ ...run, from: this.#store.run.from, to: this.#store.run.to }, { signal });
    return this.#prepared;
  }

  /** @throws RunError if the part is damaged, with what helps where somebody can play it again */
  async #read(range: Range): Promise<Tally> {
    try {
      return await this.#store.read(range);
    } catch (error) {
      if (this.#others === undefined || !(error instanceof RunError)) throw error;
      throw new RunError(`${error.message}; remove it, and its battles are played again`, { cause: error });
    }
  }

  async #part(run: Run, options: PlayOptions): Promise<Omit<RunResult, 'player'> & { readonly there: boolean }> {
    const range = { from: run.from, to: run.to };
    if (await this.#store.has(range)) {
      this.before += run.to - run.from;
      const tally = await this.#read(range);
      return { tally, ...range, complete: true, there: true, seconds: 0, workers: 0 };
    }
    if (this.#others === undefined) throw new MissingPart(this.#store.folder, partFile(this.#store.run, range), range);
    const result = await this.#others.play(run, options);
    if (result.complete) await this.#store.write(range, result.tally);
    return { ...result, there: false };
  }
}

/** The ranges of a share: every so many, so that all shares are about equal. */
export function rangesOf(store: RunStore, shard: Shard): Range[] {
  return [...cutAt(store.run, store.run)].filter((_, range) => isOwn(shard, range));
}

export interface ShardProgress {
  /** Ranges of the share that are there, and those that were before. */
  readonly done: number;
  readonly before: number;
  readonly ranges: number;
  /** False if a signal came before all of them were. */
  readonly complete: boolean;
  /** Battles that were played, and the time that took. */
  readonly battles: number;
  readonly seconds: number;
}

/** Plays those ranges of a share that are not there. Others may play the same at once: they write the same bytes. */
export async function playRanges(
  store: RunStore,
  due: readonly Range[],
  players: Players,
  { budget, ...execution }: PlayOptions & { readonly budget?: number | undefined },
): Promise<ShardProgress> {
  const { run } = store;
  const { scenario, engine } = run;
  const { signal, onProgress } = execution;
  const whole: Run = { engine, scenario, seed: BigInt(run.seed), from: run.from, to: run.to, budget };
  const missing: Range[] = [];
  for (const range of due) if (!(await store.has(range))) missing.push(range);
  const before = due.length - missing.length;
  const asked = missing.reduce((sum, { from, to }) => sum + to - from, 0);
  let prepared: PreparedRun | undefined;
  let [done, battles, seconds] = [before, 0, 0];
  for (const range of missing) {
    if (signal?.aborted === true) break;
    // Somebody else may have played it meanwhile.
    const there = await store.has(range);
    if (!there) {
      prepared ??= await prepare(whole, { signal });
      const tell = ({ done: now }: Progress): void => onProgress?.({ done: battles + now, asked });
      const result = await players.play({ ...whole, ...range }, { ...execution, prepared, onProgress: tell });
      if (!result.complete) break;
      await store.write(range, result.tally);
      seconds += result.seconds;
      battles += range.to - range.from;
    }
    done++;
  }
  return { done, before, ranges: due.length, complete: done === due.length, battles, seconds };
}

/** What is kept, and how it is played: the options of `simulate`. */
export interface KeptOptions extends PrepareRunOptions, Execution {}

/** How `simulateInto` plays, and what it does with a folder that has a run. */
export interface SimulateIntoOptions extends KeptOptions {
  /** `resume` goes on with a folder in which the run was begun; `new` unless said otherwise. */
  readonly mode?: 'new' | 'resume' | undefined;
}

/** How `simulateShard` plays. */
export interface SimulateShardOptions extends KeptOptions {
  readonly shard: Shard;
}

function checkShare(shard: Shard, place: string): void {
  checkKind(place, 'a shard such as { index: 1, of: 8 }', shard, 'of');
  parseCount(shard.of, 'shard.of', 1);
  parseCount(shard.index, 'shard.index', 1, shard.of);
}

const CUT = { ...RUN, rangeSize: true } as const;
const KEPT = { ...CUT, ...EXECUTION } as const;

const checkInto = optionsOf<SimulateIntoOptions>('simulateInto', {
  ...KEPT,
  mode: word('what a folder may hold', ['new', 'resume']),
});
const checkPrepare = optionsOf<PrepareRunOptions>('prepareRun', CUT);
const checkShard = optionsOf<SimulateShardOptions>('simulateShard', {
  ...KEPT,
  shard: { required: true, check: checkShare },
});

/** A run in a folder. */
export interface KeptRun {
  readonly folder: string;
  readonly manifest: RunManifest;
  /** Parts of its tally; with a precision, so far. */
  readonly parts: number;
}

export interface KeptResult extends KeptRun {
  /** What `simulate` gives; its time is that of the battles that were not there. */
  readonly result: SimulationResult;
  /** Battles that were there before. */
  readonly before: number;
}

export interface RunShardResult extends KeptRun, ShardProgress {
  readonly shard: Shard;
}

/** Writes down what came of a run whose parts are all there. @throws RunError if the lock is lost */
export async function finishRun(
  { folder, run }: RunStore,
  result: SimulationResult,
  files: readonly string[],
  lock: Lock,
): Promise<RunManifest> {
  const parts: StoredPart[] = [];
  for (const file of files) parts.push(await partNow(folder, file));
  const finished = { ...run, complete: true, end: result.to, digest: result.digest, parts };
  await lock.check();
  await RUNS.write(folder, finished);
  return finished;
}

/**
 * Plays a run into a folder, range by range: the tally of each is a file. Killed at any point, it has lost at most the
 * range under way. The result is that of `simulate` with the same options, digest included.
 * @param folder new or empty, or one in which the run was begun
 * @throws InputError if an option is out of range, the folder does not fit, another process plays into it, or the system
 *   was given as a value
 * @throws RunError if battles could not be played, a part is damaged, or something cannot be written
 */
export async function simulateInto(
  folder: string,
  scenario: Scenario,
  options: SimulateIntoOptions = {},
): Promise<KeptResult> {
  checkInto(options);
  const { mode = 'new', rangeSize } = options;
  const execution = executionOf(options);
  checkStart(execution.signal);
  const due = newRun(scenario, { ...askedOf(options), rangeSize });
  await makeFolder(folder);
  await using lock = await lockFolder(RUNS, folder);
  const manifest = await beginRun(folder, due, mode, rangeSize !== undefined);
  const store = new RunStore(folder, manifest);
  await using threads = new Lease(execution.workers);
  const players = new StoredPlayers(store, execution.pool ?? threads);
  const signal = lock.orLost(execution.signal);
  const result = await simulate(scenario, { ...optionsOfRun(due), ...execution, signal, pool: players });
  await lock.check();
  const { files, before } = players;
  const finished = result.complete && !manifest.complete ? await finishRun(store, result, files, lock) : manifest;
  return { folder, manifest: finished, result, before, parts: files.length };
}

/**
 * Makes a folder ready for a run that several processes are to play, and plays nothing.
 * @throws InputError if an option is out of range, or the folder holds something else
 */
export async function prepareRun(
  folder: string,
  scenario: Scenario,
  options: PrepareRunOptions = {},
): Promise<KeptRun> {
  checkPrepare(options);
  const due = newRun(scenario, options);
  await makeFolder(folder);
  const manifest = await beginRun(folder, due, 'either', options.rangeSize !== undefined);
  return { folder, manifest, parts: rangesIn(manifest) };
}

/**
 * Plays a share of the ranges of a run: `shard` of as many as there are. It takes no lock: any number of processes may
 * play into one folder, or each into one of its own, which `mergeRun` puts together.
 * @throws InputError if an option is out of range, the folder does not fit, or the run has a precision: then nobody knows
 *   beforehand how many ranges it has
 * @throws RunError if battles could not be played, or something cannot be written
 */
export async function simulateShard(
  folder: string,
  scenario: Scenario,
  options: SimulateShardOptions,
): Promise<RunShardResult> {
  checkShard(options);
  const { shard, precision, rangeSize } = options;
  const { pool, ...execution } = executionOf(options);
  checkStart(execution.signal);
  const { budget } = settled({ budget: BUDGET }, execution);
  if (precision !== undefined)
    throw new InputError('precision', 'a number of battles, to play a share of them', String(precision));
  const { manifest, parts } = await prepareRun(folder, scenario, { ...askedOf(options), rangeSize });
  const store = new RunStore(folder, manifest);
  await using threads = new Lease(execution.workers);
  const played = await playRanges(store, rangesOf(store, shard), pool ?? threads, { ...execution, budget });
  return { folder, manifest, parts, shard, ...played };
}
