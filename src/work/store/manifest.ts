/**
 * The manifest of a sweep's store, and the files that it has. A part of a table is written under another name and renamed,
 * so it is there whole or not at all; the part of `table/` comes last and says that its cells are done.
 *
 *     manifest.json
 *     histograms/part-00012-0-100000.parquet     counts of battles 0..99999 of the cells of segment 12; never rewritten
 *     table/part-00012.parquet                   what all counts of segment 12 say
 *
 * A run that is kept is a sweep of one cell. Each of its ranges of battles has a part of counts; its row comes last.
 *
 * Names are paths from the store with / in them, on every system.
 */

import { z } from 'zod';
import { describeFound, InputError, MAX_BATTLES } from '../../core/index.ts';

import type { Registry } from '../../rules/index.ts';
import type { StoredPart } from '../folder/files.ts';
import {
  changesBetween,
  checkStorable,
  Kind,
  MADE_BY,
  type MadeBy,
  madeNow,
  SEALED,
  SEALED_MAX,
  same,
  sealedText,
  sha256,
  within,
} from '../folder/manifest.ts';
import { keptSchema, POINTS_MAX } from '../sweep/file.ts';
import { cutAt, isCut, runSpec } from '../sweep/ranges.ts';
import { segmentSize, segmentSizes, segmentsOf } from '../sweep/segments.ts';
import { openSweep, type Sweep, type SweepSpec, sweepHash, unworded } from '../sweep/sweep.ts';

export const MANIFEST = 'manifest.json';
const TABLE = 'table';
export const HISTOGRAMS = 'histograms';
export const FOLDERS: readonly string[] = [HISTOGRAMS, TABLE];

/** Where the store was before a changed sweep file took its place, until all its cells are there. */
export const PREVIOUS = '.previous';

/** Where the counts of a part end: before a battle, or where each of its cells was precise enough. */
export type End = number | 'end';

const numbered = (segment: number): string => `part-${String(segment).padStart(5, '0')}`;

export function tablePart(segment: number): string {
  return `${TABLE}/${numbered(segment)}.parquet`;
}

/** @param from first of the battles that are counted */
export function histogramPart(segment: number, from: number, to: End): string {
  return `${HISTOGRAMS}/${numbered(segment)}-${String(from)}-${String(to)}.parquet`;
}

/** What the name of a part says. */
export interface PartName {
  readonly segment: number;
  /** The battles that are counted in it; undefined for a part of `table/`. */
  readonly counts: { readonly from: number; readonly to: End } | undefined;
}

/** Undefined for what is not the name of a part, letter by letter. */
export function partName(file: string): PartName | undefined {
  const [, folder, segments, from, to] =
    /^(table|histograms)\/part-(\d{5,8})(?:-(\d{1,16})-(\d{1,16}|end))?\.parquet$/.exec(file) ?? [];
  if (folder === undefined || (folder === TABLE) !== (from === undefined)) return undefined;
  const segment = Number(segments);
  const end: End = to === 'end' ? to : Number(to);
  const counts = from === undefined ? undefined : { from: Number(from), to: end };
  const due = counts === undefined ? tablePart(segment) : histogramPart(segment, counts.from, counts.to);
  return file === due ? { segment, counts } : undefined;
}

/** Bumped when older programs could no longer read a store. */
const FORMAT = 2;

/** @throws InputError if it is none that `loadSweep` has made, or has rules that no thread could load */
export function checkSweep(sweep: Sweep): void {
  checkMade(sweep);
  checkStorable(sweep.spec.scenario, 'the sweep’s');
}

/** @throws InputError if it is no sweep */
export function checkMade(sweep: Sweep): void {
  const { spec } = (sweep as Partial<Sweep> | null | undefined) ?? {};
  if (spec === undefined) throw new InputError('sweep', 'what loadSweep returns', describeFound(sweep));
}

/** Times that a sweep can be extended. */
export const EXTENSIONS_MAX = 100;

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  ...MADE_BY,
  sweepHash: sha256,
  segmentSize: z.int().min(1).max(POINTS_MAX),
  sweep: keptSchema,
  extended: z.array(z.int().min(0).max(MAX_BATTLES)).max(EXTENSIONS_MAX),
  complete: z.boolean(),
  cells: z.int().min(0).max(POINTS_MAX).optional(),
  rows: z.int().min(0).optional(),
  digest: sha256.optional(),
  ...SEALED,
});

export interface Manifest extends MadeBy {
  readonly sweepHash: string;
  /** Points of a segment. */
  readonly segmentSize: number;
  /** The whole sweep file with all defaults, its scenario in it. */
  readonly sweep: SweepSpec;
  /** Battles of a cell before each extension. */
  readonly extended: readonly number[];
  /** Cells, and rows of `table/`, once the store is complete. */
  readonly cells?: number;
  readonly rows?: number;
  /** SHA-256 over number, scenario and digest of every cell. */
  readonly digest?: string;
  /** While a store is extended: the parts that are not written anew; all of them once it is complete. */
  readonly parts?: readonly StoredPart[];
}

/** The most bytes of a manifest. */
export const MANIFEST_MAX: number = SEALED_MAX;

/** The manifest of a store that is about to be filled. */
export function newManifest(sweep: Sweep): Manifest {
  const { spec } = sweep;
  return {
    ...madeNow(FORMAT, spec.scenario),
    sweepHash: sweepHash(spec),
    segmentSize: segmentSize(sweep),
    sweep: spec,
    extended: [],
    complete: false,
  };
}

/** A manifest as its file has it: with a seal, the SHA-256 of all the rest. */
export function manifestText(manifest: Manifest): string {
  return sealedText(manifest);
}

interface Counts {
  readonly from: number;
  readonly to: End;
}

/**
 * What the parts of a segment's counts hold, one after the other; undefined where nobody knows beforehand: of a run with a
 * precision, whose ranges are cut where it is looked at.
 */
export function stagesOf({ extended }: Manifest, { spec, battles, run }: Sweep): Counts[] | undefined {
  if (run !== undefined) return spec.precision === undefined ? [...cutAt(run, run)] : undefined;
  if (spec.precision !== undefined) return [{ from: 0, to: 'end' }];
  const ends = [...extended, battles];
  const stages = ends.map((to, e) => ({ from: ends[e - 1] ?? 0, to }));
  // Cells that were only solved have no counts, but laws perhaps.
  return stages.filter(({ to }) => to > 0 || spec.keep.histograms);
}

/** Reads names of parts: undefined for what is no part of a sweep. */
export function namesIn(manifest: Manifest, sweep: Sweep): (file: string) => PartName | undefined {
  const segments = segmentsOf(sweep, manifest.segmentSize);
  const due = new Set(stagesOf(manifest, sweep)?.map(({ from, to }) => `${String(from)}-${String(to)}`));
  const isDue = ({ from, to }: Counts): boolean =>
    sweep.run !== undefined && sweep.spec.precision !== undefined
      ? to !== 'end' && isCut(sweep.run, { from, to })
      : due.has(`${String(from)}-${String(to)}`);
  return (file) => {
    const name = partName(file);
    if (name === undefined || name.segment >= segments) return undefined;
    return name.counts === undefined || isDue(name.counts) ? name : undefined;
  };
}

/** What a run is follows from its options, and its parts count battles without a gap. */
function checkRun({ sweep: spec, parts = [] }: Manifest, { run }: Sweep, path: string): void {
  if (run === undefined) return;
  const [change] = changesBetween(runSpec(spec.scenario, spec), spec);
  if (change !== undefined)
    throw new InputError(`${path} sweep.${change.path}`, change.before ?? 'nothing', change.after ?? 'nothing');
  let next = run.from;
  for (const { file } of parts) {
    const { counts } = partName(file) ?? {};
    if (counts === undefined) continue;
    if (counts.from !== next) throw new InputError(`${path} parts`, `the part from battle ${String(next)} on`, file);
    next = Number(counts.to);
  }
}

function checkExtended({ extended, sweep }: Manifest, { battles }: Sweep, path: string): void {
  const steps = [...extended, battles];
  const ascending = steps.every((step, s) => s === 0 || step > (steps[s - 1] ?? 0));
  if (!ascending || (extended.length > 0 && sweep.precision !== undefined))
    throw new InputError(`${path} extended`, `numbers of battles that rise to ${String(battles)}`, steps.join(', '));
}

function checkHashes(manifest: Manifest, sweep: Sweep, path: string): void {
  const { sweepHash: whole, segmentSize: size, extended } = manifest;
  const { spec } = sweep;
  same(`${path} sweepHash`, sweepHash(spec), whole);
  const [first] = extended;
  const before = first === undefined ? sweep : openSweep({ ...spec, battles: first }, `${path} sweep`);
  const sizes = segmentSizes(before);
  // A single segment is of the most points; other versions may have cut larger sweeps otherwise.
  if (size < before.points) within(`${path} segmentSize`, sizes, size);
  else same(`${path} segmentSize`, sizes[1], size);
}

/** The order of parts in a manifest: counts before rows, by segment, by battles. */
function inOrder(a: StoredPart, b: StoredPart): boolean {
  const [one, other] = [partName(a.file), partName(b.file)];
  if (one === undefined || other === undefined) return false;
  const kind = (part: StoredPart): number => (part.file.startsWith(TABLE) ? 1 : 0);
  const order = kind(a) - kind(b) || one.segment - other.segment;
  const to = (part: typeof one): number => Number(part.counts?.to ?? 0);
  return order === 0 ? to(one) < to(other) : order < 0;
}

/** Parts have the names of such a sweep, each once; a complete store has a part of rows for each segment. */
function checkParts(manifest: Manifest, sweep: Sweep, path: string): void {
  const { parts = [], complete, extended } = manifest;
  const nameOf = namesIn(manifest, sweep);
  for (const [p, part] of parts.entries()) {
    const place = `${path} parts[${String(p)}].file`;
    const name = nameOf(part.file);
    if (name === undefined) throw new InputError(place, 'a part of this sweep', describeFound(part.file));
    const before = parts[p - 1];
    if (before !== undefined && !inOrder(before, part))
      throw new InputError(place, `a part that comes after ${before.file}`, part.file);
    const kept = name.counts !== undefined && extended.includes(Number(name.counts.to));
    if (!complete && !kept) throw new InputError(place, 'a part that was there before the extension', part.file);
  }
  const rows = parts.filter(({ file }) => !file.startsWith(HISTOGRAMS)).length;
  if (complete) same(`${path} parts, those of ${TABLE}/`, segmentsOf(sweep, manifest.segmentSize), rows);
}

/** What a store is of. */
export const thingOf = ({ sweep }: Pick<Manifest, 'sweep'>): 'sweep' | 'run' =>
  sweep.rangeSize === undefined ? 'sweep' : 'run';

/** Whether a folder has a run, rather than a sweep; of a manifest that cannot be read nobody knows. */
export async function isRunIn(folder: string, registry: Registry): Promise<boolean> {
  const found = await SWEEPS.find(folder, registry).catch(() => undefined);
  return found !== undefined && thingOf(found) === 'run';
}

/** How it is told that a folder has something else than what was asked for. */
const CHANGED = {
  sweep: {
    expected: 'the sweep file that it was made from',
    found: 'one that has changed',
    asked: 'in the file',
    help: '\n--recompute plays only cells that are new or changed',
  },
  run: { expected: 'the run that it was made for', found: 'another one', asked: 'asked for', help: '' },
};

/** Folders of sweeps. */
export const SWEEPS = new Kind<Manifest>({
  thingOf,
  file: MANIFEST,
  folders: FOLDERS,
  beside: [PREVIOUS],
  format: FORMAT,
  what: 'the manifest of a sweep or a run',
  madeBy: 'warpool sweep or run --out',
  schema: manifestSchema,
  scenarioAt: 'sweep.scenario',
  scenarioIn: ({ sweep }) => sweep.scenario,
  sameness: ({ sweep }) => unworded(sweep),
  changed: (manifest) => CHANGED[thingOf(manifest)],
  atEnd: ({ cells, rows, digest, parts, extended, complete }) => {
    // While a store is extended, parts are those that are not written anew.
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
 * The manifest as it was before the store was complete: it lists the counts of before the last extension, which are never
 * written anew.
 * @param damaged files that it does not list
 */
export function unfinished(
  { cells: _c, rows: _r, digest: _d, parts = [], ...rest }: Manifest,
  damaged: readonly string[] = [],
): Manifest {
  const { extended } = rest;
  const kept = parts.filter(
    ({ file }) => extended.includes(Number(partName(file)?.counts?.to)) && !damaged.includes(file),
  );
  return { ...rest, complete: false, ...(extended.length > 0 && { parts: kept }) };
}

/** What all shards have in common. */
function common(manifest: Manifest): object {
  const { sweep, parts: _parts, ...rest } = unfinished(manifest);
  return { ...rest, sweep: unworded(sweep) };
}

const cut = (text = 'nothing'): string => (text.length > 70 ? `${text.slice(0, 67)}...` : text);

/**
 * Refuses a store whose parts are not those of another store.
 * @param path of its manifest
 * @throws InputError that names the first difference
 */
export function checkAlike(store: string, manifest: Manifest, path: string, its: Manifest): void {
  const changes = changesBetween(common(manifest), common(its));
  // What differs says more than that the hashes of it do.
  const change = changes.find((each) => !/^(scenario|sweep)Hash$/.test(each.path)) ?? changes[0];
  if (change === undefined) return;
  const { path: field, before, after } = change;
  throw new InputError(`${path} ${field}`, `${cut(before)}, as in ${store}`, cut(after));
}
