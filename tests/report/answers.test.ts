/** Findings of a sweep report: each sentence is compared with the rows behind it. */
import { describe, expect, test } from 'vitest';
import { renderSweepReport } from '../../src/report/html/sweep-report.ts';
import type { Findings } from '../../src/report/sweep-analysis/findings.ts';
import { createFindingsText } from '../../src/report/sweep-report/findings-text.ts';
import { createReportJson } from '../../src/report/sweep-report/json.ts';
import { createSweepReport, type SweepReport } from '../../src/report/sweep-report/report.ts';
import { formatSweepReportSheet } from '../../src/report/sweep-report/sheet.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import type { ResultRow, Store, StoreInfo } from '../../src/storage/sweep/rows.ts';
import { axis, MADE, outcomeRow, storeOf } from './store.ts';

const facts: StoreInfo = { ...MADE, axes: [axis('a', [0, 1, 2, 3]), axis('b', [0, 1, 2])] };

type Value = (a: number, b: number) => number;

/** Creates rows of an outcome that is a function of the axes. The interval is two standard errors to both sides. */
function rowsOf(value: Value, error: number, name = 'attacker'): ResultRow[] {
  return [0, 1, 2, 3].flatMap((a) =>
    [0, 1, 2].map((b) => ({ ...outcomeRow(3 * a + b, { a, b }, value(a, b), error), name })),
  );
}

/** Creates rows with exact values only, without simulated battles. */
function solvedRows(value: Value, name = 'attacker'): ResultRow[] {
  return rowsOf(value, 0, name).map((row) => ({
    ...row,
    ...{ battles: 0, estimate: null, low: null, high: null, standard_error: null, exact: row.estimate },
  }));
}

const byCell = (rows: readonly ResultRow[]): ResultRow[] => rows.toSorted((a, b) => a.cell - b.cell);

const made = (rows: readonly ResultRow[], change: Partial<StoreInfo> = {}): Store =>
  storeOf({ ...facts, ...change }, byCell(rows));

async function foundOf(
  store: Store,
  of?: string[],
): Promise<{ report: SweepReport; answers: Findings; told: ReturnType<typeof createFindingsText> }> {
  const report = await createSweepReport(store, { of });
  if (report.answers === undefined) throw new Error('no answers');
  return { report, answers: report.answers, told: createFindingsText(report.answers, report.survey) };
}

const steady: Value = (a, b) => 0.2 + 0.15 * a + 0.02 * b;

describe('findings on balance', () => {
  test('name the cells closest to 50 % with their intervals, and count cells around 50 %', async () => {
    const { answers, told } = await foundOf(made(rowsOf(steady, 0.01)));
    // a = 2: 0.5, 0.52, 0.54; a = 1: 0.35, 0.37, 0.39.
    expect(answers.even?.nearest.slice(0, 3).map(({ axes }) => [axes['a'], axes['b']])).toEqual([
      [2, 0],
      [2, 1],
      [2, 2],
    ]);
    expect(told.balanced[0]).toBe(
      'Closest to even: attacker wins 50 % (95 %: 48 .. 52 %) at a 2, b 0; 52 % (95 %: 50 .. 54 %) at a 2, b 1; 54 % (95 %: 52 .. 56 %) at a 2, b 2.',
    );
    expect(told.balanced[1]).toBe(
      'By their estimates, 3 of 12 cells are within 45 .. 55 %, 2 with the whole interval. 1 cell is undecided: its interval crosses an end of this range.',
    );
    expect(told.balanced[2]).toMatch(/^In 2 cells, the interval contains 50 %: they do not differ significantly/);
  });

  test('use exact values where they are known', async () => {
    const rows = rowsOf(steady, 0.01).map((row) => ({ ...row, exact: row.cell === 0 ? 0.5001 : 0.9 }));
    const { answers, told } = await foundOf(made(rows));
    expect(answers.even?.nearest[0]?.cell).toBe(0);
    expect(told.balanced[0]).toMatch(/^Closest to even: attacker wins 50\.0100 % \(exact\) at a 0, b 0; /);
    expect(told.balanced[1]).toBe('1 of 12 cells is within 45 .. 55 %.');
    expect(told.balanced.join(' ')).not.toContain('interval');
  });

  test('say that no cell is balanced, and on which side of 50 % all cells are', async () => {
    const { told } = await foundOf(made(rowsOf((a) => 0.7 + 0.05 * a, 0.01)));
    expect(told.balanced.slice(1)).toEqual([
      'No cell or interval is within 45 .. 55 %; the closest cell is above.',
      'In every cell it is more likely than not that attacker wins.',
    ]);
    const { told: exact } = await foundOf(made(solvedRows(() => 0.3)));
    expect(exact.balanced[1]).toBe('No cell is within 45 .. 55 %; the closest cell is below.');
  });

  test('count decided cells without naming them', async () => {
    const decided: Value = (a) => [0, 0.5, 1, 1][a] ?? 0;
    const { report, told } = await foundOf(made(rowsOf(decided, 0.01)));
    expect(told.balanced.at(-1)).toBe('In 6 cells all battles ended so, in 3 cells none did.');
    const ranks = report.figures.find(({ kind }) => kind === 'ranks');
    const names = JSON.stringify(ranks?.spec);
    expect(names).toContain('"6 cells"');
    const page = await renderSweepReport(report);
    const [, even = ''] = /<section id="even">([\s\S]*?)<\/section>/.exec(page) ?? [];
    expect(even).toContain('<td class="n">6 cells</td>');
    const [, figures = ''] = /<section id="figures">([\s\S]*?)<\/section>/.exec(page) ?? [];
    expect(figures).toMatch(/attacker wins<\/td><td class="n">0 %<\/td><td class="w">3 cells<\/td>/);
    expect(formatSweepReportSheet(report, { width: 80, paint: PLAIN_PAINT })).toMatch(/\n6 cells +100 %\n/);
  });

  test('are about the first outcome of a side that varies, or the one requested with `of`', async () => {
    const rows = [
      ...rowsOf(() => 0.01, 0.001, 'attacker'),
      ...rowsOf((a) => 0.3 * a, 0.01, 'stalemate'),
      ...rowsOf((a) => 0.9 - 0.25 * a, 0.01, 'defender'),
    ];
    expect((await foundOf(made(rows))).told.of).toBe('defender wins');
    expect((await foundOf(made(rows), ['stalemate'])).told.of).toBe('stalemate');
  });
});

describe('table of figures over the cells', () => {
  /** Rows of metrics. A high maxRounds widens the interval of rounds. */
  const metrics = rowsOf((a) => 8 + a, 0.2, 'rounds').flatMap((row): ResultRow[] => {
    const metric = { ...row, kind: 'metric' as const, q05: 3, q95: 14 };
    const rounds = { ...metric, low: (row.estimate ?? 0) - 0.4, high: (row.estimate ?? 0) + 39 };
    const part = { ...metric, name: 'left.attacker.rifleman' };
    return row.cell < 10 ? [rounds, part] : [rounds];
  });

  test('says which cells a row covers, and why its intervals are wide', async () => {
    const report = await createSweepReport(made([...rowsOf(steady, 0.01), ...metrics]));
    const sheet = formatSweepReportSheet(report, { width: 200, paint: PLAIN_PAINT });
    const sentences = [
      'Not all 12 cells have left.attacker.rifleman (10); these rows cover only cells that have them.',
      'rounds: intervals are wide because maxRounds is large; set a lower maxRounds.',
    ];
    for (const text of sentences) expect(sheet).toContain(text);
    const page = (await renderSweepReport(report)).replaceAll(/[\u00A0\u202F]/g, ' ');
    for (const text of sentences) expect(page).toContain(text);
    expect(sheet).toMatch(/\nrounds .* -0\.4, \+39\n/);
    // The standard error determines the digits.
    expect(sheet).toMatch(/\n +0 +0 +0 +8\.0 +7\.6 \.\. 47\.0\n/);
  });
});

describe('findings on main effects', () => {
  test('show how an axis moves the outcome, with the strongest effect first', async () => {
    const { told, answers } = await foundOf(made(rowsOf((a, b) => 0.2 + 0.15 * a - 0.05 * b, 0.001)));
    expect(answers.influences.map(({ axis: name, direction }) => [name, direction])).toEqual([
      ['a', 'rises'],
      ['b', 'falls'],
    ]);
    expect(told.matters).toEqual([
      'Strongest effect: a (94 % of the differences between cells). “attacker wins” rises from 15.00 % at a 0 to 60.00 % at 3, by 45 points.',
      'Next: b (6 % of the differences between cells). It falls from 42.50 % at b 0 to 32.50 % at 2, by 10 points.',
      'These are averages over the other axes.',
    ]);
  });

  test('report no difference that chance can explain, corrected for all pairs of an axis', async () => {
    // Means of b are 0, d and 2d apart. Three pairs at 5 % require 2.394 standard errors of a difference.
    const error = 0.01;
    const standard = error * Math.sqrt(2 / 4);
    const at = (off: number) => foundOf(made(rowsOf((a, b) => 0.1 + 0.2 * a + (off / 2) * b, error)));
    const below = await at(2.38 * standard);
    expect(below.answers.influences.find((mover) => mover.axis === 'b')?.clear).toBe(false);
    expect(below.told.matters).toContain(
      'No significant difference between the values of b: chance can explain the differences of averages.',
    );
    const above = await at(2.41 * standard);
    expect(above.answers.influences.find((mover) => mover.axis === 'b')?.clear).toBe(true);
    expect(above.told.matters.join(' ')).not.toContain('No difference');
  });

  test('allow for correlated errors where all cells use common random numbers', async () => {
    const rows = rowsOf((a, b) => 0.1 + 0.2 * a + 0.01 * b, 0.01);
    const mover = async (streams: 'common' | 'independent') =>
      (await foundOf(made(rows, { streams }))).answers.influences.find((each) => each.axis === 'b');
    const [own, shared] = [await mover('independent'), await mover('common')];
    expect([own?.clear, shared?.clear]).toEqual([true, false]);
    // Four cells with error e: the error of their mean is e / 2 (independent) or e (common). The error of a difference
    // is sqrt(2) times the former or 2 times the latter.
    expect((shared?.chance ?? 0) / (own?.chance ?? 1)).toBeCloseTo(2 * Math.SQRT2, 6);
  });

  test('report interactions of axes, and that a grid with holes mixes effects', async () => {
    const crossed = await foundOf(made(rowsOf((a, b) => 0.5 + 0.1 * (a - 1.5) * (b - 1), 0.001)));
    expect(crossed.told.matters).toEqual([
      'No significant difference between the values of a, b: chance can explain the differences of averages.',
      'more than 99 % of the differences are interactions: the effect of one axis depends on the others.',
    ]);
    const rows = rowsOf(steady, 0.001).filter(({ cell }) => cell !== 4);
    const holed = await foundOf(made(rows));
    expect(holed.told.matters[0]).toBe(
      'Not every combination of values has a cell, so averages along an axis also include effects of other axes.',
    );
    expect(holed.answers.influences.map(({ direction }) => direction)).toEqual([undefined, undefined]);
  });
});

describe('findings on anomalies', () => {
  test('report an axis with a non-monotonic effect, unless chance can explain it', async () => {
    const hump: Value = (a, b) => ([0.3, 0.5, 0.6, 0.4][a] ?? 0) + 0.01 * b;
    const turned = await foundOf(made(rowsOf(hump, 0.001)));
    expect(turned.told.odd[0]).toBe(
      'Along a the probability that attacker wins is not monotonic: it rises from 31.00 % at 0 to 61.00 % at 2 and falls to 41.00 % at 3, on average over all other axes.',
    );
    const noisy = await foundOf(made(rowsOf(hump, 0.2)));
    expect(noisy.answers.anomalies).toEqual([]);
    const dip = await foundOf(made(rowsOf((a, b) => 1 - hump(a, b), 0.001)));
    expect(dip.answers.anomalies.map(({ kind }) => kind)).toEqual(['turns']);
    expect(dip.told.odd[0]).toContain('falls from 69.00 % at 0 to 39.00 % at 2 and rises to 59.00 % at 3');
  });

  test('report outcomes that never occurred once, without cells', async () => {
    const rows = [...rowsOf(steady, 0.01), ...rowsOf(() => 0, 0.01, 'mutual'), ...rowsOf(() => 0, 0.01, 'stalemate')];
    const { told, report } = await foundOf(made(rows));
    expect(told.odd).toEqual([
      'Never observed in 1 200 battles: “both sides fall”, “stalemate”.',
      'Passed checks: all cells are complete; no stalemates occurred; averages along each axis are monotonic, apart from chance.',
    ]);
    const [, figures = ''] = /<section id="figures">([\s\S]*?)<\/section>/.exec(await renderSweepReport(report)) ?? [];
    expect(figures.match(/<tr>/g)).toHaveLength(2);
    expect(figures).toContain('Not in the table, because no cell has it: “both sides fall”, “stalemate”.');
  });

  test('do not report an unobserved outcome as never observed if it has a probability', async () => {
    const rows = [...rowsOf(steady, 0.01), ...rowsOf(() => 0, 0.01, 'mutual').map((row) => ({ ...row, exact: 1e-6 }))];
    expect((await foundOf(made(rows))).answers.anomalies).toEqual([]);
  });

  test('report stalemates, missing cells, missed precision targets, and estimates far from the exact value', async () => {
    const stuck = [...rowsOf(steady, 0.01), ...rowsOf((a) => (a === 3 ? 0.1 : 0), 0.01, 'stalemate')];
    const { told } = await foundOf(made(stuck));
    expect(told.odd[0]).toBe(
      'Stalemates, in which no side can win or the limit of rounds is reached, occurred in 3 cells: up to 10 % at a 3, b 0.',
    );
    const short = rowsOf(steady, 0.01).map((row) => ({
      ...row,
      ...{ battles: 10_000, exact: row.estimate, z: row.cell === 5 ? -9 : 0.1, reached: row.cell > 1 },
    }));
    const open = await foundOf(made(short.slice(0, 7), { complete: false, precision: 0.01 }));
    expect(open.told.odd).toEqual([
      'The sweep is not complete: 7 of at most 12 cells are complete, and all findings are about these.',
      '2 cells did not reach the requested precision.',
      expect.stringMatching(
        /^In cell 5, the estimate of attacker is -9\.0 standard errors from the exact value; at most ±2\.7 is/,
      ),
    ]);
  });
});

test('a sweep without outcomes has findings on its first metric', async () => {
  const rows = rowsOf((a) => 3 + a, 0.01, 'rounds').map((row) => ({ ...row, kind: 'metric' as const }));
  const { told, report } = await foundOf(made(rows));
  expect(told.of).toBe('rounds');
  expect(told.matters[0]).toContain('“rounds” rises from 3.000 at a 0 to 6.000 at 3, by 3.');
  const page = await renderSweepReport(report);
  expect(page).not.toContain('id="balanced"');
  expect(page).toContain('These findings are about the mean of rounds.');
});

test('a sweep with a single cell has its value and no effects', async () => {
  const rows = [outcomeRow(0, { a: 0 }, 0.5, 0.01)];
  const { told } = await foundOf(made(rows, { axes: [axis('a', [0])], points: 1 }));
  expect(told.balanced[0]).toBe('In the only cell: attacker wins 50 % (95 %: 48 .. 52 %) at a 0.');
  expect(told.matters).toEqual(['There is only one cell, so there are no effects.']);
});

test('HTML report, text report and JSON contain the same findings', async () => {
  const { report, told } = await foundOf(made(rowsOf(steady, 0.01)));
  const page = (await renderSweepReport(report)).replaceAll('\u00A0', ' ');
  for (const text of [...told.balanced, ...told.matters, ...told.odd]) expect(page).toContain(`<li>${text}</li>`);
  expect(page.indexOf('id="balanced"')).toBeLessThan(page.indexOf('<nav>'));
  expect(createReportJson(report).findings?.text).toEqual(told);
  const sheet = formatSweepReportSheet(report, { width: 400, paint: PLAIN_PAINT });
  for (const text of [told.balanced[0], told.matters[0], ...told.odd]) expect(sheet).toContain(text);
});
