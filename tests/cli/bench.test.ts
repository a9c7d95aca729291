/** Command `warpool bench`: results that do not depend on the machine. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyBuild } from '../../bench/build-copy.ts';
import { shipped } from '../../bench/gate/benchmark.ts';
import { DEPTH } from '../depth.ts';
import { called } from './called.ts';
import { file, ROOT, warpool } from './warpool.ts';

const baseline = readFileSync(shipped('#gate/baseline.json'), 'utf8');
const COUNTERS = ['bench', '--gate', '--layers', 'counters'];

test.runIf(DEPTH > 1)('bench --gate passes with the kernel counters of the baseline', async () => {
  const out = mkdtempSync(join(tmpdir(), 'warpool-gate-'));
  const { code, stdout } = await warpool([...COUNTERS, '--out', out]);
  expect(stdout).toContain('The gate passes: 72 values are within their limits');
  expect(code).toBe(0);
  expect(readdirSync(out).sort()).toEqual(['benchmarks.json', 'junit.xml', 'summary.md']);
});

test.runIf(DEPTH > 1)('a changed digest fails with --gate, and is only reported without it', async () => {
  const digest = /"digest": "[0-9a-f]{64}"/;
  const changed = file('changed.json', baseline.replace(digest, `"digest": "${'0'.repeat(64)}"`));
  const { code, stdout } = await warpool([...COUNTERS, '--baseline', changed]);
  expect(stdout).toMatch(/attrition-direct digest .*broken/);
  expect(stdout).toContain('The gate fails: 1 of 72 values exceed their limit.');
  expect(code).toBe(1);
  expect((await warpool(['bench', '--layers', 'counters', '--baseline', changed])).code).toBe(0);
});

test.runIf(DEPTH > 1)('bench --json prints the report as one object', async () => {
  const { code, stdout } = await warpool([...COUNTERS, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ passed: true, findings: expect.any(Array) as unknown[] });
});

test.runIf(DEPTH > 1)('bench --layers ratio measures ratios and passes with a large --budget', async () => {
  const { code, stdout } = await warpool(['bench', '--gate', '--layers', 'ratio', '--budget', '1000']);
  expect(stdout).toContain('The gate passes: 9 values are within their limits');
  expect(code).toBe(0);
});

test.runIf(DEPTH > 1)('bench --against passes without measurement if the files are identical', async () => {
  const { code, stdout } = await warpool(['bench', '--against', ROOT]);
  expect(stdout).toContain('no measured files differ');
  expect(stdout).toContain('The gate passes');
  expect(code).toBe(0);
});

test.runIf(DEPTH > 1)('bench --against fails for a build with other battle results', async () => {
  const build = mkdtempSync(join(tmpdir(), 'warpool-build-'));
  await copyBuild(build);
  const path = join(build, 'scenarios/strength-cards-pocket.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('orderBonus: 5', 'orderBonus: 4'));
  const { code, stdout } = await warpool(['bench', '--against', build, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ passed: false, against: expect.stringContaining(build) as string });
  expect(code).toBe(1);
});

test.each([
  [['--layers', 'colours'], '--layers: expected some of counters, instructions, ratio, cells, found "colours"'],
  [['--budget', 'much'], '--budget: expected an integer 0..1000, found "much"'],
  [['--update'], '--update: expected a file given as --baseline, found none'],
  [['--baseline', 'nowhere.json'], 'nowhere.json: expected a baseline of the gate, found'],
  [['--baseline', file('odd.json', '{"machine":1}')], 'odd.json machine: expected a baseline of the gate, found'],
  [
    ['--against', 'nowhere'],
    'nowhere: expected a build of warpool: its folder with dist/, or a tarball of npm pack, found',
  ],
  [['--against', '.', '--gate'], "option '--against <build>' cannot be used with option '--gate'"],
  [['--kernels', 'nowhere'], 'attrition.wasm: expected a compiled kernel, found'],
])('bench rejects bad input: %s', async (args, message) => {
  const { code, stderr } = await called(['bench', ...args]);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
