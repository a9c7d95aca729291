/** Estimates the time and the disk space of a sweep from a few of its cells. */

import { availableParallelism } from 'node:os';
import { findExactAnswerOffThread, simulate, THREADS } from '../../analysis/index.ts';
import { createOptionsCheck } from '../../core/index.ts';
import { checkStart } from '../../engines/index.ts';
import { resolveOptions } from '../../rules/option-spec.ts';
import { checkShard, isInShard, type Shard } from '../folder/shard.ts';
import { countCells, countSegments, getSegmentSize, hasSharedCells } from '../sweep/segments.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { type ComputedCell, computeCell, getExactMode, selectShape } from './cell.ts';
import { checkSweep } from './manifest.ts';
import { encodeSegment, LOCAL_PLAYERS } from './segment.ts';

/** Estimated size of a sweep. */
export interface SweepEstimate {
  readonly points: number;
  /** Number of points that meet the condition. */
  readonly cells: number;
  /** Cells whose scenarios were checked, and the number of computed cells among them. */
  readonly checked: number;
  readonly tried: number;
  /** Number of segments, and points of each segment; the last may have fewer. */
  readonly segments: number;
  readonly segmentSize: number;
  /** Requested shard, to which `seconds` and `bytes` refer, with its segments and cells. */
  readonly shard?: Shard & { readonly segments: number; readonly cells: number };
  /** Seconds of all cells, or of the shard, with `workers` threads; undefined if no cell was computed. */
  readonly seconds: number | undefined;
  readonly workers: number;
  /** Bytes of the whole store, or of the parts of the shard. */
  readonly bytes: number | undefined;
  /** Number of computed cells with an exact answer. */
  readonly solved: number;
}

/** Number of computed cells, and seconds after which no more are computed. */
const TRIED_CELLS = 16;
const SECONDS = 5;

/**
 * If the first cells take fewer seconds than this, more are computed, up to a number: compilation dominates the time of
 * cells that take less than a millisecond.
 */
const ENOUGH_SECONDS = 0.4;
const TRIED_MAX = 4096;

/** Seconds of battles from which the time of other battles can be estimated. */
const PROBE_SECONDS = 0.1;

/** Cells that take fewer seconds are computed completely. */
const WHOLE_CELL_SECONDS = 1;

/** Maximum number of checked scenarios, which takes about two seconds. */
const CHECKED_MAX = 20_000;

/**
 * Selects points that meet the condition, from the whole sweep. Several at a time are neighbors, like the points of a
 * part, because a part stores common values once.
 */
function* spreadPoints(sweep: Sweep, cells: number, wanted: number): Generator<number> {
  const together = Math.ceil(Math.sqrt(wanted));
  const stride = Math.max(together, (cells * together) / wanted);
  let [seen, next] = [0, 0];
  for (let point = 0; point < sweep.points; point++) {
    if (!sweep.has(point)) continue;
    if (seen >= next + together) next += stride;
    if (seen++ >= next) yield point;
  }
}

interface Trial {
  /** Seconds of one thread to simulate, solve and write all computed cells. */
  seconds: number;
  readonly results: ComputedCell[];
  solved: number;
}

const computeSecondsSince = (began: number): number => (performance.now() - began) / 1000;

/** Trial: its duration, and the number of busy cores. */
class TrialRound {
  readonly #began = performance.now();
  readonly #used = process.cpuUsage();

  get seconds(): number {
    return computeSecondsSince(this.#began);
  }

  /** More than 1 because garbage collection runs concurrently. With one thread per core, it has no core for that. */
  get cores(): number {
    const { user, system } = process.cpuUsage(this.#used);
    return (user + system) / 1e6 / this.seconds;
  }
}

/** Seconds that threads need to start and to open the sweep file. */
const START_SECONDS = 0.2;

/** Bytes of a manifest without its list of parts, and of an entry in it. */
const MANIFEST_BYTES = 1200;
const ENTRY_BYTES = 140;

/** Number of simulated battles of a cell, and the estimated time of all. */
interface BattleProbe {
  readonly battles: number;
  readonly seconds?: number;
}

/**
 * Simulates more and more battles of a cell until they suffice to estimate the time of all. The time before the first
 * battle is in all of these runs, so differences between them exclude it.
 */
async function probeCell(cell: Cell, { battles, spec }: Sweep, signal: AbortSignal | undefined): Promise<BattleProbe> {
  let start = Number.POSITIVE_INFINITY;
  for (let tried = 1; tried < battles; tried *= 4) {
    const began = performance.now();
    await simulate(cell.scenario, { battles: tried, seed: cell.seed, pool: LOCAL_PLAYERS, signal });
    const seconds = computeSecondsSince(began);
    start = Math.min(start, seconds);
    if (seconds - start < PROBE_SECONDS) continue;
    const all = start + ((seconds - start) / tried) * battles;
    return spec.precision !== undefined || all < WHOLE_CELL_SECONDS ? { battles } : { battles: tried, seconds: all };
  }
  return { battles };
}

async function tryOut(cell: Cell, whole: Sweep, trial: Trial, signal: AbortSignal | undefined): Promise<void> {
  const { spec, battles: all } = whole;
  let began = performance.now();
  // The exact answer takes the same time with fewer battles.
  const exact = await findExactAnswerOffThread(cell.scenario, getExactMode(spec), all, spec.budget, signal);
  trial.seconds += computeSecondsSince(began);
  if (exact !== undefined) trial.solved++;
  if (exact !== undefined && spec.exact === 'instead') {
    trial.results.push({ cell, shape: selectShape(exact.shape, spec.keep.metrics), exact });
    return;
  }
  const { battles, seconds } = await probeCell(cell, whole, signal);
  began = performance.now();
  const sweep = { ...whole, battles, spec: { ...spec, exact: 'never' as const } };
  const played = await computeCell(cell, sweep, { players: LOCAL_PLAYERS, signal });
  trial.seconds += seconds ?? computeSecondsSince(began);
  trial.results.push({ ...played, exact });
}

/** Computes cells at some points: at least one, and no more when the time is over. */
async function tryCells(
  sweep: Sweep,
  points: Iterable<number>,
  began: number,
  signal: AbortSignal | undefined,
): Promise<Trial> {
  const trial: Trial = { seconds: 0, results: [], solved: 0 };
  for (const point of points) {
    const made = performance.now();
    const cell = sweep.cell(point);
    if (cell === undefined || (computeSecondsSince(began) > SECONDS && trial.results.length > 0)) break;
    trial.seconds += computeSecondsSince(made);
    await tryOut(cell, sweep, trial, signal);
  }
  return trial;
}

/** Computes the bytes of the parts of a segment with these cells. */
function measureSegmentBytes(results: readonly ComputedCell[], sweep: Sweep): number {
  return encodeSegment(sweep, '0'.repeat(64), 0, results).parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Computes the bytes of the whole store, with the constant bytes of each part and its entry in the manifest. */
function estimateStoreBytes(results: readonly ComputedCell[], sweep: Sweep, cells: number, segments: number): number {
  const [first] = results;
  if (first === undefined) return 0;
  const one = measureSegmentBytes([first], sweep);
  const each = results.length === 1 ? one : (measureSegmentBytes(results, sweep) - one) / (results.length - 1);
  const overhead = results.length === 1 ? 0 : Math.max(0, one - each);
  return MANIFEST_BYTES + segments * (overhead + 2 * ENTRY_BYTES) + cells * each;
}

/** Computes the maximum number of segments, or parts of them, that one of the threads computes. */
function countTurns(sweep: Sweep, cells: number, segments: number, workers: number): number {
  if (hasSharedCells(sweep)) return cells / workers;
  return segments === 0 ? 0 : (Math.ceil(segments / workers) * cells) / segments;
}

/** Options of `estimateSweep`. */
export interface EstimateSweepOptions {
  /** Threads that will simulate, 1..256; the number of cores by default. */
  readonly workers?: number | string | undefined;
  /** Stops the estimate. */
  readonly signal?: AbortSignal | undefined;
  /** Estimates the time and disk of this shard only. */
  readonly shard?: Shard | undefined;
}

const checkOptions = createOptionsCheck<EstimateSweepOptions>('estimateSweep', {
  ...THREADS,
  signal: true,
  shard: true,
});

/** Counts the segments and cells of a shard. */
function countShard(sweep: Sweep, shard: Shard, size: number): SweepEstimate['shard'] & object {
  const own = [...Array(countSegments(sweep, size)).keys()].filter((segment) => isInShard(shard, segment));
  const cells = own.reduce((sum, segment) => sum + countCells(sweep, size, segment), 0);
  return { index: shard.index, of: shard.of, segments: own.length, cells };
}

/**
 * Estimates the time and disk space of a sweep or shard: counts its cells, checks some scenarios, computes some cells.
 * @throws InputError if the scenario of a cell is rejected
 * @throws RunError if the signal comes first
 */
export async function estimateSweep(sweep: Sweep, options: EstimateSweepOptions = {}): Promise<SweepEstimate> {
  checkOptions(options);
  checkSweep(sweep);
  const { signal, shard: requested } = options;
  if (requested !== undefined) checkShard(requested);
  checkStart(signal);
  const workers = resolveOptions(THREADS, options).workers ?? availableParallelism();
  const cells = countCells(sweep, sweep.points, 0);
  const size = getSegmentSize(sweep);
  const shard = requested && countShard(sweep, requested, size);
  let checked = 0;
  for (const point of spreadPoints(sweep, cells, CHECKED_MAX)) {
    sweep.cell(point);
    checked++;
  }
  const began = performance.now();
  // The first cell includes compilation, so it is computed twice.
  await tryCells(sweep, spreadPoints(sweep, cells, 1), began, signal);
  let round = new TrialRound();
  let trial = await tryCells(sweep, spreadPoints(sweep, cells, TRIED_CELLS), began, signal);
  for (
    let wanted = 4 * TRIED_CELLS;
    round.seconds < ENOUGH_SECONDS && wanted <= Math.min(cells, TRIED_MAX);
    wanted *= 4
  ) {
    round = new TrialRound();
    trial = await tryCells(sweep, spreadPoints(sweep, cells, wanted), began, signal);
  }
  const { results, solved } = trial;
  const tried = results.length;
  const cut = { segments: countSegments(sweep, size), segmentSize: size, ...(shard !== undefined && { shard }) };
  const found = { points: sweep.points, cells, checked, tried, solved, workers, ...cut };
  if (tried === 0) return { ...found, seconds: undefined, bytes: undefined };
  const { cores } = round;
  const encoding = performance.now();
  const { cells: due, segments: parts } = shard ?? { cells, segments: cut.segments };
  const segments = Math.min(due, parts);
  const bytes = estimateStoreBytes(results, sweep, due, segments);
  trial.seconds += computeSecondsSince(encoding) / 2;
  const each = (trial.seconds / tried) * Math.max(1, (cores * workers) / availableParallelism());
  return { ...found, seconds: START_SECONDS + each * countTurns(sweep, due, segments, workers), bytes };
}
