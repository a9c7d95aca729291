/** Defaults of the Sweep panel, and sweeps that a link starts. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createAxisNote, createSweepSettings, isShortWork, sweepNote } from '../../web/app/sweep/notes.ts';
import type { NumberField } from '../../web/engine/editing/settable.ts';
import { type SweepRequest, sweep, sweepPictures } from '../../web/engine/studies/sweep.ts';

const field = (value: number, more: Partial<NumberField> = {}): NumberField => ({
  ...{
    kind: 'number',
    path: 'hp',
    label: 'hit points',
    written: true,
    value,
    integer: true,
    min: undefined,
    max: undefined,
  },
  ...more,
});

test.each([
  ['a large one', field(39), '19', '79', '5'],
  ['a small one', field(4, { min: 0 }), '2', '8', '1'],
  ['one at its lower end', field(0, { min: 0, max: 3 }), '0', '3', '1'],
  ['nothing yet', field(0, { min: 0 }), '0', '10', '1'],
  ['one at its upper end', field(6, { min: 1, max: 6 }), '2', '6', '1'],
  ['one', field(1, { min: 0 }), '0', '4', '1'],
  ['a probability', field(0.5, { integer: false, min: 0, max: 1 }), '0.2', '1', '0.1'],
  ['a negative one', field(-8, { min: -20, max: 20 }), '-12', '0', '1'],
])('createAxisNote returns for %s a range that contains the value', (_, of, low, high, step) => {
  const { low: from, high: to, step: by } = createAxisNote(of);
  expect([from, to, by]).toEqual([low, high, step]);
  const steps = (of.value - Number(from)) / Number(by);
  expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-9);
});

const TEXT = readFileSync('scenarios/attrition-direct.yaml', 'utf8');
const ASK: SweepRequest = {
  text: TEXT,
  file: 'duel.yaml',
  seed: '1',
  axes: [
    { path: 'attacker.hp', range: [20, 40], step: 10 },
    { path: 'defender.hp', range: [15, 35], step: 10 },
  ],
  exact: 'always',
  battles: 0,
};

test('sweepIsSmall returns true only if the cells at all corners are small', async () => {
  expect(await sweep.sweepIsSmall(ASK)).toBe(true);
  const large = { path: 'attacker.hp', range: [20, 90_020], step: 90_000 } as const;
  const [, second] = ASK.axes;
  if (second === undefined) throw new Error('two axes');
  expect(await sweep.sweepIsSmall({ ...ASK, axes: [large, second] })).toBe(false);
  expect(await sweep.sweepIsSmall({ ...ASK, axes: [second, large] })).toBe(false);
});

test('sweepShow returns the position and value of each cell, and marks the unchanged scenario', async () => {
  const rows: Parameters<typeof sweep.sweepCsv>[0][number][] = [];
  await sweep.sweep(ASK, [], 700, (part) => rows.push(...part.rows));
  const { axes, counts, here, sides } = sweep.sweepPlan(ASK);
  expect(here).toEqual({ 'attacker.hp': 30, 'defender.hp': 25 });
  const of = [{ kind: 'outcome', name: 'attacker' }] as const;
  const show = (own: typeof here) =>
    sweepPictures.sweepShow({
      plan: { axes, counts, sides, here: own },
      of,
      rows: rows.filter(({ name }) => name === 'attacker'),
      footer: '',
    });
  const { cells: spots, picture } = await show(here);
  expect(spots).toHaveLength(9);
  expect(spots.filter((spot) => spot.here)).toEqual([
    {
      ...{ x: 1, y: 1, here: true },
      place: 'attacker’s hit points 30, defender’s hit points 25',
      lines: ['attacker wins: 57.6476 % exact'],
      changes: [
        ['attacker.hp', 30],
        ['defender.hp', 25],
      ],
    },
  ]);
  expect(picture.caption).toContain('The frame marks the unchanged scenario.');
  for (const { place } of spots) expect(picture.svg).toContain(`<title>${place}\n`);
  const { cells: others, picture: plain } = await show({ 'attacker.hp': 31, 'defender.hp': 25 });
  expect(others.some((spot) => spot.here)).toBe(false);
  expect(plain.caption).not.toContain('The frame');
  expect(plain.svg.length).toBeLessThan(picture.svg.length);
});

test('isShortWork returns true for sweeps of some seconds, which links may start', () => {
  const fields = [field(30, { path: 'hp', min: 1 })];
  const ask = (to: Partial<(typeof sweepNote)['value']>) => {
    const requested = createSweepSettings({ ...sweepNote.value, ...to }, fields);
    if (requested === undefined) throw new Error('nothing is asked');
    return isShortWork(requested);
  };
  const wide = { path: 'hp', low: '1', high: '200', step: '1' };
  expect(ask({})).toBe(true);
  expect(ask({ one: wide })).toBe(true);
  expect(ask({ one: wide, how: 'battles', battles: '200 000' })).toBe(false);
  expect(ask({ one: wide, how: 'exact' })).toBe(true);
  expect(ask({ one: { ...wide, high: '202' }, how: 'exact' })).toBe(false);
  expect(ask({ how: 'precision', precision: '0.005' })).toBe(true);
  expect(ask({ how: 'precision', precision: '0.0001' })).toBe(false);
});
