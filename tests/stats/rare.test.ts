/**
 * Means that are carried by a rare, large value: runs that end by themselves hold no less often than a run of fixed
 * length whose size is known beforehand. 4 000 runs for each number: two of them that are equal in truth differ by more
 * than 0.02 with probability 0.005 at most, where they are 0.9. Seeds are fixed.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Interval, mean95, Z95 } from '../../src/stats/intervals.ts';
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
    return covers(mean95(mean, variance, size) ?? [1, 0], meanOf(law));
  };
}

/** What is measured, as docs/statistics.md has it: rows of its table. */
const measured = new Map<string, string[]>();

describe.each(LAWS)('%s', (name, law, range) => {
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

test('docs/statistics.md has the table of this', () => {
  const docs = readFileSync('docs/statistics.md', 'utf8').replaceAll(/ +/g, ' ');
  const rows = [...measured].map(([name, cells]) => `| ${name} | ${cells.join(' | ')} |`);
  expect(rows.filter((row) => !docs.includes(`\n${row}\n`))).toEqual([]);
  expect(measured.size).toBe(LAWS.length);
});
