/** Plays one shard of a sweep into an object store. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError, RunError } from '../../core/errors.ts';
import { Lease } from '../../engines/pool/pool.ts';
import { checkSignal } from '../../engines/pool/run.ts';
import { opened } from '../../rules/opened.ts';
import { checkSame } from '../folder/begin.ts';
import { checkStorable } from '../folder/rules.ts';
import { checkShard, ownSegments, type Shard } from '../folder/shard.ts';
import { dueOf } from '../store/begin.ts';
import { FOLDERS, MANIFEST, tablePart } from '../store/files.ts';
import { fillStore } from '../store/fill.ts';
import { MANIFEST_MAX, manifestText, newManifest, SWEEPS, unfinished } from '../store/manifest.ts';
import { partsDue } from '../store/parts.ts';
import { type ReadStore, readStore } from '../store/reading.ts';
import type { EncodedPart } from '../store/segment.ts';
import { checkBuild, type ShardOptions, type ShardResult } from '../store/shard.ts';
import { cellsOf, segmentsOf } from '../sweep/segments.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { PartConflict } from './parts.ts';
import { retold } from './retold.ts';
import type { S3Parts } from './s3.ts';

/** The manifest of a place, put there unless there is one. Of several shards one is quicker, and all go on with its. */
async function manifestIn(parts: S3Parts, sweep: Sweep): Promise<Uint8Array> {
  const own = new TextEncoder().encode(manifestText(newManifest(sweep)));
  try {
    await parts.put(MANIFEST, own);
    return own;
  } catch (error) {
    if (!(error instanceof PartConflict)) throw error;
    return await parts.read(MANIFEST, MANIFEST_MAX);
  }
}

/** A store without parts, to fill: a folder of this process alone. @throws InputError if the place is of another sweep */
async function beginHere(folder: string, parts: S3Parts, sweep: Sweep): Promise<ReadStore> {
  const { registry } = opened(sweep.spec.scenario);
  for (const name of FOLDERS) await mkdir(join(folder, name));
  await writeFile(join(folder, MANIFEST), await manifestIn(parts, sweep));
  const manifest = await SWEEPS.read(folder, registry);
  checkSame(SWEEPS, folder, manifest, dueOf(sweep)(manifest), 'resume');
  checkBuild(manifest, folder);
  if (manifest.extended.length > 0)
    throw new InputError(folder, 'a sweep that was not extended: its counts are not at hand here', 'one that was');
  await SWEEPS.write(folder, unfinished(manifest));
  return await readStore(folder, registry);
}

/** The error of a part that is there otherwise, with what it means. */
function told(error: unknown): unknown {
  if (!(error instanceof PartConflict)) return error;
  const advice = 'two machines or builds disagree, or somebody has changed it; remove the one that is wrong';
  return new RunError(`${error.message}; ${advice}`, { cause: error });
}

async function fillAndDeliver(store: ReadStore, parts: S3Parts, shard: Shard, options: ShardOptions) {
  const { workers, signal, onProgress } = options;
  const { sweep, manifest } = store;
  const { files } = await parts.list();
  const elsewhere = (segment: number): boolean =>
    files.has(tablePart(segment)) &&
    partsDue(manifest, sweep, segment, cellsOf(sweep, manifest.segmentSize, segment)).every((file) => files.has(file));
  const deliver = async (filled: readonly EncodedPart[]): Promise<void> => {
    for (const { file, content } of filled) await parts.put(file, content);
  };
  await using pool = new Lease(workers);
  return await fillStore(store, { pool, signal, onProgress, shard, elsewhere, deliver });
}

/**
 * Plays and solves one shard of a sweep into an object store: what `sweepShard` does into a folder. Parts that are there
 * are not played again, and never overwritten. On the disk here lies the manifest alone.
 * @throws InputError if the place has another sweep, or one of another build or other rules
 * @throws BudgetError, RunError if a cell could not be solved or played, or a part is there with other bytes, or the
 *   store cannot be reached; what was finished stays there
 */
export async function deliverShard(
  parts: S3Parts,
  sweep: Sweep,
  shard: Shard,
  options: ShardOptions = {},
): Promise<ShardResult> {
  checkShard(shard);
  checkSignal(options.signal);
  checkStorable(sweep.spec.scenario, 'the sweep’s');
  const began = performance.now();
  const { url } = parts.place;
  const folder = await mkdtemp(join(tmpdir(), 'warpool-shard-'));
  try {
    const store = await retold([{ folder, url }], () => beginHere(folder, parts, sweep));
    const filled = await fillAndDeliver(store, parts, shard, options);
    const { manifest } = store;
    const segments = ownSegments(shard, segmentsOf(store.sweep, manifest.segmentSize));
    const elapsedSeconds = (performance.now() - began) / 1000;
    return { folder: url, manifest, shard, segments, ...filled, elapsedSeconds };
  } catch (error) {
    throw told(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
