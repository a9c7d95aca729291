/** Merging of shards: joins their parts, lists missing ones, and completes the store if none is missing. */

import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pickRunSpec, type SimulationResult, simulate } from '../../analysis/index.ts';
import { AbortError, checkList, createOptionsCheck, InputError } from '../../core/index.ts';
import { createWriteError, linkFile, writeDurably, writeDurablyIfAbsent } from '../../core/node.ts';
import { checkStart } from '../../engines/index.ts';
import { type SystemsLike, toRegistry } from '../../rules/index.ts';
import { mergeFolders, type StoredWork } from '../folder/begin-folder.ts';
import { describePart, PART_MAX, readBytes, type StoredPart, withFile } from '../folder/files.ts';
import type { StoreLock } from '../folder/lock.ts';
import { checkShard, findShard } from '../folder/shard.ts';
import { createFault, type VerificationFault } from '../folder/verification.ts';
import { cutAt, getRangeIndex, type Range } from '../sweep/ranges.ts';
import { finishStore } from './finish-store.ts';
import { checkSameStore, MANIFEST, reopenManifest, type StoreManifest, SWEEP_FOLDERS } from './manifest.ts';
import { MissingPart, parseRange, RunStore, StoredPlayers } from './run.ts';
import { checkBuild } from './run-sweep.ts';
import {
  createSweepStore,
  type FinishedSegment,
  type PartFile,
  type SegmentInfo,
  type SweepStore,
  verifyPart,
} from './sweep-store.ts';

const hasFile = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined;

class StoreMerge {
  readonly #store: SweepStore;
  /** Finished and undamaged segments of the store. */
  readonly finished = new Map<number, SegmentInfo>();
  readonly faults: VerificationFault[] = [];
  /** Files with different undamaged versions in two stores. */
  readonly disputed = new Set<string>();
  /** Copied parts and their source folders. */
  readonly #taken = new Map<string, string>();

  /** @param store destination; its parts are kept */
  constructor(store: SweepStore) {
    this.#store = store;
  }

  /** Number of parts copied from other stores. */
  get taken(): number {
    return this.#taken.size;
  }

  /** Returns the result of `act`; records a fault if the content of a file makes it fail. */
  async #tryReading<T>(where: string, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      const fault = createFault(where, error);
      if (!this.faults.some((known) => known.where === where && known.what === fault.what)) this.faults.push(fault);
      return undefined;
    }
  }

  /** Returns the parts of a segment if all are undamaged; otherwise undefined. */
  async #readUndamaged(store: SweepStore, rows: PartFile, facts: SegmentInfo): Promise<StoredPart[] | undefined> {
    const { folder } = store;
    const { segment, battles, cells } = facts;
    const known = new Map([...(store.counts.get(segment) ?? []), rows].map((part) => [part.file, part]));
    const sound: StoredPart[] = [];
    for (const file of store.due(segment, cells, battles)) {
      const part = known.get(file) ?? { file, listed: undefined };
      const found = await this.#tryReading(join(folder, part.file), () => verifyPart(folder, part));
      if (found === undefined) return undefined;
      sound.push(found);
    }
    return sound;
  }

  /** Returns a segment of a store; undefined if it is unfinished or damaged. */
  async #getFinished(store: SweepStore, segment: number): Promise<FinishedSegment | undefined> {
    const rows = store.tables.get(segment);
    if (rows === undefined) return undefined;
    const facts = await this.#tryReading(join(store.folder, rows.file), () => store.readInfo(rows));
    // Rows with fewer battles are from before an extension.
    if (facts === undefined || facts.battles !== store.sweep.battles) return undefined;
    const parts = await this.#readUndamaged(store, rows, facts);
    return parts && { facts, parts };
  }

  /** Copies a part into the store. @returns false if it exists already */
  async #put(from: string, { file }: StoredPart): Promise<boolean> {
    const path = join(this.#store.folder, file);
    const source = join(from, file);
    const done = await linkFile(source, path).catch((error: unknown) => {
      throw createWriteError(path, error);
    });
    if (done !== 'cannot') return done === 'linked';
    return await writeDurablyIfAbsent(path, await this.#readBytes(from, file));
  }

  #readBytes(folder: string, file: string): Promise<Uint8Array> {
    return withFile(folder, file, PART_MAX, (opened) => readBytes(opened, 0, opened.size));
  }

  /** True if the part of the store is older: its rows are from before an extension. */
  async #isOlder(file: string, { battles, segment }: SegmentInfo): Promise<boolean> {
    const own = this.#store.tables.get(segment);
    if (own?.file !== file) return false;
    const facts = await this.#store.readInfo(own).catch(() => undefined);
    return facts !== undefined && facts.battles < battles;
  }

  /** Compares a part with the same part of the store. @returns true if they are equal */
  async #hasEqualPart(from: string, part: StoredPart, facts: SegmentInfo): Promise<boolean> {
    const { folder } = this.#store;
    const { file, sha256 } = part;
    const own = await describePart(folder, file).catch(() => undefined);
    if (own?.sha256 === sha256) return true;
    if (await this.#isOlder(file, facts)) {
      await writeDurably(join(folder, file), await this.#readBytes(from, file));
      return true;
    }
    const where = join(folder, file);
    const sound = await this.#tryReading(where, () => verifyPart(folder, { file, listed: undefined }));
    if (sound === undefined) return false;
    this.disputed.add(file);
    const [one, other] = [join(this.#taken.get(file) ?? folder, file), join(from, file)];
    this.faults.push({ where: one, what: `${other} differs from it: SHA-256 ${sound.sha256} and ${sha256}` });
    return false;
  }

  /** Copies parts of a run from another store; a sound part replaces a damaged one. */
  async takeCounts(other: SweepStore, own: RunStore, onExamined: () => void): Promise<void> {
    const theirs = new RunStore(other);
    for (const { file } of other.counts.get(0) ?? []) {
      onExamined();
      const found = await this.#digestCounts(theirs, file);
      if (found === undefined) continue;
      const path = join(this.#store.folder, file);
      const there = (await hasFile(path)) ? await this.#digestCounts(own, file) : undefined;
      if (there === undefined) {
        await writeDurably(path, await this.#readBytes(other.folder, file));
        this.#taken.set(file, other.folder);
      } else if (there !== found) this.#recordConflict(join(other.folder, file), file, [there, found], own);
    }
  }

  /** Records that two folders have different counts of the same battles. */
  #recordConflict(path: string, file: string, digests: readonly string[], { store }: RunStore): void {
    const { from, to } = parseRange(file);
    const command = `run --seed ${String(store.sweep.spec.seed)} --from ${String(from)} --battles ${String(to - from)}`;
    const what = `${path} differs from it: digests ${digests.join(' and ')}; "${command}" prints the correct one`;
    this.disputed.add(file);
    this.faults.push({ where: join(this.#taken.get(file) ?? store.folder, file), what });
  }

  /** Returns the first battles of all sound, undisputed parts of a run. */
  async goodCounts(run: RunStore, onExamined: () => void): Promise<Set<number>> {
    const good = new Set<number>();
    for (const { file } of run.store.counts.get(0) ?? []) {
      onExamined();
      if ((await this.#digestCounts(run, file)) !== undefined && !this.disputed.has(file))
        good.add(parseRange(file).from);
    }
    return good;
  }

  /** Returns the digest of a part of a run; undefined if it is damaged. */
  async #digestCounts(run: RunStore, file: string): Promise<string | undefined> {
    const range = parseRange(file);
    return await this.#tryReading(join(run.store.folder, file), async () => run.digest(range, await run.read(range)));
  }

  /** Copies a segment from another store. */
  async takeSegment(other: SweepStore, segment: number): Promise<void> {
    const found = await this.#getFinished(other, segment);
    if (found === undefined) return;
    for (const part of found.parts) {
      const path = join(this.#store.folder, part.file);
      const put = !(await hasFile(path)) && (await this.#put(other.folder, part));
      if (put) this.#taken.set(part.file, other.folder);
      else if (!(await this.#hasEqualPart(other.folder, part, found.facts))) return;
    }
    this.finished.set(segment, found.facts);
  }

  /** Checks a segment of the store itself. @param store with its current parts */
  async checkSegment(store: SweepStore, segment: number): Promise<void> {
    if (this.finished.has(segment)) return;
    const found = await this.#getFinished(store, segment);
    if (found !== undefined) this.finished.set(segment, found.facts);
  }
}

/** Options of `mergeStores`. */
export interface MergeOptions {
  /** Number of shards; with it, shards with missing parts are listed. */
  readonly shards?: number | undefined;
  /** Custom systems, as for `loadScenario`. */
  readonly systems?: SystemsLike | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each examined segment. */
  readonly onProgress?: ((progress: { done: number; cells: number; before: number }) => void) | undefined;
}

const checkOptions = createOptionsCheck<MergeOptions>('mergeStores', {
  shards: true,
  systems: true,
  signal: true,
  onProgress: true,
});

/** Missing parts of a merged store. */
export interface MissingParts {
  /** Missing segments as inclusive ranges. */
  readonly segments: readonly (readonly [from: number, to: number])[];
  readonly cells: number;
  /** Shards with missing parts, 1..n; undefined if the number of shards is unknown. */
  readonly shards: readonly number[] | undefined;
}

/** Result of `mergeStores`. */
export interface MergeResult {
  readonly folder: string;
  /** Complete if nothing is missing. */
  readonly manifest: StoreManifest;
  /** Cells of the sweep. */
  readonly cells: number;
  readonly segments: number;
  /** Cells whose parts all exist and are undamaged. */
  readonly done: number;
  /** Number of parts copied from other folders. */
  readonly copied: number;
  readonly missing: MissingParts;
  /** Damaged parts, and parts that differ between folders. */
  readonly faults: readonly VerificationFault[];
  /** True if all cells exist and no two folders disagree: then the store is complete. */
  readonly complete: boolean;
  /** Result of a complete run, whose segments are ranges of battles; as of `simulate`. */
  readonly result?: SimulationResult;
}

/** Runs of numbers that ascend. */
function findNumberRuns(numbers: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** @throws InputError if a folder is listed twice */
async function checkFolders(folders: readonly string[]): Promise<void> {
  const seen = new Set<string>();
  for (const folder of folders) {
    const path = await realpath(folder).catch(() => folder);
    if (seen.has(path)) throw new InputError(folder, 'a folder that is listed once', 'it twice');
    seen.add(path);
  }
}

/** Examines all segments: first those of the other stores, then those of the store itself. */
async function examineAll(
  joining: StoreMerge,
  store: SweepStore,
  others: readonly SweepStore[],
  signal: AbortSignal,
  onProgress: MergeOptions['onProgress'],
): Promise<void> {
  const cells = others.reduce((sum, { tables }) => sum + tables.size, store.segments);
  let done = 0;
  const reportExamined = (): void => onProgress?.({ done: ++done, cells, before: 0 });
  for (const other of others) {
    for (const segment of other.tables.keys()) {
      if (signal.aborted) return;
      await joining.takeSegment(other, segment);
      reportExamined();
    }
  }
  const now = await createSweepStore(store);
  for (let segment = 0; segment < now.segments; segment++) {
    if (signal.aborted) return;
    await joining.checkSegment(now, segment);
    reportExamined();
  }
}

/** Returns the shards, 1..of, of some segments, or ranges of a run. */
function listShards(segments: readonly number[], of: number | undefined): number[] | undefined {
  if (of === undefined) return undefined;
  return [...new Set(segments.map((segment) => findShard(segment, of)))].sort((a, b) => a - b);
}

function findMissing(store: SweepStore, { finished }: StoreMerge, shards: number | undefined): MissingParts {
  const missing = [...Array(store.segments).keys()].filter((segment) => !finished.has(segment));
  const cells = missing.reduce((sum, segment) => sum + store.countCells(segment), 0);
  return { segments: findNumberRuns(missing), cells, shards: listShards(missing, shards) };
}

/** Sums all parts of a run, or returns the first missing range. */
async function sumParts(run: RunStore, signal: AbortSignal): Promise<{ result?: SimulationResult; missing: Range[] }> {
  const { spec } = run.store.sweep;
  try {
    const pool = new StoredPlayers(run, undefined);
    const result = await simulate(spec.scenario, { ...pickRunSpec(spec), pool, signal });
    if (!result.complete) throw new AbortError('stopped before all parts were read', signal);
    return { result, missing: [] };
  } catch (error) {
    if (error instanceof MissingPart) return { missing: [error.range] };
    throw error;
  }
}

/** Joins the parts of a run. @throws AbortError if the signal aborts first */
async function joinRuns(
  store: SweepStore,
  others: readonly SweepStore[],
  lock: StoreLock,
  signal: AbortSignal,
  { shards, onProgress }: MergeOptions,
): Promise<MergeResult> {
  const joining = new StoreMerge(store);
  const theirs = others.flatMap(({ counts }) => counts.get(0) ?? []).map(({ file }) => file);
  const parts = theirs.length + new Set([...theirs, ...(store.counts.get(0) ?? []).map(({ file }) => file)]).size;
  let analyses = 0;
  const reportExamined = (): void => {
    if (signal.aborted) throw new AbortError('stopped before all parts were read', signal);
    onProgress?.({ done: ++analyses, cells: parts, before: 0 });
  };
  for (const other of others) await joining.takeCounts(other, new RunStore(store), reportExamined);
  await lock.check();
  const run = new RunStore(await createSweepStore(store));
  const good = await joining.goodCounts(run, reportExamined);
  const known = store.sweep.spec.precision === undefined ? [...cutAt(run.run, run.run)] : [];
  const gaps = known.filter(({ from }) => !good.has(from));
  const whole = gaps.length === 0 && joining.disputed.size === 0;
  const { result, missing } = whole ? await sumParts(run, signal) : { missing: gaps };
  const finish = result !== undefined && !store.manifest.complete;
  const manifest = finish ? await run.finish(result, lock) : store.manifest;
  const ranges = [...new Set(missing.map(({ from }) => getRangeIndex(run.run, from)))];
  const done = Number(result !== undefined);
  const { taken, faults } = joining;
  const size = { cells: 1, segments: Math.max(known.length, good.size), done, copied: taken };
  const left = { segments: findNumberRuns(ranges), cells: 1 - done, shards: listShards(ranges, shards) };
  const complete = result !== undefined;
  return { folder: store.folder, manifest, ...size, missing: left, faults, complete, ...(result && { result }) };
}

async function joinStores(
  into: StoredWork<StoreManifest>,
  others: readonly StoredWork<StoreManifest>[],
  lock: StoreLock,
  signal: AbortSignal,
  { shards, onProgress }: MergeOptions,
): Promise<MergeResult> {
  const store = await createSweepStore(into);
  const stores = await Promise.all(others.map(createSweepStore));
  if (store.sweep.run !== undefined) return await joinRuns(store, stores, lock, signal, { shards, onProgress });
  const joining = new StoreMerge(store);
  await examineAll(joining, store, stores, signal, onProgress);
  await lock.check();
  const missing = findMissing(store, joining, shards);
  const { folder, segments } = store;
  const { taken, faults, disputed, finished } = joining;
  const complete = missing.segments.length === 0 && disputed.size === 0;
  const finish = complete && !store.manifest.complete;
  const manifest = finish ? await finishStore(await createSweepStore(store), lock) : store.manifest;
  const done = [...finished.values()].reduce((sum, { cells }) => sum + cells, 0);
  return { folder, manifest, cells: done + missing.cells, segments, done, copied: taken, missing, faults, complete };
}

/**
 * Merges the parts of other stores into one, and completes it if no part is missing: its files are then byte for byte
 * equal to those from one machine. Parts are hard-linked if the file system allows it, otherwise copied. Parts that
 * exist in two folders are compared by SHA-256; damaged parts are not copied.
 * @param folder folder that shards have filled, or a new one
 * @param others folders of other shards; they are not changed
 * @throws InputError if a folder is not a store, another process is writing it, or sweeps, builds or rules differ
 * @throws RunError if a manifest is damaged, or the store cannot be written
 */
export async function mergeStores(
  folder: string,
  others: readonly string[] = [],
  options: MergeOptions = {},
): Promise<MergeResult> {
  checkOptions(options);
  checkList('others', 'a list of folders', others);
  checkStart(options.signal);
  if (options.shards !== undefined) checkShard({ index: 1, of: options.shards }, 'shards');
  await checkFolders([folder, ...others]);
  const registry = toRegistry(options.systems);
  return await mergeFolders(
    SWEEP_FOLDERS,
    folder,
    others,
    { registry, signal: options.signal },
    {
      check: (first, kept) => {
        checkBuild(first.manifest, join(first.folder, MANIFEST));
        for (const other of kept)
          checkSameStore(first.folder, first.manifest, join(other.folder, MANIFEST), other.manifest);
      },
      unfinished: reopenManifest,
      join: (into, kept, lock, signal) => joinStores(into, kept, lock, signal, options),
    },
  );
}
