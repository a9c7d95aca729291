/**
 * Manifest and files of a sweep's store. Parts are written under another name and renamed, so each exists completely or
 * not at all. The part in `table/` is written last, and marks the cells of its segment as done.
 *
 * manifest.json
 * histograms/part-00012-0-100000.parquet     counts of battles 0..99999 of the cells of segment 12; never rewritten
 * table/part-00012.parquet                   results of segment 12 from all its counts
 *
 * A resumable run is a sweep of one cell. Each of its ranges of battles has a part of counts; its row is written last.
 *
 * Names are paths from the store, with / on every system.
 */

import { z } from 'zod';
import { describeFound, InputError, MAX_BATTLES } from '../../core/index.ts';

import type { SystemRegistry } from '../../rules/index.ts';
import type { StoredPart } from '../folder/files.ts';
import {
  CHECKSUM_SCHEMA,
  CHECKSUMMED_BYTES_MAX,
  checkEqual,
  checkStorable,
  checkWithin,
  createManifestBase,
  FolderKind,
  formatWithChecksum,
  listChanges,
  type ManifestBase,
  PROVENANCE_SCHEMA,
  sha256,
} from '../folder/manifest.ts';
import { cutAt, isCut, runSpec } from '../sweep/ranges.ts';
import { computeSegmentSizeRange, countSegments, getSegmentSize } from '../sweep/segments.ts';
import { computeSweepHash, openSweep, removeTexts, type Sweep, type SweepSpec } from '../sweep/sweep.ts';
import { keptSchema, POINTS_MAX } from '../sweep/sweep-file.ts';

export const MANIFEST = 'manifest.json';
const TABLE = 'table';
export const HISTOGRAMS = 'histograms';
export const FOLDERS: readonly string[] = [HISTOGRAMS, TABLE];

/** Folder of the earlier store while a changed sweep file is recomputed. */
export const PREVIOUS = '.previous';

/** End of the counts of a part: a battle, or the battle at which each of its cells reached the precision. */
export type CountsEnd = number | 'end';

const formatSegmentName = (segment: number): string => `part-${String(segment).padStart(5, '0')}`;

export function createTablePartName(segment: number): string {
  return `${TABLE}/${formatSegmentName(segment)}.parquet`;
}

/** @param from first counted battle */
export function createHistogramPartName(segment: number, from: number, to: CountsEnd): string {
  return `${HISTOGRAMS}/${formatSegmentName(segment)}-${String(from)}-${String(to)}.parquet`;
}

/** Fields of the name of a part. */
export interface ParsedPartName {
  readonly segment: number;
  /** Counted battles; undefined for a part of `table/`. */
  readonly counts: { readonly from: number; readonly to: CountsEnd } | undefined;
}

/** Parses the name of a part; undefined if it is not exactly such a name. */
export function parsePartName(file: string): ParsedPartName | undefined {
  const [, folder, segments, from, to] =
    /^(table|histograms)\/part-(\d{5,8})(?:-(\d{1,16})-(\d{1,16}|end))?\.parquet$/.exec(file) ?? [];
  if (folder === undefined || (folder === TABLE) !== (from === undefined)) return undefined;
  const segment = Number(segments);
  const end: CountsEnd = to === 'end' ? to : Number(to);
  const counts = from === undefined ? undefined : { from: Number(from), to: end };
  const due =
    counts === undefined ? createTablePartName(segment) : createHistogramPartName(segment, counts.from, counts.to);
  return file === due ? { segment, counts } : undefined;
}

/** Increased when older programs can no longer read a store. */
const FORMAT = 2;

/** @throws InputError if `sweep` is not from `loadSweep`, or its rules cannot be loaded by threads */
export function checkSweep(sweep: Sweep): void {
  checkSweepObject(sweep);
  checkStorable(sweep.spec.scenario, 'the sweep’s');
}

/** @throws InputError if it is not a sweep */
export function checkSweepObject(sweep: Sweep): void {
  const { spec } = (sweep as Partial<Sweep> | null | undefined) ?? {};
  if (spec === undefined) throw new InputError('sweep', 'a sweep from loadSweep', describeFound(sweep));
}

/** Maximum number of extensions of a sweep. */
export const EXTENSIONS_MAX = 100;

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  ...PROVENANCE_SCHEMA,
  sweepHash: sha256,
  segmentSize: z.int().min(1).max(POINTS_MAX),
  sweep: keptSchema,
  extended: z.array(z.int().min(0).max(MAX_BATTLES)).max(EXTENSIONS_MAX),
  complete: z.boolean(),
  cells: z.int().min(0).max(POINTS_MAX).optional(),
  rows: z.int().min(0).optional(),
  digest: sha256.optional(),
  ...CHECKSUM_SCHEMA,
});

export interface StoreManifest extends ManifestBase {
  readonly sweepHash: string;
  /** Points of a segment. */
  readonly segmentSize: number;
  /** Complete sweep file with its scenario. */
  readonly sweep: SweepSpec;
  /** Battles of a cell before each extension. */
  readonly extended: readonly number[];
  /** Number of cells, and of rows in `table/`, of a complete store. */
  readonly cells?: number;
  readonly rows?: number;
  /** SHA-256 over index, scenario and digest of every cell. */
  readonly digest?: string;
  /** All parts of a complete store; while a store is extended, the parts that are not rewritten. */
  readonly parts?: readonly StoredPart[];
}

/** Maximum bytes of a manifest. */
export const MANIFEST_MAX: number = CHECKSUMMED_BYTES_MAX;

/** Creates the manifest of a new store. */
export function createStoreManifest(sweep: Sweep): StoreManifest {
  const { spec } = sweep;
  return {
    ...createManifestBase(FORMAT, spec.scenario),
    sweepHash: computeSweepHash(spec),
    segmentSize: getSegmentSize(sweep),
    sweep: spec,
    extended: [],
    complete: false,
  };
}

/** Formats a manifest for its file, with its checksum: the SHA-256 of the rest. */
export function formatManifest(manifest: StoreManifest): string {
  return formatWithChecksum(manifest);
}

interface BattleCountsRange {
  readonly from: number;
  readonly to: CountsEnd;
}

/**
 * Lists the battle ranges of a segment's parts of counts; undefined if they are unknown in advance: for a run with a
 * precision, whose ranges end at its interim analyses.
 */
export function listCountsRanges(
  { extended }: StoreManifest,
  { spec, battles, run }: Sweep,
): BattleCountsRange[] | undefined {
  if (run !== undefined) return spec.precision === undefined ? [...cutAt(run, run)] : undefined;
  if (spec.precision !== undefined) return [{ from: 0, to: 'end' }];
  const ends = [...extended, battles];
  const stages = ends.map((to, e) => ({ from: ends[e - 1] ?? 0, to }));
  // Cells that were only solved have no counts, but may have distributions.
  return stages.filter(({ to }) => to > 0 || spec.keep.histograms);
}

/** Creates a parser of part names: undefined for files that are not parts of the sweep. */
export function createPartNameParser(
  manifest: StoreManifest,
  sweep: Sweep,
): (file: string) => ParsedPartName | undefined {
  const segments = countSegments(sweep, manifest.segmentSize);
  const due = new Set(listCountsRanges(manifest, sweep)?.map(({ from, to }) => `${String(from)}-${String(to)}`));
  const isDue = ({ from, to }: BattleCountsRange): boolean =>
    sweep.run !== undefined && sweep.spec.precision !== undefined
      ? to !== 'end' && isCut(sweep.run, { from, to })
      : due.has(`${String(from)}-${String(to)}`);
  return (file) => {
    const name = parsePartName(file);
    if (name === undefined || name.segment >= segments) return undefined;
    return name.counts === undefined || isDue(name.counts) ? name : undefined;
  };
}

/** Checks that a run follows from its options, and that its parts have no gaps. */
function checkRun({ sweep: spec, parts = [] }: StoreManifest, { run }: Sweep, path: string): void {
  if (run === undefined) return;
  const [change] = listChanges(runSpec(spec.scenario, spec), spec);
  if (change !== undefined)
    throw new InputError(`${path} sweep.${change.path}`, change.before ?? 'nothing', change.after ?? 'nothing');
  let next = run.from;
  for (const { file } of parts) {
    const { counts } = parsePartName(file) ?? {};
    if (counts === undefined) continue;
    if (counts.from !== next) throw new InputError(`${path} parts`, `the part from battle ${String(next)}`, file);
    next = Number(counts.to);
  }
}

function checkExtended({ extended, sweep }: StoreManifest, { battles }: Sweep, path: string): void {
  const steps = [...extended, battles];
  const ascending = steps.every((step, s) => s === 0 || step > (steps[s - 1] ?? 0));
  if (!ascending || (extended.length > 0 && sweep.precision !== undefined))
    throw new InputError(`${path} extended`, `rising numbers of battles up to ${String(battles)}`, steps.join(', '));
}

function checkHashes(manifest: StoreManifest, sweep: Sweep, path: string): void {
  const { sweepHash: whole, segmentSize: size, extended } = manifest;
  const { spec } = sweep;
  checkEqual(`${path} sweepHash`, computeSweepHash(spec), whole);
  const [first] = extended;
  const before = first === undefined ? sweep : openSweep({ ...spec, battles: first }, `${path} sweep`);
  const sizes = computeSegmentSizeRange(before);
  // A single segment has the maximum number of points; other versions may divide larger sweeps differently.
  if (size < before.points) checkWithin(`${path} segmentSize`, sizes, size);
  else checkEqual(`${path} segmentSize`, sizes[1], size);
}

/** True if two parts are in the order of manifests: counts before rows, by segment, by battles. */
function isOrdered(a: StoredPart, b: StoredPart): boolean {
  const [one, other] = [parsePartName(a.file), parsePartName(b.file)];
  if (one === undefined || other === undefined) return false;
  const getKind = (part: StoredPart): number => (part.file.startsWith(TABLE) ? 1 : 0);
  const order = getKind(a) - getKind(b) || one.segment - other.segment;
  const to = (part: typeof one): number => Number(part.counts?.to ?? 0);
  return order === 0 ? to(one) < to(other) : order < 0;
}

/** Checks that parts have unique names of this sweep, and that a complete store has a part of rows for each segment. */
function checkParts(manifest: StoreManifest, sweep: Sweep, path: string): void {
  const { parts = [], complete, extended } = manifest;
  const nameOf = createPartNameParser(manifest, sweep);
  for (const [p, part] of parts.entries()) {
    const place = `${path} parts[${String(p)}].file`;
    const name = nameOf(part.file);
    if (name === undefined) throw new InputError(place, 'a part of this sweep', describeFound(part.file));
    const before = parts[p - 1];
    if (before !== undefined && !isOrdered(before, part))
      throw new InputError(place, `a part that comes after ${before.file}`, part.file);
    const kept = name.counts !== undefined && extended.includes(Number(name.counts.to));
    if (!complete && !kept) throw new InputError(place, 'a part from before the extension', part.file);
  }
  const rows = parts.filter(({ file }) => !file.startsWith(HISTOGRAMS)).length;
  if (complete) checkEqual(`${path} parts in ${TABLE}/`, countSegments(sweep, manifest.segmentSize), rows);
}

/** Returns the kind of work in a store. */
export const getStoreKind = ({ sweep }: Pick<StoreManifest, 'sweep'>): 'sweep' | 'run' =>
  sweep.rangeSize === undefined ? 'sweep' : 'run';

/** True if a folder contains a run rather than a sweep; false if its manifest cannot be read. */
export async function isRunIn(folder: string, registry: SystemRegistry): Promise<boolean> {
  const found = await SWEEP_FOLDERS.find(folder, registry).catch(() => undefined);
  return found !== undefined && getStoreKind(found) === 'run';
}

/** Texts of the error for a folder with different work. */
const CHANGED = {
  sweep: {
    expected: 'the sweep file of this folder',
    found: 'a changed one',
    requested: 'in the file',
    help: '\n--recompute simulates only new and changed cells',
  },
  run: { expected: 'the run of this folder', found: 'another one', requested: 'requested', help: '' },
};

/** Folders of sweeps. */
export const SWEEP_FOLDERS = new FolderKind<StoreManifest>({
  thingOf: getStoreKind,
  file: MANIFEST,
  folders: FOLDERS,
  otherFiles: [PREVIOUS],
  format: FORMAT,
  what: 'the manifest of a sweep or a run',
  command: 'warpool sweep or run --out',
  schema: manifestSchema,
  scenarioPath: 'sweep.scenario',
  getScenario: ({ sweep }) => sweep.scenario,
  getIdentity: ({ sweep }) => removeTexts(sweep),
  changeTexts: (manifest) => CHANGED[getStoreKind(manifest)],
  getCompletion: ({ cells, rows, digest, parts, extended, complete }) => {
    // While a store is extended, `parts` lists only parts that are not rewritten.
    return { cells, rows, digest, ...(extended.length === 0 || complete ? { parts } : {}) };
  },
  check: (manifest, path) => {
    const sweep = openSweep(manifest.sweep, `${path} sweep`);
    checkExtended(manifest, sweep, path);
    checkHashes(manifest, sweep, path);
    checkRun(manifest, sweep, path);
    checkParts(manifest, sweep, path);
  },
});

/**
 * Returns the manifest of the reopened store: it lists the counts from before the last extension, which are never
 * rewritten.
 * @param damaged files that it must not list
 */
export function reopenManifest(
  { cells: _c, rows: _r, digest: _d, parts = [], ...rest }: StoreManifest,
  damaged: readonly string[] = [],
): StoreManifest {
  const { extended } = rest;
  const kept = parts.filter(
    ({ file }) => extended.includes(Number(parsePartName(file)?.counts?.to)) && !damaged.includes(file),
  );
  return { ...rest, complete: false, ...(extended.length > 0 && { parts: kept }) };
}

/** Selects the fields that all shards share. */
function selectSharedFields(manifest: StoreManifest): object {
  const { sweep, parts: _parts, ...rest } = reopenManifest(manifest);
  return { ...rest, sweep: removeTexts(sweep) };
}

const truncateText = (text = 'nothing'): string => (text.length > 70 ? `${text.slice(0, 67)}...` : text);

/**
 * Rejects a store whose parts do not fit another store.
 * @param path of its manifest
 * @throws InputError that names the first difference
 */
export function checkSameStore(store: string, manifest: StoreManifest, path: string, its: StoreManifest): void {
  const changes = listChanges(selectSharedFields(manifest), selectSharedFields(its));
  // Any other difference is more informative than different hashes.
  const change = changes.find((each) => !/^(scenario|sweep)Hash$/.test(each.path)) ?? changes[0];
  if (change === undefined) return;
  const { path: field, before, after } = change;
  throw new InputError(`${path} ${field}`, `${truncateText(before)}, as in ${store}`, truncateText(after));
}
