/** A resumable run: the store of a sweep of one cell, whose ranges of battles are parts of counts. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SimulationResult } from '../../analysis/index.ts';
import { RunError } from '../../core/index.ts';
import { writeDurably } from '../../core/node.ts';
import {
  chooseEngine,
  findEngineForm,
  type PreparedRun,
  type Progress,
  type RunExecutor,
  type RunRequest,
  type RunRequestOptions,
  type RunResult,
} from '../../engines/index.ts';
import { getBoundScenario } from '../../rules/index.ts';
import { type Counts, type CountsShape, computeDigest, createEmptyCounts, mergeCounts } from '../../stats/index.ts';
import { createReadError, type StoredPart } from '../folder/files.ts';
import type { StoreLock } from '../folder/lock.ts';
import { type Cuttable, cutAt, type Range } from '../sweep/ranges.ts';
import type { Cell } from '../sweep/sweep.ts';
import { readCounts } from './audit.ts';
import { createHistogramRuns, describeBattles } from './cell.ts';
import { finishStore } from './finish-store.ts';
import { createHistogramPartName, parsePartName, type StoreManifest } from './manifest.ts';
import { encodeSegment } from './segment.ts';
import { createSweepStore, type SweepStore, writeParts } from './sweep-store.ts';
import { encodeHistograms } from './tables.ts';

/** Error for a part of the run that is missing and must not be simulated. */
export class MissingPart extends RunError {
  readonly range: Range;

  constructor(folder: string, file: string, range: Range) {
    super(`${folder} has no ${file}`);
    this.range = range;
  }
}

const fileOf = ({ from, to }: Range): string => createHistogramPartName(0, from, to);

/** Returns the battles of a part of a run. */
export function parseRange(file: string): Range {
  const { from = 0, to = 0 } = parsePartName(file)?.counts ?? {};
  return { from, to: Number(to) };
}

/** Counts of a run, by part. */
export class RunStore {
  readonly store: SweepStore;
  readonly run: Cuttable;
  readonly shape: CountsShape;
  readonly cell: Cell;
  readonly #listed: ReadonlyMap<string, StoredPart>;

  constructor(store: SweepStore) {
    const { sweep, manifest } = store;
    const cell = sweep.cell(0);
    if (sweep.run === undefined || cell === undefined) throw new TypeError('this is not a run');
    this.store = store;
    this.run = sweep.run;
    this.shape = getBoundScenario(sweep.spec.scenario).shape;
    this.cell = cell;
    this.#listed = new Map(manifest.parts?.map((part) => [part.file, part]));
  }

  /** Computes the digest of the counts of a range, as `warpool run` prints it for these battles. */
  digest(range: Range, counts: Counts): string {
    return computeDigest(describeBattles(this.cell, this.store.sweep, range), this.shape, counts);
  }

  async has(range: Range): Promise<boolean> {
    return (await lstat(join(this.store.folder, fileOf(range))).catch(() => undefined)) !== undefined;
  }

  /** @throws RunError that names the part if it is missing, damaged, of other battles, or has impossible counts */
  async read(range: Range): Promise<Counts> {
    const file = fileOf(range);
    const { about, rows } = await this.store.countsIn({ file, listed: this.#listed.get(file) }, 0);
    try {
      const counts = readCounts({ file, rows }, this.cell, this.shape, range.to - range.from);
      if (about['digest'] === this.digest(range, counts)) return counts;
      throw new Error('its digest does not match its counts');
    } catch (error) {
      throw createReadError(join(this.store.folder, file), error);
    }
  }

  /** @throws RunError if it cannot be written */
  async write(range: Range, counts: Counts): Promise<void> {
    const { folder, manifest } = this.store;
    const about = { sweep: manifest.sweepHash, segment: 0, digest: this.digest(range, counts) };
    const content = encodeHistograms(createHistogramRuns(this.cell, this.shape, counts, range), about);
    await writeDurably(join(folder, fileOf(range)), content);
  }

  /** Writes the rows of a run without missing parts, and its summary. @throws RunError if the lock is lost */
  async finish(result: SimulationResult, lock: StoreLock): Promise<StoreManifest> {
    const { folder, manifest, sweep } = this.store;
    const battles = result.to - result.from;
    const played = { ...result, battles, added: { counts: result.counts, from: battles } };
    const { parts } = encodeSegment(sweep, manifest.sweepHash, 0, [{ cell: this.cell, shape: this.shape, played }]);
    await lock.check();
    await writeParts(folder, parts);
    return await finishStore(await createSweepStore(this.store), lock);
  }
}

/** Executor of the ranges of a run: reads stored ranges and simulates the others. */
export class StoredPlayers implements RunExecutor {
  /** Ranges that were read or simulated. */
  parts = 0;
  /** Ranges that were read, and their battles. */
  read = 0;
  before = 0;
  readonly #store: RunStore;
  readonly #there: ReadonlySet<string>;
  readonly #others: RunExecutor | undefined;
  #prepared: PreparedRun | undefined;

  /** @param others simulates missing ranges; undefined to allow none */
  constructor(store: RunStore, others: RunExecutor | undefined) {
    this.#store = store;
    this.#there = new Set(store.store.counts.get(0)?.map(({ file }) => file));
    this.#others = others;
  }

  /**
   * Simulates missing battles; progress counts only these.
   * @throws MissingPart if a part is missing and must not be simulated
   * @throws RunError if a part is damaged, or cannot be written
   */
  async play(run: RunRequest, options: RunRequestOptions = {}): Promise<RunResult> {
    return await this.playRanges(run, [...cutAt(this.#store.run, run)], options);
  }

  /** Simulates some ranges of a run, like `play`. */
  async playRanges(run: RunRequest, ranges: readonly Range[], options: RunRequestOptions): Promise<RunResult> {
    const { signal, onProgress } = options;
    const prepared = options.prepared ?? (await this.#prepareRun(run, signal));
    const missing = ranges.filter((range) => !this.#there.has(fileOf(range)));
    const requested = missing.reduce((sum, { from, to }) => sum + to - from, 0);
    const counts = createEmptyCounts(this.#store.shape);
    const result = { counts, from: run.from, to: run.from, seconds: 0, workers: 0 };
    let [left, played] = [ranges.length, 0];
    for (const range of ranges) {
      if (signal?.aborted === true) break;
      const report = ({ done }: Progress): void => onProgress?.({ done: played + done, total: requested });
      const part = await this.#runPart({ ...run, ...range }, { ...options, prepared, onProgress: report });
      mergeCounts(counts, part.counts);
      result.to = part.to;
      result.seconds += part.seconds;
      result.workers = Math.max(result.workers, part.workers);
      if (!part.complete) break;
      if (part.player !== undefined) played += part.to - part.from;
      this.parts++;
      left--;
    }
    return { ...result, player: findEngineForm(prepared.setup), why: prepared.why, complete: left === 0 };
  }

  /** Chooses the engine for the whole run: single parts are too short to amortize the choice. */
  async #prepareRun(run: RunRequest, signal: AbortSignal | undefined): Promise<PreparedRun> {
    const { from, to } = this.#store.run;
    this.#prepared ??= await chooseEngine({ ...run, from, to }, { signal });
    return this.#prepared;
  }

  /** @throws RunError if the part is damaged, with advice if it can be simulated again */
  async #read(range: Range): Promise<Counts> {
    try {
      return await this.#store.read(range);
    } catch (error) {
      if (this.#others === undefined || !(error instanceof RunError)) throw error;
      throw new RunError(`${error.message}; remove it to simulate its battles again`, { cause: error });
    }
  }

  /** Returns a range; without an engine if it was read. */
  async #runPart(
    run: RunRequest,
    options: RunRequestOptions,
  ): Promise<Omit<RunResult, 'player'> & Partial<Pick<RunResult, 'player'>>> {
    const range = { from: run.from, to: run.to };
    if (await this.#store.has(range)) {
      this.read++;
      this.before += run.to - run.from;
      return { counts: await this.#read(range), ...range, complete: true, seconds: 0, workers: 0 };
    }
    if (this.#others === undefined) throw new MissingPart(this.#store.store.folder, fileOf(range), range);
    const result = await this.#others.play(run, options);
    if (result.complete) await this.#store.write(range, result.counts);
    return result;
  }
}
