import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHistogramBins, formatBar, formatHistograms } from '../../src/report/text/histogram.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { summarizeBattles } from '../../src/stats/summary.ts';
import { countsOf, shape } from './sample.ts';

const labels = (weights: readonly (readonly [number, number])[], unit = 1): string[] =>
  createHistogramBins(weights, 8, unit).map(({ from, to }) =>
    from === to ? String(from) : `${String(from)}..${String(to)}`,
  );

describe('histogram bins', () => {
  test('contain one value each if there are few values', () => {
    expect(labels([1, 2, 3, 5].map((value) => [value, 1]))).toEqual(['1', '2', '3', '4', '5']);
  });

  test('may contain multiples of one half', () => {
    expect(
      labels(
        [-0.5, 0, 1].map((value) => [value, 1]),
        0.5,
      ),
    ).toEqual(['-0.5', '0', '0.5', '1']);
  });

  test('have one round width if there are many values', () => {
    expect(labels(Array.from({ length: 31 }, (_, value) => [value, 1]))).toEqual([
      '0',
      '1..4',
      '5..9',
      '10..14',
      '15..19',
      '20..24',
      '25..29',
      '30',
    ]);
  });

  test('separate heavy ends, and tails do not stretch the scale', () => {
    const weights = Array.from({ length: 31 }, (_, value): [number, number] => [value, value === 0 ? 4000 : 100]);
    expect(labels([...weights, [900, 1]])).toEqual([
      '0',
      '1..4',
      '5..9',
      '10..14',
      '15..19',
      '20..24',
      '25..29',
      '30..900',
    ]);
  });

  test('contain every value once, and their shares sum to one', () => {
    const values = fc.uniqueArray(fc.integer({ min: -500, max: 100_000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 1000 }), fc.constantFrom(1, 0.5), (all, weight, unit) => {
        const weights = all
          .toSorted((a, b) => a - b)
          .map((value, v): [number, number] => [value * unit, v === 0 ? weight : 1]);
        const bins = createHistogramBins(weights, 8, unit);
        expect(bins.length).toBeLessThanOrEqual(8);
        for (const [value] of weights) {
          expect(bins.filter(({ from, to }) => value >= from && value <= to)).toHaveLength(1);
        }
        expect(bins.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
      }),
    );
  });
});

describe('bars', () => {
  test('have a resolution of one eighth of a character', () => {
    expect(formatBar(1, 4)).toBe('████');
    expect(formatBar(0.5, 4)).toBe('██');
    expect(formatBar(1 / 32, 4)).toBe('▏');
    expect(formatBar(1 / 4 + 1 / 16, 4)).toBe('█▎');
  });

  test('of positive values are never empty', () => {
    expect(formatBar(1e-9, 4)).toBe('▏');
    expect(formatBar(0, 4)).toBe('');
  });
});

describe('panels', () => {
  const { metrics } = summarizeBattles(
    shape,
    countsOf([
      [0, 1, -4, 10],
      [1, 2, 3, 30],
    ]),
  );
  const look = { width: 80, paint: PLAIN_PAINT };
  const units = new Map([['margin', 0.5]]);

  test('are printed side by side', () => {
    const lines = formatHistograms(metrics, units, true, look);
    expect(lines[0]).toMatch(/^rounds +margin$/);
    expect(lines[1]).toMatch(/^1 █+▋? +25 % {3} +-2 █+.? +25 %$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('omit constant metrics, unless all metrics are requested', () => {
    const still = summarizeBattles(
      shape,
      countsOf([
        [0, 1, -4, 10],
        [0, 2, -4, 10],
      ]),
    ).metrics;
    expect(formatHistograms(still, units, false, look)[0]).toBe('rounds');
    expect(formatHistograms(still, units, true, look)[0]).toMatch(/^rounds +margin$/);
  });
});
