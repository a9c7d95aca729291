/** How the points of a sweep are cut into segments, each of which is filled, stored and lost as one. */
import { BudgetError, InputError, reportProgress, SampledChance, Stream, type WordStream } from '../../core/index.ts';
import { createBudget, solveInKernel, solveModel } from '../../engines/index.ts';
import { getBoundScenario, traceBattle } from '../../rules/index.ts';
import type { Cell, Sweep } from './sweep.ts';

/** Work of a segment, in battles of a fast kernel: about 0.4 seconds. All work is counted in such battles, never in seconds. */
const SEGMENT_BATTLES = 2 ** 22;

/** Points of a segment whose cells take little work. */
const CHEAP_SEGMENT_POINTS = 128;

/** The most segments: files of a folder. */
const SEGMENTS_MAX = 10_000;

/** In large sweeps segments of cheap cells have more points: up to so many, and up to a part of all. */
const SEGMENT_POINTS_MAX = 4096;
const SEGMENTS_MIN = 256;

/** A sweep of more work than this, about two seconds, has at least so many segments, for threads and shards to share. */
const LONG_SWEEP_WORK = 5 * SEGMENT_BATTLES;
const LONG_SEGMENTS = 16;

/** Segments of a sweep whose work is unknown: few enough to cost nothing where its cells turn out to be cheap. */
const UNKNOWN_SEGMENTS = 64;

/** Points whose cells are examined to learn what cells cost. */
const SAMPLED_POINTS = 17;

/** Random words of a battle that take a kernel as long as the battle that is the unit: measured over all scenarios. */
const WORDS_PER_WORK = 4;

/** The most steps of a sampled battle, and the least battles of a sweep that is sampled: fewer are cheap in any case. */
const SAMPLED_STEPS_MAX = 1000;
const BATTLES_SAMPLED = 2 ** 17;

/** Work of a step of an exact answer, or of a battle, by rules in TypeScript; a step of a kernel counts as a battle. */
const RULES_STEP_WORK = 64;

/** Work of storing a value of a distribution. */
const STORED_VALUE_WORK = 4;

/** From this many battles a cell is played by all threads together. */
const SHARED_CELL_BATTLES = 2 ** 24;

/** Battles that a mean may need, which is not known beforehand. */
const MEAN_BATTLES_MAX = 2 ** 18;

/** Battles of a cell, as far as they are known beforehand. */
function estimateCellBattles({ spec, battles }: Sweep): number {
  const { precision, precisionOf = 'outcomes' } = spec;
  if (precision === undefined) return battles;
  if (precisionOf !== 'outcomes') return Math.min(battles, MEAN_BATTLES_MAX);
  const text = String(precision);
  const number = Number.parseFloat(text) / (typeof precision === 'string' ? 100 : 1);
  // At 95 % a probability of 1/2 needs 0.96 / precision^2, and four times as many to a part of itself.
  return Math.min(battles, (text.endsWith('%') ? 4 : 1) / number ** 2);
}

/** True if cells are so long that all threads play one together. */
export function hasSharedCells(sweep: Sweep): boolean {
  return estimateCellBattles(sweep) > SHARED_CELL_BATTLES;
}

/** Points of a segment of so much work a cell. */
const fitPoints = (work: number): number => Math.floor(SEGMENT_BATTLES / Math.max(1, work));

/** Least and most points of a segment that a store of a sweep can have, however it was cut; the most if there is only one. */
export function computeSegmentSizeRange(sweep: Sweep): readonly [least: number, most: number] {
  const { points } = sweep;
  const least = Math.max(1, Math.ceil(points / SEGMENTS_MAX));
  const fit = fitPoints(estimateCellBattles(sweep));
  const large = Math.min(SEGMENT_POINTS_MAX, Math.ceil(points / SEGMENTS_MIN), fit);
  return [least, Math.max(least, Math.min(CHEAP_SEGMENT_POINTS, fit), isCustom(sweep) ? 0 : large)];
}

const isCustom = ({ spec }: Sweep): boolean => getBoundScenario(spec.scenario).isCustom;

/** The cells at points that are spread evenly over a sweep. Rejected scenarios are reported when they are to be simulated. */
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

/** The mean work of a battle, by the random words of a battle of each sampled cell. */
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

/** What solving a cell and storing its law takes, in battles. @throws BudgetError if it is more than `most` */
function measureSolvingWork({ scenario }: Cell, most: number): number {
  const open = getBoundScenario(scenario);
  const known = solveInKernel(open, createBudget(most));
  const { law, steps } = known ?? solveModel(open.model, createBudget(Math.max(1, Math.floor(most / RULES_STEP_WORK))));
  const values = law.metrics.reduce((sum, { counts }) => sum + counts.filter((share) => share > 0).length, 0);
  return (known === undefined ? RULES_STEP_WORK : 1) * steps + STORED_VALUE_WORK * values;
}

/** The mean of that over the sampled cells; undefined if it is more than cells of full segments may take, or unknown. */
function estimateSolvingWork(sweep: Sweep): number | undefined {
  if (sweep.spec.exact === 'never') return 0;
  // Rules of others may take any time, and nothing would end them here.
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
  // Where cells may be dear, small segments cost least; so few do not count where there are many cells.
  const dearest = solving === undefined ? Math.min(CHEAP_SEGMENT_POINTS, points / UNKNOWN_SEGMENTS) : most;
  const shared = points * work > LONG_SWEEP_WORK ? points / LONG_SEGMENTS : most;
  const size = Math.max(least, Math.min(most, fitPoints(work), Math.floor(dearest), Math.floor(shared)));
  return size < points ? size : most;
}

const sizes = new WeakMap<Sweep, number>();

/** Points of each segment; the last may have fewer. It follows from the sweep alone, the same on every machine. */
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

/** Points between two reports of progress. */
const PROGRESS_EVERY = 2 ** 14;

/** Cells of a segment: its points without those that the condition leaves out. */
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
