/** Python package: its tests, and equal trajectories in wasmtime and V8. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEnvSpec, type EnvironmentOptions } from '../../src/environments/env-spec.ts';
import { createManifest } from '../../src/environments/manifest.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { getBoundScenario } from '../../src/rules/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { DEPTH } from '../depth.ts';

const NEEDS = 'wasmtime, numpy, gymnasium, pettingzoo';

/** Python interpreters. CI has two: with the oldest and with the newest version of each package. */
const PYTHONS = (process.env['WARPOOL_PYTHONS'] ?? 'python3').split(':');

/** A scenario that the kernel decision-automaton steps. */
const COMPILED = 'examples/games/conquest-dice-raid.yaml';

const folder = mkdtempSync(join(tmpdir(), 'warpool-python-'));

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Python in the folder of the package. */
async function python(program: string, ...args: readonly string[]): Promise<Ran> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: '.' };
  const child = spawn(program, args, { cwd: 'python', env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise<number | null>((resolve) => {
    child.on('error', () => {
      resolve(null);
    });
    child.on('close', resolve);
  });
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { status, stdout, stderr };
}

/** Builds the package, with or without kernels. Omits metadata: older setuptools do not read all of pyproject.toml. */
async function built(withKernels: boolean): Promise<Ran> {
  const copy = join(folder, withKernels ? 'whole' : 'bare');
  const isCopied = (path: string): boolean => withKernels || !path.endsWith('ready');
  cpSync('python/warpool', join(copy, 'warpool'), { recursive: true, filter: isCopied });
  for (const file of ['setup.py', 'README.md']) cpSync(join('python', file), join(copy, file));
  // File of an earlier build.
  mkdirSync(join(copy, 'build', 'lib', 'warpool'), { recursive: true });
  writeFileSync(join(copy, 'build', 'lib', 'warpool', 'deleted.py'), '');
  const child = spawn('python3', ['setup.py', '-q', 'build_py'], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { status, stdout, stderr };
}

const canBuild = (await python('python3', '-c', 'import setuptools')).status === 0;

test.runIf(canBuild && DEPTH > 1)('a package without kernels is not built', async () => {
  const bare = await built(false);
  expect(bare.status).toBe(1);
  expect(bare.stderr).toMatch(
    /^warpool: expected kernels and scenarios in .*words\.py: none\. In a checkout, `npm ci/m,
  );
  expect((await built(true)).status).toBe(0);
  const modules = readdirSync(join(folder, 'whole', 'build', 'lib', 'warpool'));
  expect([modules.includes('words.py'), modules.includes('deleted.py')]).toEqual([true, false]);
});

const ready: string[] = [];
for (const program of PYTHONS) {
  if ((await python(program, '-c', `import ${NEEDS}`)).status === 0) ready.push(program);
  else process.stderr.write(`SKIPPED: the tests of the Python package; not installed for ${program}: ${NEEDS}\n`);
}

/** Computes the digest of trajectories in V8, like python/tests/digest.py in wasmtime. */
async function digestInV8(scenarios: readonly Scenario[], options: EnvironmentOptions): Promise<string> {
  const numEnvs = 16;
  const env = await VectorEnv.create(scenarios, { ...options, numEnvs, seed: 1 });
  const { act, player, phase, terminated, truncated, invalid, reward, obs, mask } = env.buffers;
  const rows = [act, player, phase, terminated, truncated, invalid, reward, obs, mask].map(
    ({ buffer, byteOffset, byteLength }) => ({ buffer, byteOffset, bytes: byteLength / numEnvs }),
  );
  const hashes = Array.from({ length: numEnvs }, () => createHash('sha256'));
  for (let step = 0; step < 200; step++) {
    env.sampleActions('uniform');
    env.step();
    for (const [e, hash] of hashes.entries()) {
      for (const { buffer, byteOffset, bytes } of rows)
        hash.update(new Uint8Array(buffer, byteOffset + e * bytes, bytes));
    }
  }
  const whole = createHash('sha256');
  for (const hash of hashes) whole.update(hash.digest());
  return whole.digest('hex');
}

interface Played {
  readonly file: string;
  readonly inV8: string;
}

async function play(name: string, scenarios: readonly Scenario[], options: EnvironmentOptions): Promise<Played> {
  const file = join(folder, `${name}.json`);
  const configuration = createEnvSpec(
    scenarios.map((scenario) => ({ scenario })),
    options,
  );
  writeFileSync(file, JSON.stringify(createManifest(configuration)));
  return { file, inV8: await digestInV8(scenarios, options) };
}

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.skipIf(ready.length > 0)('no Python interpreter has the required packages', () => undefined);

describe.each(ready)('the Python package with %s', (program) => {
  const bySystem = new Map<string, [name: string, scenario: Scenario][]>();

  beforeAll(async () => {
    const files = [...readdirSync('scenarios').map((name) => join('scenarios', name)), COMPILED];
    for (const file of files) {
      const name = basename(file);
      const scenario = await loadScenario(file);
      if (getBoundScenario(scenario).system.environment === undefined) continue;
      bySystem.set(scenario.system, [...(bySystem.get(scenario.system) ?? []), [name, scenario]]);
    }
  });

  // Only in deep runs, because they take ten seconds.
  test.runIf(DEPTH > 1)('passes its tests', { timeout: 240_000 }, async () => {
    const { status, stderr } = await python(program, '-m', 'unittest', 'discover', '-v', '-s', 'tests');
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/^Ran [1-9]\d+ tests/m);
    const reasons = new Set([...stderr.matchAll(/\.\.\. skipped ['"](.*)['"]$/gm)].map(([, reason]) => reason));
    for (const reason of reasons) process.stderr.write(`SKIPPED with ${program}: ${String(reason)}\n`);
  });

  test.runIf(DEPTH > 1)('has the trajectories of V8 with one and two threads', { timeout: 240_000 }, async () => {
    const simulated: Played[] = [];
    for (const [system, scenarios] of bySystem) {
      for (const [name, scenario] of scenarios) simulated.push(await play(name, [scenario], { agents: 'all' }));
      const all = scenarios.map(([, scenario]) => scenario);
      const [first] = all;
      simulated.push(await play(system, all, { autoreset: 'next-step', maxSteps: 40 }));
      if (first) simulated.push(await play(`${system}-disabled`, [first], { autoreset: 'disabled' }));
    }
    expect(simulated.length).toBeGreaterThan(bySystem.size);
    const { status, stdout, stderr } = await python(program, 'tests/digest.py', ...simulated.map(({ file }) => file));
    expect(status, stderr).toBe(0);
    const found: unknown = JSON.parse(stdout);
    expect(found).toEqual(Object.fromEntries(simulated.map(({ file, inV8 }) => [file, [inV8, inV8]])));
    expect(new Set(simulated.map(({ inV8 }) => inV8)).size).toBe(simulated.length);
  });
});
