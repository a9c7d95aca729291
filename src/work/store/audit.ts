/** Checks a store against itself: its files against its manifest, and the rows of a segment against its counts. */

import { battlesIn, digest, emptyTally, summariseLaw, type Tally, type TallyShape } from '../../answers/index.ts';
import { disagreement } from '../../studies/index.ts';
import { partNow, type StoredPart } from '../folder/files.ts';
import { type Fault, faultOf } from '../folder/verify.ts';
import { rangesIn } from '../sweep/ranges.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { keptOutcomes, playedOf, runsOf, strayRow, summaryOf, tallyOf, tidyRows } from './cell.ts';
import { countsOf, shapeOfCell } from './earlier.ts';
import { storeDigest } from './finish.ts';
import { MANIFEST, partName } from './manifest.ts';
import type { ReadStore, SegmentFacts } from './parts.ts';
import type { HistogramRow, HistogramRun, Row } from './rows.ts';
import { segmentDigest } from './segment.ts';
import { heldOf } from './tables.ts';

async function partFault(folder: string, { file, bytes, sha256 }: StoredPart): Promise<Fault | undefined> {
  try {
    const found = await partNow(folder, file);
    if (found.sha256 === sha256 && found.bytes === bytes) return undefined;
    return { where: file, what: 'its SHA-256 is not that of the manifest' };
  } catch (error) {
    return faultOf(file, error);
  }
}

/** Parts that are not as they are listed, one after the other. */
export async function* partFaults({ folder, manifest }: ReadStore): AsyncGenerator<Fault> {
  for (const part of manifest.parts ?? []) {
    const fault = await partFault(folder, part);
    if (fault !== undefined) yield fault;
  }
}

/** What parts of `table/` say of themselves, and those that cannot be read. */
export interface Facts {
  readonly found: ReadonlyMap<number, SegmentFacts>;
  readonly faults: readonly Fault[];
}

/** @param enough whether no more segments are examined, given the number of faults */
export async function factsIn(store: ReadStore, enough: (faults: number) => boolean): Promise<Facts> {
  const found = new Map<number, SegmentFacts>();
  const faults: Fault[] = [];
  for (const [segment, part] of store.tables) {
    if (enough(faults.length)) break;
    try {
      found.set(segment, await store.facts(part));
    } catch (error) {
      faults.push(faultOf(part.file, error));
    }
  }
  return { found, faults };
}

/** A segment's parts of counts that are not listed, or of another sweep. */
export async function histogramFaults(store: ReadStore, segment: number): Promise<Fault[]> {
  const has = store.has(segment);
  const faults = store
    .due(segment)
    .slice(0, -1)
    .filter((file) => !has(file))
    .map((file) =>
      store.manifest.complete
        ? { where: MANIFEST, what: `${file} is not among its parts` }
        : { where: file, what: 'it is missing' },
    );
  for (const part of store.counts.get(segment) ?? []) {
    try {
      const { sweep: hash, segment: its } = await store.about(part);
      const battles = store.battlesAt(String(hash));
      const to = partName(part.file)?.counts?.to;
      const fits = its === segment && battles === (to === 'end' ? store.sweep.battles : to);
      if (!fits) faults.push({ where: part.file, what: 'it is of another sweep' });
    } catch (error) {
      faults.push(faultOf(part.file, error));
    }
  }
  return faults;
}

function totalFaults({ manifest }: ReadStore, facts: readonly SegmentFacts[]): Fault[] {
  const sum = (of: 'cells' | 'rows'): number => facts.reduce((total, each) => total + each[of], 0);
  const off = (['cells', 'rows'] as const).filter((of) => manifest[of] !== sum(of));
  const faults = off.map((of) => ({
    where: MANIFEST,
    what: `${of} is ${String(manifest[of])}; its parts have ${String(sum(of))}`,
  }));
  if (manifest.digest === storeDigest(facts)) return faults;
  return [...faults, { where: MANIFEST, what: 'the digest is another' }];
}

/** What is told of a run that is not finished; undefined for a sweep. */
function unfinishedText({ sweep: { run, spec }, counts }: ReadStore): string | undefined {
  const due = run === undefined || spec.precision !== undefined ? '' : ` of ${String(rangesIn(run))}`;
  return run && `the run is not finished: ${String(counts.get(0)?.length ?? 0)}${due} parts are there`;
}

/** Whatever of the manifest is not what the parts say. */
export function manifestFaults(store: ReadStore, facts: ReadonlyMap<number, SegmentFacts>): Fault[] {
  const { manifest, folder, segments: due } = store;
  const there = facts.size;
  const count = `${String(there)} of ${String(due)} segments are there`;
  if (!manifest.complete)
    return [{ where: folder, what: unfinishedText(store) ?? `the sweep is not finished: ${count}` }];
  return there === due ? totalFaults(store, [...facts.values()]) : [{ where: folder, what: count }];
}

/** Rows of a cell in one part of `histograms/`. */
export interface CountedPart {
  readonly file: string;
  readonly rows: readonly HistogramRow[];
}

/** What was counted, or computed, in a cell according to its histograms. */
export interface AuditedCell {
  readonly cell: Cell;
  readonly shape: TallyShape;
  readonly counts: Tally | undefined;
  /** Probabilities in the place of counts; undefined if the cell was not solved, or its law not kept. */
  readonly law: Tally | undefined;
  readonly rows: readonly Row[];
  /** What its histograms have that no battle gives, and no sweep writes. */
  readonly faults: readonly Fault[];
}

const EPSILON = 1e-9;

const close = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= EPSILON * Math.max(1, Math.abs(a), Math.abs(b));

/** The sum of one metric's weights by outcome. */
function sumsOf({ outcomes, metrics }: Tally, m: number): number[] {
  const { width = 0, counts = new Float64Array() } = metrics[m] ?? {};
  return Array.from(outcomes, (_, o) =>
    counts.subarray(o * width, (o + 1) * width).reduce((sum, each) => sum + each, 0),
  );
}

/** Every battle has one outcome, and one value of each metric. */
function sumFaults(tally: Tally, shape: TallyShape, where: string, tolerance: number): Fault[] {
  return shape.metrics.flatMap(({ name }, m) => {
    const sums = sumsOf(tally, m);
    const off = sums.findIndex((sum, o) => Math.abs(sum - (tally.outcomes[o] ?? 0)) > tolerance);
    if (off < 0) return [];
    const [found, due] = [String(sums[off]), String(tally.outcomes[off])];
    return [{ where, what: `the values of ${name} with ${shape.outcomes[off] ?? ''} sum to ${found}, not to ${due}` }];
  });
}

/** So many battles as the sweep asks for. */
function battleFaults(battles: number, { spec, battles: due }: Sweep, where: string): Fault[] {
  const fits = spec.precision === undefined ? battles === due : battles <= due;
  return fits ? [] : [{ where, what: `${String(battles)} battles are counted, the sweep has ${String(due)}` }];
}

function countFaults({ cell, shape, counts, rows }: AuditedCell, sweep: Sweep, where: string): Fault[] {
  if (counts === undefined) return [];
  const battles = battlesIn(counts);
  const faults = [...battleFaults(battles, sweep, where), ...sumFaults(counts, shape, where, 0)];
  const from = sweep.run?.from ?? 0;
  const found = digest(playedOf(cell, sweep, { from, to: from + battles }), shape, counts);
  const row = rows[0];
  if (row?.battles !== battles)
    faults.push({ where, what: `${String(battles)} battles are counted, the rows say ${String(row?.battles)}` });
  if (row?.digest !== found) faults.push({ where, what: 'the digest is not that of the counts' });
  return faults;
}

function lawFaults({ shape, law }: AuditedCell, where: string): Fault[] {
  if (law === undefined) return [];
  const faults = sumFaults(law, shape, where, EPSILON);
  const sum = law.outcomes.reduce((total, p) => total + p, 0);
  if (Math.abs(sum - 1) > EPSILON) faults.push({ where, what: `its probabilities sum to ${String(sum)}` });
  return faults;
}

/** The rows that the counts and the law of a cell make. */
function dueRows({ cell, shape, counts, law, rows }: AuditedCell, sweep: Sweep): Row[] {
  const [digest = ''] = rows.map((row) => row.digest ?? '');
  const played = counts && { battles: battlesIn(counts), summary: summaryOf(sweep, shape, counts), digest };
  const exact = law && { summary: summariseLaw(shape, law) };
  return tidyRows({ cell, shape, played, exact }, sweep);
}

/** Columns that the law of a cell fills where no battle was played. */
const OF_LAW = ['standard_deviation', 'min', 'q05', 'q25', 'median', 'q75', 'q95', 'max'] as const;

/** Columns that counts and laws do not tell: the intervals of a run that ended by itself, what was not kept. */
function untold({ counts, law }: AuditedCell, { spec }: Sweep): Set<keyof Row> {
  const stopping: (keyof Row)[] = spec.precision === undefined ? [] : ['low', 'high', 'reached'];
  const unknown: (keyof Row)[] = law === undefined ? ['exact', 'z'] : [];
  const unkept: readonly (keyof Row)[] = counts === undefined && law === undefined ? OF_LAW : [];
  return new Set([...stopping, ...unknown, ...unkept, 'axes']);
}

/** Equal but for the rounding of another machine. */
export function sameValue(a: Row[keyof Row], b: Row[keyof Row]): boolean {
  return a === b || (typeof a === 'number' && typeof b === 'number' && close(a, b));
}

function rowFaults(audited: AuditedCell, sweep: Sweep, where: string): Fault[] {
  const due = dueRows(audited, sweep);
  const names = (rows: readonly Row[]): string => rows.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  if (names(due) !== names(audited.rows)) return [{ where, what: `its rows are ${names(audited.rows)}` }];
  const skipped = untold(audited, sweep);
  return due.flatMap((row, r) => {
    const found = audited.rows[r] ?? row;
    const axes = sweep.columns.find((axis) => heldOf(axis, row.axes[axis.name]) !== found.axes[axis.name])?.name;
    const off = (Object.keys(row) as (keyof Omit<Row, 'axes'>)[]).find(
      (key) => !skipped.has(key) && !sameValue(row[key], found[key]),
    );
    if (axes === undefined && off === undefined) return [];
    const what =
      off === undefined
        ? `${axes ?? ''} is not that of the design`
        : `${off} is ${String(found[off])}, not ${String(row[off])}`;
    return [{ where: `${where} ${row.name}`, what }];
  });
}

/** What rows of histograms tell: counts and law, each undefined if no row has one. */
interface Told {
  readonly counts: Tally | undefined;
  readonly law: Tally | undefined;
}

/** What no battle gives is not added up: values may be anything, and a tally has room for all between them. */
function toldIn(shape: TallyShape, rows: readonly HistogramRow[]): Told | { readonly stray: string } {
  const stray = strayRow(shape, rows);
  if (stray !== undefined) return { stray };
  const counts = rows.some(({ count }) => count !== null) ? countsOf(shape, rows) : undefined;
  const isLaw = rows.some(({ probability }) => probability !== null);
  return { counts, law: isLaw ? tallyOf(shape, rows, ({ probability }) => probability) : undefined };
}

/** One row of a run. */
function rowOf({ values, weights, weigh, ...of }: HistogramRun, v: number): HistogramRow {
  const { cell, kind, name, outcome, from, to } = of;
  const value = kind === 'metric' ? (values[v] ?? null) : null;
  const weight = weights[v] ?? null;
  const [count, probability] = weigh === 'count' ? [weight, null] : [null, weight];
  return { cell, kind, name, outcome, value, from, to, count, probability };
}

/** Whether that is one row of a run; without making it, for there are millions. */
function isRow(row: HistogramRow, run: HistogramRun, v: number): boolean {
  const { kind, weigh } = run;
  if (row.cell !== run.cell || row.kind !== kind || row.name !== run.name || row.outcome !== run.outcome) return false;
  if (row.from !== run.from || row.to !== run.to || row.value !== (kind === 'metric' ? run.values[v] : null))
    return false;
  // No row has both: such a one is a stray.
  return (weigh === 'count' ? row.count : row.probability) === run.weights[v];
}

/** The first row that is another one than it should be, with that; undefined if there is none. */
function firstOff(
  rows: readonly HistogramRow[],
  runs: Iterable<HistogramRun>,
): readonly [found: HistogramRow | undefined, due: HistogramRow | undefined] | undefined {
  let r = 0;
  for (const run of runs)
    for (let v = 0; v < run.values.length; v++, r++) {
      const row = rows[r];
      if (row === undefined || !isRow(row, run, v)) return [row, rowOf(run, v)];
    }
  return r < rows.length ? [rows[r], undefined] : undefined;
}

/** Whatever one part of `histograms/` has of a cell that a sweep would not write there. @param told in it */
function countedFaults(
  { file, rows }: CountedPart,
  cell: Cell,
  shape: TallyShape,
  told: ReturnType<typeof toldIn>,
  first: boolean,
): Fault[] {
  const where = `${file}, cell ${String(cell.index)}`;
  if ('stray' in told) return [{ where, what: told.stray }];
  const { counts = emptyTally(shape), law = emptyTally(shape) } = told;
  const { from = 0, to = 0 } = partName(file)?.counts ?? {};
  const range = { from, to: to === 'end' ? battlesIn(counts) : to };
  const off = firstOff(rows, [...runsOf(cell, shape, counts, range), ...(first ? runsOf(cell, shape, law) : [])]);
  if (off === undefined) return [];
  const [found, due] = off.map((row) => (row === undefined ? 'nothing' : JSON.stringify(row)));
  return [{ where, what: `it has ${found ?? ''}, not ${due ?? ''}` }];
}

/** The counts in a part of a run. @throws Error if so many battles cannot have given them */
export function talliedIn(part: CountedPart, cell: Cell, shape: TallyShape, due: number): Tally {
  const told = toldIn(shape, part.rows);
  const [stray] = countedFaults(part, cell, shape, told, false);
  const { counts = emptyTally(shape) } = 'stray' in told ? {} : told;
  const battles = battlesIn(counts);
  if (stray === undefined && battles !== due)
    throw new Error(`it counts ${String(battles)} battles, not ${String(due)}`);
  const [fault] = stray === undefined ? sumFaults(counts, shape, part.file, 0) : [stray];
  if (fault !== undefined) throw new Error(fault.what);
  return counts;
}

/** What the histograms and the rows of a cell say. */
export function auditedCell(
  cell: Cell,
  sweep: Sweep,
  rows: readonly Row[],
  parts: readonly CountedPart[],
): AuditedCell {
  const shape = shapeOfCell(cell, sweep);
  const told = parts.map((part) => [part, toldIn(shape, part.rows)] as const);
  const faults = told.flatMap(([part, own], p) => countedFaults(part, cell, shape, own, p === 0));
  const [first, ...others] = told;
  const alone = others.length === 0 ? first?.[1] : undefined;
  const whole =
    alone ??
    toldIn(
      shape,
      parts.flatMap((part) => part.rows),
    );
  const { counts, law } = 'stray' in whole ? {} : whole;
  return { cell, shape, counts, law, rows, faults };
}

/** Whatever in a cell does not agree with the rest of it. */
export function cellFaults(audited: AuditedCell, sweep: Sweep): Fault[] {
  const where = `cell ${String(audited.cell.index)}`;
  const none =
    audited.rows.length === 0 && keptOutcomes(audited.shape, sweep).length + audited.shape.metrics.length > 0;
  if (none) return [{ where, what: 'it has no rows' }];
  if (audited.counts === undefined && sweep.battles > 0)
    return [...audited.faults, { where, what: 'it has no counts' }];
  const { cell, counts, law, shape } = audited;
  const text =
    counts &&
    law &&
    disagreement(cell.scenario, summaryOf(sweep, shape, counts), summariseLaw(shape, law), battlesIn(counts));
  return [
    ...(text === undefined ? [] : [{ where, what: text }]),
    ...audited.faults,
    ...countFaults(audited, sweep, where),
    ...lawFaults(audited, where),
    ...rowFaults(audited, sweep, where),
  ];
}

/** Whatever a part of `table/` says of itself that is not so. @param rows that it has */
export function segmentFaults(facts: SegmentFacts, cells: readonly AuditedCell[], rows: number, part: string): Fault[] {
  const digest = segmentDigest(cells.map(({ cell, rows: own }) => [cell, own[0]?.digest]));
  const own = cells.reduce((sum, cell) => sum + cell.rows.length, 0);
  const faults: Fault[] = [];
  if (facts.cells !== cells.length)
    faults.push({ where: part, what: `it has ${String(cells.length)} cells and says ${String(facts.cells)}` });
  if (facts.rows !== rows)
    faults.push({ where: part, what: `it has ${String(rows)} rows and says ${String(facts.rows)}` });
  if (own !== rows) faults.push({ where: part, what: `it has ${String(rows - own)} rows of no cell` });
  if (facts.digest !== digest) faults.push({ where: part, what: 'its digest is not that of its cells' });
  return faults;
}
