/** Consistency checks of a store: files against the manifest, and rows against counts. */

import { describeDisagreement } from '../../analysis/index.ts';
import {
  type Counts,
  type CountsShape,
  computeDigest,
  createEmptyCounts,
  getBattleCount,
  summarizeDistribution,
} from '../../stats/index.ts';
import { describePart, type StoredPart } from '../folder/files.ts';
import { createFault, type VerificationFault } from '../folder/verification.ts';
import { countRanges } from '../sweep/ranges.ts';
import {
  createHistogramRow,
  DISTRIBUTION_COLUMNS,
  type HistogramRow,
  type HistogramRun,
  type ResultRow,
} from '../sweep/rows.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import {
  createCounts,
  createHistogramRuns,
  createRows,
  describeBattles,
  findInvalidRow,
  selectOutcomes,
  summarizeCounts,
} from './cell.ts';
import { computeStoreDigest } from './finish-store.ts';
import { MANIFEST, parsePartName } from './manifest.ts';
import { createCellShape, sumRows } from './previous-counts.ts';
import { computeSegmentDigest } from './segment.ts';
import type { SegmentInfo, SweepStore } from './sweep-store.ts';
import { toStoredValue } from './tables.ts';

async function findPartFault(
  folder: string,
  { file, bytes, sha256 }: StoredPart,
): Promise<VerificationFault | undefined> {
  try {
    const found = await describePart(folder, file);
    if (found.sha256 === sha256 && found.bytes === bytes) return undefined;
    return { where: file, what: 'its SHA-256 differs from the manifest' };
  } catch (error) {
    return createFault(file, error);
  }
}

/** Yields faults of parts that differ from their entries. */
export async function* findPartFaults({ folder, manifest }: SweepStore): AsyncGenerator<VerificationFault> {
  for (const part of manifest.parts ?? []) {
    const fault = await findPartFault(folder, part);
    if (fault !== undefined) yield fault;
  }
}

/** Metadata of the parts of `table/`, and faults of those that cannot be read. */
export interface SegmentInfos {
  readonly infos: ReadonlyMap<number, SegmentInfo>;
  readonly faults: readonly VerificationFault[];
}

/** @param enough true if examining can stop, from the number of faults */
export async function readSegmentInfos(store: SweepStore, enough: (faults: number) => boolean): Promise<SegmentInfos> {
  const found = new Map<number, SegmentInfo>();
  const faults: VerificationFault[] = [];
  for (const [segment, part] of store.tables) {
    if (enough(faults.length)) break;
    try {
      found.set(segment, await store.readInfo(part));
    } catch (error) {
      faults.push(createFault(part.file, error));
    }
  }
  return { infos: found, faults };
}

/** Finds parts of counts of a segment that are not listed, or belong to another sweep. */
export async function findHistogramFaults(store: SweepStore, segment: number): Promise<VerificationFault[]> {
  const has = store.has(segment);
  const faults = store
    .due(segment)
    .slice(0, -1)
    .filter((file) => !has(file))
    .map((file) =>
      store.manifest.complete
        ? { where: MANIFEST, what: `it does not list the part ${file}` }
        : { where: file, what: 'it is missing' },
    );
  for (const part of store.counts.get(segment) ?? []) {
    try {
      const { sweep: hash, segment: its } = await store.about(part);
      const battles = store.battlesAt(String(hash));
      const to = parsePartName(part.file)?.counts?.to;
      const fits = its === segment && battles === (to === 'end' ? store.sweep.battles : to);
      if (!fits) faults.push({ where: part.file, what: 'it belongs to another sweep' });
    } catch (error) {
      faults.push(createFault(part.file, error));
    }
  }
  return faults;
}

function findTotalFaults({ manifest }: SweepStore, facts: readonly SegmentInfo[]): VerificationFault[] {
  const sum = (of: 'cells' | 'rows'): number => facts.reduce((total, each) => total + each[of], 0);
  const off = (['cells', 'rows'] as const).filter((of) => manifest[of] !== sum(of));
  const faults = off.map((of) => ({
    where: MANIFEST,
    what: `${of} is ${String(manifest[of])}; its parts have ${String(sum(of))}`,
  }));
  if (manifest.digest === computeStoreDigest(facts)) return faults;
  return [...faults, { where: MANIFEST, what: 'its digest does not match its parts' }];
}

/** Describes an unfinished run; undefined for a sweep. */
function unfinishedText({ sweep: { run, spec }, counts }: SweepStore): string | undefined {
  const due = run === undefined || spec.precision !== undefined ? '' : ` of ${String(countRanges(run))}`;
  return run && `the run is not finished: ${String(counts.get(0)?.length ?? 0)}${due} parts exist`;
}

/** Lists fields of the manifest that disagree with the parts. */
export function findManifestFaults(store: SweepStore, facts: ReadonlyMap<number, SegmentInfo>): VerificationFault[] {
  const { manifest, folder, segments: due } = store;
  const there = facts.size;
  const count = `${String(there)} of ${String(due)} segments exist`;
  if (!manifest.complete)
    return [{ where: folder, what: unfinishedText(store) ?? `the sweep is not finished: ${count}` }];
  return there === due ? findTotalFaults(store, [...facts.values()]) : [{ where: folder, what: count }];
}

/** Rows of a cell in one part of `histograms/`. */
export interface HistogramPart {
  readonly file: string;
  readonly rows: readonly HistogramRow[];
}

/** Counts and distribution of a cell from its histograms. */
export interface AuditedCell {
  readonly cell: Cell;
  readonly shape: CountsShape;
  readonly counts: Counts | undefined;
  /** Exact probabilities; undefined if the cell was not solved, or its distribution is not stored. */
  readonly distribution: Counts | undefined;
  readonly rows: readonly ResultRow[];
  /** Faults of rows that no battle can have and no sweep writes. */
  readonly faults: readonly VerificationFault[];
}

const EPSILON = 1e-9;

const isClose = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= EPSILON * Math.max(1, Math.abs(a), Math.abs(b));

/** Sums the weights of one metric by outcome. */
function sumWeights({ outcomes, metrics }: Counts, m: number): number[] {
  const { width = 0, counts = new Float64Array() } = metrics[m] ?? {};
  return Array.from(outcomes, (_, o) =>
    counts.subarray(o * width, (o + 1) * width).reduce((sum, each) => sum + each, 0),
  );
}

/** Checks that every battle has one outcome, and one value of each metric. */
function findSumFaults(counts: Counts, shape: CountsShape, where: string, tolerance: number): VerificationFault[] {
  return shape.metrics.flatMap(({ name }, m) => {
    const sums = sumWeights(counts, m);
    const off = sums.findIndex((sum, o) => Math.abs(sum - (counts.outcomes[o] ?? 0)) > tolerance);
    if (off < 0) return [];
    const [found, due] = [String(sums[off]), String(counts.outcomes[off])];
    return [{ where, what: `the values of ${name} with ${shape.outcomes[off] ?? ''} sum to ${found}, not to ${due}` }];
  });
}

/** Checks the number of battles against the sweep. */
function findBattleFaults(battles: number, { spec, battles: due }: Sweep, where: string): VerificationFault[] {
  const fits = spec.precision === undefined ? battles === due : battles <= due;
  return fits ? [] : [{ where, what: `its counts have ${String(battles)} battles, the sweep has ${String(due)}` }];
}

function findCountFaults({ cell, shape, counts, rows }: AuditedCell, sweep: Sweep, where: string): VerificationFault[] {
  if (counts === undefined) return [];
  const battles = getBattleCount(counts);
  const faults = [...findBattleFaults(battles, sweep, where), ...findSumFaults(counts, shape, where, 0)];
  const from = sweep.run?.from ?? 0;
  const found = computeDigest(describeBattles(cell, sweep, { from, to: from + battles }), shape, counts);
  const row = rows[0];
  if (row?.battles !== battles)
    faults.push({ where, what: `its counts have ${String(battles)} battles, its rows have ${String(row?.battles)}` });
  if (row?.digest !== found) faults.push({ where, what: 'its digest does not match its counts' });
  return faults;
}

function findDistributionFaults({ shape, distribution }: AuditedCell, where: string): VerificationFault[] {
  if (distribution === undefined) return [];
  const faults = findSumFaults(distribution, shape, where, EPSILON);
  const sum = distribution.outcomes.reduce((total, p) => total + p, 0);
  if (Math.abs(sum - 1) > EPSILON) faults.push({ where, what: `its probabilities sum to ${String(sum)}` });
  return faults;
}

/** Creates the rows that the counts and the distribution of a cell imply. */
function createExpectedRows({ cell, shape, counts, distribution, rows }: AuditedCell, sweep: Sweep): ResultRow[] {
  const [digest = ''] = rows.map((row) => row.digest ?? '');
  const played = counts && { battles: getBattleCount(counts), summary: summarizeCounts(sweep, shape, counts), digest };
  const exact = distribution && { summary: summarizeDistribution(shape, distribution) };
  return createRows({ cell, shape, played, exact }, sweep);
}

/**
 * Lists columns that counts and distributions do not determine: intervals of a run with a precision, and omitted
 * values.
 */
function listUncheckedColumns({ counts, distribution }: AuditedCell, { spec }: Sweep): Set<string> {
  const stopping = spec.precision === undefined ? [] : ['low', 'high', 'reached'];
  const unknown = distribution === undefined ? ['exact', 'z'] : [];
  const unkept = counts === undefined && distribution === undefined ? Object.keys(DISTRIBUTION_COLUMNS) : [];
  return new Set([...stopping, ...unknown, ...unkept, 'axes']);
}

/** True if values are equal except for rounding on another machine. */
export function isSameValue(a: ResultRow[keyof ResultRow], b: ResultRow[keyof ResultRow]): boolean {
  return a === b || (typeof a === 'number' && typeof b === 'number' && isClose(a, b));
}

function findRowFaults(audited: AuditedCell, sweep: Sweep, where: string): VerificationFault[] {
  const due = createExpectedRows(audited, sweep);
  const listNames = (rows: readonly ResultRow[]): string => rows.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  if (listNames(due) !== listNames(audited.rows)) return [{ where, what: `its rows are ${listNames(audited.rows)}` }];
  const skipped = listUncheckedColumns(audited, sweep);
  return due.flatMap((row, r) => {
    const found = audited.rows[r] ?? row;
    const axes = sweep.columns.find((axis) => toStoredValue(axis, row.axes[axis.name]) !== found.axes[axis.name])?.name;
    const off = (Object.keys(row) as (keyof Omit<ResultRow, 'axes'>)[]).find(
      (key) => !skipped.has(key) && !isSameValue(row[key], found[key]),
    );
    if (axes === undefined && off === undefined) return [];
    const what =
      off === undefined
        ? `${axes ?? ''} differs from the design`
        : `${off} is ${String(found[off])}, not ${String(row[off])}`;
    return [{ where: `${where} ${row.name}`, what }];
  });
}

/** Counts and distribution from rows of histograms, each undefined without such rows. */
interface HistogramContent {
  readonly counts: Counts | undefined;
  readonly distribution: Counts | undefined;
}

/** Reads rows, and rejects impossible ones before summing: counts allocate room for all values up to the largest. */
function readHistogramContent(
  shape: CountsShape,
  rows: readonly HistogramRow[],
): HistogramContent | { readonly stray: string } {
  const stray = findInvalidRow(shape, rows);
  if (stray !== undefined) return { stray };
  const counts = rows.some(({ count }) => count !== null) ? sumRows(shape, rows) : undefined;
  const isLaw = rows.some(({ probability }) => probability !== null);
  return { counts, distribution: isLaw ? createCounts(shape, rows, ({ probability }) => probability) : undefined };
}

/** Compares a row with one row of a run without creating it, because there are millions. */
function isSameRow(row: HistogramRow, run: HistogramRun, v: number): boolean {
  const { kind, weigh } = run;
  if (row.cell !== run.cell || row.kind !== kind || row.name !== run.name || row.outcome !== run.outcome) return false;
  if (row.from !== run.from || row.to !== run.to || row.value !== (kind === 'metric' ? run.values[v] : null))
    return false;
  // No valid row has both.
  return (weigh === 'count' ? row.count : row.probability) === run.weights[v];
}

/** Returns the first row that differs from the expected one, and that one; undefined if all agree. */
function findFirstDifference(
  rows: readonly HistogramRow[],
  runs: Iterable<HistogramRun>,
): readonly [found: HistogramRow | undefined, due: HistogramRow | undefined] | undefined {
  let r = 0;
  for (const run of runs)
    for (let v = 0; v < run.values.length; v++, r++) {
      const row = rows[r];
      if (row === undefined || !isSameRow(row, run, v)) return [row, createHistogramRow(run, v)];
    }
  return r < rows.length ? [rows[r], undefined] : undefined;
}

/** Lists faults of a cell's rows in one part of `histograms/`. @param reported its content */
function findPartRowFaults(
  { file, rows }: HistogramPart,
  cell: Cell,
  shape: CountsShape,
  reported: ReturnType<typeof readHistogramContent>,
  first: boolean,
): VerificationFault[] {
  const where = `${file}, cell ${String(cell.index)}`;
  if ('stray' in reported) return [{ where, what: reported.stray }];
  const { counts = createEmptyCounts(shape), distribution = createEmptyCounts(shape) } = reported;
  const { from = 0, to = 0 } = parsePartName(file)?.counts ?? {};
  const range = { from, to: to === 'end' ? getBattleCount(counts) : to };
  const off = findFirstDifference(rows, [
    ...createHistogramRuns(cell, shape, counts, range),
    ...(first ? createHistogramRuns(cell, shape, distribution) : []),
  ]);
  if (off === undefined) return [];
  const [found, due] = off.map((row) => (row === undefined ? 'nothing' : JSON.stringify(row)));
  return [{ where, what: `it has ${found ?? ''}, not ${due ?? ''}` }];
}

/** Returns the counts in a part of a run. @throws Error if they are impossible for `due` battles */
export function readCounts(part: HistogramPart, cell: Cell, shape: CountsShape, due: number): Counts {
  const reported = readHistogramContent(shape, part.rows);
  const [stray] = findPartRowFaults(part, cell, shape, reported, false);
  const { counts = createEmptyCounts(shape) } = 'stray' in reported ? {} : reported;
  const battles = getBattleCount(counts);
  if (stray === undefined && battles !== due)
    throw new Error(`it has counts of ${String(battles)} battles, not ${String(due)}`);
  const [fault] = stray === undefined ? findSumFaults(counts, shape, part.file, 0) : [stray];
  if (fault !== undefined) throw new Error(fault.what);
  return counts;
}

/** Combines the histograms and the rows of a cell. */
export function createAuditedCell(
  cell: Cell,
  sweep: Sweep,
  rows: readonly ResultRow[],
  parts: readonly HistogramPart[],
): AuditedCell {
  const shape = createCellShape(cell, sweep);
  const reported = parts.map((part) => [part, readHistogramContent(shape, part.rows)] as const);
  const faults = reported.flatMap(([part, own], p) => findPartRowFaults(part, cell, shape, own, p === 0));
  const [first, ...others] = reported;
  const alone = others.length === 0 ? first?.[1] : undefined;
  const whole =
    alone ??
    readHistogramContent(
      shape,
      parts.flatMap((part) => part.rows),
    );
  const { counts, distribution } = 'stray' in whole ? {} : whole;
  return { cell, shape, counts, distribution, rows, faults };
}

/** Lists inconsistencies of a cell. */
export function findCellFaults(audited: AuditedCell, sweep: Sweep): VerificationFault[] {
  const where = `cell ${String(audited.cell.index)}`;
  const none =
    audited.rows.length === 0 && selectOutcomes(audited.shape, sweep).length + audited.shape.metrics.length > 0;
  if (none) return [{ where, what: 'it has no rows' }];
  const isSolvedInstead = sweep.spec.exact === 'instead' && audited.distribution !== undefined;
  if (audited.counts === undefined && sweep.battles > 0 && !isSolvedInstead)
    return [...audited.faults, { where, what: 'it has no counts' }];
  const { cell, counts, distribution, shape } = audited;
  const text =
    counts &&
    distribution &&
    describeDisagreement(
      cell.scenario,
      summarizeCounts(sweep, shape, counts),
      summarizeDistribution(shape, distribution),
      getBattleCount(counts),
    );
  return [
    ...(text === undefined ? [] : [{ where, what: text }]),
    ...audited.faults,
    ...findCountFaults(audited, sweep, where),
    ...findDistributionFaults(audited, where),
    ...findRowFaults(audited, sweep, where),
  ];
}

/** Lists metadata of a part of `table/` that disagree with its content. @param rows number of its rows */
export function findSegmentFaults(
  facts: SegmentInfo,
  cells: readonly AuditedCell[],
  rows: number,
  part: string,
): VerificationFault[] {
  const digest = computeSegmentDigest(cells.map(({ cell, rows: own }) => [cell, own[0]?.digest]));
  const own = cells.reduce((sum, cell) => sum + cell.rows.length, 0);
  const faults: VerificationFault[] = [];
  if (facts.cells !== cells.length)
    faults.push({ where: part, what: `it has ${String(cells.length)} cells, not ${String(facts.cells)}` });
  if (facts.rows !== rows) faults.push({ where: part, what: `it has ${String(rows)} rows, not ${String(facts.rows)}` });
  if (own !== rows) faults.push({ where: part, what: `it has ${String(rows - own)} rows that belong to no cell` });
  if (facts.digest !== digest) faults.push({ where: part, what: 'its digest does not match its cells' });
  return faults;
}
