/** Command `warpool fit`. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { called, getOutput, json } from './called.ts';

const DIRECT = 'scenarios/attrition-direct.yaml';
const SEEN = 'examples/observed-battles.csv';
const folder = mkdtempSync(join(tmpdir(), 'warpool-fit-'));

test('prints estimates with intervals and the test of the model', async () => {
  const stdout = await getOutput('fit', DIRECT, SEEN, '--vary', 'attacker.hp=10..40');
  expect(stdout).toMatch(/attacker\.hp +27 +26\.\.28 +10\.\.40/);
  expect(stdout).toContain('The observations do not contradict the model (chi-square 25.47');
  expect(await json('fit', DIRECT, SEEN, '--vary', 'attacker.hp=10..40')).toMatchObject({
    fields: [{ path: 'attacker.hp', value: 27, low: 26, high: 28, status: 'estimated' }],
    observedBattles: 400,
    exact: true,
  });
});

test.each([
  ['a number', 'outcome,rounds\nattacker,3\nattacker,many\n', ':3 rounds: expected a number, found "many"'],
  ['a name', 'outcome\natacker\n', ':2 outcome: expected outcomes of the scenario: attacker, defender, '],
  ['counts', 'outcome,count\nattacker,-3\n', ':2 count: expected a whole number 0..2^53-1, found "-3"'],
  ['battles', 'outcome,count\nattacker,0\n', ': expected at least one battle, found none'],
  ['cells', 'outcome,rounds\nattacker\n', ': expected rows of a CSV file with equal numbers of cells, found '],
  ['quotes', 'outcome,rounds\n"attacker,3\n', ': expected rows of a CSV file with equal numbers of cells, found '],
  ['nothing', '', ':1: expected a column "outcome", found columns (none)'],
  ['a binary file', 'outcome\0', ': expected a text file'],
])('rejects a wrong observation file: %s', async (name, text, message) => {
  const file = join(folder, `${name}.csv`);
  writeFileSync(file, text);
  const { code, stderr } = await called(['fit', DIRECT, file, '--vary', 'attacker.hp=10..40']);
  expect(code).toBe(2);
  expect(stderr).toContain(`${file}${message}`);
});

test('reads a large CSV file with a byte order mark and Windows line breaks', async () => {
  const file = join(folder, 'export.csv');
  writeFileSync(file, `\uFEFFoutcome,rounds\r\n${'attacker,8\r\ndefender,9\r\n'.repeat(5000)}`);
  expect(await json('fit', DIRECT, file, '--vary', 'attacker.hp=20..40')).toMatchObject({ observedBattles: 10_000 });
});
