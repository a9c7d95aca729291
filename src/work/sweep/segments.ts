/** How the points of a sweep are cut into segments, each of which is filled, stored and lost as one. */
import { BudgetError, InputError, Sampled, Stream, tellWork, type Words } from '../../core/index.ts';
import { budgetOf, solveInKernel, solveModel } from '../../engines/index.ts';
import { opened, watch } from '../../rules/index.ts';
import type { Cell, Sweep } from './sweep.ts';

/** Work of a segment, in battles of a fast kernel: about 0.4 seconds. All work is counted in such battles, never in seconds. */
const SEGMENT_BATTLES = 2 ** 22;

/** Points of a segment whose cells take little work. */
const POINTS = 128;

/** The most segments: files of a folder. */
const SEGMENTS_MAX = 10_000;

/** In large sweeps segments of cheap cells have more points: up to so many, and up to a part of all. */
const POINTS_MOST = 4096;
const SEGMENTS_LEAST = 256;

/** A sweep of more work than this, about two seconds, has at least so many segments, for threads and shards to share. */
const LONG = 5 * SEGMENT_BATTLES;
const LONG_SEGMENTS = 16;

/** Segments of a sweep whose work is unknown: few enough to cost nothing where its cells turn out to be cheap. */
const UNKNOWN_SEGMENTS = 64;

/** Points whose cells are examined to learn what cells cost. */
const SAMPLES = 17;

/** Random words of a battle that take a kernel as long as the battle that is the unit: measured over all scenarios. */
const WORDS = 4;

/** The most steps of a sampled battle, and the least battles of a sweep that is sampled: fewer are cheap in any case. */
const STEPS = 1000;
const BATTLES_SAMPLED = 2 ** 17;

/** Work of a step of an exact answer, or of a battle, by rules in TypeScript; a step of a kernel counts as a battle. */
const BY_RULES = 64;

/** Work of storing a value of a distribution. */
const VALUE = 4;

/** From this many battles a cell is played by all threads together. */
const SHARED = 2 ** 24;

/** Battles that a mean may need, which is not known beforehand. */
const FOR_A_MEAN = 2 ** 18;

/** Battles of a cell, as far as they are known beforehand. */
function battlesOfCell({ spec, battles }: Sweep): number {
  const { precision, precisionOf = 'outcomes' } = spec;
  if (precision === undefined) return battles;
  if (precisionOf !== 'outcomes') return Math.min(battles, FOR_A_MEAN);
  const text = String(precision);
  const number = Number.parseFloat(text) / (typeof precision === 'string' ? 100 : 1);
  // At 95 % a probability of 1/2 needs 0.96 / precision^2, and four times as many to a part of itself.
  return Math.min(battles, (text.endsWith('%') ? 4 : 1) / number ** 2);
}

/** True if cells are so long that all threads play one together. */
export function sharesCells(sweep: Sweep): boolean {
  return battlesOfCell(sweep) > SHARED;
}

/** Points of a segment of so much work a cell. */
const fitting = (work: number): number => Math.floor(SEGMENT_BATTLES / Math.max(1, work));

/** Least and most points of a segment that a store of a sweep can have, however it was cut; the most if there is only one. */
export function segmentSizes(sweep: Sweep): readonly [least: number, most: number] {
  const { points } = sweep;
  const least = Math.max(1, Math.ceil(points / SEGMENTS_MAX));
  const fit = fitting(battlesOfCell(sweep));
  const large = Math.min(POINTS_MOST, Math.ceil(points / SEGMENTS_LEAST), fit);
  return [least, Math.max(least, Math.min(POINTS, fit), isCustom(sweep) ? 0 : large)];
}

const isCustom = ({ spec }: Sweep): boolean => opened(spec.scenario).isOwn;

/** The cells at points that are spread evenly over a sweep. Rejected scenarios are reported when they are to be simulated. */
function* sampledCells(sweep: Sweep): Generator<Cell> {
  for (let sample = 0; sample < SAMPLES; sample++) {
    try {
      const cell = sweep.cell(Math.floor(((sample + 0.5) / SAMPLES) * sweep.points));
      if (cell !== undefined) yield cell;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
}

/** The mean work of a battle, by the random words of a battle of each sampled cell. */
function battleWork(sweep: Sweep): number {
  if (isCustom(sweep)) return BY_RULES;
  if (sweep.points * battlesOfCell(sweep) < BATTLES_SAMPLED) return 1;
  let [words, battles] = [0, 0];
  for (const cell of sampledCells(sweep)) {
    const stream = Stream.of(cell.seed, battles++);
    const counted: Words = {
      seek(place) {
        stream.seek(place);
      },
      word() {
        words++;
        return stream.word();
      },
    };
    watch(opened(cell.scenario).model, new Sampled(counted), STEPS);
  }
  return Math.max(1, words / Math.max(1, battles) / WORDS);
}

/** What solving a cell and storing its law takes, in battles. @throws BudgetError if it is more than `most` */
function solvingWork({ scenario }: Cell, most: number): number {
  const open = opened(scenario);
  const known = solveInKernel(open, budgetOf(most));
  const { law, steps } = known ?? solveModel(open.model, budgetOf(Math.max(1, Math.floor(most / BY_RULES))));
  const values = law.metrics.reduce((sum, { counts }) => sum + counts.filter((share) => share > 0).length, 0);
  return (known === undefined ? BY_RULES : 1) * steps + VALUE * values;
}

/** The mean of that over the sampled cells; undefined if it is more than cells of full segments may take, or unknown. */
function meanSolvingWork(sweep: Sweep): number | undefined {
  if (sweep.spec.exact === 'never') return 0;
  // Rules of others may take any time, and nothing would end them here.
  if (isCustom(sweep)) return undefined;
  const most = (SAMPLES * SEGMENT_BATTLES) / POINTS;
  let work = 0;
  for (const cell of sampledCells(sweep)) {
    if (work >= most) return undefined;
    try {
      work += solvingWork(cell, Math.floor(most - work));
    } catch (error) {
      if (error instanceof BudgetError) return undefined;
      throw error;
    }
  }
  return work / SAMPLES;
}

function sizeOf(sweep: Sweep): number {
  const { points } = sweep;
  const [least, most] = segmentSizes(sweep);
  const playing = battlesOfCell(sweep) * battleWork(sweep);
  const solving = meanSolvingWork(sweep);
  const work = playing + (solving ?? 0);
  // Where cells may be dear, small segments cost least; so few do not count where there are many cells.
  const dearest = solving === undefined ? Math.min(POINTS, points / UNKNOWN_SEGMENTS) : most;
  const shared = points * work > LONG ? points / LONG_SEGMENTS : most;
  const size = Math.max(least, Math.min(most, fitting(work), Math.floor(dearest), Math.floor(shared)));
  return size < points ? size : most;
}

const sizes = new WeakMap<Sweep, number>();

/** Points of each segment; the last may have fewer. It follows from the sweep alone, the same on every machine. */
export function segmentSize(sweep: Sweep): number {
  const size = sizes.get(sweep) ?? sizeOf(sweep);
  sizes.set(sweep, size);
  return size;
}

export function segmentsOf({ points }: Sweep, size: number): number {
  return Math.ceil(points / size);
}

/** The points of a segment. */
export function pointsOf({ points }: Sweep, size: number, segment: number): readonly [from: number, to: number] {
  return [segment * size, Math.min(points, (segment + 1) * size)];
}

/** Points between two reports of progress. */
const TOLD_EVERY = 2 ** 14;

/** Cells of a segment: its points without those that the condition leaves out. */
export function cellsOf(sweep: Sweep, size: number, segment: number): number {
  const [from, to] = pointsOf(sweep, size, segment);
  if (sweep.spec.where === undefined) return to - from;
  let cells = 0;
  for (let point = from; point < to; point++) {
    if (sweep.has(point)) cells++;
    if (point % TOLD_EVERY === 0) tellWork(point, sweep.points, 'points');
  }
  return cells;
}
