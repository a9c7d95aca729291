/** Division of the points of a sweep into segments: units of filling, storage and loss. */
import { BudgetError, InputError, reportProgress, SampledChance, Stream, type WordStream } from '../../core/index.ts';
import { createBudget, solveInKernel, solveModel } from '../../engines/index.ts';
import { getBoundScenario, traceBattle } from '../../rules/index.ts';
import type { Cell, Sweep } from './sweep.ts';

/** Work of a segment, in battles of a fast kernel: about 0.4 seconds. All work is counted in such battles, never in seconds. */
const SEGMENT_BATTLES = 2 ** 22;

/** Points of a segment of cheap cells. */
const CHEAP_SEGMENT_POINTS = 128;

/** Maximum number of segments, and so of files in a folder. */
const SEGMENTS_MAX = 10_000;

/** Maximum points of a segment of cheap cells in a large sweep, together with a maximum share of all points. */
const SEGMENT_POINTS_MAX = 4096;
const SEGMENTS_MIN = 256;

/** Work of a long sweep, about two seconds; longer sweeps have a minimum number of segments, for threads and shards. */
const LONG_SWEEP_WORK = 5 * SEGMENT_BATTLES;
const LONG_SEGMENTS = 16;

/** Segments of a sweep with unknown work: few enough to cost nothing if its cells are cheap. */
const UNKNOWN_SEGMENTS = 64;

/** Points whose cells are examined to estimate the cost of cells. */
const SAMPLED_POINTS = 17;

/** Random words per battle that take a kernel as long as a battle of unit work: measured over all scenarios. */
const WORDS_PER_WORK = 4;

/** Maximum steps of a sampled battle, and minimum battles of a sampled sweep: smaller ones are cheap in any case. */
const SAMPLED_STEPS_MAX = 1000;
const BATTLES_SAMPLED = 2 ** 17;

/** Work of a step of an exact answer, or of a battle, by rules in TypeScript; a step of a kernel counts as a battle. */
const RULES_STEP_WORK = 64;

/** Work of storing a value of a distribution. */
const STORED_VALUE_WORK = 4;

/** From this number of battles on, all threads simulate a cell together. */
const SHARED_CELL_BATTLES = 2 ** 24;

/** Assumed number of battles for a mean with a precision; the real number is unknown in advance. */
const MEAN_BATTLES_MAX = 2 ** 18;

/** Estimates the battles of a cell. */
function estimateCellBattles({ spec, battles }: Sweep): number {
  const { precision, precisionOf = 'outcomes' } = spec;
  if (precision === undefined) return battles;
  if (precisionOf !== 'outcomes') return Math.min(battles, MEAN_BATTLES_MAX);
  const text = String(precision);
  const number = Number.parseFloat(text) / (typeof precision === 'string' ? 100 : 1);
  // At 95 % a probability of 1/2 needs 0.96 / precision^2 battles; a relative precision needs four times as many.
  return Math.min(battles, (text.endsWith('%') ? 4 : 1) / number ** 2);
}

/** True if cells are so long that all threads simulate one cell together. */
export function hasSharedCells(sweep: Sweep): boolean {
  return estimateCellBattles(sweep) > SHARED_CELL_BATTLES;
}

/** Returns the points of a segment for this work per cell. */
const fitPoints = (work: number): number => Math.floor(SEGMENT_BATTLES / Math.max(1, work));

/**
 * Returns the least and greatest number of points of a segment in any store of this sweep; the greatest if there is
 * only one.
 */
export function computeSegmentSizeRange(sweep: Sweep): readonly [least: number, most: number] {
  const { points } = sweep;
  const least = Math.max(1, Math.ceil(points / SEGMENTS_MAX));
  const fit = fitPoints(estimateCellBattles(sweep));
  const large = Math.min(SEGMENT_POINTS_MAX, Math.ceil(points / SEGMENTS_MIN), fit);
  return [least, Math.max(least, Math.min(CHEAP_SEGMENT_POINTS, fit), isCustom(sweep) ? 0 : large)];
}

const isCustom = ({ spec }: Sweep): boolean => getBoundScenario(spec.scenario).isCustom;

/** Yields cells at evenly spread points. Skips rejected scenarios: they are reported when they are simulated. */
function* sampleCells(sweep: Sweep): Generator<Cell> {
  for (let sample = 0; sample < SAMPLED_POINTS; sample++) {
    try {
      const cell = sweep.cell(Math.floor(((sample + 0.5) / SAMPLED_POINTS) * sweep.points));
      if (cell !== undefined) yield cell;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
}

/** Estimates the mean work of a battle from the random words of one battle of each sampled cell. */
function estimateBattleWork(sweep: Sweep): number {
  if (isCustom(sweep)) return RULES_STEP_WORK;
  if (sweep.points * estimateCellBattles(sweep) < BATTLES_SAMPLED) return 1;
  let [words, battles] = [0, 0];
  for (const cell of sampleCells(sweep)) {
    const stream = Stream.forBattle(cell.seed, battles++);
    const counted: WordStream = {
      seek(place) {
        stream.seek(place);
      },
      word() {
        words++;
        return stream.word();
      },
    };
    traceBattle(getBoundScenario(cell.scenario).model, new SampledChance(counted), SAMPLED_STEPS_MAX);
  }
  return Math.max(1, words / Math.max(1, battles) / WORDS_PER_WORK);
}

/**
 * Measures the work of solving a cell and storing its distribution, in battles. @throws BudgetError if it exceeds
 * `most`
 */
function measureSolvingWork({ scenario }: Cell, most: number): number {
  const open = getBoundScenario(scenario);
  const known = solveInKernel(open, createBudget(most));
  const { distribution, steps } =
    known ?? solveModel(open.model, createBudget(Math.max(1, Math.floor(most / RULES_STEP_WORK))));
  const values = distribution.metrics.reduce((sum, { counts }) => sum + counts.filter((share) => share > 0).length, 0);
  return (known === undefined ? RULES_STEP_WORK : 1) * steps + STORED_VALUE_WORK * values;
}

/** Returns the mean solving work of the sampled cells; undefined if it is unknown or too large for full segments. */
function estimateSolvingWork(sweep: Sweep): number | undefined {
  if (sweep.spec.exact === 'never') return 0;
  // Custom rules may take any time, and nothing would stop them here.
  if (isCustom(sweep)) return undefined;
  const most = (SAMPLED_POINTS * SEGMENT_BATTLES) / CHEAP_SEGMENT_POINTS;
  let work = 0;
  for (const cell of sampleCells(sweep)) {
    if (work >= most) return undefined;
    try {
      work += measureSolvingWork(cell, Math.floor(most - work));
    } catch (error) {
      if (error instanceof BudgetError) return undefined;
      throw error;
    }
  }
  return work / SAMPLED_POINTS;
}

function computeSegmentSize(sweep: Sweep): number {
  const { points } = sweep;
  const [least, most] = computeSegmentSizeRange(sweep);
  const playing = estimateCellBattles(sweep) * estimateBattleWork(sweep);
  const solving = estimateSolvingWork(sweep);
  const work = playing + (solving ?? 0);
  // If cells may be expensive, small segments cost least; with many cells, a few expensive ones do not matter.
  const dearest = solving === undefined ? Math.min(CHEAP_SEGMENT_POINTS, points / UNKNOWN_SEGMENTS) : most;
  const shared = points * work > LONG_SWEEP_WORK ? points / LONG_SEGMENTS : most;
  const size = Math.max(least, Math.min(most, fitPoints(work), Math.floor(dearest), Math.floor(shared)));
  return size < points ? size : most;
}

const sizes = new WeakMap<Sweep, number>();

/** Returns the points of each segment; the last may have fewer. It depends only on the sweep, so all machines agree. */
export function getSegmentSize(sweep: Sweep): number {
  const size = sizes.get(sweep) ?? computeSegmentSize(sweep);
  sizes.set(sweep, size);
  return size;
}

export function countSegments({ points }: Sweep, size: number): number {
  return Math.ceil(points / size);
}

/** The points of a segment. */
export function locateSegment({ points }: Sweep, size: number, segment: number): readonly [from: number, to: number] {
  return [segment * size, Math.min(points, (segment + 1) * size)];
}

/** Points between two progress reports. */
const PROGRESS_EVERY = 2 ** 14;

/** Counts the cells of a segment: its points except excluded ones. */
export function countCells(sweep: Sweep, size: number, segment: number): number {
  const [from, to] = locateSegment(sweep, size, segment);
  if (sweep.spec.where === undefined) return to - from;
  let cells = 0;
  for (let point = from; point < to; point++) {
    if (sweep.has(point)) cells++;
    if (point % PROGRESS_EVERY === 0) reportProgress(point, sweep.points, 'points');
  }
  return cells;
}
