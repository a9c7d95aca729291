/** Comparison of this build with other builds. The tests do not depend on measured times. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyBuild } from '../../bench/build-copy.ts';
import { against } from '../../bench/gate/against.ts';
import type { GateReport } from '../../bench/gate/gate.ts';
import { pairRatios } from '../../bench/gate/process.ts';
import type { Pair } from '../../bench/gate/sample.ts';
import { ROOT } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';

const NOTHING = 'no measured files differ: kernels, their input and the program that opens them';

/** Budget that no machine exceeds. */
const ANY = { budget: 1000 };

const folder = (): string => mkdtempSync(join(tmpdir(), 'warpool-build-'));

async function copied(at: string): Promise<string> {
  await copyBuild(at);
  return at;
}

const ratios = ({ findings }: GateReport): string[] =>
  findings.filter(({ layer }) => layer === 'ratio').map(({ benchmark }) => benchmark);

test.runIf(DEPTH > 1)('identical files are not measured', async () => {
  const report = await against(ROOT, {});
  expect(report).toMatchObject({ passed: true, sameMachine: true, notes: [NOTHING] });
  expect(report.findings.map(({ what, status }) => `${what} ${status}`)).toEqual(Array(9).fill('digest ok'));
});

test.runIf(DEPTH > 1)('a tarball is unpacked, and only its changed kernel is measured', async () => {
  const at = folder();
  const build = await copied(join(at, 'package'));
  // An empty custom section with a name of one byte.
  appendFileSync(join(build, 'dist/kernels/release/sampled.wasm'), Uint8Array.of(0, 2, 1, 120));
  const tarball = join(at, 'warpool.tgz');
  expect(spawnSync('tar', ['-czf', tarball, '-C', at, 'package']).status).toBe(0);
  const report = await against(tarball, ANY);
  expect(report.passed).toBe(true);
  expect(ratios(report)).toEqual(['attrition-direct sampled']);
  expect(report.findings.at(-1)).toMatchObject({ baseline: 1, limit: 1001, status: 'ok' });
  expect(report.notes).toEqual([
    expect.stringMatching(/^not measured, .* differs: attrition-direct, phased-dice-ground/),
  ]);
});

test.runIf(DEPTH > 1)('builds with different results are not compared by time', async () => {
  const build = await copied(folder());
  const path = join(build, 'scenarios/strength-cards-pocket.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('orderBonus: 5', 'orderBonus: 4'));
  const report = await against(build, ANY);
  expect(report.passed).toBe(false);
  expect(ratios(report)).toEqual([]);
  expect(report.notes[0]).toBe(
    'different results, so times are not comparable: strength-cards-pocket, strength-cards-pocket automaton',
  );
  const broken = report.findings.filter(({ status }) => status === 'broken');
  expect(broken.map(({ benchmark, what }) => `${benchmark} ${what}`)).toEqual([
    'strength-cards-pocket digest',
    'strength-cards-pocket automaton digest',
  ]);
});

/** Writes a player with a simulated clock, on which each battle takes `cost` milliseconds. */
function clockwork(at: string, name: string, cost: number): string {
  const path = join(at, `${name}.mjs`);
  writeFileSync(
    path,
    `globalThis.clock ??= 1;
performance.now = () => globalThis.clock;
export const compiled = () => undefined;
export const playerOf = () => (battles) => { globalThis.clock += battles * ${String(cost)}; };
`,
  );
  return path;
}

test.each([false, true])('the ratio is the time of this build divided by the other, swapped %s', async (swapped) => {
  const at = folder();
  const players = { mine: clockwork(at, 'mine', 0.0015), theirs: clockwork(at, 'theirs', 0.001) };
  const pair = { name: 'duel', mine: { path: '' }, theirs: { path: '' } } as unknown as Pair;
  expect((await pairRatios([pair], players, swapped))['duel']).toBeCloseTo(1.5, 6);
});

function nothing(manifest: object | undefined): string {
  const at = folder();
  mkdirSync(join(at, 'dist'));
  if (manifest !== undefined) writeFileSync(join(at, 'package.json'), JSON.stringify(manifest));
  return at;
}

function noise(): string {
  const path = join(folder(), 'noise.tgz');
  writeFileSync(path, 'not an archive');
  return path;
}

test.each([
  ['nowhere', 'no such file or folder'],
  [nothing(undefined), 'no package.json of warpool'],
  [nothing({ name: 'other', version: '1.0.0' }), 'no package.json of warpool'],
  [
    nothing({ name: 'warpool', version: '0.2.0' }),
    'warpool 0.2.0 without dist/threads/sampler.js: not built, or older',
  ],
  [noise(), 'not in gzip format'],
])('rejects an invalid build: %s', async (path, found) => {
  const rejected = `${path}: expected a build of warpool: its folder with dist/, or a tarball of npm pack, found`;
  await expect(against(path, {})).rejects.toThrow(rejected);
  await expect(against(path, {})).rejects.toThrow(found);
});
