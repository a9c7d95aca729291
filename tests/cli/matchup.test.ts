/** Command `warpool matchup`. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { called, getOutput, json } from './called.ts';

const DUELS = 'examples/rosters/duels.yaml';
const folder = mkdtempSync(join(tmpdir(), 'warpool-rosters-'));

/** Writes a roster of duels, some of which are simulated. */
function writeRoster(name: string, fields: object): string {
  const file = join(folder, name);
  const scenario = { system: 'attrition', mode: 'direct', attacker: { attack: 1, defense: 1, hp: 9 } };
  const defender = { attack: 0, defense: 0, hp: 9 };
  const armies = [5, 40].map((hp) => ({ name: `hp ${String(hp)}`, set: { hp } }));
  writeFileSync(file, JSON.stringify({ scenario: { ...scenario, defender }, armies, ...fields }));
  return file;
}

test('prints the matrix and its analysis', async () => {
  const stdout = await getOutput('matchup', DUELS);
  expect(stdout).toContain('Duelists · 4 x 4 armies · 16 matchups solved');
  expect(stdout).toContain('attacker    Swordsmen  Berserkers  Wardens  Recruits');
  for (const title of ['Ranking', 'Equilibrium of attacker and defender', 'Advantage of attacking'])
    expect(stdout).toContain(title);
});

test('--json prints the game with and without a unit type', async () => {
  const scenario = { system: 'combined-arms', attacker: { infantry: 8 }, defender: { infantry: 8 } };
  const armies = { points: 12, spend: 'exactly', units: { infantry: {}, artillery: {}, tank: {} } };
  const file = writeRoster('points.json', { scenario, armies });
  const { analysis, without } = await json<{
    analysis: { equilibrium: { value: { value: number } } };
    without: { value: { value: number }; difference: { value: number } };
  }>('matchup', file, '--without', 'artillery');
  expect(without.difference.value).toBeCloseTo(without.value.value - analysis.equilibrium.value.value, 12);
  // Without artillery, attackers cannot use their best army.
  expect(without.difference.value).toBeLessThan(-0.03);
});

test('--certify bounds the value of the game from a subset of the matchups', async () => {
  const file = 'examples/rosters/budget-game.yaml';
  const found = await json<{ value: { lower: number; upper: number }; cells: number }>(
    'matchup',
    file,
    '--certify',
    '0.005',
  );
  expect(found).toMatchObject({
    allCells: 81,
    isReached: true,
    attackers: [{ army: '4 infantry + 3 artillery', weight: 1 }],
    defenders: [{ army: '8 infantry', weight: 1 }],
  });
  expect(found.cells).toBeLessThan(60);
  expect(found.value.lower).toBeLessThanOrEqual(-0.483_205_138_807_54 + 1e-12);
  expect(found.value.upper).toBeGreaterThanOrEqual(-0.483_205_138_807_54 - 1e-12);
  expect(found.value.upper - found.value.lower).toBeLessThanOrEqual(0.01);
  const simulated = writeRoster('certify.json', { exact: 'never', battles: 100 });
  expect(await json('matchup', simulated, '--certify', '0.001')).toMatchObject({ isReached: false, allCells: 4 });
  expect(await getOutput('matchup', simulated, '--certify', '0.1%')).toContain('use more battles');
  const { code, stderr } = await called(['matchup', file, '--certify', '0.005', '--out', folder]);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--certify cannot be combined with --out') as string,
  });
});

test('writes an HTML report', async () => {
  const page = join(folder, 'page.html');
  const { code, stderr } = await called(['matchup', DUELS, '--html', page]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('page.html: written') as string });
  expect(readFileSync(page, 'utf8')).toContain('Duelists');
});

test('result folders support --resume, --shard, verify, export and merge', async () => {
  const file = writeRoster('both.json', { exact: 'never', battles: 200 });
  const out = join(folder, 'out');
  const first = await json('matchup', file, '--out', out);
  expect(first).toMatchObject({ simulated: 4, battles: 800, folder: out });
  expect(first['lower']).toHaveLength(2);
  for (const again of [[], ['--resume']]) expect(await json('matchup', file, '--out', out, ...again)).toEqual(first);
  const { code, stderr } = await called(['matchup', file, '--out', out, '--seed', '2']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--recompute') as string });
  expect(await getOutput('verify', out, '-q')).toContain('OK, no problems found');
  await called(['export', out, join(folder, 'cells.csv')]);
  expect(readFileSync(join(folder, 'cells.csv'), 'utf8')).toContain('hp 5,hp 40,outcome,attacker');
  const shards = join(folder, 'shards');
  for (const shard of ['1/2', '2/2']) await getOutput('matchup', file, '--out', shards, '--shard', shard, '-q');
  await called(['merge', shards, '-q']);
  expect(await json('matchup', file, '--out', shards, '--resume')).toMatchObject({ values: first['values'] });
});

test('--exact, --battles and --seed replace fields of the file', async () => {
  const file = writeRoster('fields.json', { battles: 100 });
  expect(await json('matchup', file)).toMatchObject({ solved: 4, simulated: 0 });
  const one = await json('matchup', file, '--exact', 'never', '--battles', '300', '--seed', '8');
  expect(one).toMatchObject({ solved: 0, battles: 1200, seed: '8' });
  expect(await json('matchup', file, '--exact', 'always')).toMatchObject({ solved: 4 });
});

test('--certify and --audit exclude each other', async () => {
  const { code, stderr } = await called(['matchup', DUELS, '--certify', '0.005', '--audit', '0.1']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '--certify cannot be combined with --audit\n' });
});

test('check and schema support rosters', async () => {
  expect(await getOutput('check', DUELS)).toContain('ok (roster of 16 matchups, attrition, direct, Duelists)');
  const { code, stderr } = await called(['check', writeRoster('expect.json', { expect: ['no army excels'] })]);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/:1:\d+ expect\[0\]: /) as string });
  expect(await getOutput('schema', 'roster')).toContain('urn:warpool:roster');
});

describe('assert with a roster', () => {
  const check = async (expect: readonly string[], fields: object = {}) =>
    await called(['assert', writeRoster('expect.json', { expect, ...fields }), '--json', '-q']);

  test('checks sentences with exact payoffs', async () => {
    expect(await getOutput('assert', DUELS)).toContain('2 expectations: 2 hold');
    const { code, stdout } = await check([
      'no army exceeds 40 % against the field',
      'no army is below 0.1 against the field',
      'every army is in the support of the equilibrium',
      'every unit type is in the support of the equilibrium',
    ]);
    expect(code).toBe(1);
    const { expectations } = JSON.parse(stdout) as { expectations: { verdict: string; value: number }[] };
    expect(expectations.map(({ verdict }) => verdict)).toEqual(['fails', 'holds', 'fails', 'holds']);
    // One of the two armies almost always wins, and ties against itself.
    expect(expectations[0]?.value).toBeCloseTo(0.74, 2);
    expect(expectations[2]?.value).toBe(1);
  });

  test('is undecided if the interval of a simulated payoff contains the bound', async () => {
    const armies = [9, 10].map((hp) => ({ name: String(hp), set: { hp } }));
    const { code, stdout } = await check(['no army exceeds 52 % against the field'], {
      armies,
      exact: 'never',
      battles: 100,
    });
    expect(code).toBe(1);
    expect(stdout).toContain('"verdict":"undecided"');
  });

  test.each([
    [['no army exceeds 160 % against the field'], 'expect[0]: expected "no army exceeds 60 % against the field"'],
    [[], 'expected a roster with the field expect, found none'],
    [
      ['no army exceeds 60 % against the field'],
      'the payoff difference or win for shares of victories, found "rounds"',
      'rounds',
    ],
  ])('rejects %j: %s', async (sentences, message, payoff = 'difference') => {
    const { code, stderr } = await check(sentences, { payoff });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
  });
});

describe('errors', () => {
  test.each([
    [['scenarios/attrition-direct.yaml'], 'a roster, with armies'],
    [[DUELS, '--resume'], '--resume requires --out <folder>'],
    [[DUELS, '--out', 'x', '--shard', '1/2', '--html', 'x.html'], '--html cannot be combined with --shard'],
    [[DUELS, '--dry-run', '--without', 'hp'], '--without cannot be combined with --dry-run'],
    [[DUELS, '--out', 'x', '--shard', '1/2', '--resume'], '--shard cannot be combined with --resume'],
    [[DUELS, '--out', 'x', '--shard', '1/2', '--queue', 'redis://x'], '--shard cannot be combined with --queue'],
    [[DUELS, '--out', 'x', '--store', 's3://b/c'], '--store requires --shard or --queue'],
    [[DUELS, '--exact', 'always', '--battles', '5'], '--battles cannot be combined with'],
    [[DUELS, '--without', 'hop'], '--without: expected a unit type of the armies: attack, defense, hp, found "hop"'],
    [[DUELS, '--alpha', '0'], '--alpha: expected a number above 0'],
    [[DUELS, '--html', 'page.txt'], '--html: expected a file that ends in .html'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await called(['matchup', ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('contain line and field', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, 'scenario: duel.yaml\narmies:\n  - { name: a, set: { hp: 3 }, value: 4 }\n');
    const { stderr } = await called(['matchup', file]);
    expect(stderr).toContain('wrong.yaml:3:5 armies[0]: expected either set or value, found both');
    const side = '{ infantry: 8 }';
    const list = 'armies:\n  points: 600\n  units:\n    infantry: {}\n';
    writeFileSync(file, `scenario: { system: combined-arms, attacker: ${side}, defender: ${side} }\n${list}`);
    const { code, stderr: rejected } = await called(['matchup', file]);
    expect(code).toBe(2);
    expect(rejected).toMatch(/wrong\.yaml:5:15 armies\.units\.infantry: expected an integer 0\.\.40, found 200\n$/);
  });
});
