import { describe, expect, test } from 'vitest';
import { createExactSheet, createRunSheet } from '../../src/report/run/run-sheet.ts';
import { formatSheet, toPlainText } from '../../src/report/sheet/sheet.ts';
import { measureText, PLAIN_PAINT } from '../../src/report/text/table.ts';
import { alignDecimalPoints, breakName } from '../../src/report/text/wrapping.ts';
import {
  computeZScore,
  createEventMoments,
  createMetricMoments,
  formatZScoreCell,
} from '../../src/report/text/z-score.ts';
import { summarizeBattles, summarizeDistribution } from '../../src/stats/summary.ts';
import { countsOf, type Line, shape, simulated, solved } from './sample.ts';

const style = { width: 80, paint: PLAIN_PAINT, histograms: 'auto' } as const;
const LINES: readonly Line[] = [
  [0, 1, -4, 57_600],
  [0, 3, 2, 10_000],
  [1, 2, 3, 32_400],
];
const LAW: readonly Line[] = LINES.map(([outcome, rounds, margin, weight]) => [outcome, rounds, margin, weight / 1e5]);

function row(sheet: string, name: string): string[] {
  const line = sheet.split('\n').find((text) => text.startsWith(`${name} `)) ?? '';
  return line.trim().split(/ {2,}/);
}

describe('text report of a run', () => {
  test('rounds estimates to their intervals and shows zero with its upper bound', () => {
    const sheet = formatSheet(createRunSheet(simulated(LINES), 'fight', undefined, 100_000, style.histograms), style);
    expect(row(sheet, 'attacker')).toEqual(['attacker', '67 600', '67.6', '67.3 .. 67.9']);
    expect(row(sheet, 'never')).toEqual(['never', '0', '0', '< 0.0037']);
    expect(row(sheet, 'rounds')).toEqual(['rounds', '1.524', '1.520 .. 1.528', '4e-4', '0.670', '1', '1', '3']);
    expect(row(sheet, 'margin')).toEqual(['margin', '-0.566', '-0.576 .. -0.556', '2e-4', '1.6771', '-2', '-2', '1.5']);
    expect(sheet).toContain('fight · attrition · 100 000 battles · seed 18446744073709551615 · kernel\n');
    expect(sheet).toContain('digest d1\n');
    expect(sheet).toContain('200 000 battles/s · 2 threads\n');
  });

  test('rounds the means given each outcome separately', () => {
    const sheet = formatSheet(createRunSheet(simulated(LINES), 'fight', undefined, 100_000, style.histograms), style);
    expect(sheet).toMatch(/mean, given +attacker +__proto__\nrounds +1\.296 +2\n/);
  });

  test('shows 100 % with its lower bound', () => {
    const sheet = formatSheet(
      createRunSheet(simulated([[0, 1, 0, 1e6]]), 'fight', undefined, 1e6, style.histograms),
      style,
    );
    expect(row(sheet, 'attacker')).toEqual(['attacker', '1 000 000', '100', '> 99.99963']);
    expect(row(sheet, 'rounds')).toEqual(['rounds', '1', '4e-5', '0', '1', '1', '1']);
    expect(sheet).not.toContain('mean, given');
  });

  test('shows exact values next to estimates, and marks contradictions', () => {
    const off = solved([
      [0, 1, -4, 0.5],
      [1, 2, 3, 0.5],
    ]);
    const near = formatSheet(createRunSheet(simulated(LINES), 'fight', solved(LAW), 100_000, style.histograms), style);
    const far = formatSheet(createRunSheet(simulated(LINES), 'fight', off, 100_000, style.histograms), style);
    expect(row(near, 'attacker').slice(4)).toEqual(['67.600', '0.0']);
    expect(row(far, 'attacker').slice(4)).toEqual(['50', '! +111.3']);
    expect(near).not.toContain('!');
  });

  test('shows the number of simulated and requested battles', () => {
    const part = formatSheet(
      createRunSheet(
        simulated(LINES, { complete: false, from: 5, to: 100_005 }),
        'fight',
        undefined,
        1e9,
        style.histograms,
      ),
      style,
    );
    expect(part).toContain('100 000 of 1 000 000 000 battles · from 5\nseed 18446744073709551615 · kernel\n');
  });

  test('of a single battle bounds unobserved values only by the declared range', () => {
    const sheet = formatSheet(
      createRunSheet(simulated([[1, 4, 2, 1]]), 'fight', undefined, 1, style.histograms),
      style,
    );
    expect(row(sheet, 'rounds')).toEqual(['rounds', '4', '9.8', '0', '4', '4', '4']);
    expect(sheet).toContain('1 battle ·');
  });

  test('fits into the width', () => {
    const wide = Array.from(
      formatSheet(
        createRunSheet(simulated(LINES), 'x'.repeat(40), solved(LAW), 100_000, style.histograms),
        style,
      ).split('\n'),
    );
    const tables = wide.slice(1).filter((line) => !line.startsWith('digest'));
    expect(Math.max(...tables.map(measureText))).toBeLessThanOrEqual(80);
  });
});

describe('text report of an exact answer', () => {
  test('has probabilities in percent and exact means', () => {
    const sheet = formatSheet(createExactSheet(solved(LAW), 'fight', style.histograms), style);
    expect(row(sheet, 'attacker')).toEqual(['attacker', '67.6000000']);
    expect(row(sheet, 'never')).toEqual(['never', '0']);
    expect(row(sheet, 'rounds').slice(0, 2)).toEqual(['rounds', '1.524000']);
    expect(sheet).toContain('3 states · 4 transitions\n');
  });

  test('shows small probabilities in full, and truncated ones by an upper bound', () => {
    const shares = [1 - 2e-17, 2e-17, 0, 0];
    const named = { ...shape, outcomes: ['attacker', 'defender', 'never', 'stalemate'] };
    const exactDistribution = countsOf(
      shares.flatMap((p, o): Line[] => (p > 0 ? [[o, 1, 0, p]] : [])),
      named,
    );
    const shown = (lost: number) => {
      const sheet = formatSheet(
        createExactSheet(
          {
            ...solved([]),
            shape: named,
            distribution: exactDistribution,
            truncated: lost,
            summary: summarizeDistribution(named, exactDistribution, lost),
          },
          'fight',
          style.histograms,
        ),
        style,
      );
      return ['defender', 'never', 'stalemate'].map((name) => row(sheet, name).slice(1).join(' '));
    };
    expect(shown(0)).toEqual(['2.0e-15', '0', '0']);
    expect(shown(1.5e-33)).toEqual(['2.0e-15', '0', '< 2e-31']);
    expect(shown(1.5e-20)).toEqual(['2.0e-15', '< 2e-18', '< 2e-18']);
  });
});

describe('joined outcomes', () => {
  const areas = ['city-destroyed', 'repelled'];
  const outcomes = areas.flatMap((one) =>
    areas.flatMap((two) => areas.flatMap((three) => areas.map((four) => [one, two, three, four].join(' + ')))),
  );
  const many = { ...shape, outcomes };
  const lines = Array.from({ length: 5 }, (_, o): Line => [3 * o, 1, 0, 1000]);
  const counts = countsOf(lines, many);
  const result = simulated([], { shape: many, counts, summary: summarizeBattles(many, counts), to: 5000 });
  const exactDistribution = countsOf([...lines.map(([o]): Line => [o, 1, 0, 0.199]), [1, 1, 0, 0.005]], many);
  const known = {
    ...solved([]),
    shape: many,
    law: exactDistribution,
    summary: summarizeDistribution(many, exactDistribution),
  };

  /** Returns the names of the outcome table, with their lines joined again. */
  function reported(sheet: string): string[] {
    const [, table = ''] = sheet.split('\n\n');
    const names = table
      .split('\n')
      .slice(1)
      .map((line) => line.split(/(?<=\S) {2,}/)[0] ?? '');
    return names
      .join('\n')
      .replaceAll('+\n  ', '+ ')
      .split('\n')
      .filter((name) => !name.startsWith('('));
  }

  const arrived = [0, 3, 6, 9, 12].map((o) => outcomes[o]);

  test('are printed in full, on several lines', () => {
    expect(reported(formatSheet(createRunSheet(result, 'fight', undefined, 5000, style.histograms), style))).toEqual(
      arrived,
    );
    for (const width of [60, 64, 70, 80, 120]) {
      const sheet = formatSheet(createExactSheet(known, 'fight', style.histograms), { ...style, width });
      expect(reported(sheet)).toEqual([0, 1, 3, 6, 9, 12].map((o) => outcomes[o]));
      expect(Math.max(...sheet.split('\n').map(measureText))).toBeLessThanOrEqual(width);
    }
  });

  test('are all different in the heading', () => {
    const wide = { ...style, width: 200 };
    const heading =
      formatSheet(createRunSheet(result, 'fight', undefined, 5000, style.histograms), wide)
        .split('\n\n')[3]
        ?.split('\n')
        .slice(0, 4) ?? [];
    const heads = arrived.map((_, c) => heading.map((line) => line.slice(11 + 18 * c, 29 + 18 * c).trim()).join(' '));
    expect(heads).toEqual(arrived);
    const piped = formatSheet(createRunSheet(result, 'fight', undefined, 5000, style.histograms), {
      ...style,
      tableWidth: Number.POSITIVE_INFINITY,
    });
    expect(piped.split('\n\n')[3]?.split('\n')[0]?.split(/ {2,}/)).toEqual(['mean, given', ...arrived]);
  });

  test('that never occur are counted in one line', () => {
    const alone = formatSheet(createRunSheet(result, 'fight', undefined, 5000, style.histograms), style);
    expect(alone).toContain('\n(--json also has 11 outcomes that never occurred, each < 0.074 %)\n\nmetric');
    const neighbors = formatSheet(createRunSheet(result, 'fight', known, 5000, style.histograms), style);
    expect(reported(neighbors)).toHaveLength(6);
    expect(neighbors).toContain('\n(--json also has 10 outcomes with probability 0)\n\nmetric');
    expect(formatSheet(createExactSheet(known, 'fight', style.histograms), style)).toContain(
      '\n(--json also has 10 outcomes with probability 0)\n\nmetric',
    );
  });

  test('break at joints, then between words, then after punctuation, and are never truncated', () => {
    expect(breakName('a + bb + c', 10)).toEqual(['a + bb + c']);
    expect(breakName('a + bb + c', 9)).toEqual(['a + bb +', 'c']);
    expect(breakName('a + bb + c', 7)).toEqual(['a +', 'bb + c']);
    expect(breakName('city-destroyed + city-destroyed', 16)).toEqual(['city-destroyed +', 'city-destroyed']);
    expect(breakName('city-destroyed + repelled', 12)).toEqual(['city-', 'destroyed +', 'repelled']);
    expect(breakName('not joined at all', 12)).toEqual(['not joined', 'at all']);
    expect(breakName('left.attacker.rifleman', 16)).toEqual(['left.attacker.', 'rifleman']);
    expect(breakName('mechanized', 4)).toEqual(['mechanized']);
  });
});

describe('details', () => {
  test('a z-score ignores errors of double precision', () => {
    const still = { mean: 100_000, variance: 0, skewness: 0 };
    expect(computeZScore(100_000.000_000_01, still, 1000)).toBe(0);
    expect(toPlainText(formatZScoreCell(100_001, still, 1000))).toBe('! +inf');
    expect(computeZScore(0.5, createEventMoments(0.4), 600)).toBeCloseTo(5, 9);
  });

  test('a z-score of a rare event is in parentheses, and marked only if chance cannot explain it', () => {
    const rare = createEventMoments(1e-9);
    expect(toPlainText(formatZScoreCell(0, rare, 1e6))).toBe('(0.0)');
    expect(toPlainText(formatZScoreCell(1e-6, rare, 1e6))).toBe('(+31.6)');
    expect(toPlainText(formatZScoreCell(1e-3, rare, 1e6))).toMatch(/^! \+31 62\d\.\d$/);
    expect(toPlainText(formatZScoreCell(1.5e-5, createEventMoments(5e-6), 1e6))).toBe('! +4.5');
  });

  test('the skewness of a metric equals the skewness of its distribution', () => {
    const [rounds] = solved([
      [0, 1, 0, 0.9],
      [0, 2, 0, 0.1],
    ]).summary.metrics;
    expect(rounds && createMetricMoments(rounds).skewness).toBeCloseTo(createEventMoments(0.1).skewness, 9);
  });

  test('decimal points are aligned', () => {
    expect(alignDecimalPoints(['1.25', '100', '0.5'])).toEqual(['  1.25', '100   ', '  0.5 ']);
  });
});
