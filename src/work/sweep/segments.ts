/** How the points of a sweep are cut into segments, each of which is filled, stored and lost as one. */
import { BudgetError } from '../../core/errors.ts';
import { budgetOf } from '../../engines/exact/budget.ts';
import { solveModel } from '../../engines/kernel/chain.ts';
import { solveInKernel } from '../../engines/kernel/solver.ts';
import { opened } from '../../rules/opened.ts';
import type { Cell, Sweep } from './sweep.ts';

/** Work of a segment, in battles: some tenths of a second. */
const SEGMENT_BATTLES = 2 ** 22;

/** Points of a segment whose cells are solved, or have few battles. */
const POINTS = 128;

/** The most segments: files of a folder. */
const SEGMENTS_MAX = 10_000;

/** In large sweeps segments of cheap cells have more points: up to so many, and up to a part of all. */
const POINTS_MOST = 4096;
const SEGMENTS_LEAST = 256;

/** Points whose cells are solved to learn what cells cost. */
const SAMPLES = 17;

/** What a step of an exact answer takes that the rules work out, in battles; one of a kernel takes as long as a battle. */
const STEP_BY_RULES = 64;

/** What storing a value of a law takes, in battles. */
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

/** Points of a segment of so much work a cell, in battles. */
const fitting = (work: number): number => Math.floor(SEGMENT_BATTLES / Math.max(1, work));

/**
 * Least and most points of a segment. They are the same where a sweep is small, or has a system of one's own, whose rules
 * may take any time; where they differ, `segmentSize` looks at cells.
 */
export function segmentSizes(sweep: Sweep): readonly [least: number, most: number] {
  const { points, spec } = sweep;
  const battles = battlesOfCell(sweep);
  const least = Math.max(1, Math.min(POINTS, fitting(battles)), Math.ceil(points / SEGMENTS_MAX));
  if (opened(spec.scenario).isOwn) return [least, least];
  const most = Math.min(POINTS_MOST, Math.ceil(points / SEGMENTS_LEAST), fitting(battles));
  return [least, Math.max(least, most)];
}

/** What solving a cell and storing its law takes, in battles. @throws BudgetError if it is more than `most` */
function solvingWork({ scenario }: Cell, most: number): number {
  const open = opened(scenario);
  const known = solveInKernel(open, budgetOf(most));
  const { law, steps } = known ?? solveModel(open.model, budgetOf(Math.max(1, Math.floor(most / STEP_BY_RULES))));
  const values = law.metrics.reduce((sum, { counts }) => sum + counts.filter((share) => share > 0).length, 0);
  return (known === undefined ? STEP_BY_RULES : 1) * steps + VALUE * values;
}

/** The mean of that over some cells; undefined if it is more than `enough`. */
function meanSolvingWork(sweep: Sweep, enough: number): number | undefined {
  const most = SAMPLES * enough;
  let work = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const cell = sweep.cell(Math.floor(((sample + 0.5) / SAMPLES) * sweep.points));
    if (cell === undefined) continue;
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

/**
 * Points of each segment; the last may have fewer. It follows from the sweep alone: what cells cost is counted in battles
 * and steps, not in seconds.
 * @throws InputError if the scenario of a cell that is looked at is refused
 */
export function segmentSize(sweep: Sweep): number {
  const [least, most] = segmentSizes(sweep);
  if (least === most) return least;
  const solving = sweep.spec.exact === 'never' ? 0 : meanSolvingWork(sweep, SEGMENT_BATTLES / least);
  if (solving === undefined) return least;
  return Math.max(least, Math.min(most, fitting(battlesOfCell(sweep) + solving)));
}

export function segmentsOf({ points }: Sweep, size: number): number {
  return Math.ceil(points / size);
}

/** The points of a segment. */
export function pointsOf({ points }: Sweep, size: number, segment: number): readonly [from: number, to: number] {
  return [segment * size, Math.min(points, (segment + 1) * size)];
}

/** Cells of a segment: its points without those that the condition leaves out. */
export function cellsOf(sweep: Sweep, size: number, segment: number): number {
  const [from, to] = pointsOf(sweep, size, segment);
  if (sweep.spec.where === undefined) return to - from;
  let cells = 0;
  for (let point = from; point < to; point++) if (sweep.has(point)) cells++;
  return cells;
}
