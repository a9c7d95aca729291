/** Option --prism of `warpool exact`, run in this process. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { DEPTH } from '../depth.ts';
import { catchWriting, written } from './written.ts';

const FILES = ['chain.lab', 'chain.srew', 'chain.sta', 'chain.tra', 'storm.lab', 'storm.srew', 'storm.tra'];

beforeEach(catchWriting);

afterEach(() => {
  vi.restoreAllMocks();
});

const exact = async (...args: readonly string[]): Promise<unknown> =>
  (await createProgram(['exact'])).parseAsync(['node', 'warpool', 'exact', ...args]);

test('writes only to a new or empty folder, and prints commands to read it', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'warpool-prism-')), 'chain');
  await exact('scenarios/phased-dice-broadside.yaml', '--prism', folder, '--json');
  expect(readdirSync(folder)).toEqual(FILES);
  expect(JSON.parse(written.out)).toMatchObject({ engine: 'exact' });
  expect(written.err.split('\n')).toHaveLength(8);
  expect(written.err).toContain(
    `storm --explicit '${folder}/storm.tra' '${folder}/storm.lab' --prop 'P=? [F "attacker"]'`,
  );

  const before = readFileSync(join(folder, 'chain.tra'), 'utf8');
  const again = exact('scenarios/phased-dice-fleet.yaml', '--prism', folder);
  await expect(again).rejects.toThrow(`${folder}: expected a new or an empty folder, found chain.lab in it`);
  expect(readFileSync(join(folder, 'chain.tra'), 'utf8')).toBe(before);
  const file = join(folder, 'chain.tra');
  await expect(exact('scenarios/phased-dice-fleet.yaml', '--prism', file)).rejects.toThrow('found a file');

  const other = join(folder, '..', 'other');
  mkdirSync(other);
  await exact('scenarios/phased-dice-fleet.yaml', '--prism', other, '--histograms', 'none');
  expect(readdirSync(other)).toEqual(FILES);
});

test('counts rounds if battles reach the round limit', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'warpool-prism-')), 'chain');
  const labels = (): string => readFileSync(join(folder, 'storm.lab'), 'utf8');
  await exact('examples/games/conquest-dice-assault.yaml', '--prism', folder);
  expect(labels()).toMatch(/^\d+ over undecided$/m);
});

test.runIf(DEPTH > 1)('explains why a chain with counted rounds is too large', async () => {
  const unit = { attack: 0, defense: 0, hp: 200 };
  const folder = join(mkdtempSync(join(tmpdir(), 'warpool-prism-')), 'chain');
  const long = join(folder, '..', 'long.json');
  const limited = { system: 'attrition', mode: 'direct', dice: '1d2', maxRounds: 200, attacker: unit, defender: unit };
  writeFileSync(long, JSON.stringify(limited));
  await expect(exact(long, '--prism', join(folder, '..', 'none'))).rejects.toThrow(
    /were found so far, because battles reach the round limit \((> )?[\d.]+ %\) and each round has its own states/,
  );
});

test.runIf(DEPTH > 1)('rejects a chain that is too large and creates no folder', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'warpool-prism-')), 'chain');
  const large = join(folder, '..', 'large.json');
  const unit = { attack: 1, defense: 1, hp: 400 };
  writeFileSync(large, JSON.stringify({ system: 'attrition', mode: 'direct', attacker: unit, defender: unit }));
  const rejected = exact(large, '--prism', folder, '--budget', '100000000');
  await expect(rejected).rejects.toThrow(
    /^a chain of at most 100 000 states and 1 000 000 transitions can be written: .*\nwithout "--prism", the exact answer may need less/,
  );
  expect(readdirSync(join(folder, '..'))).toEqual(['large.json']);
});
