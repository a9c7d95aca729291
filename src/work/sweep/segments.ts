/**
 * Segments of a sweep: runs of points that are played and stored together. How long they are follows from the sweep
 * alone, so any number of threads writes the same files.
 */
import type { Sweep } from './sweep.ts';

/** Battles of a segment: some tenths of a second. */
const BATTLES = 2 ** 22;

/** Points of a segment whose cells are solved, or have few battles. */
const POINTS = 128;

/** The most segments: files of a folder. */
const SEGMENTS_MAX = 10_000;

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

/** Points of each segment; the last may have fewer. */
export function segmentSize(sweep: Sweep): number {
  const fitting = Math.floor(BATTLES / Math.max(1, battlesOfCell(sweep)));
  return Math.max(1, Math.min(POINTS, fitting), Math.ceil(sweep.points / SEGMENTS_MAX));
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
