/** Merges shards that lie in object stores: their parts are fetched, some at a time, and joined as those of folders are. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { draftOf, writeDurably } from '../../core/files/durable.ts';
import { registryOf } from '../../rules/index.ts';
import { makeFolder } from '../folder/begin.ts';
import { PART_MAX, partNow } from '../folder/regular.ts';
import { together } from '../folder/together.ts';
import { FOLDERS, MANIFEST, partName } from '../store/files.ts';
import { checkAlike, MANIFEST_MAX, SWEEPS } from '../store/manifest.ts';
import { type Merged, type MergeOptions, mergeStores } from '../store/merge.ts';
import { countsDue } from '../store/parts.ts';
import { type ReadStore, readStore } from '../store/reading.ts';
import { segmentsOf } from '../sweep/segments.ts';
import { type Copied, retold, retoldText } from './retold.ts';
import type { S3Parts } from './s3.ts';

/**
 * Segments that are fetched at the same time: answers of stores are slow more often than their bytes are many. Where parts
 * are larger than so many bytes, one at a time: each is held in memory.
 */
const AT_ONCE = 4;
const SMALL = 2 ** 24;

export interface FetchOptions extends MergeOptions {
  /** Told of each place: what lies there and is no part. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** A place whose parts are copied into a folder of the store: linked from there, they take room once. */
interface Copy extends Copied {
  readonly parts: S3Parts;
}

/** The folder counts as a draft of the store: it is passed over, and removed should this process die. */
function copyOf(store: string, parts: S3Parts): Copy {
  return { parts, folder: draftOf(join(store, 'fetched')), url: parts.place.url };
}

function checkTwice(copies: readonly Copy[]): void {
  const twice = copies.find(({ url }, c) => copies.findIndex((other) => other.url === url) < c);
  if (twice !== undefined) throw new InputError(twice.url, 'each place once', 'it a second time');
}

/** The files of a listing that are parts of a sweep, by segment; names that are none go no further than this. */
function partsBySegment({ manifest, sweep }: ReadStore, files: Iterable<string>) {
  const segments = segmentsOf(sweep, manifest.segmentSize);
  const due = countsDue(manifest, sweep);
  const own = new Map<number, string[]>();
  const strays: string[] = [];
  for (const file of files) {
    const name = partName(file);
    if (name !== undefined && name.segment < segments && (name.counts === undefined || due(name.counts)))
      own.set(name.segment, [...(own.get(name.segment) ?? []), file]);
    else if (file !== MANIFEST) strays.push(file);
  }
  return { own, strays };
}

/** True if the store has all these parts with the hashes that their writers have said. */
async function isHere(store: string, parts: S3Parts, files: readonly string[]): Promise<boolean> {
  for (const file of files) {
    const own = await partNow(store, file).catch(() => undefined);
    if (own === undefined || (await parts.find(file))?.sha256 !== own.sha256) return false;
  }
  return true;
}

async function openCopy(store: string, { parts, folder }: Copy, options: FetchOptions): Promise<ReadStore> {
  const registry = registryOf(options.systems);
  await mkdir(folder);
  for (const name of FOLDERS) await mkdir(join(folder, name));
  await writeFile(join(folder, MANIFEST), await parts.read(MANIFEST, MANIFEST_MAX));
  const copy = await readStore(folder, registry);
  const own = await SWEEPS.find(store, registry);
  if (own !== undefined) checkAlike(store, own, folder, copy.manifest);
  return copy;
}

async function fetchParts(store: string, { parts, folder, url }: Copy, copy: ReadStore, options: FetchOptions) {
  const { signal, onProgress, onNote } = options;
  const listing = await parts.list();
  const { own, strays } = partsBySegment(copy, listing.files.keys());
  const others = [...strays, ...listing.strays];
  if (others.length > 0) onNote?.(`${url} has what is no part of this sweep: ${others.slice(0, 3).join(', ')}`);
  let done = 0;
  const isLarge = [...listing.files.values()].some((bytes) => bytes > SMALL);
  const [atOnce, most] = isLarge ? [1, PART_MAX] : [AT_ONCE, SMALL];
  const fetchSegment = async (files: readonly string[]): Promise<void> => {
    if (!(await isHere(store, parts, files)))
      for (const file of files) await writeDurably(join(folder, file), await parts.read(file, most));
    onProgress?.({ done: ++done, cells: own.size, before: 0 });
  };
  await together(own.values(), fetchSegment, { atOnce, signal });
}

/**
 * `mergeStores` with folders and places in object stores. A part that the store has already is not fetched if its hash
 * is the one that its writer has said; all that is fetched is checked as files of strangers are.
 * @throws InputError, RunError as `mergeStores`, and RunError if an object store cannot be reached
 */
export async function mergeFetched(
  folder: string,
  others: readonly (string | S3Parts)[],
  options: FetchOptions = {},
): Promise<Merged> {
  const { onNote: _told, ...merging } = options;
  await makeFolder(folder);
  const copies = others.map((other) => (typeof other === 'string' ? other : copyOf(folder, other)));
  const fetched = copies.filter((copy) => typeof copy !== 'string');
  checkTwice(fetched);
  const folders = copies.map((copy) => (typeof copy === 'string' ? copy : copy.folder));
  try {
    return await retold(fetched, async () => {
      for (const copy of fetched) await fetchParts(folder, copy, await openCopy(folder, copy, options), options);
      const merged = await mergeStores(folder, folders, merging);
      const told = (text: string): string => retoldText(text, fetched);
      return { ...merged, faults: merged.faults.map(({ where, what }) => ({ where: told(where), what: told(what) })) };
    });
  } finally {
    for (const copy of fetched) await rm(copy.folder, { recursive: true, force: true });
  }
}
