/** Sweeps in the web app have the rows and digests of the command line; they can be stopped and resumed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openStore, runSweep } from '../../src/index.ts';
import { exportCsv } from '../../src/storage/store/open-store.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import type { ResultRow } from '../../src/storage/sweep/rows.ts';
import { computeSweepHash } from '../../src/storage/sweep/sweep.ts';
import { type SweepProgressPart, type SweepRequest, sweep, sweepPictures } from '../../web/engine/studies/sweep.ts';
import { task } from '../../web/engine/task.ts';

const TEXT = `system: attrition
mode: indirect
cover: none
attacker: { name: Archers, attack: 1, defense: 1, ranged: 2, hp: 9 }
defender: { name: Slingers, attack: 1, defense: 1, ranged: 1, hp: 8 }
`;

const ASK: SweepRequest = {
  text: TEXT,
  file: 'duel.yaml',
  seed: '5',
  axes: [
    { path: 'attacker.hp', range: [6, 10], step: 2 },
    { path: 'cover', values: ['none', 'forest'] },
  ],
  exact: 'auto',
  battles: 700,
};

const folder = mkdtempSync(join(tmpdir(), 'warpool-web-sweep-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

let tasks = 100;

interface Swept {
  readonly rows: ResultRow[];
  readonly points: number[];
  readonly rejected: (readonly [number, string])[];
  readonly complete: boolean;
}

async function swept(
  ask: SweepRequest,
  done: readonly number[] = [],
  look: (part: SweepProgressPart) => void = () => undefined,
) {
  const found: Omit<Swept, 'complete'> = { rows: [], points: [], rejected: [] };
  const complete = await sweep.sweep(ask, done, tasks++, (part) => {
    found.rows.push(...part.rows);
    found.points.push(...part.points);
    found.rejected.push(...part.rejected);
    look(part);
  });
  return { ...found, complete };
}

/** Runs the saved sweep file as the command line does. */
async function stored(ask: SweepRequest) {
  const plan = sweep.sweepPlan(ask);
  const file = join(folder, plan.yamlName);
  writeFileSync(file, plan.yaml);
  const asked = await loadSweep(file);
  const store = join(folder, `store-${String(tasks++)}`);
  await runSweep(asked, { out: store, workers: 1 });
  return { plan, hash: computeSweepHash(asked.spec), store };
}

async function rowsIn(store: string): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for await (const row of (await openStore(store)).rows()) rows.push(row);
  return rows;
}

test('a sweep resolves after its last part has arrived, even on a slow channel', async () => {
  const told: number[] = [];
  const arrived: number[] = [];
  const slowly = async ({ points }: SweepProgressPart): Promise<void> => {
    told.push(...points);
    await new Promise((resolve) => setTimeout(resolve, 50));
    arrived.push(...points);
  };
  expect(await sweep.sweep(ASK, [], tasks++, slowly)).toBe(true);
  expect(arrived).toEqual([0, 1, 2, 3, 4, 5]);
  const stopped = tasks++;
  const over = sweep.sweep(ASK, [], stopped, slowly);
  await new Promise((resolve) => setTimeout(resolve));
  task.stop(stopped);
  expect(await over).toBe(false);
  expect(arrived).toEqual(told);
});

test('a sweep that is stopped before its start simulates nothing', async () => {
  task.stop(tasks);
  expect(await swept(ASK)).toEqual({ rows: [], points: [], rejected: [], complete: false });
});

test('a sweep has the rows, digests and CSV of the command line', async () => {
  const { plan, hash, store } = await stored(ASK);
  const { rows, complete, points } = await swept(ASK);
  expect(complete).toBe(true);
  expect(points).toEqual([0, 1, 2, 3, 4, 5]);
  expect(plan).toMatchObject({ hash, points: 6, command: 'warpool sweep duel-sweep.yaml --out duel-sweep' });
  expect(new Set(rows.map(({ digest }) => digest)).size).toBeGreaterThan(3);
  expect(rows).toEqual(await rowsIn(store));
  const csv = join(folder, 'table.csv');
  await exportCsv(await openStore(store), csv, { of: 'table', excel: true });
  expect(
    sweep.sweepCsv(
      rows.toReversed().toSorted((a, b) => b.cell - a.cell),
      plan.axes,
    ).length,
  ).toBeGreaterThan(0);
  expect(sweep.sweepCsv(rows, plan.axes)).toBe(readFileSync(csv, 'utf8'));
});

test.each([
  ['solved alone', { exact: 'always', battles: 0 }],
  ['to a precision', { precision: 0.02, battles: 0 }],
  ['with a large seed', { seed: '18446744073709551615', battles: 50 }],
] as const)('a sweep %s has the rows of the command line', async (_, how) => {
  const ask: SweepRequest = { ...ASK, axes: ASK.axes.slice(0, 1), ...how };
  const { hash, plan, store } = await stored(ask);
  expect(plan.hash).toBe(hash);
  expect((await swept(ask)).rows).toEqual(await rowsIn(store));
});

describe('a sweep', () => {
  test('resumes with the missing cells after a stop, to the same rows', async () => {
    const whole = await swept(ASK);
    const number = tasks;
    const first = await swept(ASK, [], () => {
      task.stop(number);
    });
    expect(first.complete).toBe(false);
    expect(first.points.length).toBeLessThan(6);
    const rest = await swept(ASK, first.points);
    expect(rest.complete).toBe(true);
    expect([...first.points, ...rest.points]).toEqual(whole.points);
    expect([...first.rows, ...rest.rows]).toEqual(whole.rows);
  });

  test('omits invalid cells and reports the reason', async () => {
    const ask: SweepRequest = { ...ASK, axes: [{ path: 'attacker.hp', values: [9, -1] }] };
    const { points, rejected: refused, complete } = await swept(ask);
    expect(complete).toBe(true);
    expect(points).toEqual([0]);
    expect(refused).toEqual([[1, expect.stringContaining('attacker.hp')]]);
  });

  test('is rejected if it has more values than a figure can show', () => {
    const wide: SweepRequest = { ...ASK, axes: [{ path: 'attacker.hp', range: [1, 300], step: 1 }] };
    expect(() => sweep.sweepPlan(wide)).toThrow('attacker.hp: expected at most 200 values in the web app');
    const both: SweepRequest['axes'] = [
      { path: 'attacker.hp', range: [1, 41], step: 1 },
      { path: 'defender.hp', range: [1, 2], step: 1 },
    ];
    expect(() => sweep.sweepPlan({ ...ASK, axes: both })).toThrow('at most 40 values in the web app');
  });

  test('is rejected for an unknown field', () => {
    expect(() => sweep.sweepPlan({ ...ASK, axes: [{ path: 'attacker.hq', range: [1, 3], step: 1 }] })).toThrow(
      'expected a numeric field',
    );
  });
});

describe('sweepShow', () => {
  const outcomes = [
    { kind: 'outcome', name: 'attacker' },
    { kind: 'outcome', name: 'defender' },
    { kind: 'outcome', name: 'stalemate' },
  ] as const;

  test('returns a line for each outcome that occurs, and a table of the same numbers', async () => {
    const ask: SweepRequest = { ...ASK, axes: ASK.axes.slice(0, 1) };
    const { rows } = await swept(ask);
    const shown = await sweepPictures.sweepShow({ plan: sweep.sweepPlan(ask), of: outcomes, rows, footer: 'a duel' });
    expect(shown.picture.svg).toContain('<title>attacker’s hit points 6');
    expect(shown.picture.svg).toContain('a duel');
    expect(shown.table.heads.map(({ head }) => head)).toEqual([
      ...['attacker’s hit points', 'attacker wins', '95 % interval', 'defender wins', '95 % interval'],
    ]);
    const row = rows.find(({ cell, name }) => cell === 1 && name === 'attacker');
    expect(shown.table.rows[1]?.slice(0, 3)).toEqual(['8', `${(100 * (row?.exact ?? 0)).toFixed(4)} %`, 'exact']);
  });

  test('prints enough digits of an exact probability below 100 %', async () => {
    const ask: SweepRequest = { ...ASK, axes: ASK.axes.slice(0, 1) };
    const rows = (await swept(ask)).rows.map((row) => (row.name === 'attacker' ? { ...row, exact: 0.999999989 } : row));
    const shown = await sweepPictures.sweepShow({ plan: sweep.sweepPlan(ask), of: outcomes, rows, footer: '' });
    expect(shown.table.rows[1]?.slice(0, 3)).toEqual(['8', '99.9999989 %', 'exact']);
  });

  test('returns a heat map that hatches missing cells, and a table of both fields', async () => {
    const { rows } = await swept(ASK);
    const of = outcomes.slice(0, 1);
    const some = rows.filter(({ cell }) => cell < 4);
    const [part, whole] = await Promise.all(
      [some, rows].map((own) => sweepPictures.sweepShow({ plan: sweep.sweepPlan(ASK), of, rows: own, footer: '' })),
    );
    expect(part?.picture.caption).toContain('Hatched');
    expect(whole?.picture.caption).not.toContain('Hatched');
    expect(whole?.table.heads.map(({ head }) => head)).toEqual(['cover \\ attacker’s hit points', '6', '8', '10']);
    expect(whole?.table.rows.map(([cover]) => cover)).toEqual(['forest', 'none']);
    expect(part?.table.rows[0]?.at(-1)).toBe('');
  });
});
