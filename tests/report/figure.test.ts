/** Formats of estimates with intervals: digits, both ends, and reasons for wide intervals. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare } from '../../src/analysis/comparing/compare.ts';
import { createComparisonSheet } from '../../src/report/compare/comparison.ts';
import { createExactMetricTable, createMetricTable } from '../../src/report/run/estimate-tables.ts';
import {
  countDecimals,
  formatInterval,
  formatPercent,
  formatPercentNumber,
  formatValue,
  INPUT_SCALE,
  isRangeBound,
  MEAN,
  SHARE,
} from '../../src/report/sheet/estimated-value.ts';
import { formatBlocks, formatSheet } from '../../src/report/sheet/sheet.ts';
import { formatLevel } from '../../src/report/sweep-analysis/extreme-cells.ts';
import { formatExact, formatFixed, formatSignificant } from '../../src/report/text/number-format.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { updateScenario } from '../../src/rules/scenario/update-scenario.ts';
import { addBattle, type Counts, type CountsShape, createEmptyCounts } from '../../src/stats/counts.ts';
import { summarizeBattles, summarizeDistribution } from '../../src/stats/summary.ts';

const shape = (name: string, min: number, max: number): CountsShape => ({
  outcomes: ['a'],
  metrics: [{ name, min, max }],
});

/** @param values pairs of value and number of battles */
function countsOf(of: CountsShape, values: readonly (readonly [number, number])[]): Counts {
  const counts = createEmptyCounts(of);
  for (const [value, battles] of values) addBattle(counts, 0, [value], battles);
  return counts;
}

/** Returns the lines of the table, split into cells. */
function printed(name: string, [min, max]: readonly [number, number], values: readonly (readonly [number, number])[]) {
  const of = shape(name, min, max);
  const battles = values.reduce((sum, [, count]) => sum + count, 0);
  const lines = formatBlocks(createMetricTable(summarizeBattles(of, countsOf(of, values)), battles, undefined), {
    width: 200,
    paint: PLAIN_PAINT,
  });
  return lines.map((line) => line.split(/ {2,}/));
}

const ROUNDS = [
  [5, 30],
  [8, 40],
  [11, 31],
] as const;

describe('a mean', () => {
  test('has the digits of its standard error and both ends of its interval, for any declared range', () => {
    const [, wide, note] = printed('rounds', [0, 10_000], ROUNDS);
    const [, near, none] = printed('rounds', [0, 20], ROUNDS);
    expect(wide?.slice(0, 2)).toEqual(['rounds', '8.0']);
    expect(near?.slice(0, 2)).toEqual(['rounds', '8.0']);
    expect(wide?.[2]).toMatch(/^7\.\d \.\. 400\.\d$/);
    expect(near?.[2]).toBe('7.5 .. 8.7');
    expect(note).toEqual(['rounds: the interval is wide because maxRounds is 10 000; set a lower maxRounds']);
    expect(none).toBeUndefined();
  });

  test('of another metric mentions the declared range, unless the metric is only rare', () => {
    const [, , note] = printed('profit', [-1000, 1000], ROUNDS);
    expect(note?.join()).toMatch(/^profit: the interval is wide because its declared range is -1 000 \.\. 1 000; /);
    const rare = printed(
      'left',
      [0, 1000],
      [
        [0, 10_000],
        [1, 3],
      ],
    );
    expect(rare).toHaveLength(2);
  });

  test('in the middle of a wide range has the digits of a known standard error', () => {
    const figure = { value: 1.2742, interval: [-8.7, 11.3] as const, standardError: 0.031 };
    expect(formatValue(MEAN, figure)).toBe('1.27');
    expect(formatInterval(MEAN, figure)).toBe('-8.70 .. 11.30');
    expect(isRangeBound(figure)).toBe(true);
    // Without a standard error, the shorter side of the interval determines the digits.
    expect(countDecimals({ value: 8.383, interval: [8.18, 47.5] }, MEAN, 4)).toBe(1);
    expect(countDecimals({ interval: [8.18, 8.58] }, INPUT_SCALE, 4)).toBe(1);
  });

  test('of battles with one common value is that value', () => {
    const [, row] = printed('rounds', [0, 10_000], [[7, 500]]);
    expect(row?.slice(0, 3)).toEqual(['rounds', '7', '74']);
    expect(formatValue(MEAN, { value: 7, interval: [6.9, 80], standardError: 0 })).toBe('7');
  });

  test('that is exact is printed in full next to an estimate', () => {
    const of = shape('rounds', 0, 10_000);
    const distribution = summarizeDistribution(
      of,
      countsOf(of, [
        [8, 1 / 3],
        [9, 2 / 3],
      ]),
    );
    const lines = formatBlocks(createMetricTable(summarizeBattles(of, countsOf(of, ROUNDS)), 101, distribution), {
      width: 200,
      paint: PLAIN_PAINT,
    });
    expect(lines.join('\n')).toContain(' 8.666667 ');
  });
});

describe('a difference of means', () => {
  const duel = (hp: number) =>
    validateScenario({
      system: 'attrition',
      mode: 'direct',
      attacker: { attack: 2, defense: 1, hp: 30 },
      defender: { attack: 1, defense: 1, hp },
    });

  test('has the digits of its standard error, and names the setting that widens its interval', async () => {
    const result = await compare([duel(30), duel(27)], { of: 'rounds', battles: 2000 });
    const sheet = formatSheet(createComparisonSheet(result, ['one', 'two']), { width: 200, paint: PLAIN_PAINT });
    expect(sheet).toMatch(/\nrounds +8\.\d\d +7\.\d\d +-0\.\d\d +-2\d\.\d\d \.\. \+\d\d\.\d\d /);
    // Exact differences have all digits.
    expect(sheet).toMatch(/ [+-]\d\.\d{6} /);
    expect(sheet).toContain('rounds: intervals are wide because maxRounds is large; set a lower maxRounds');
    expect(sheet).not.toContain('hp.attacker: ');
    const low = [duel(30), duel(27)].map((each) => updateScenario(each, { maxRounds: 60 }));
    const narrow = await compare(low, { of: 'rounds', battles: 2000 });
    expect(
      formatSheet(createComparisonSheet(narrow, ['one', 'two']), { width: 200, paint: PLAIN_PAINT }),
    ).not.toContain('set a lower');
  });
});

describe('a percentage', () => {
  test('between 0 and 100 is never printed as 0 or 100', () => {
    const rules = [
      (p: number) => formatPercentNumber(formatExact, p, 4),
      (p: number) => formatPercentNumber(formatFixed, p, 1),
      (p: number) => formatPercentNumber(formatSignificant, p, 3),
      (p: number) => formatValue(SHARE, { value: p }).replace(' %', ''),
      (p: number) => formatValue(SHARE, { value: p, interval: [p / 2, (1 + p) / 2] }).replace(' %', ''),
    ];
    fc.assert(
      fc.property(fc.double({ min: 1e-13, max: 0.5, noNaN: true }), fc.boolean(), (gap, high) => {
        for (const rule of rules) {
          const text = rule(high ? 1 - gap : gap);
          expect([0, 100]).not.toContain(Number(text));
        }
      }),
    );
  });

  test('close to 100 keeps two digits of its complement', () => {
    expect(formatPercent(formatExact, 0.999_999_989, 4)).toBe('99.9999989 %');
    expect(formatValue(SHARE, { value: 1 - 1e-15 })).toBe('> 99.9999999999 %');
    expect(formatPercent(formatFixed, 0.0004, 0)).toBe('0.040 %');
    expect([0, 1, 0.5].map((p) => formatPercent(formatFixed, p, 1))).toEqual(['0.0 %', '100.0 %', '50.0 %']);
  });

  test('of a level whose values differ only by rounding is a single value', () => {
    const reading = { cell: 0, axes: {}, value: 5 / 18 };
    const level = { from: reading.value, to: reading.value + 1e-16, cells: 2, readings: [reading] };
    expect(formatLevel({ kind: 'outcome', name: 'a' }, level)).toBe('27.7778 %');
  });
});

test('exact tables omit metrics that are always 0 if there are many', () => {
  const names = Array.from({ length: 14 }, (_, m) => `m${String(m)}`);
  const of: CountsShape = { outcomes: ['a'], metrics: names.map((name) => ({ name, min: 0, max: 1 })) };
  const distribution = createEmptyCounts(of);
  addBattle(
    distribution,
    0,
    names.map((_, m) => (m < 2 ? 1 : 0)),
    1,
  );
  const lines = formatBlocks(createExactMetricTable(summarizeDistribution(of, distribution)), {
    width: 200,
    paint: PLAIN_PAINT,
  });
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toBe('(--json also has 12 metrics that are always 0)');
});
