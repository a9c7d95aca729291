/** Consistency of reports: exact values where they are known, no duplicates, and rankings with groups. */
import { describe, expect, test } from 'vitest';
import { renderSweepReport } from '../../src/report/html/sweep-report.ts';
import { formatLevel, selectExtremes } from '../../src/report/sweep-analysis/extreme-cells.ts';
import { getQuantityKey } from '../../src/report/sweep-analysis/quantity.ts';
import { createReportJson } from '../../src/report/sweep-report/json.ts';
import { createSweepReport, type SweepReport, type SweepReportOptions } from '../../src/report/sweep-report/report.ts';
import { formatSweepReportSheet } from '../../src/report/sweep-report/sheet.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import type { ResultRow, Store, StoreInfo } from '../../src/storage/sweep/rows.ts';
import { textOf } from './html.ts';
import { axis, DUEL, MADE, outcomeRow, storeOf, sweepStore } from './store.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, k) => k);
const AXES = [axis('a', upTo(6)), axis('b', upTo(5))];
const facts: StoreInfo = { ...MADE, axes: AXES, points: 30 };

type Value = (a: number, b: number) => number;

/** Creates simulated rows of one outcome or metric. */
function rowsOf(value: Value, name = 'attacker', kind: ResultRow['kind'] = 'outcome', error = 0.01): ResultRow[] {
  return upTo(6).flatMap((a) =>
    upTo(5).map((b) => ({ ...outcomeRow(5 * a + b, { a, b }, value(a, b), error), name, kind })),
  );
}

/** Creates rows whose estimates contradict their exact values. */
function misled(value: Value, name?: string): ResultRow[] {
  return rowsOf(value, name).map((row) => ({
    ...row,
    exact: row.estimate,
    estimate: 0.123,
    low: 0.1,
    high: 0.15,
    z: 1,
  }));
}

/** Replaces simulated values by exact values. */
function solved(rows: readonly ResultRow[]): ResultRow[] {
  const none = { battles: 0, estimate: null, low: null, high: null, standard_error: null };
  return rows.map((row) => ({ ...row, ...none, exact: row.estimate }));
}

const made = (rows: readonly ResultRow[], change: Partial<StoreInfo> = {}): Store =>
  storeOf(
    { ...facts, ...change },
    rows.toSorted((a, b) => a.cell - b.cell),
  );

const sheetOf = (report: SweepReport): string => formatSweepReportSheet(report, { width: 400, paint: PLAIN_PAINT });

async function reported(store: Store, targets: SweepReportOptions = {}) {
  const report = await createSweepReport(store, targets);
  const page = await renderSweepReport(report);
  return {
    report,
    page,
    text: textOf(page.replaceAll(/<title>[^<]*<\/title>/g, ''))
      .replaceAll('\u00A0', ' ')
      .replaceAll('&gt;', '>')
      .replaceAll('&lt;', '<'),
    sheet: sheetOf(report),
  };
}

/** Probabilities: certain up to a billionth in two rows of cells, impossible in one row, and steep in between. */
const decided: Value = (a, b) => [1e-30, 0.2, 0.4995 + 0.0001 * b, 0.8, 1 - 1e-12, 1][a] ?? 0;

describe('exact values', () => {
  test('replace estimates in boxes, tables, figures and data', async () => {
    const { report, page, text, sheet } = await reported(made(misled(decided)));
    const [, table = ''] = /<section id="table">([\s\S]*?)<\/section>/.exec(page) ?? [];
    expect(table.match(/<td/g)).toHaveLength(30 * (table.match(/<th scope/g)?.length ?? 0));
    expect(report.answers?.even?.nearest[0]?.value).toBeCloseTo(0.4999, 12);
    for (const all of [text, sheet]) {
      expect(all).toContain('Closest to even: attacker wins 49.9900 % (exact) at a 2, b 4;');
      expect(all).not.toMatch(/12\.3|10 \.\. 15 %|95 % interval/);
    }
    const data = createReportJson(report);
    expect(data.quantities[0]).toMatchObject({ greatest: 1, least: 1e-30 });
    expect(data.findings?.balanced?.nearest[0]).toMatchObject({ estimate: 0.123, ci95: [0.1, 0.15], exact: 0.4999 });
    const ranks = JSON.stringify(report.figures.find(({ kind }) => kind === 'ranks')?.spec);
    expect(ranks).toContain('attacker wins: 49.9900 % exact, simulated 12 % (95 %: 10 .. 15 %), z +1.0');
    expect(ranks).not.toContain('"value":12.3');
  });

  test('have the same counts of certain and impossible cells in the box, the key figures and the data', async () => {
    const { report, text, sheet, page } = await reported(made(misled(decided)));
    expect(text).toContain('In 10 cells it is certain, in 5 cells it is impossible, within one battle in a billion.');
    const [, figures = ''] = /<section id="figures">([\s\S]*?)<\/section>/.exec(page) ?? [];
    expect(textOf(figures).replaceAll('&gt;', '>').replaceAll('&lt;', '<')).toMatch(
      /attacker wins +< 0\.0000001 % +5 cells +58\.33 % +> 99\.9999999 % +10 cells +exact/,
    );
    expect(sheet).toMatch(/attacker +< 0\.0000001 % +58\.33 % +> 99\.9999999 % +exact/);
    expect(createReportJson(report).findings?.balanced).toMatchObject({ never: 5, always: 10 });
  });

  test('of some cells are shown next to estimates with their intervals', async () => {
    const rows = rowsOf((a, b) => 0.4 + 0.02 * a + 0.001 * b).map((row) =>
      row.cell === 25 ? { ...row, exact: 0.5001 } : row,
    );
    const { text } = await reported(made(rows));
    expect(text).toContain('attacker wins 50.0100 % (exact) at a 5, b 0; 50 % (95 %: 48 .. 52 %) at a 5, b 1');
    expect(text).toMatch(/25 5 0 50\.0100 % exact/);
  });

  test('without simulation have no seed, no dice and no chance', async () => {
    const holed = solved(rowsOf((a, b) => 0.3 + 0.03 * ((7 * a + 3 * b) % 11))).filter(({ cell }) => cell % 3 > 0);
    const bare = { name: 'solved', battles: 0 };
    for (const store of [
      made(solved(rowsOf((a) => 0.1 * a)), bare),
      made(holed, { ...bare, complete: true, points: 21 }),
    ]) {
      const { report, text, sheet } = await reported(store);
      for (const all of [text, sheet, JSON.stringify(createReportJson(report).findings?.text)])
        expect(all).not.toMatch(/\bseed\b|\bdice\b|chance|simulated until|95 %/);
    }
    const { text } = await reported(made(solved(rowsOf((a) => 0.1 * a)), bare));
    expect(text).toContain('No significant difference between the values of b on average.');
    const { text: mixed } = await reported(made(holed, { ...bare, points: 21 }));
    expect(mixed).toContain('beyond what the other axes can explain.');
    const { text: played } = await reported(made(rowsOf((a) => 0.1 * a)));
    expect(played).toContain('the values of b: chance can explain the differences of averages.');
    expect(played).toMatch(/seed +1, independent dice in each cell/);
  });
});

describe('duplicate quantities', () => {
  const left: Value = (a, b) => 3 * a + b;
  const twice = [
    ...rowsOf((a) => 0.1 + 0.1 * a, 'defender'),
    ...rowsOf((a) => 0.9 - 0.1 * a, 'attacker'),
    ...rowsOf(() => 0, 'mutual'),
    ...rowsOf(left, 'left', 'metric'),
    // Equal to the next one except in one cell, in which `left.almost` differs from `left`.
    ...rowsOf((a, b) => (b === 4 && a === 5 ? left(a, b) + 1 : 50 - a), 'other', 'metric'),
    ...rowsOf((a, b) => left(a, b) + (b === 4 && a === 5 ? 1 : 0), 'left.almost', 'metric'),
    ...rowsOf(left, 'left.unit', 'metric'),
    ...rowsOf((a, b) => left(a, b) + (b === 4 && a === 5 ? 1 : 0), 'left.again', 'metric'),
    ...rowsOf(() => 2, 'still', 'metric'),
    ...rowsOf(() => 2, 'still.too', 'metric'),
  ];

  test('are shown once, with a note on the omitted ones', async () => {
    const { report, text, sheet } = await reported(made(twice));
    expect(report.shown.map(({ quantity }) => getQuantityKey(quantity))).toEqual([
      'outcome defender',
      'metric left',
      'metric other',
    ]);
    const word =
      'In every cell “attacker wins” is 100 % minus “defender wins”, “left.unit” equals “left”, “left.again” equals “left.almost”; duplicates are omitted unless selected by --of.';
    expect(text).toContain(word);
    expect(sheet).toContain(word);
    for (const all of [text, sheet]) expect(all).not.toMatch(/probability that attacker wins|mean of left\.unit/i);
    const same = createReportJson(report).quantities.map((each) => each.same);
    expect(same.filter((each) => each !== null)).toEqual([
      { as: { kind: 'outcome', name: 'defender' }, kind: 'complement' },
      { as: { kind: 'metric', name: 'left' }, kind: 'equal' },
      { as: { kind: 'metric', name: 'left.almost' }, kind: 'equal' },
    ]);
  });

  test('are shown if requested with `of`', async () => {
    const { report, text } = await reported(made(twice), { of: ['attacker', 'left.unit'] });
    expect(report.shown.map(({ quantity }) => quantity.name)).toEqual(['attacker', 'left.unit']);
    expect(text).not.toContain('told once');
  });

  test('are not detected if a third outcome occurs or an outcome has no row in a cell', async () => {
    const third = [
      ...rowsOf((a) => 0.1 + 0.1 * a, 'attacker'),
      ...rowsOf((a) => 0.9 - 0.1 * a - (a === 3 ? 1e-3 : 0), 'defender'),
    ];
    const halves = [...rowsOf(() => 0.25), ...rowsOf(() => 0.75, 'defender').filter(({ cell }) => cell !== 7)];
    expect((await createSweepReport(made(halves))).duplicates).toEqual([]);
    for (const more of [[], rowsOf((a) => (a === 3 ? 1e-3 : 0), 'mutual')])
      expect((await createSweepReport(made([...third, ...more]))).duplicates).toEqual([]);
  });

  test('keep the outcome of a side, independent of the order', async () => {
    const rows = [...rowsOf((a) => 0.1 * a, 'none'), ...rowsOf((a) => 1 - 0.1 * a, 'attacker')];
    expect((await createSweepReport(made(rows))).shown.map(({ quantity }) => quantity.name)).toEqual(['attacker']);
  });
});

describe('both ends of a ranking', () => {
  const endsIn = (report: SweepReport) =>
    selectExtremes(report.figureData.ends.get('outcome attacker') ?? { top: [], bottom: [] }, 5);

  test('show a group if many cells have about the same value, then single cells', async () => {
    const value: Value = (a, b) => (a === 5 ? 1 - 0.0001 * b : a === 0 ? 0.0002 * b : 0.2 * a - 0.01 * b);
    const { report, sheet } = await reported(made(solved(rowsOf(value))));
    const { highest, lowest } = endsIn(report);
    const quantity = { kind: 'outcome', name: 'attacker' } as const;
    const shown = [...highest, ...lowest].map((level) => [level.cells, formatLevel(quantity, level)]);
    expect(shown.slice(0, 3)).toEqual([
      [5, '99.96 .. 100.00 %'],
      [1, '80 %'],
      [1, '79 %'],
    ]);
    expect(shown.at(-1)).toEqual([5, '0.00 .. 0.08 %']);
    expect(sheet).toMatch(/\n5 cells +99\.96 \.\. 100\.00 %\n/);
  });

  test('show no groups after the first one', async () => {
    const { report, sheet } = await reported(made(rowsOf((a) => 0.2 * a)));
    const { highest, lowest } = endsIn(report);
    expect([...highest, ...lowest].map(({ cells, from }) => [cells, from])).toEqual([
      [5, 1],
      [5, 0],
    ]);
    expect(sheet).toMatch(/\n5 cells +100 %\n +…\n5 cells +0 %\n/);
  });

  test('show a few cells with almost equal values separately, in descending order', async () => {
    const value: Value = (a, b) => (a === 5 && b < 3 ? 0.9 + 0.0001 * b : 0.01 * (5 * a + b));
    const { highest } = endsIn(await createSweepReport(made(solved(rowsOf(value)))));
    expect(highest.map(({ readings }) => readings[0]?.cell)).toEqual([27, 26, 25, 29, 28]);
  });
});

describe('labels of axes', () => {
  const LABELLED = [
    { ...axis('attacker.hp', [10, 20, 30]), label: 'Swordsmen’s hp' },
    { ...axis('defender.hp', [10, 20]), label: 'Pikemen’s hp' },
  ];

  test('are shown in boxes, headings, axis titles, ranks and tiles; data and options use names', async () => {
    const { report, text, page, sheet } = await reported(
      await sweepStore({ scenario: DUEL, axes: LABELLED, battles: 0 }),
    );
    expect(text).toContain('at Swordsmen’s hp 20, Pikemen’s hp 20');
    expect(sheet).toMatch(/\nSwordsmen’s hp +attacker\.hp +10, 20, 30\n/);
    expect(sheet).toMatch(/\ncell +Swordsmen’s hp +Pikemen’s hp +attacker wins\n/);
    for (const kind of ['map', 'effects', 'ranks']) {
      const spec = JSON.stringify(report.figures.find((picture) => picture.kind === kind)?.spec);
      expect(spec, kind).toContain('Swordsmen’s hp');
      expect(spec, kind).not.toContain('attacker.hp');
    }
    expect(page.match(/attacker\.hp(?!<)/g)).toBeNull();
    const { findings: found } = createReportJson(report);
    expect(found?.matters.effects.map((effect) => effect.axis)).toEqual(['attacker.hp', 'defender.hp']);
    expect(Object.keys(found?.balanced?.nearest[0]?.axes ?? {})).toEqual(['attacker.hp', 'defender.hp']);
    await expect(
      createSweepReport(await sweepStore({ scenario: DUEL, axes: LABELLED, battles: 0 }), { x: 'Swordsmen’s hp' }),
    ).rejects.toThrow('--x: expected an axis of the sweep: attacker.hp, defender.hp');
  });

  test.each<[labels: string[], place: string]>([
    [['attacker’s rifleman', 'defender’s tank', 'site'], 'rifleman 8, tank 6, open'],
    [['attacker’s hp', 'defender’s hp', 'site'], 'attacker 8, defender 6, open'],
    [['attacker’s hp', 'attacker’s attack', 'defender’s hp'], 'attacker’s hp 8, attacker’s attack 6, open'],
  ])('are shortened in ranks as long as they are distinct: %j', async (labels, place) => {
    const axes = [axis('x', [8, 9]), axis('y', [6, 7]), axis('z', ['open', 'closed'])].map((each, a) => ({
      ...each,
      label: labels[a] ?? '',
    }));
    const rows = upTo(8).map((cell) => {
      const at = { x: 8 + (cell & 1), y: 6 + ((cell >> 1) & 1), z: cell < 4 ? 'open' : 'closed' };
      return outcomeRow(cell, at, 0.9 - 0.1 * cell, 0.001);
    });
    const { figures: pictures } = await createSweepReport(storeOf({ ...facts, axes, points: 8 }, rows));
    expect(JSON.stringify(pictures.find(({ kind }) => kind === 'ranks')?.spec)).toContain(`"${place}"`);
  });
});
