/** Sweeps with prices: columns, conditions, heat maps, and values of units in the report. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { computeUnitValues } from '../../src/report/sweep-analysis/unit-values.ts';
import { createSweepReport } from '../../src/report/sweep-report/report.ts';
import { createUnitValueBlocks } from '../../src/report/sweep-report/unit-values.ts';
import { hashScenario } from '../../src/stats/digest.ts';
import { exportCsv, openStore } from '../../src/storage/store/open-store.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import type { Store } from '../../src/storage/sweep/rows.ts';
import { computeSweepHash } from '../../src/storage/sweep/sweep.ts';
import { called } from '../cli/called.ts';

const folder = mkdtempSync(join(tmpdir(), 'warpool-prices-'));
const store = join(folder, 'prices');
const SCENARIO =
  'scenario: { system: phased-dice, mode: ground, attacker: { units: { rifleman: 4 } }, defender: { units: { tank: 3 } } }';
const AXES = 'axes: [{ path: attacker.units.rifleman, range: [1, 6] }, { path: defender.units.tank, values: [1, 3] }]';
const COSTS = 'costs: { units.rifleman: 3, units.tank: 5 }';

let files = 0;
function load(...lines: readonly string[]) {
  const path = join(folder, `${String(files++)}.yaml`);
  writeFileSync(path, lines.join('\n'));
  return loadSweep(path);
}

async function swept(...lines: readonly string[]) {
  const path = join(folder, `${String(files++)}.yaml`);
  writeFileSync(path, lines.join('\n'));
  const out = `${path}.store`;
  expect((await called(['sweep', path, '--out', out, '--quiet'])).code).toBe(0);
  return openStore(out);
}

const sentences = async (opened: Awaited<ReturnType<typeof openStore>>) =>
  createUnitValueBlocks(await createSweepReport(opened)).flatMap((part) => (part.kind === 'note' ? [part.text] : []));

describe('points of sides', () => {
  test('are columns after the axes, with their values', async () => {
    const sweep = await load(SCENARIO, AXES, COSTS);
    expect(sweep.columns.slice(2)).toEqual([
      {
        name: 'points.attacker',
        paths: ['attacker.units.rifleman'],
        prices: [3],
        labels: [3, 6, 9, 12, 15, 18],
        kind: 'whole',
      },
      { name: 'points.defender', paths: ['defender.units.tank'], prices: [5], labels: [5, 15], kind: 'whole' },
    ]);
    expect([0, 3, 11].map((at) => sweep.cell(at)?.labels)).toEqual([
      [1, 1, 3, 5],
      [2, 3, 6, 15],
      [6, 3, 18, 15],
    ]);
  });

  test('include units from cases, mappings and unchanged fields', async () => {
    const cases = 'axes: [{ name: army, cases: { few: {}, more: { attacker.units: { rifleman: 2, tank: 1 } } } }]';
    const sweep = await load(SCENARIO, cases, COSTS);
    expect([sweep.cell(0)?.labels, sweep.cell(1)?.labels]).toEqual([
      ['few', 12, 15],
      ['more', 11, 15],
    ]);
    expect(sweep.columns[1]).toMatchObject({
      paths: ['attacker.units.rifleman', 'attacker.units.tank'],
      labels: [11, 12],
    });
    expect(sweep.columns[2]).toMatchObject({ labels: [15] });
  });

  test('have a range instead of labels for drawn cells and for many sums', async () => {
    const drawn = await load(
      SCENARIO,
      AXES.replace('values: [1, 3]', 'range: [1, 3]'),
      COSTS,
      'design: { kind: sobol, points: 8 }',
    );
    expect(drawn.columns[2]).toMatchObject({ range: [3, 18], kind: 'number' });
    const wide = AXES.replace('[1, 6]', '[1, 999]').replace('values: [1, 3]', 'range: [1, 9]');
    const many = await load(SCENARIO, wide, 'costs: { attacker.units.rifleman: 3.37 }');
    expect(many.columns[2]).toMatchObject({
      name: 'points.attacker',
      labels: expect.arrayContaining([3.37]) as number[],
    });
    const zip = wide.replace('defender.units.tank', 'attacker.units.tank');
    expect((await load(SCENARIO, zip, COSTS)).columns[2]).toMatchObject({ range: [8, 999 * 3 + 9 * 5] });
    const far = await load(SCENARIO, zip, 'costs: { units.rifleman: 3.37, units.tank: 5.113 }');
    expect(far.columns[2]).toMatchObject({
      range: [3.37 + 5.113, 999 * 3.37 + 9 * 5.113].map((x) => Number(x.toFixed(6))),
    });
  });

  test('can be used in conditions', async () => {
    const equal = await load(SCENARIO, AXES, COSTS, 'where: points.attacker = points.defender');
    const passing = (sweep: typeof equal) =>
      Array.from({ length: sweep.points }, (_, at) => at).filter((at) => sweep.has(at));
    expect(passing(equal).map((at) => equal.cell(at)?.labels)).toEqual([[5, 3, 15, 15]]);
    const near = await load(
      SCENARIO,
      AXES,
      COSTS,
      'where: points.attacker <= points.defender + 2 && points.attacker >= points.defender - 2',
    );
    expect(passing(near)).toEqual([0, 2, 9]);
    await expect(load(SCENARIO, AXES, 'where: points.attacker = 3')).rejects.toThrow('points.attacker');
  });

  test('use the prices of the scenario if the sweep has none', async () => {
    writeFileSync(
      join(folder, 'priced.yaml'),
      'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 9 }\ndefender: { attack: 1, defense: 1, hp: 8 }\ncosts: { hp: 2 }\n',
    );
    const sweep = await load('scenario: priced.yaml', 'axes: [{ path: attacker.hp, values: [3, 5] }]');
    expect(sweep.cell(1)?.labels).toEqual([5, 10, 16]);
    expect(sweep.spec.costs).toEqual({ 'attacker.hp': 2, 'defender.hp': 2 });
    const other = await load(
      'scenario: priced.yaml',
      'axes: [{ path: attacker.hp, values: [3, 5] }]',
      'costs: { attacker.hp: 1 }',
    );
    expect(other.cell(1)?.labels).toEqual([5, 5]);
  });

  test('are rejected if a price names no counted field', async () => {
    await expect(load(SCENARIO, AXES, 'costs: { units.tnak: 1 }')).rejects.toThrow(
      /costs: expected a counted field of the scenario/,
    );
  });

  test('change the hash of the sweep, but not the hashes of cells and scenario', async () => {
    const [bare, priced] = [await load(SCENARIO, AXES), await load(SCENARIO, AXES, COSTS)];
    expect(priced.cell(3)?.hash).toBe(bare.cell(3)?.hash);
    expect(hashScenario(priced.spec.scenario)).toBe(hashScenario(bare.spec.scenario));
    expect(computeSweepHash(priced.spec)).not.toBe(computeSweepHash(bare.spec));
    expect(bare.columns).toHaveLength(2);
    expect('costs' in bare.spec).toBe(false);
  });
});

describe('examples/prices.yaml', () => {
  beforeAll(async () => {
    const { code, stdout } = await called(['sweep', 'examples/prices.yaml', '--out', store]);
    expect(code).toBe(0);
    expect(stdout).toContain('117 of 117 cells');
  });

  test('has points in CSV and in the rows of the store', async () => {
    const opened = await openStore(store);
    const csv = join(folder, 'prices.csv');
    await exportCsv(opened, csv, { of: 'table' });
    expect(readFileSync(csv, 'utf8').split('\r\n')[0]).toContain('site,points.attacker,points.defender,kind');
    for await (const { axes } of opened.rows()) {
      expect(axes['points.attacker']).toBe(3 * Number(axes['attacker.units.rifleman']));
      expect(axes['points.defender']).toBe(5 * Number(axes['defender.units.tank']));
    }
    expect(opened.info.axes).toHaveLength(3);
    expect(opened.info.costs?.map(({ prices }) => prices)).toEqual([[3], [5]]);
    expect((await called(['verify', store, '--cells', '2'])).code).toBe(0);
  });

  test('reports the value of a tank, and whether it is cheap or expensive', async () => {
    const opened = await openStore(store);
    expect((await sentences(opened)).slice(0, 3)).toEqual([
      'site open: one of defender’s tank has the value of 1.32 to 1.34 of attacker’s rifleman, and the price of 1.67: expensive.',
      'site settlement: one of defender’s tank has the value of 1.59 to 1.64 of attacker’s rifleman, and the price of 1.67: expensive.',
      'site great-wall: one of defender’s tank has the value of 2.18 to 2.29 of attacker’s rifleman, and the price of 1.67: cheap.',
    ]);
    const { unitValues: payoff, answers } = await createSweepReport(opened);
    expect(payoff).toMatchObject({
      of: 'attacker',
      along: 'attacker.units.rifleman',
      sides: ['points.attacker', 'points.defender'],
      omittedLines: 0,
    });
    const open6 = payoff?.lines.find(({ axes }) => axes['site'] === 'open' && axes['defender.units.tank'] === 6);
    expect(open6).toMatchObject({ against: 30, between: [21, 24] });
    // Interpolated between the exact probabilities at 7 and at 8 riflemen.
    const at: number[] = [];
    for await (const row of opened.rows())
      if (row.name === 'attacker' && row.axes['site'] === 'open' && row.axes['defender.units.tank'] === 6)
        at[Number(row.axes['attacker.units.rifleman'])] = row.exact ?? 0;
    const [seven = 0, eight = 0] = [at[7], at[8]];
    expect(open6?.points).toBeCloseTo(3 * (7 + (0.5 - seven) / (eight - seven)), 12);
    expect(open6?.interval).toBeUndefined();
    expect(answers?.influences.map(({ axis }) => axis)).not.toContain('points.attacker');
  });

  test('has unit values in the HTML, text and JSON reports', async () => {
    const page = join(folder, 'report.html');
    await called(['report', store, '--out', page]);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('<section id="worth"><h2>Unit values</h2>');
    expect(html).toContain('<th scope="row">prices</th><td>3 x attacker.units.rifleman, 5 x defender.units.tank</td>');
    const text = (await called(['report', store, '--text'])).stdout;
    expect(text).toMatch(/open +2 +10 +7\.94 +0\.794/);
    const json = JSON.parse((await called(['report', store, '--json'])).stdout) as {
      pointValues: { lines: unknown[] };
    };
    expect(json.pointValues.lines).toHaveLength(9);
  });

  test('has heat maps over points, without fixed values or panels for their summands', async () => {
    const { view } = await createSweepReport(await openStore(store), { x: 'points.attacker', y: 'points.defender' });
    expect([view.x?.axis, view.y?.axis, view.panels?.axis, [...view.fixed]]).toEqual([
      'points.attacker',
      'points.defender',
      'site',
      [],
    ]);
    expect(view.x?.labels).toHaveLength(13);
    const fixed = await createSweepReport(await openStore(store), { fix: new Map([['points.defender', '20']]) });
    expect([fixed.view.x?.axis, fixed.view.y?.axis]).toEqual(['points.attacker', 'site']);
    expect(fixed.figureData.shown).toBe(39);
    const usual = await createSweepReport(await openStore(store));
    expect([usual.view.x?.axis, usual.view.y?.axis]).toEqual(['attacker.units.rifleman', 'defender.units.tank']);
  });
});

/** Computes unit values of one line of cells along x, at 3 points each, against 10 points. */
function line(values: readonly (readonly [value: number, low?: number, high?: number])[]) {
  const rows = values.map(([value, low = value, high = value], x) => ({
    ...{ cell: x, kind: 'outcome', name: 'won', axes: { x, 'points.a': 3 * x, 'points.b': 10 } },
    ...{ estimate: low === high ? null : value, low, high, exact: low === high ? value : null, z: null },
  }));
  const points = [
    { name: 'points.a', paths: ['x'], prices: [3] },
    { name: 'points.b', paths: ['y'], prices: [1] },
  ];
  const info = { axes: [{ name: 'x', paths: ['x'], values: values.map((_, x) => x) }], costs: points, design: 'grid' };
  return computeUnitValues(
    {
      info,
      parts: async function* () {
        yield await Promise.resolve(rows);
      },
    } as unknown as Store,
    'won',
  );
}

describe('a line of cells', () => {
  test('is balanced where it crosses one half, between cells or at a cell', async () => {
    expect((await line([[0.3], [0.4], [0.8]]))?.lines).toEqual([
      { axes: { 'points.b': 10 }, against: 10, points: 3.75, between: [3, 6] },
    ]);
    expect((await line([[0.3], [0.5], [0.7]]))?.lines).toMatchObject([{ points: 3, between: [0, 3] }]);
    expect((await line([[0.5], [0.6], [0.7]]))?.lines).toMatchObject([{ points: 0 }]);
  });

  test('is omitted if it crosses one half never or twice', async () => {
    expect(await line([[0.3], [0.4]])).toMatchObject({ lines: [], omittedLines: 1 });
    expect(await line([[0.3], [0.7], [0.4]])).toMatchObject({ lines: [], omittedLines: 1 });
  });

  test('has an interval between the crossings of both ends, or null without a crossing', async () => {
    const known = await line([
      [0.3, 0.2, 0.4],
      [0.6, 0.5, 0.7],
      [0.8, 0.7, 0.9],
    ]);
    expect(known?.lines[0]?.points).toBeCloseTo(2, 12);
    expect(known?.lines[0]?.interval?.[0]).toBeCloseTo(1, 12);
    expect(known?.lines[0]?.interval?.[1]).toBeCloseTo(3, 12);
    expect(
      (
        await line([
          [0.3, 0.2, 0.4],
          [0.6, 0.45, 0.7],
        ])
      )?.lines[0]?.interval,
    ).toBeNull();
  });
});

describe('unit values', () => {
  test('from simulated battles have intervals', async () => {
    const opened = await swept(SCENARIO, AXES, COSTS, 'exact: never', 'battles: 2000');
    const { unitValues: payoff } = await createSweepReport(opened);
    const three = payoff?.lines.find(({ against }) => against === 15);
    expect(three?.interval?.[0]).toBeLessThan(three?.points ?? 0);
    expect(three?.interval?.[1]).toBeGreaterThan(three?.points ?? 0);
    expect((await sentences(opened)).at(-1)).toContain(
      'intervals are where the 95 % intervals of the cells cross 50 %',
    );
  });

  test('of mixed armies are reported in points', async () => {
    const mixed = SCENARIO.replace('rifleman: 4 }', 'rifleman: 4, cannon: 1 }');
    const opened = await swept(
      mixed,
      AXES,
      'costs: { units.rifleman: 3, units.tank: 5, units.cannon: 4 }',
      'exact: always',
    );
    expect((await sentences(opened))[0]).toMatch(
      /^even at [\d.]+( to [\d.]+)? points\.attacker for one of points\.defender\.$/,
    );
  });

  test('are not reported with prices of one side, drawn cells, or no prices', async () => {
    for (const more of [
      ['costs: { attacker.units.rifleman: 3 }'],
      [COSTS, 'design: { kind: random, points: 9 }'],
      [],
    ]) {
      const opened = await swept(SCENARIO, AXES, ...more, 'exact: always');
      expect((await createSweepReport(opened)).unitValues).toBeUndefined();
      expect(await sentences(opened)).toEqual([]);
    }
  });
});
