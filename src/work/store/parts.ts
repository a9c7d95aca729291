/** The parts of a store: only those of its sweep are read, each as the manifest has it. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { MAX_BATTLES } from '../../core/chance/stream.ts';
import { SHIPPED } from '../../rules/index.ts';
import type { Registry } from '../../rules/registry.ts';
import { bytesOf, filesIn, PART_MAX, type StoredPart, together, unreadable, withFile } from '../folder/files.ts';
import { POINTS_MAX } from '../sweep/file.ts';
import { openSweep, pointsOf, type Sweep, segmentsOf } from '../sweep/sweep.ts';
import { FOLDERS, type Manifest, partName, SWEEPS, countsDue, hashesOf } from './manifest.ts';
import { checkSealed, readAbout, type TableFile } from './parquet.ts';
import type { HistogramRow, Row } from './rows.ts';
import { readHistograms, readRows } from './tables.ts';

/** What a part of `table/` says of itself. */
export interface SegmentFacts {
  readonly segment: number;
  /** The sweep it belongs to. */
  readonly sweep: string;
  /** Battles of its cells, or at most so many. */
  readonly battles: number;
  readonly cells: number;
  readonly rows: number;
  /** SHA-256 of a line for each cell: number, scenario, digest. */
  readonly digest: string;
}

/** A segment that is finished, with its parts: counts first, rows last, which say that all is there. */
export interface FinishedSegment<P extends StoredPart = StoredPart> {
  readonly facts: SegmentFacts;
  readonly parts: readonly P[];
}

/** A part that is to be stored. */
export interface EncodedPart extends StoredPart {
  readonly content: Uint8Array;
}

export type FilledSegment = FinishedSegment<EncodedPart>;

export const withoutContent = ({ file, bytes, sha256 }: StoredPart): StoredPart => ({ file, bytes, sha256 });

export function storedPart(file: string, content: Uint8Array): StoredPart {
  return { file, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** A part of a store. */
export interface Part {
  readonly file: string;
  /** As the manifest has it; undefined while that is not complete. */
  readonly listed: StoredPart | undefined;
}

/** The parts of a store. */
export interface Parts {
  /** Of `table/`, by segment. */
  readonly tables: ReadonlyMap<number, Part>;
  /** Of `histograms/`, by segment, those of one in the order of their battles. */
  readonly histograms: ReadonlyMap<number, readonly Part[]>;
  /** What lies beside them in their folders and belongs to nothing. */
  readonly strays: readonly string[];
}

/** The files of a store that are parts of its sweep. */
function known(files: readonly string[], manifest: Manifest, sweep: Sweep): string[] {
  if (manifest.complete) return (manifest.parts ?? []).map(({ file }) => file);
  const [segments, due] = [segmentsOf(sweep, manifest.segmentSize), countsDue(manifest, sweep)];
  return files.filter((file) => {
    const name = partName(file);
    return name !== undefined && name.segment < segments && (name.counts === undefined || due(name.counts));
  });
}

/** By segment, and by where their counts begin; both orders are those of a manifest. */
function ordered(files: readonly string[]): string[] {
  const rank = (file: string): [number, number] => {
    const { segment = 0, counts } = partName(file) ?? {};
    return [segment, Number(counts?.to ?? 0)];
  };
  return files
    .map((file) => ({ file, at: rank(file) }))
    .sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1])
    .map(({ file }) => file);
}

/** The parts of a store: those that its manifest lists, or, while it is not complete, those that are there. */
export async function partsOf(folder: string, manifest: Manifest, sweep: Sweep): Promise<Parts> {
  const files = await filesIn(folder, FOLDERS);
  const own = known(files, manifest, sweep);
  const listed = new Map(manifest.parts?.map((part) => [part.file, part]));
  const tables = new Map<number, Part>();
  const histograms = new Map<number, Part[]>();
  for (const file of ordered(own)) {
    const [name, part] = [partName(file), { file, listed: listed.get(file) }];
    if (name?.counts === undefined) tables.set(name?.segment ?? 0, part);
    else histograms.set(name.segment, [...(histograms.get(name.segment) ?? []), part]);
  }
  const owned = new Set(own);
  return { tables, histograms, strays: files.filter((file) => !owned.has(file)) };
}

function checkPart(bytes: Uint8Array, listed: StoredPart | undefined): void {
  if (listed === undefined) {
    checkSealed(bytes);
    return;
  }
  if (bytes.length !== listed.bytes)
    throw new Error(`it has ${String(bytes.length)} bytes; the manifest says ${String(listed.bytes)}`);
  if (createHash('sha256').update(bytes).digest('hex') !== listed.sha256)
    throw new Error('its SHA-256 is not that of the manifest');
}

function tableOf(name: string, bytes: Uint8Array): TableFile {
  const slice = (from: number, to = bytes.length): ArrayBuffer => new Uint8Array(bytes.subarray(from, to)).buffer;
  return { name, content: { byteLength: bytes.length, slice } };
}

/**
 * A part, whole.
 * @throws RunError that names it if it is missing, no regular file, damaged, or not what the manifest lists
 */
export function readPart(folder: string, { file, listed }: Part): Promise<TableFile> {
  return withFile(folder, file, PART_MAX, async (opened) => {
    const bytes = await bytesOf(opened, 0, opened.size);
    checkPart(bytes, listed);
    return tableOf(join(folder, file), bytes);
  });
}

/**
 * A part that is whole and undamaged, as a manifest lists it. All of it is read.
 * @throws RunError that names it if it is missing, no regular file, damaged, or not what the manifest lists
 */
export function soundPart(folder: string, { file, listed }: Part): Promise<StoredPart> {
  return withFile(folder, file, PART_MAX, async (opened) => {
    const bytes = await bytesOf(opened, 0, opened.size);
    checkPart(bytes, listed);
    return storedPart(file, bytes);
  });
}

const factsSchema = z.strictObject({
  segment: z.int().min(0),
  sweep: z.string(),
  // 2^53, the most, is one more than zod takes for an integer.
  battles: z.number().multipleOf(1).min(0).max(MAX_BATTLES),
  cells: z.int().min(0).max(POINTS_MAX),
  rows: z.int().min(0),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});

function checkFacts(found: unknown, file: string, size: number, hashes: ReadonlyMap<string, number>): SegmentFacts {
  const { success, data: facts } = factsSchema.safeParse(found);
  if (!success || facts.cells > size) throw new Error('what it says of itself is not what warpool writes');
  if (facts.segment !== partName(file)?.segment) throw new Error(`it is of segment ${String(facts.segment)}`);
  if (hashes.get(facts.sweep) !== facts.battles) throw new Error('it is of another sweep');
  return facts;
}

/** What was written with a part; of one that is not listed, all of it is checked. @throws RunError if it cannot be read */
export async function aboutPart(folder: string, part: Part): Promise<Readonly<Record<string, unknown>>> {
  if (part.listed === undefined) return await readAbout(await readPart(folder, part));
  return await withFile(folder, part.file, PART_MAX, (opened) => {
    const slice = async (from: number, to = opened.size) => (await bytesOf(opened, from, to)).buffer;
    return readAbout({ name: join(folder, part.file), content: { byteLength: opened.size, slice } });
  });
}

/**
 * What a part of `table/` says of itself.
 * @param size   cells that it can have
 * @param hashes from `hashesOf`
 * @throws RunError if it cannot be read, or belongs to another segment or sweep
 */
export async function readFacts(
  folder: string,
  part: Part,
  size: number,
  hashes: ReadonlyMap<string, number>,
): Promise<SegmentFacts> {
  const about = await aboutPart(folder, part);
  try {
    return checkFacts(about, part.file, size, hashes);
  } catch (error) {
    throw unreadable(join(folder, part.file), error);
  }
}

/**
 * What a part of `table/` says of itself whose bytes are at hand.
 * @param size points of a segment
 * @throws Error if it is damaged, or belongs to another segment or sweep
 */
export async function factsFrom(
  bytes: Uint8Array,
  folder: string,
  file: string,
  size: number,
  hashes: ReadonlyMap<string, number>,
): Promise<SegmentFacts> {
  checkSealed(bytes);
  return checkFacts(await readAbout(tableOf(join(folder, file), bytes)), file, size, hashes);
}

/**
 * A part of `table/`, read once and whole: what it says of its segment, and what a manifest lists of it.
 * @throws RunError if it cannot be read, is damaged, or belongs to another segment or sweep
 */
export function readTablePart(
  folder: string,
  file: string,
  size: number,
  hashes: ReadonlyMap<string, number>,
): Promise<FinishedSegment> {
  return withFile(folder, file, PART_MAX, async (opened) => {
    const bytes = await bytesOf(opened, 0, opened.size);
    const facts = await factsFrom(bytes, folder, file, size, hashes);
    return { facts, parts: [storedPart(file, bytes)] };
  });
}

/** What the parts of `table/` say of themselves, by segment. @throws RunError if one of them cannot be read */
export async function factsOf(
  folder: string,
  { tables }: Pick<Parts, 'tables'>,
  manifest: Manifest,
  sweep: Sweep,
): Promise<Map<number, SegmentFacts>> {
  const hashes = hashesOf(manifest, sweep);
  const read = (part: Part): Promise<SegmentFacts> => readFacts(folder, part, manifest.segmentSize, hashes);
  const facts = await together(tables.values(), read);
  return new Map(facts.map((each) => [each.segment, each]));
}

/** A store whose manifest has been read and checked, with the parts that it has now. */
export interface ReadStore {
  readonly folder: string;
  readonly manifest: Manifest;
  /** What the store was made from. */
  readonly sweep: Sweep;
  readonly parts: Parts;
}

/**
 * @param registry in which the system of the store is found
 * @throws InputError if the folder is no store, or one of another version, or made with other rules
 * @throws RunError if its manifest is damaged
 */
export async function readStore(folder: string, registry: Registry = SHIPPED): Promise<ReadStore> {
  const manifest = await SWEEPS.read(folder, registry);
  const sweep = openSweep(manifest.sweep, folder);
  return { folder, manifest, sweep, parts: await partsOf(folder, manifest, sweep) };
}

type Segments = Pick<ReadStore, 'folder' | 'manifest' | 'sweep'>;

/** The rows in a part of `table/`. @throws RunError that names the part if it is damaged */
export async function rowsIn({ folder, manifest, sweep }: Segments, part: Part, segment: number): Promise<Row[]> {
  const cells = pointsOf(sweep, manifest.segmentSize, segment);
  return await readRows(await readPart(folder, part), sweep.columns, cells);
}

/** The rows in a part of `histograms/`. @throws RunError that names the part if it is damaged */
export async function countsIn({ folder, manifest, sweep }: Segments, part: Part, segment: number) {
  return await readHistograms(await readPart(folder, part), pointsOf(sweep, manifest.segmentSize, segment));
}

/** All rows of a segment's histograms, by cell. @throws RunError that names a part that is damaged */
export async function histogramsOf(store: ReadStore, segment: number): Promise<Map<number, HistogramRow[]>> {
  const found = new Map<number, HistogramRow[]>();
  for (const part of store.parts.histograms.get(segment) ?? []) {
    for (const row of await countsIn(store, part, segment)) {
      const own = found.get(row.cell);
      if (own === undefined) found.set(row.cell, [row]);
      else own.push(row);
    }
  }
  return found;
}
