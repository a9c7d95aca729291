/**
 * Means with a rare, large value: runs that stop at a precision target have at least the coverage of runs with a fixed
 * number of battles. Each coverage is from 4 000 runs: two of them with an equal true coverage of 0.9 differ by more
 * than 0.02 with probability 0.005 at most. Seeds are fixed.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatGrouped } from '../../src/core/numerals.ts';
import { computeMeanInterval95, type Interval, Z95 } from '../../src/stats/intervals.ts';
import { computeFixedLengthInterval } from '../../src/stats/mean-interval.ts';
import { DEPTH, some } from '../depth.ts';
import { drawInto, type Law, meanOf, uniformOf, varianceOf } from './draws.ts';
import { covers, meanRun, sampleIn, share } from './studies.ts';

const RUNS = 4000;

const rare = (value: number, p: number): Law => [
  [0, 1 - p],
  [value, p],
];

/** Creates the distribution of 5..15, or 10 000 with probability p. */
const battles = (p: number): Law => [
  ...Array.from({ length: 11 }, (_, k) => [5 + k, (1 - p) / 11] as const),
  [10_000, p] as const,
];

/** Creates a distribution of equally likely usual values and another value with probability p. */
const rareOver = (usual: readonly number[], value: number, p: number): Law => [
  ...usual.map((each) => [each, (1 - p) / usual.length] as const),
  [value, p],
];

const LAWS: readonly (readonly [name: string, law: Law, range: Interval])[] = [
  ['0, or 1000 with 1e-3', rare(1000, 1e-3), [0, 1000]],
  ['0, or 1000 with 1e-4', rare(1000, 1e-4), [0, 1000]],
  ['0, or 1000 with 1e-5', rare(1000, 1e-5), [0, 1000]],
  ['5..15, or 10 000 with 1e-5', battles(1e-5), [0, 10_000]],
];

/** Returns the half-width of Student's interval after `size` battles. */
const halfWidthAt = (exactDistribution: Law, size: number): number =>
  Z95 * Math.sqrt(varianceOf(exactDistribution) / size);

function fixedHolds(exactDistribution: Law, range: Interval, size: number, seed: bigint) {
  return (run: number): boolean => {
    const counts = exactDistribution.map(() => 0);
    drawInto(counts, exactDistribution, size, uniformOf(seed, run));
    const { mean, variance } = sampleIn(exactDistribution, counts, range);
    return covers(computeMeanInterval95(mean, variance, size) ?? [1, 0], meanOf(exactDistribution));
  };
}

/** Measured rows of the table in docs/explanation/statistics.md. */
const measured = new Map<string, string[]>();

describe.each(DEPTH > 1 ? LAWS : some(LAWS))('%s', (name, exactDistribution, range) => {
  test.each([20_000, 100_000, 1_000_000])('a run to the precision of %i battles covers the mean', (size) => {
    const halfWidth = halfWidthAt(exactDistribution, size);
    const fixed = share(RUNS, fixedHolds(exactDistribution, range, size, 1n));
    let simulated = 0;
    const ended = share(RUNS, (run) => {
      const end = meanRun(exactDistribution, halfWidth, range, uniformOf(2n, run));
      simulated += end.battles / RUNS / size;
      return covers(end.interval, meanOf(exactDistribution));
    });
    const cell = `${ended.toFixed(3)}, ${fixed.toFixed(3)}, x ${simulated.toFixed(1)}`;
    measured.set(name, [...(measured.get(name) ?? []), cell]);
    expect(ended).toBeGreaterThanOrEqual(fixed - 0.02);
    expect(ended).toBeGreaterThanOrEqual(0.94);
  });
});

/** Distributions, declared ranges and sizes for which Student's interval fails, and one for which it does not. */
const FIXED: readonly (readonly [name: string, law: Law, range: Interval, size: number, student: number])[] = [
  ['10, or 1000 with 1e-4', rareOver([10], 1000, 1e-4), [10, 1000], 30_000, 0.85],
  ['10, or 1000 with 1e-3', rareOver([10], 1000, 1e-3), [10, 1000], 10_000, 0.93],
  ['5..15, or 10 000 with 1e-5', battles(1e-5), [5, 10_000], 100_000, 0.7],
  ['1..10', rareOver([1, 2, 3, 4, 5, 6, 7, 8, 9], 10, 0.1), [1, 10], 1000, 1],
];

test.each(some(FIXED))(
  '%s: the interval after a fixed number of battles covers the mean',
  (name, exactDistribution, range, size, student) => {
    const held = share(RUNS, (run) => {
      const counts = exactDistribution.map(() => 0);
      drawInto(counts, exactDistribution, size, uniformOf(3n, run));
      return covers(computeFixedLengthInterval(sampleIn(exactDistribution, counts, range)), meanOf(exactDistribution));
    });
    const before = share(RUNS, fixedHolds(exactDistribution, range, size, 3n));
    // With a coverage of 0.95, a share below 0.936 has probability 3e-5.
    expect(held).toBeGreaterThanOrEqual(0.936);
    expect(before).toBeLessThanOrEqual(student);
    const cells = [name, formatGrouped(size), held.toFixed(3), before.toFixed(3)];
    const docs = readFileSync('docs/explanation/statistics.md', 'utf8').replaceAll(/ +/g, ' ');
    expect(docs).toContain(`\n| ${cells.join(' | ')} |\n`);
  },
);

test('the table in docs/explanation/statistics.md contains the measured coverage', () => {
  const docs = readFileSync('docs/explanation/statistics.md', 'utf8').replaceAll(/ +/g, ' ');
  const rows = [...measured].map(([name, cells]) => `| ${name} | ${cells.join(' | ')} |`);
  expect(rows.filter((row) => !docs.includes(`\n${row}\n`))).toEqual([]);
  expect(measured.size).toBe(DEPTH > 1 ? LAWS.length : 1);
});
