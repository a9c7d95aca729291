/**
 * Means that are carried by a rare, large value: runs that end by themselves hold no less often than a run of fixed
 * length whose size is known beforehand. 4 000 runs for each number: two of them that are equal in truth differ by more
 * than 0.02 with probability 0.005 at most, where they are 0.9. Seeds are fixed.
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

/** 5..15, or rarely 10 000. */
const battles = (p: number): Law => [
  ...Array.from({ length: 11 }, (_, k) => [5 + k, (1 - p) / 11] as const),
  [10_000, p] as const,
];

/** Some values alike, or rarely another one. */
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

/** What Student's interval has as its half-width after so many battles. */
const halfWidthAt = (law: Law, size: number): number => Z95 * Math.sqrt(varianceOf(law) / size);

function fixedHolds(law: Law, range: Interval, size: number, seed: bigint) {
  return (run: number): boolean => {
    const counts = law.map(() => 0);
    drawInto(counts, law, size, uniformOf(seed, run));
    const { mean, variance } = sampleIn(law, counts, range);
    return covers(computeMeanInterval95(mean, variance, size) ?? [1, 0], meanOf(law));
  };
}

/** What is measured, as docs/explanation/statistics.md has it: rows of its table. */
const measured = new Map<string, string[]>();

describe.each(DEPTH > 1 ? LAWS : some(LAWS))('%s', (name, law, range) => {
  test.each([20_000, 100_000, 1_000_000])('to what %i battles tell', (size) => {
    const halfWidth = halfWidthAt(law, size);
    const fixed = share(RUNS, fixedHolds(law, range, size, 1n));
    let played = 0;
    const ended = share(RUNS, (run) => {
      const end = meanRun(law, halfWidth, range, uniformOf(2n, run));
      played += end.battles / RUNS / size;
      return covers(end.interval, meanOf(law));
    });
    const cell = `${ended.toFixed(3)}, ${fixed.toFixed(3)}, x ${played.toFixed(1)}`;
    measured.set(name, [...(measured.get(name) ?? []), cell]);
    expect(ended).toBeGreaterThanOrEqual(fixed - 0.02);
    expect(ended).toBeGreaterThanOrEqual(0.94);
  });
});

/** Laws, declared ranges and sizes at which Student's interval fails, and one at which it does not. */
const FIXED: readonly (readonly [name: string, law: Law, range: Interval, size: number, student: number])[] = [
  ['10, or 1000 with 1e-4', rareOver([10], 1000, 1e-4), [10, 1000], 30_000, 0.85],
  ['10, or 1000 with 1e-3', rareOver([10], 1000, 1e-3), [10, 1000], 10_000, 0.93],
  ['5..15, or 10 000 with 1e-5', battles(1e-5), [5, 10_000], 100_000, 0.7],
  ['1..10', rareOver([1, 2, 3, 4, 5, 6, 7, 8, 9], 10, 0.1), [1, 10], 1000, 1],
];

test.each(some(FIXED))('%s: the interval after a fixed number of battles holds', (name, law, range, size, student) => {
  const held = share(RUNS, (run) => {
    const counts = law.map(() => 0);
    drawInto(counts, law, size, uniformOf(3n, run));
    return covers(computeFixedLengthInterval(sampleIn(law, counts, range)), meanOf(law));
  });
  const before = share(RUNS, fixedHolds(law, range, size, 3n));
  // An interval that holds with 0.95 is found below 0.936 with probability 3e-5.
  expect(held).toBeGreaterThanOrEqual(0.936);
  expect(before).toBeLessThanOrEqual(student);
  const cells = [name, formatGrouped(size), held.toFixed(3), before.toFixed(3)];
  const docs = readFileSync('docs/explanation/statistics.md', 'utf8').replaceAll(/ +/g, ' ');
  expect(docs).toContain(`\n| ${cells.join(' | ')} |\n`);
});

test('docs/explanation/statistics.md has the table of this', () => {
  const docs = readFileSync('docs/explanation/statistics.md', 'utf8').replaceAll(/ +/g, ' ');
  const rows = [...measured].map(([name, cells]) => `| ${name} | ${cells.join(' | ')} |`);
  expect(rows.filter((row) => !docs.includes(`\n${row}\n`))).toEqual([]);
  expect(measured.size).toBe(DEPTH > 1 ? LAWS.length : 1);
});
