/** Parts of a store: only parts of its sweep are read, each checked against the manifest. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { MAX_BATTLES } from '../../core/index.ts';
import { writeDurably } from '../../core/node.ts';
import { SHIPPED_REGISTRY, type SystemRegistry } from '../../rules/index.ts';
import {
  createReadError,
  listFiles,
  mapConcurrently,
  PART_MAX,
  readBytes,
  type StoredPart,
  withFile,
} from '../folder/files.ts';
import type { HistogramRow, ResultRow } from '../sweep/rows.ts';
import { countCells, countSegments, locateSegment } from '../sweep/segments.ts';
import { computeSweepHash, countCellBattles, openSweep, type Sweep } from '../sweep/sweep.ts';
import { POINTS_MAX } from '../sweep/sweep-file.ts';
import {
  createHistogramPartName,
  createPartNameParser,
  createTablePartName,
  FOLDERS,
  listCountsRanges,
  type ParsedPartName,
  parsePartName,
  type StoreManifest,
  SWEEP_FOLDERS,
} from './manifest.ts';
import { readTableMetadata, type TableFile, verifyTableChecksum } from './parquet/parquet.ts';
import { readHistograms, readRows } from './tables.ts';

/** Metadata of a part of `table/`. */
export interface SegmentInfo {
  readonly segment: number;
  /** The sweep it belongs to. */
  readonly sweep: string;
  /** Battles of its cells, or their maximum with a precision. */
  readonly battles: number;
  readonly cells: number;
  readonly rows: number;
  /** SHA-256 of a line for each cell: index, scenario, digest. */
  readonly digest: string;
}

/** Finished segment with its parts: counts first, rows last, which mark it as complete. */
export interface FinishedSegment<P extends StoredPart = StoredPart> {
  readonly facts: SegmentInfo;
  readonly parts: readonly P[];
}

/** Encoded part to store. */
export interface EncodedPart extends StoredPart {
  readonly content: Uint8Array;
}

export type FilledSegment = FinishedSegment<EncodedPart>;

export const removeContent = ({ file, bytes, sha256 }: StoredPart): StoredPart => ({ file, bytes, sha256 });

export function createStoredPart(file: string, content: Uint8Array): StoredPart {
  return { file, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Writes the parts of a segment into a store, replacing existing ones. @throws RunError if they cannot be written */
export async function writeParts(folder: string, parts: readonly EncodedPart[]): Promise<void> {
  for (const { file, content } of parts) await writeDurably(join(folder, file), content);
}

/** A part of a store. */
export interface PartFile {
  readonly file: string;
  /** From the manifest; undefined while it is not complete. */
  readonly listed: StoredPart | undefined;
}

function checkPart(bytes: Uint8Array, listed: StoredPart | undefined): void {
  if (listed === undefined) {
    verifyTableChecksum(bytes);
    return;
  }
  if (bytes.length !== listed.bytes)
    throw new Error(`it has ${String(bytes.length)} bytes; the manifest says ${String(listed.bytes)}`);
  if (createHash('sha256').update(bytes).digest('hex') !== listed.sha256)
    throw new Error('its SHA-256 differs from the manifest');
}

function createTableFile(name: string, bytes: Uint8Array): TableFile {
  const slice = (from: number, to = bytes.length): ArrayBuffer => new Uint8Array(bytes.subarray(from, to)).buffer;
  return { name, content: { byteLength: bytes.length, slice } };
}

/**
 * Reads a complete part.
 * @throws RunError that names it if it is missing, not a regular file, damaged, or differs from the manifest
 */
function readPart(folder: string, { file, listed }: PartFile): Promise<TableFile> {
  return withFile(folder, file, PART_MAX, async (opened) => {
    const bytes = await readBytes(opened, 0, opened.size);
    checkPart(bytes, listed);
    return createTableFile(join(folder, file), bytes);
  });
}

/**
 * Verifies a part completely and returns its entry of the manifest.
 * @throws RunError that names it if it is missing, not a regular file, damaged, or differs from the manifest
 */
export function verifyPart(folder: string, { file, listed }: PartFile): Promise<StoredPart> {
  return withFile(folder, file, PART_MAX, async (opened) => {
    const bytes = await readBytes(opened, 0, opened.size);
    checkPart(bytes, listed);
    return createStoredPart(file, bytes);
  });
}

const infoSchema = z.strictObject({
  segment: z.int().min(0),
  sweep: z.string(),
  // The maximum, 2^53, is one more than zod accepts for an integer.
  battles: z.number().multipleOf(1).min(0).max(MAX_BATTLES),
  cells: z.int().min(0).max(POINTS_MAX),
  rows: z.int().min(0),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Lists the hashes of a sweep, before each extension and now, with the battles of its cells. */
function listSweepHashes({ extended, sweep: spec }: StoreManifest, { battles }: Sweep): Map<string, number> {
  const { battles: _said, ...unsaid } = spec;
  const before = extended.map((step): [string, number] => [computeSweepHash({ ...spec, battles: step }), step]);
  // The first sweep file may have omitted the number, if it was the default.
  const usual = countCellBattles(unsaid);
  const first: [string, number][] = extended[0] === usual ? [[computeSweepHash(unsaid), usual]] : [];
  return new Map([...first, ...before, [computeSweepHash(spec), battles]]);
}

/** Groups rows by cell index. */
export function groupByCell<R extends { readonly cell: number }>(rows: readonly R[]): Map<number, R[]> {
  const found = new Map<number, R[]>();
  for (const row of rows) {
    const own = found.get(row.cell);
    if (own === undefined) found.set(row.cell, [row]);
    else own.push(row);
  }
  return found;
}

/** Store with a checked manifest and its current parts. Its pieces are segments. */
export class SweepStore {
  readonly folder: string;
  readonly manifest: StoreManifest;
  /** Sweep of the store. */
  readonly sweep: Sweep;
  /** Parts of `table/` by segment. */
  readonly tables: ReadonlyMap<number, PartFile>;
  /** Parts of `histograms/` by segment, ordered by battles. */
  readonly counts: ReadonlyMap<number, readonly PartFile[]>;
  /** Files in its folders that are not parts. */
  readonly strayFiles: readonly string[];
  /** Number of segments of the complete store. */
  readonly segments: number;
  readonly #cells = new Map<number, number>();
  /** Battles of cells by the hashes of the sweep. */
  #hashes: ReadonlyMap<string, number> | undefined;

  /**
   * @param files in its folders; only those in the manifest count, or, until it is complete, those with names of parts
   */
  constructor(folder: string, manifest: StoreManifest, files: readonly string[]) {
    this.folder = folder;
    this.manifest = manifest;
    this.sweep = openSweep(manifest.sweep, folder);
    this.segments = countSegments(this.sweep, manifest.segmentSize);
    const nameOf = createPartNameParser(manifest, this.sweep);
    const listed = new Map(manifest.parts?.map((part) => [part.file, part]));
    const own = manifest.complete ? [...listed.keys()] : files.filter((file) => nameOf(file) !== undefined);
    const end = ({ counts }: ParsedPartName): number => Number(counts?.to ?? 0);
    const named = own
      .flatMap((file) => {
        const name = nameOf(file);
        return name === undefined ? [] : [{ part: { file, listed: listed.get(file) }, name }];
      })
      .sort((a, b) => a.name.segment - b.name.segment || end(a.name) - end(b.name));
    const counts = new Map<number, PartFile[]>();
    for (const { part, name } of named)
      if (name.counts !== undefined) counts.set(name.segment, [...(counts.get(name.segment) ?? []), part]);
    const readRows = named.filter(({ name }) => name.counts === undefined);
    this.tables = new Map(readRows.map(({ part, name }) => [name.segment, part]));
    this.counts = counts;
    const owned = new Set(own);
    this.strayFiles = files.filter((file) => !owned.has(file));
  }

  /** Points of a segment. */
  points(segment: number): readonly [from: number, to: number] {
    return locateSegment(this.sweep, this.manifest.segmentSize, segment);
  }

  /** Counts the cells of a segment; with a condition, all its points are examined once. */
  countCells(segment: number): number {
    const cells = this.#cells.get(segment) ?? countCells(this.sweep, this.manifest.segmentSize, segment);
    this.#cells.set(segment, cells);
    return cells;
  }

  /** Lists the parts of counts of a segment whose cells have this number of battles. */
  listExpectedCounts(segment: number, battles = this.sweep.battles): string[] {
    const stages = listCountsRanges(this.manifest, this.sweep);
    // A run with a precision has the parts up to its end.
    if (stages === undefined) return (this.counts.get(segment) ?? []).map(({ file }) => file);
    const listExpectedParts =
      this.sweep.run === undefined ? stages.filter(({ to }) => to === 'end' || to <= battles) : stages;
    return listExpectedParts.map(({ from, to }) => createHistogramPartName(segment, from, to));
  }

  /** Lists all parts of a segment with cells: counts first, rows last, which mark it as complete. */
  due(segment: number, cells = this.countCells(segment), battles = this.sweep.battles): string[] {
    return [...(cells === 0 ? [] : this.listExpectedCounts(segment, battles)), createTablePartName(segment)];
  }

  /** Returns a predicate of existing files of counts of a segment. */
  has(segment: number): (file: string) => boolean {
    const there = new Set(this.counts.get(segment)?.map(({ file }) => file));
    return (file) => there.has(file);
  }

  /** Returns the battles of cells when the sweep had this hash; undefined for another sweep. */
  battlesAt(hash: string): number | undefined {
    this.#hashes ??= listSweepHashes(this.manifest, this.sweep);
    return this.#hashes.get(hash);
  }

  /** Checks that a part of counts belongs to this segment and sweep, up to the battles in its name. */
  #checkCounts(readMetadata: Readonly<Record<string, unknown>>, segment: number, file: string): void {
    const to = parsePartName(file)?.counts?.to;
    const battles = this.battlesAt(String(readMetadata['sweep']));
    if (readMetadata['segment'] !== segment)
      throw new Error(`it belongs to segment ${String(readMetadata['segment'])}`);
    const whole = to === 'end' || this.sweep.run !== undefined;
    if (battles === undefined || (!whole && battles !== to)) throw new Error('it belongs to another sweep');
  }

  /**
   * Reads the metadata of a part; verifies a part that is not listed completely. @throws RunError if it cannot be read
   */
  async about(part: PartFile): Promise<Readonly<Record<string, unknown>>> {
    if (part.listed === undefined) return await readTableMetadata(await readPart(this.folder, part));
    return await withFile(this.folder, part.file, PART_MAX, (opened) => {
      const slice = async (from: number, to = opened.size) => (await readBytes(opened, from, to)).buffer;
      return readTableMetadata({ name: join(this.folder, part.file), content: { byteLength: opened.size, slice } });
    });
  }

  /**
   * Reads the metadata of a part of `table/`. @throws RunError if it cannot be read, or belongs to another segment or
   * sweep
   */
  async readInfo(part: PartFile): Promise<SegmentInfo> {
    const about = await this.about(part);
    try {
      return this.#checkSegment(about, part.file);
    } catch (error) {
      throw createReadError(join(this.folder, part.file), error);
    }
  }

  /** Reads the metadata of all parts of `table/`, by segment. @throws RunError if one cannot be read */
  async readAllInfo(parts: Iterable<PartFile> = this.tables.values()): Promise<Map<number, SegmentInfo>> {
    const facts = await mapConcurrently(parts, (part) => this.readInfo(part));
    return new Map(facts.map((each) => [each.segment, each]));
  }

  /**
   * Verifies a part of `histograms/` completely and returns its entry of the manifest.
   * @throws RunError if it is missing, damaged, or has not the counts of this segment up to these battles
   */
  verifyCounts(segment: number, file: string): Promise<StoredPart> {
    const listed = this.counts.get(segment)?.find((part) => part.file === file)?.listed;
    return withFile(this.folder, file, PART_MAX, async (opened) => {
      const bytes = await readBytes(opened, 0, opened.size);
      checkPart(bytes, listed);
      this.#checkCounts(await readTableMetadata(createTableFile(join(this.folder, file), bytes)), segment, file);
      return createStoredPart(file, bytes);
    });
  }

  /**
   * Parses the metadata in the bytes of a part. @throws Error if it is damaged, or belongs to another segment or sweep
   */
  async parseInfo(bytes: Uint8Array, file: string): Promise<SegmentInfo> {
    verifyTableChecksum(bytes);
    return this.#checkSegment(await readTableMetadata(createTableFile(join(this.folder, file), bytes)), file);
  }

  /**
   * Reads a part of `table/` once and completely: metadata of its segment and entry of the manifest. @throws RunError
   */
  readFinished({ file }: PartFile): Promise<FinishedSegment> {
    return withFile(this.folder, file, PART_MAX, async (opened) => {
      const bytes = await readBytes(opened, 0, opened.size);
      return { facts: await this.parseInfo(bytes, file), parts: [createStoredPart(file, bytes)] };
    });
  }

  /**
   * Reads the rows and metadata of a part of `histograms/`.
   * @throws RunError if it is missing, damaged, or belongs to another segment or sweep
   */
  async countsIn(part: PartFile, segment: number) {
    const table = await readPart(this.folder, part);
    const about = await readTableMetadata(table);
    try {
      this.#checkCounts(about, segment, part.file);
    } catch (error) {
      throw createReadError(table.name, error);
    }
    return { about, rows: await readHistograms(table, this.points(segment)) };
  }

  /** Reads the rows of a part of `table/`. @throws RunError that names the part if it is damaged */
  async rows<K extends keyof ResultRow = keyof ResultRow>(
    part: PartFile,
    segment: number,
    keys?: readonly K[],
  ): Promise<Pick<ResultRow, K>[]> {
    return await readRows(await readPart(this.folder, part), this.sweep.columns, this.points(segment), keys);
  }

  /** Reads the rows of a part of `histograms/`. @throws RunError that names the part if it is damaged */
  async readHistogramRows(part: PartFile, segment: number): Promise<HistogramRow[]> {
    return await readHistograms(await readPart(this.folder, part), this.points(segment));
  }

  /** Reads all rows of a segment's histograms, by cell. @throws RunError that names a damaged part */
  async readHistograms(segment: number): Promise<Map<number, HistogramRow[]>> {
    const rows: HistogramRow[][] = [];
    for (const part of this.counts.get(segment) ?? []) rows.push(await this.readHistogramRows(part, segment));
    return groupByCell(rows.flat());
  }

  #checkSegment(found: unknown, file: string): SegmentInfo {
    const { success, data: facts } = infoSchema.safeParse(found);
    if (!success || facts.cells > this.manifest.segmentSize) throw new Error('its metadata is invalid');
    if (facts.segment !== parsePartName(file)?.segment)
      throw new Error(`it belongs to segment ${String(facts.segment)}`);
    if (this.battlesAt(facts.sweep) !== facts.battles) throw new Error('it belongs to another sweep');
    return facts;
  }
}

/**
 * @param registry with the system of the store
 * @throws InputError if the folder is not a store, has another version, or needs other rules
 * @throws RunError if its manifest is damaged
 */
export async function readSweepStore(folder: string, registry: SystemRegistry = SHIPPED_REGISTRY): Promise<SweepStore> {
  return await createSweepStore({ folder, manifest: await SWEEP_FOLDERS.read(folder, registry) });
}

/** Creates a store from its manifest, with its current parts. */
export async function createSweepStore({
  folder,
  manifest,
}: Pick<SweepStore, 'folder' | 'manifest'>): Promise<SweepStore> {
  return new SweepStore(folder, manifest, await listFiles(folder, FOLDERS));
}
