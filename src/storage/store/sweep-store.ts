/** The parts of a store: only those of its sweep are read, each as the manifest has it. */
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
import type { HistogramRow, ResultRow } from './rows.ts';
import { readHistograms, readRows } from './tables.ts';

/** What a part of `table/` says of itself. */
export interface SegmentInfo {
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
  readonly facts: SegmentInfo;
  readonly parts: readonly P[];
}

/** A part that is to be stored. */
export interface EncodedPart extends StoredPart {
  readonly content: Uint8Array;
}

export type FilledSegment = FinishedSegment<EncodedPart>;

export const removeContent = ({ file, bytes, sha256 }: StoredPart): StoredPart => ({ file, bytes, sha256 });

export function createStoredPart(file: string, content: Uint8Array): StoredPart {
  return { file, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Writes the parts of a segment into a store; those that are there are replaced. @throws RunError if they cannot be */
export async function writeParts(folder: string, parts: readonly EncodedPart[]): Promise<void> {
  for (const { file, content } of parts) await writeDurably(join(folder, file), content);
}

/** A part of a store. */
export interface PartFile {
  readonly file: string;
  /** As the manifest has it; undefined while that is not complete. */
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
 * A part, whole.
 * @throws RunError that names it if it is missing, no regular file, damaged, or not what the manifest lists
 */
function readPart(folder: string, { file, listed }: PartFile): Promise<TableFile> {
  return withFile(folder, file, PART_MAX, async (opened) => {
    const bytes = await readBytes(opened, 0, opened.size);
    checkPart(bytes, listed);
    return createTableFile(join(folder, file), bytes);
  });
}

/**
 * A part that is whole and undamaged, as a manifest lists it. All of it is read.
 * @throws RunError that names it if it is missing, no regular file, damaged, or not what the manifest lists
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
  // 2^53, the most, is one more than zod takes for an integer.
  battles: z.number().multipleOf(1).min(0).max(MAX_BATTLES),
  cells: z.int().min(0).max(POINTS_MAX),
  rows: z.int().min(0),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Hashes that a sweep has had, before each extension and now, and the battles of its cells then. */
function listSweepHashes({ extended, sweep: spec }: StoreManifest, { battles }: Sweep): Map<string, number> {
  const { battles: _said, ...unsaid } = spec;
  const before = extended.map((step): [string, number] => [computeSweepHash({ ...spec, battles: step }), step]);
  // The file need not have said how many: then there were as many as there are unless it says so.
  const usual = countCellBattles(unsaid);
  const first: [string, number][] = extended[0] === usual ? [[computeSweepHash(unsaid), usual]] : [];
  return new Map([...first, ...before, [computeSweepHash(spec), battles]]);
}

/** Rows by the number of their cell. */
export function groupByCell<R extends { readonly cell: number }>(rows: readonly R[]): Map<number, R[]> {
  const found = new Map<number, R[]>();
  for (const row of rows) {
    const own = found.get(row.cell);
    if (own === undefined) found.set(row.cell, [row]);
    else own.push(row);
  }
  return found;
}

/** A store whose manifest has been read and checked, with the parts that it has now. Its pieces are segments. */
export class SweepStore {
  readonly folder: string;
  readonly manifest: StoreManifest;
  /** What the store was made from. */
  readonly sweep: Sweep;
  /** Of `table/`, by segment. */
  readonly tables: ReadonlyMap<number, PartFile>;
  /** Of `histograms/`, by segment, those of one in the order of their battles. */
  readonly counts: ReadonlyMap<number, readonly PartFile[]>;
  /** What lies beside them in their folders and belongs to nothing. */
  readonly strayFiles: readonly string[];
  /** How many segments there are to be. */
  readonly segments: number;
  readonly #cells = new Map<number, number>();
  /** Battles of cells by the hashes that the sweep has had. */
  #hashes: ReadonlyMap<string, number> | undefined;

  /** @param files that readers see in its folders; those that the manifest lists, or, until it is complete, names of parts count */
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

  /** Cells of a segment; all its points are looked at, once, if there is a condition. */
  countCells(segment: number): number {
    const cells = this.#cells.get(segment) ?? countCells(this.sweep, this.manifest.segmentSize, segment);
    this.#cells.set(segment, cells);
    return cells;
  }

  /** The parts of counts that a segment with cells has when each of them has so many battles. */
  listExpectedCounts(segment: number, battles = this.sweep.battles): string[] {
    const stages = listCountsRanges(this.manifest, this.sweep);
    // A run with a precision has those that it came to.
    if (stages === undefined) return (this.counts.get(segment) ?? []).map(({ file }) => file);
    const listExpectedParts =
      this.sweep.run === undefined ? stages.filter(({ to }) => to === 'end' || to <= battles) : stages;
    return listExpectedParts.map(({ from, to }) => createHistogramPartName(segment, from, to));
  }

  /** All parts of a segment with so many cells: counts first, rows last, which say that all is there. */
  due(segment: number, cells = this.countCells(segment), battles = this.sweep.battles): string[] {
    return [...(cells === 0 ? [] : this.listExpectedCounts(segment, battles)), createTablePartName(segment)];
  }

  /** True of files of counts of a segment that are there. */
  has(segment: number): (file: string) => boolean {
    const there = new Set(this.counts.get(segment)?.map(({ file }) => file));
    return (file) => there.has(file);
  }

  /** Battles of cells when the sweep had such a hash; undefined if it is of another sweep. */
  battlesAt(hash: string): number | undefined {
    this.#hashes ??= listSweepHashes(this.manifest, this.sweep);
    return this.#hashes.get(hash);
  }

  /** Whether a part of counts says that it is of this segment and sweep, up to the battles of its name. */
  #checkCounts(readMetadata: Readonly<Record<string, unknown>>, segment: number, file: string): void {
    const to = parsePartName(file)?.counts?.to;
    const battles = this.battlesAt(String(readMetadata['sweep']));
    if (readMetadata['segment'] !== segment)
      throw new Error(`it belongs to segment ${String(readMetadata['segment'])}`);
    const whole = to === 'end' || this.sweep.run !== undefined;
    if (battles === undefined || (!whole && battles !== to)) throw new Error('it belongs to another sweep');
  }

  /** What was written with a part; of one that is not listed, all of it is checked. @throws RunError if it cannot be read */
  async about(part: PartFile): Promise<Readonly<Record<string, unknown>>> {
    if (part.listed === undefined) return await readTableMetadata(await readPart(this.folder, part));
    return await withFile(this.folder, part.file, PART_MAX, (opened) => {
      const slice = async (from: number, to = opened.size) => (await readBytes(opened, from, to)).buffer;
      return readTableMetadata({ name: join(this.folder, part.file), content: { byteLength: opened.size, slice } });
    });
  }

  /** What a part of `table/` says of itself. @throws RunError if it cannot be read, or is of another segment or sweep */
  async readInfo(part: PartFile): Promise<SegmentInfo> {
    const about = await this.about(part);
    try {
      return this.#checked(about, part.file);
    } catch (error) {
      throw createReadError(join(this.folder, part.file), error);
    }
  }

  /** The same of all parts of `table/`, by segment. @throws RunError if one of them cannot be read */
  async readAllInfo(parts: Iterable<PartFile> = this.tables.values()): Promise<Map<number, SegmentInfo>> {
    const facts = await mapConcurrently(parts, (part) => this.readInfo(part));
    return new Map(facts.map((each) => [each.segment, each]));
  }

  /**
   * A part of `histograms/`, whole: what a manifest lists of it. All of it is read.
   * @throws RunError if it is missing, damaged, or not the counts of this segment up to these battles
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

  /** The same of a part whose bytes are at hand. @throws Error if it is damaged, or of another segment or sweep */
  async parseInfo(bytes: Uint8Array, file: string): Promise<SegmentInfo> {
    verifyTableChecksum(bytes);
    return this.#checked(await readTableMetadata(createTableFile(join(this.folder, file), bytes)), file);
  }

  /** A part of `table/`, read once and whole: what it says of its segment, and what a manifest lists of it. @throws RunError */
  readFinished({ file }: PartFile): Promise<FinishedSegment> {
    return withFile(this.folder, file, PART_MAX, async (opened) => {
      const bytes = await readBytes(opened, 0, opened.size);
      return { facts: await this.parseInfo(bytes, file), parts: [createStoredPart(file, bytes)] };
    });
  }

  /**
   * A part of `histograms/`, whole: its rows, and what was written with them.
   * @throws RunError if it is missing, damaged, or not of this segment and sweep
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

  /** The rows in a part of `table/`. @throws RunError that names the part if it is damaged */
  async rows(part: PartFile, segment: number): Promise<ResultRow[]> {
    return await readRows(await readPart(this.folder, part), this.sweep.columns, this.points(segment));
  }

  /** The rows in a part of `histograms/`. @throws RunError that names the part if it is damaged */
  async readHistogramRows(part: PartFile, segment: number): Promise<HistogramRow[]> {
    return await readHistograms(await readPart(this.folder, part), this.points(segment));
  }

  /** All rows of a segment's histograms, by cell. @throws RunError that names a part that is damaged */
  async readHistograms(segment: number): Promise<Map<number, HistogramRow[]>> {
    const rows: HistogramRow[][] = [];
    for (const part of this.counts.get(segment) ?? []) rows.push(await this.readHistogramRows(part, segment));
    return groupByCell(rows.flat());
  }

  #checked(found: unknown, file: string): SegmentInfo {
    const { success, data: facts } = infoSchema.safeParse(found);
    if (!success || facts.cells > this.manifest.segmentSize) throw new Error('its metadata is invalid');
    if (facts.segment !== parsePartName(file)?.segment)
      throw new Error(`it belongs to segment ${String(facts.segment)}`);
    if (this.battlesAt(facts.sweep) !== facts.battles) throw new Error('it belongs to another sweep');
    return facts;
  }
}

/**
 * @param registry in which the system of the store is found
 * @throws InputError if the folder is no store, or one of another version, or made with other rules
 * @throws RunError if its manifest is damaged
 */
export async function readSweepStore(folder: string, registry: SystemRegistry = SHIPPED_REGISTRY): Promise<SweepStore> {
  return await createSweepStore({ folder, manifest: await SWEEP_FOLDERS.read(folder, registry) });
}

/** A store whose manifest is at hand, with the parts that it has now. */
export async function createSweepStore({
  folder,
  manifest,
}: Pick<SweepStore, 'folder' | 'manifest'>): Promise<SweepStore> {
  return new SweepStore(folder, manifest, await listFiles(folder, FOLDERS));
}
