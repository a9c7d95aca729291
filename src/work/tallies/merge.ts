/** Puts the parts of one run together that several folders have. */

import { digest, type Tally } from '../../answers/index.ts';
import { AbortError, checkList, optionsOf } from '../../core/index.ts';
import { checkStart } from '../../engines/index.ts';
import { registryOf, type SystemsLike } from '../../rules/index.ts';
import { type SimulationResult, simulate } from '../../studies/index.ts';
import { type KeptWork, mergeFolders } from '../folder/begin.ts';
import { filesIn } from '../folder/files.ts';
import type { Lock } from '../folder/lock.ts';
import { type Fault, faultOf } from '../folder/verify.ts';
import { finishRun, type KeptRun, MissingPart, StoredPlayers } from './into.ts';
import { cutAt, optionsOfRun, type Range, RUNS, type RunManifest, rangeIn } from './manifest.ts';
import { RunStore } from './store.ts';

/** How `mergeRun` merges. */
export interface MergeRunOptions {
  /** Systems that the run can be of: those of `loadScenario`. */
  readonly systems?: SystemsLike | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each range that was read: ranges done, and how many there are. */
  readonly onProgress?: ((progress: { readonly done: number; readonly asked: number }) => void) | undefined;
}

const checkOptions = optionsOf<MergeRunOptions>('mergeRun', { systems: true, signal: true, onProgress: true });

/** A part that several folders have, with other tallies. */
export interface Disagreement extends Range {
  readonly file: string;
  /** What each of them says: the digest of `warpool run` on these battles tells who is right. */
  readonly digests: readonly { readonly folder: string; readonly digest: string }[];
}

export interface MergedRun extends KeptRun {
  /** Parts that came from the other folders. */
  readonly added: number;
  /** Battles that no folder has, those that follow each other as one range; with a precision, the first of them. */
  readonly missing: readonly Range[];
  readonly disagreeing: readonly Disagreement[];
  /** Parts that cannot be read, or are of no such battles; another folder may have had a good one. */
  readonly damaged: readonly Fault[];
  /** What `simulate` gives for the whole run; undefined while something is missing, or disagrees. */
  readonly result?: SimulationResult;
}

/** A folder with parts of the run, and which. */
interface Source {
  readonly store: RunStore;
  readonly files: ReadonlySet<string>;
}

async function sourceOf(store: RunStore): Promise<Source> {
  return { store, files: new Set(await filesIn(store.folder, RUNS.folders)) };
}

/** Ranges that any folder has a part of, in the order of their battles; with a precision its looks cut them. */
function rangesThere(run: RunManifest, sources: readonly Source[]): Map<string, Range> {
  const found = new Map<string, Range>();
  for (const file of new Set(sources.flatMap(({ files }) => [...files]))) {
    const range = rangeIn(run, file);
    if (range !== undefined) found.set(file, range);
  }
  return new Map([...found].sort(([, a], [, b]) => a.from - b.from || a.to - b.to));
}

/** What folders have of one range. */
interface Found {
  readonly digests: Disagreement['digests'];
  /** The first tally that could be read. */
  readonly tally: Tally | undefined;
  /** Whether the folder that is merged into could be read. */
  readonly there: boolean;
}

class MergingRun {
  readonly damaged: Fault[] = [];
  readonly disagreeing: Disagreement[] = [];
  /** Battles of parts that are good. */
  readonly good: Range[] = [];
  added = 0;
  readonly #target: RunStore;
  readonly #sources: readonly Source[];

  /** @param sources the folder that is merged into, and the others */
  constructor(target: RunStore, sources: readonly Source[]) {
    this.#target = target;
    this.#sources = sources;
  }

  /** Takes a part over unless it is there; all folders that have one must have the same. */
  async take(file: string, range: Range): Promise<void> {
    const { digests, tally, there } = await this.#found(file, range);
    if (tally === undefined) return;
    if (digests.some(({ digest: other }) => other !== digests[0]?.digest)) {
      this.disagreeing.push({ file, ...range, digests });
      return;
    }
    this.good.push(range);
    if (there) return;
    await this.#target.write(range, tally);
    this.added++;
  }

  async #found(file: string, range: Range): Promise<Found> {
    const digests: { folder: string; digest: string }[] = [];
    let [first, there]: [Tally | undefined, boolean] = [undefined, false];
    for (const { store, files } of this.#sources) {
      if (!files.has(file)) continue;
      try {
        const tally = await store.read(range);
        digests.push({ folder: store.folder, digest: digest(store.played(range), store.shape, tally) });
        first ??= tally;
        there ||= store === this.#target;
      } catch (error) {
        this.damaged.push({ ...faultOf(file, error), where: `${store.folder}/${file}` });
      }
    }
    return { digests, tally: first, there };
  }
}

/** Battles of a run that none of its good parts has; those of ranges that follow each other as one. */
function missingIn(run: RunManifest, good: readonly Range[]): Range[] {
  const starts = new Set(good.map(({ from }) => from));
  const missing: Range[] = [];
  for (const range of cutAt(run, run)) {
    if (starts.has(range.from)) continue;
    const last = missing.at(-1);
    if (last?.to === range.from) missing[missing.length - 1] = { from: last.from, to: range.to };
    else missing.push(range);
  }
  return missing;
}

/** What all parts together give; the battles that are missing of a run with a precision. */
async function summed(store: RunStore, lock: Lock, signal: AbortSignal) {
  const players = new StoredPlayers(store, undefined);
  try {
    const result = await simulate(store.run.scenario, { ...optionsOfRun(store.run), pool: players, signal });
    if (!result.complete) throw new AbortError('stopped before all parts were read', signal);
    const { run } = store;
    const manifest = run.complete ? run : await finishRun(store, result, players.files, lock);
    return { result, manifest };
  } catch (error) {
    if (error instanceof MissingPart) return { missing: [error.range] };
    throw error;
  }
}

async function joined(
  stores: readonly [RunStore, ...RunStore[]],
  lock: Lock,
  signal: AbortSignal,
  tell: MergeRunOptions['onProgress'],
): Promise<MergedRun> {
  const [target] = stores;
  const { folder, run } = target;
  const sources = await Promise.all(stores.map(sourceOf));
  const merging = new MergingRun(target, sources);
  const ranges = rangesThere(run, sources);
  let done = 0;
  for (const [file, range] of ranges) {
    if (signal.aborted) throw new AbortError('stopped before all parts were read', signal);
    await merging.take(file, range);
    tell?.({ done: ++done, asked: ranges.size });
  }
  const { added, disagreeing, damaged, good } = merging;
  const known = run.precision === undefined ? missingIn(run, good) : [];
  const whole = known.length === 0 && disagreeing.length === 0;
  const { missing = known, manifest = run, result } = whole ? await summed(target, lock, signal) : {};
  const told = { added, missing, disagreeing, damaged, ...(result && { result }) };
  return { folder, manifest, parts: good.length, ...told };
}

/**
 * Puts the parts of one run together that processes have played into one folder or into several. When all are there,
 * the result is that of `simulate`, digest included, and `run.json` says so.
 * @param folder where they go; the first of the others says which run it is if there is none in it
 * @param others folders with parts of the same run, cut alike
 * @throws InputError if they are of different runs, or another process plays into the folder
 * @throws RunError if something cannot be written
 */
export async function mergeRun(
  folder: string,
  others: readonly string[] = [],
  options: MergeRunOptions = {},
): Promise<MergedRun> {
  checkOptions(options);
  checkList('others', 'a list of folders', others);
  const { systems, signal, onProgress } = options;
  checkStart(signal);
  const open = ({ folder: at, manifest }: KeptWork<RunManifest>): RunStore => new RunStore(at, manifest);
  return await mergeFolders(
    RUNS,
    folder,
    others,
    { registry: registryOf(systems), signal },
    {
      check: (first, kept) => {
        for (const other of kept)
          RUNS.refuseChanged(other.folder, RUNS.changes(other.manifest, first.manifest), `in ${folder}`);
      },
      unfinished: ({ end: _end, digest: _digest, parts: _parts, ...fresh }) => ({ ...fresh, complete: false }),
      join: (into, kept, lock, stop) => joined([open(into), ...kept.map(open)], lock, stop, onProgress),
    },
  );
}
