import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { listChanges } from '../../src/storage/folder/manifest.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import {
  computeSegmentSizeRange,
  countCells,
  countSegments,
  getSegmentSize,
  hasSharedCells,
  locateSegment,
} from '../../src/storage/sweep/segments.ts';
import type { Cell, Sweep } from '../../src/storage/sweep/sweep.ts';

const folder = mkdtempSync(join(tmpdir(), 'warpool-sweep-'));
const DUEL =
  'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 9 }\ndefender: { attack: 1, defense: 1, hp: 8 }\n';
writeFileSync(join(folder, 'duel.yaml'), DUEL);

let files = 0;
function load(text: string): Promise<Sweep> {
  const path = join(folder, `sweep-${String(files++)}.yaml`);
  writeFileSync(path, text.includes('scenario:') ? text : `scenario: duel.yaml\n${text}`);
  return loadSweep(path);
}

/** Returns the error message of an invalid file, without the folder. */
async function rejection(text: string): Promise<string> {
  const error: unknown = await load(text).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message.replaceAll(folder, '').replaceAll(/\/sweep-\d+/g, 'sweep') : 'accepted';
}

function cellsIn(sweep: Sweep): Cell[] {
  return Array.from({ length: sweep.points }, (_, point) => sweep.cell(point)).filter((cell) => cell !== undefined);
}

const labels = (sweep: Sweep) => cellsIn(sweep).map((cell) => cell.labels);

describe('a grid', () => {
  test('contains all combinations, with the last axis fastest', async () => {
    const sweep = await load('axes: [{ path: attacker.hp, values: [3, 1] }, { path: defender.hp, range: [5, 7] }]');
    expect(sweep.columns.map(({ name }) => name)).toEqual(['attacker.hp', 'defender.hp']);
    expect(labels(sweep)).toEqual([
      [3, 5],
      [3, 6],
      [3, 7],
      [1, 5],
      [1, 6],
      [1, 7],
    ]);
    expect(cellsIn(sweep)[3]?.scenario).toMatchObject({ attacker: { hp: 1 }, defender: { hp: 5, attack: 1 } });
  });

  test('supports steps, counts and logarithmic scales', async () => {
    const axis = async (text: string) => (await load(`axes: [{ path: attacker.hp, ${text} }]`)).columns[0]?.labels;
    expect(await axis('range: [1, 10], step: 4')).toEqual([1, 5, 9]);
    expect(await axis('range: [1, 10], count: 4')).toEqual([1, 4, 7, 10]);
    expect(await axis('range: [1, 1000], count: 4, scale: log')).toEqual([1, 10, 100, 1000]);
    // Rounding to whole numbers makes some values equal; each occurs once.
    expect(await axis('range: [1, 3], count: 7')).toEqual([1, 2, 3]);
  });

  test('advances zipped axes together', async () => {
    const sweep = await load(
      'axes: [{ zip: [{ path: attacker.attack, values: [1, 2] }, { path: defender.attack, values: [4, 3] }] }, { path: attacker.hp, values: [7, 8] }]',
    );
    expect(labels(sweep)).toEqual([
      [1, 4, 7],
      [1, 4, 8],
      [2, 3, 7],
      [2, 3, 8],
    ]);
  });

  test('sets several fields to one value, and several fields by named cases', async () => {
    const sweep = await load(
      `axes:
  - { name: skill, path: [attacker.attack, attacker.defense], values: [0, 2] }
  - { name: army, cases: { plain: {}, strong: { defender.hp: 50, defender.attack: null } } }`,
    );
    expect(sweep.columns).toMatchObject([
      { name: 'skill' },
      { name: 'army', kind: 'other', labels: ['plain', 'strong'] },
    ]);
    const last = cellsIn(sweep)[3]?.scenario;
    expect(last).toMatchObject({ attacker: { attack: 2, defense: 2, hp: 9 }, defender: { hp: 50, attack: null } });
    expect(cellsIn(sweep)[0]?.scenario).toMatchObject({ defender: { hp: 8, attack: 1 } });
  });

  test('omits cells that fail the condition, and keeps the indices of the others', async () => {
    const sweep = await load(
      'axes: [{ path: attacker.hp, range: [1, 3] }, { path: defender.hp, range: [1, 3] }]\nwhere: attacker.hp > defender.hp && attacker.defense = 1',
    );
    expect(labels(sweep)).toEqual([
      [2, 1],
      [3, 1],
      [3, 2],
    ]);
    expect(cellsIn(sweep).map(({ index }) => index)).toEqual([3, 6, 7]);
    expect([0, 1, 2].map((segment) => countCells(sweep, 3, segment))).toEqual([0, 1, 2]);
  });
});

describe('a space-filling design', () => {
  test.each(['latin-hypercube', 'sobol', 'random'])('%s gives integer fields equally likely integers', async (kind) => {
    const sweep = await load(
      `axes: [{ path: attacker.hp, range: [1, 4] }, { path: preyDamage, values: [0, 5] }]\ndesign: { kind: ${kind}, points: 400, seed: 3 }`,
    );
    const counts = new Map<number, number>();
    for (const [hp] of labels(sweep)) counts.set(Number(hp), (counts.get(Number(hp)) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4]);
    const spread = kind === 'random' ? 40 : 1;
    for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThanOrEqual(spread);
    const again = await load(
      `axes: [{ path: attacker.hp, range: [1, 4] }, { path: preyDamage, values: [0, 5] }]\ndesign: { kind: ${kind}, points: 400, seed: 4 }`,
    );
    expect(labels(again)).not.toEqual(labels(sweep));
  });

  test('gives real fields values within the range, log-uniform with scale: log', async () => {
    const scenario =
      '{ system: phased-dice, mode: ground, attacker: { units: { knight: 2 } }, defender: { units: { knight: 2 } } }';
    const sweep = await load(
      `scenario: ${scenario}\naxes: [{ path: attacker.retreat.whenWeaker, range: [0.01, 100], scale: log }]\ndesign: { kind: sobol, points: 256 }`,
    );
    const values = labels(sweep).map(([value]) => Number(value));
    for (const value of values) expect(value).toBe(Number(value.toFixed(6)));
    expect(values.filter((value) => value < 1).length).toBe(128);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0.01);
    expect(Math.max(...values)).toBeLessThan(100);
  });
});

describe('cells', () => {
  test('use common streams, or independent ones that depend on their scenario', async () => {
    const axes = 'axes: [{ path: attacker.hp, range: [1, 3] }]\nseed: 7';
    const common = cellsIn(await load(axes));
    expect(common.map(({ seed }) => seed)).toEqual([7n, 7n, 7n]);
    const own = cellsIn(await load(`${axes}\nstreams: independent`));
    expect(new Set(own.map(({ seed }) => seed)).size).toBe(3);
    const other = cellsIn(await load('axes: [{ path: attacker.hp, range: [2, 9] }]\nseed: 7\nstreams: independent'));
    expect(other[0]?.seed).toBe(own[1]?.seed);
    const reseeded = cellsIn(await load(`${axes}8\nstreams: independent`));
    expect(reseeded[0]?.hash).toBe(own[0]?.hash);
    expect(reseeded[0]?.seed).not.toBe(own[0]?.seed);
    const large = cellsIn(await load('axes: [{ path: attacker.hp, range: [1, 3] }]\nseed: "18446744073709551615"'));
    expect(large[0]?.seed).toBe(2n ** 64n - 1n);
  });

  test('belong to segments whose size depends only on the sweep', async () => {
    const axes = 'axes: [{ path: attacker.hp, range: [1, 300] }]';
    const few = await load(`${axes}\nbattles: 100000`);
    expect([getSegmentSize(few), countSegments(few, getSegmentSize(few)), hasSharedCells(few)]).toEqual([
      18,
      17,
      false,
    ]);
    expect(locateSegment(few, 18, 16)).toEqual([288, 300]);
    expect(getSegmentSize(await load(`${axes}\nexact: always`))).toBe(128);
    const many = await load(`${axes}\nbattles: 1e9`);
    expect([getSegmentSize(many), hasSharedCells(many)]).toEqual([1, true]);
    expect(hasSharedCells(await load(`${axes}\nprecision: 0.0001`))).toBe(true);
    expect(hasSharedCells(await load(`${axes}\nprecision: 0.001`))).toBe(false);
    expect(hasSharedCells(await load(`${axes}\nprecision: 0.1%`))).toBe(false);
    expect(hasSharedCells(await load(`${axes}\nprecision: 0.01pp`))).toBe(true);
  });

  test('belong to larger segments in large sweeps of cheap cells', async () => {
    const grid = (most: number): string =>
      `axes: [{ path: attacker.hp, range: [1, ${String(most)}] }, { path: defender.hp, range: [1, 400] }]`;
    const sizes = async (text: string) => {
      const sweep = await load(text);
      return [...computeSegmentSizeRange(sweep), getSegmentSize(sweep)];
    };
    expect(await sizes(`${grid(81)}\nexact: always`)).toEqual([4, 128, 128]);
    expect(await sizes(`${grid(90)}\nexact: never\nbattles: 10`)).toEqual([4, 141, 141]);
    expect(await sizes(`${grid(4000)}\nexact: never\nbattles: 10`)).toEqual([160, 4096, 4096]);
    // These battles take ten times as long as battles with few hit points.
    const [, whole, part = 0] = await sizes(`${grid(4000)}\nexact: never\nbattles: 10000`);
    expect(whole).toBe(419);
    expect(part).toBeGreaterThanOrEqual(160);
    expect(part).toBeLessThan(419);
    const [least = 0, most = 0, size = 0] = await sizes(`${grid(1000)}\nexact: always`);
    expect([least, most]).toEqual([40, 1563]);
    expect(size).toBeGreaterThan(least);
    expect(size).toBeLessThan(most);
    expect(await sizes(`${grid(1000)}\nexact: always`)).toEqual([40, 1563, size]);
    // Exact answers that are expensive or exceed the budget.
    const dear = `scenario: ${join(process.cwd(), 'scenarios/attrition-mass.yaml')}
axes: [{ path: 'combatants[0].hp', range: [1, 400] }, { path: 'combatants[1].hp', range: [1, 400] }]\nbattles: 10`;
    expect(await sizes(dear)).toEqual([16, 625, 128]);
  });

  test('belong to segments of about equal work, even in small sweeps', async () => {
    const mass = `scenario: ${join(process.cwd(), 'scenarios/attrition-mass.yaml')}
axes: [{ path: 'combatants[0].attack', range: [0, 5] }, { path: 'combatants[1].hp', range: [20, 40], step: 2 }]`;
    const cut = async (text: string) => getSegmentSize(await load(`${mass}\n${text}`));
    // 66 cells: with seconds of battles, with few battles, with slow exact answers.
    expect(await cut('precision: 0.5pp\nbattles: 5M\nexact: never')).toBe(4);
    expect(await cut('battles: 100\nexact: never')).toBe(128);
    expect(await cut('exact: always\nbudget: 100M')).toBe(1);
  });

  test('of a custom system, whose rules may be slow, belong to segments of at most 128 cells', async () => {
    const [path, examples] = [join(folder, 'own.yaml'), join(process.cwd(), 'examples/games')];
    const text = `scenario: ${join(examples, 'conquest-dice-siege.yaml')}
axes: [{ path: attacker, range: [1, 250] }, { path: defender, range: [1, 250] }]\nbattles: 10`;
    writeFileSync(path, text);
    const systems = await loadSystems([join(examples, 'conquest-dice.mjs')]);
    const large = await loadSweep(path, { systems });
    expect([...computeSegmentSizeRange(large), getSegmentSize(large)]).toEqual([7, 128, 128]);
  });

  test('with an invalid scenario are reported with their values', async () => {
    const sweep = await load('axes: [{ path: attacker.hp, values: [1, 0] }]');
    expect(() => sweep.cell(1)).toThrow(
      /cell 1 \(attacker\.hp=0\) attacker\.hp: expected an integer 1\.\.100000, found 0/,
    );
  });
});

describe('an invalid file', () => {
  test.each([
    ['axes: []', 'sweep.yaml:2:7 axes: expected a list of 1 to 100, found an empty list'],
    ['axes: [{ path: attacker.mp, range: [1, 3] }]', 'sweep.yaml axes[0].path: expected a numeric field'],
    ['axes: [{ path: attacker.hp, range: [3, 1] }]', 'expected the smaller value first, found 3, 1'],
    ['axes: [{ path: attacker.hp, range: [1.5, 3] }]', 'expected integers for attacker.hp, found 1.5, 3'],
    ['axes: [{ path: attacker.hp, range: [1, 3], step: 1, count: 3 }]', 'expected a step or a count, found both'],
    ['axes: [{ path: attacker.hp, range: [0, 3], count: 2, scale: log }]', 'expected values above 0'],
    [
      'axes: [{ path: attacker.hp, values: [1] }, { path: attacker.hp, values: [2] }]',
      'expected unique names, found "attacker.hp" again',
    ],
    [
      'axes: [{ name: a, path: attacker.hp, values: [1] }, { name: b, path: attacker.hp, values: [2] }]',
      'expected each field in at most one axis',
    ],
    [
      'axes: [{ name: digest, path: attacker.hp, values: [1] }]',
      'expected a name that is not a column of the result tables, found "digest"',
    ],
    [
      'axes: [{ zip: [{ path: attacker.hp, values: [1] }, { path: defender.hp, values: [1, 2] }] }]',
      'expected axes with the same number of values, found 1, 2',
    ],
    [
      'axes: [{ path: attacker.hp, values: [1] }]\nwhere: attacker.mp > 1',
      'sweep.yaml where:1: expected the name of an axis',
    ],
    [
      'axes: [{ path: attacker.hp, values: [1] }]\nbattles: 0',
      'battles: expected 1 or more, or exact: always, found 0',
    ],
    [
      'axes: [{ path: attacker.hp, values: [1] }]\nprecisionOf: rounds',
      'precisionOf: expected a precision with it, found none',
    ],
    ['axes: [{ path: attacker.hp, values: [1] }]\nprecision: 0.01\nprecisionOf: round', 'sweep.yaml precisionOf'],
    [
      'axes: [{ path: attacker.hp, values: [1] }]\nprecision: fine',
      'sweep.yaml:3:12 precision: expected a number above 0, or text like 10% or 0.1pp, found "fine"',
    ],
    [
      'axes: [{ path: attacker.hp, values: [1] }]\nprecision: 80%',
      'precision: expected a part of each value, 0.1%..50%, found "80%"',
    ],
    [
      'axes: [{ path: attacker.hp, values: [1] }]\nprecisionFloor: 0.01',
      'precisionFloor: expected a precision with it, found none',
    ],
    [
      'axes: [{ path: attacker.hp, values: [1] }]\nprecision: 0.01\nprecisionFloor: 0.01',
      'precisionFloor requires precision in percent, such as 10%',
    ],
    ['axes: [{ path: attacker.hp, values: [1] }]\nbounded: maybe', 'bounded: expected true or false'],
    [
      'axes: [{ path: attacker.hp, values: [1] }]\nkeep: { metrics: [round] }',
      'expected some of rounds, hp.attacker, hp.defender, found "round"',
    ],
    ['axes: [{ path: attacker.hp, values: [1] }]\ndesign: sobol', 'sweep.yaml:3:9 design'],
    [
      'axes: [{ path: attacker.hp, range: [1, 100000] }, { path: defender.hp, range: [1, 100000] }]',
      'at most 10000000 combinations',
    ],
    ['axes: [{ path: attacker.hp, values: [1] }]\nbatles: 7', 'sweep.yaml:3:1 batles: expected one of'],
    [
      'scenario: none.yaml\naxes: [{ path: attacker.hp, values: [1] }]',
      'sweep.yaml:1:11 scenario: expected a readable file, found no such file: ',
    ],
    [
      'scenario: { system: attrition, mode: direct, attacker: { attack: 1, defense: 1, hp: 0 }, defender: { attack: 1, defense: 1, hp: 1 } }\naxes: [{ path: attacker.hp, values: [1] }]',
      'sweep.yaml:1:85 attacker.hp: expected an integer 1..100000, found 0',
    ],
  ])('with %s is rejected', async (text, message) => {
    expect(await rejection(text)).toContain(message);
  });
});

test('listChanges returns each difference between two files', () => {
  const before = { axes: [{ values: [1, 2] }, { range: [1, 3] }], battles: 5 };
  const after = { axes: [{ values: [1, 2, 3] }, { range: [1, 4] }], seed: 2 };
  expect(listChanges(before, after)).toEqual([
    { path: 'axes[0].values', before: '[1,2]', after: '[1,2,3]' },
    { path: 'axes[1].range[1]', before: '3', after: '4' },
    { path: 'battles', before: '5', after: undefined },
    { path: 'seed', before: undefined, after: '2' },
  ]);
  expect(listChanges(before, structuredClone(before))).toEqual([]);
});
