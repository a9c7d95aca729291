/** Fills one segment of a store: plays and solves its cells, then makes its parts of what came of them. */

import { createHash } from 'node:crypto';
import type { StoredPart } from '../folder/regular.ts';
import { pointsOf } from '../sweep/segments.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { type CellOptions, type CellResult, type Earlier, makeCell } from './cell.ts';
import { histogramPart, tablePart } from './files.ts';
import type { HistogramRow } from './rows.ts';
import { encodeHistograms, encodeRows } from './tables.ts';
import { countRows, lawRows, tidyRows } from './tidy.ts';

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

const encodedPart = (file: string, content: Uint8Array): EncodedPart => ({ ...storedPart(file, content), content });

export interface SegmentOptions extends Omit<CellOptions, 'earlier'> {
  /** The hash of the sweep. */
  readonly hash: string;
  /** Points of a segment. */
  readonly size: number;
  /** Called as soon as a cell is done. */
  readonly onCell: () => void;
  /** True if the segment is to be left. */
  readonly stopped: () => boolean;
  /** False if the exact laws of its cells are stored already. */
  readonly withLaws: boolean;
  /** Where a cell may have been counted before: in this store, or elsewhere. */
  readonly known?: ((cell: Cell) => Promise<Earlier | undefined>) | undefined;
}

/** A cell that cannot be: its scenario is refused, or its exact answer is too large. */
export class CellError extends Error {
  override readonly name = 'CellError';
  readonly point: number;

  constructor(point: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.point = point;
  }
}

type Nothing = 'no cell' | 'stopped';

/** The digest of a segment, of its cells in their order; a cell that was only solved has none of its own. */
export function segmentDigest(cells: Iterable<readonly [cell: Cell, digest: string | null | undefined]>): string {
  const hash = createHash('sha256');
  for (const [cell, digest] of cells) hash.update(`${String(cell.index)} ${cell.hash} ${digest ?? 'solved'}\n`);
  return hash.digest('hex');
}

/** What comes of a point: nothing where there is no cell, or where it was stopped. */
async function cellResult(sweep: Sweep, point: number, options: SegmentOptions): Promise<CellResult | Nothing> {
  const { players, signal, apart, known, onBattles } = options;
  try {
    const cell = sweep.cell(point);
    if (cell === undefined) return 'no cell';
    return await makeCell(cell, sweep, { players, signal, apart, onBattles, earlier: await known?.(cell) });
  } catch (error) {
    // Battles that were stopped are no result, and no failure either.
    if (options.stopped()) return 'stopped';
    throw new CellError(point, error);
  }
}

/** The cells of a segment; undefined if it was stopped before all of them were done. */
async function resultsOf(sweep: Sweep, segment: number, options: SegmentOptions): Promise<CellResult[] | undefined> {
  const results: CellResult[] = [];
  const [from, to] = pointsOf(sweep, options.size, segment);
  for (let point = from; point < to; point++) {
    const result = options.stopped() ? 'stopped' : await cellResult(sweep, point, options);
    if (result === 'stopped') return undefined;
    if (result === 'no cell') continue;
    results.push(result);
    options.onCell();
  }
  return results;
}

/** The name of the part that has these counts. */
function countsPart(sweep: Sweep, segment: number, rows: readonly HistogramRow[]): string {
  const from = rows.reduce((least, row) => (row.count === null ? least : Math.min(least, row.from)), sweep.battles);
  if (sweep.battles === 0) return histogramPart(segment, 0, 0);
  return histogramPart(segment, from, sweep.spec.precision === undefined ? sweep.battles : 'end');
}

function encoded(
  sweep: Sweep,
  segment: number,
  results: readonly CellResult[],
  options: SegmentOptions,
): FilledSegment {
  const { hash, withLaws } = options;
  const parts: EncodedPart[] = [];
  const { columns, spec } = sweep;
  const counts = results.flatMap(countRows);
  const laws = withLaws && spec.keep.histograms ? results.flatMap((result) => lawRows(result, spec.keep.metrics)) : [];
  const histograms = [...counts, ...laws].sort((a, b) => a.cell - b.cell);
  if (histograms.length > 0) {
    const part = countsPart(sweep, segment, histograms);
    parts.push(encodedPart(part, encodeHistograms(histograms, { sweep: hash, segment })));
  }
  const rows = results.flatMap((result) => tidyRows(result, sweep));
  const size = { battles: sweep.battles, cells: results.length, rows: rows.length };
  const facts: SegmentFacts = {
    segment,
    sweep: hash,
    ...size,
    digest: segmentDigest(results.map(({ cell, played }) => [cell, played?.digest])),
  };
  parts.push(encodedPart(tablePart(segment), encodeRows(rows, columns, facts)));
  return { facts, parts };
}

/**
 * Plays and solves the cells of a segment.
 * @returns undefined if it was stopped
 * @throws CellError if a cell cannot be, or its battles could not be played
 */
export async function fillSegment(
  sweep: Sweep,
  segment: number,
  options: SegmentOptions,
): Promise<FilledSegment | undefined> {
  const results = await resultsOf(sweep, segment, options);
  return results && encoded(sweep, segment, results, options);
}
