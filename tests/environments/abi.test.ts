/** Binary interface of kernels for other hosts, as documented in docs/reference/abi.md. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadKernel } from '../../src/engines/kernel/kernel.ts';
import { encodeEnvSpec } from '../../src/environments/encode-env-spec.ts';
import { createEnvSpec } from '../../src/environments/env-spec.ts';
import { EnvironmentKernel } from '../../src/environments/environment-kernel.ts';
import * as layout from '../../src/environments/layout.ts';
import { BUFFERS, SHAPES } from '../../src/environments/layout.ts';
import { createManifest } from '../../src/environments/manifest.ts';
import { writePython } from '../../src/rules/declaration-writers.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { System } from '../../src/rules/system.ts';
import { DEPTH } from '../depth.ts';

const playable = shippedSystems.filter((system) => 'environment' in system);

const configurationFor = (system: System) =>
  createEnvSpec([{ scenario: validateScenario(system.examples[0]?.scenario) }], { agents: 'all' });

async function kernelOf(system: System, envs = 100): Promise<EnvironmentKernel> {
  const words = encodeEnvSpec(configurationFor(system));
  return EnvironmentKernel.init(await loadKernel(system.id), words, { envs, first: 0, threads: 1 });
}

describe.each(playable)('$id', (system) => {
  test('imports nothing from the host, except for memory in the shared build', async () => {
    for (const build of ['release', 'debug'] as const) {
      expect(WebAssembly.Module.imports(await loadKernel(system.id, build))).toEqual([]);
    }
    const shared = WebAssembly.Module.imports(await loadKernel(system.id, 'shared'));
    expect(shared).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
  });

  test('keeps the same memory buffer in all calls', async () => {
    const { exports, fields, envs } = await kernelOf(system);
    const { buffer } = exports.memory;
    exports.env_reset(0, envs);
    exports.env_rollout(1, 0, envs, 500, 500);
    exports.env_playouts(3, 5n, 0n, 50, 1);
    exports.env_rekey(0, envs, 1, 2);
    exports.env_refresh(0, envs);
    fields.resetMask.fill(1);
    exports.env_reset_masked(0, envs);
    expect(exports.env_configure()).toBe(0);
    expect(exports.memory.buffer).toBe(buffer);
  });

  test('has buffers aligned to 64 bytes, in order and without overlap', async () => {
    const { places, envs } = await kernelOf(system);
    let end = 0;
    for (const { address, row } of places) {
      expect(address % 64).toBe(0);
      expect(address).toBeGreaterThanOrEqual(end);
      end = address + row * envs;
    }
  });

  test.runIf(DEPTH > 1 || system === playable[0])('computes the same steps in slices in any order', async () => {
    const [whole, sliced] = [await kernelOf(system), await kernelOf(system)];
    for (const { exports } of [whole, sliced]) exports.env_reset(0, 100);
    for (let step = 0; step < 50; step++) {
      whole.exports.env_suggest(1, 0, 100);
      const over = whole.exports.env_step(0, 100);
      let listed = 0;
      for (const [from, to] of [
        [60, 100],
        [0, 7],
        [7, 60],
      ] as const) {
        sliced.exports.env_suggest(1, from, to);
        const found = sliced.exports.env_step(from, to);
        const { finished } = sliced.fields;
        expect([...finished.subarray(from, from + found)].every((e) => e >= from && e < to)).toBe(true);
        listed += found;
      }
      expect(listed).toBe(over);
      const seen = ({ fields: { finished: _, ...fields } }: EnvironmentKernel) =>
        Object.values(fields).map((f) => [...f]);
      expect(seen(sliced)).toEqual(seen(whole));
    }
  });

  test('counts all battles of env_playouts without changing the environments', async () => {
    const { exports, allBytes: everything } = await kernelOf(system, 2);
    exports.env_reset(0, 2);
    const before = [...everything];
    exports.env_playouts(1, 77n, 0n, 1000, 1);
    expect([...everything]).toEqual(before);
    const outcomes = configurationFor(system).variants[0]?.outcomes.length ?? 0;
    const counts = new Uint32Array(exports.memory.buffer, exports.env_counts(), outcomes);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1000);
  });
});

test('a configuration with a different ABI version is rejected', async () => {
  const [system] = playable;
  if (system === undefined) throw new Error('no system');
  const words = encodeEnvSpec(configurationFor(system)).with(0, 99);
  const module = await loadKernel(system.id);
  expect(() => EnvironmentKernel.init(module, words, { envs: 1, first: 0, threads: 1 })).toThrow(
    'different ABI version',
  );
});

test('a manifest lists all buffers, actions and features', () => {
  for (const system of playable) {
    const configuration = configurationFor(system);
    const manifest = createManifest(configuration);
    expect(manifest.fields).toEqual(BUFFERS);
    expect(manifest.actions).toEqual(configuration.actions);
    for (const { name, unit, low, high } of manifest.observations) {
      expect([name, unit].every((text) => text !== '')).toBe(true);
      expect(low).toBeLessThanOrEqual(high);
    }
    expect(WebAssembly.validate(Buffer.from(manifest.kernel.base64, 'base64'))).toBe(true);
  }
});

/** Lists the keys of an object and of nested objects, without names that scenarios define. */
function keysOf(value: unknown, given: readonly string[] = ['rewards', 'reward']): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => keysOf(each, given));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...(given.includes(key) ? [] : keysOf(each, given))]);
}

test('docs/reference/abi.md lists exactly the keys of a manifest', () => {
  const [, section = ''] = /^## Manifest\n(.*?)^## /ms.exec(readFileSync('docs/reference/abi.md', 'utf8')) ?? [];
  const [system] = playable;
  if (system === undefined) throw new Error('no system');
  const scenario = { ...validateScenario(system.examples[0]?.scenario), name: 'a name' };
  const manifest = createManifest(createEnvSpec([{ scenario }]));
  const rows = [...section.matchAll(/^\| (`.*?) +\|/gm)].flatMap(
    ([, cell = '']) => cell.match(/(?<=`)\w+(?=`)/g) ?? [],
  );
  expect(rows.sort()).toEqual(Object.keys(manifest).sort());
  for (const key of new Set(keysOf(manifest))) expect(section, key).toContain(`\`${key}\``);
});

test('all actions are illegal if the host clears the masks, also actions of the uniform policy', async () => {
  for (const system of playable) {
    const { exports, fields, envs } = await kernelOf(system);
    exports.env_reset(0, envs);
    fields.mask.fill(0);
    const requested = fields.phase.map((phase) => Number(phase > 0));
    exports.env_suggest(1, 0, envs);
    exports.env_step(0, envs);
    expect([...fields.invalid]).toEqual([...requested]);
  }
});

test('the example host in docs/reference/abi.md runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'warpool-host-'));
  try {
    const [, host = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/reference/abi.md', 'utf8')) ?? [];
    const [system] = playable;
    if (system === undefined) throw new Error('no system');
    writeFileSync(join(folder, 'host.mjs'), host);
    writeFileSync(join(folder, 'duel.json'), JSON.stringify(createManifest(configurationFor(system))));
    const printed = execFileSync(process.execPath, ['host.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(printed).toContain('Float32Array(128)');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Converts a name to snake case, as in Python and in the tables of docs/reference/abi.md. */
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test('docs/reference/abi.md lists the buffers as declared in the source', () => {
  const rows = [
    ...readFileSync('docs/reference/abi.md', 'utf8').matchAll(/^\| (\d+) +\| `(\w+)` +\| (\w+) +\| (\S+)/gm),
  ];
  const lengths = { one: '1', features: 'F', actions: 'A', agents: 'K', metrics: 'M', record: 'record' };
  const reported = rows.map(([, number, name, kind, length]) => [
    Number(number),
    name,
    kind?.replace('u32', 'i32'),
    length,
  ]);
  expect(reported).toEqual(BUFFERS.map((name, f) => [f, snake(name), SHAPES[name][0], lengths[SHAPES[name][1]]]));
});

test('words.py of the Python package contains the declared layout', () => {
  const declared = Object.fromEntries(Object.entries(layout).sort(([a], [b]) => (a < b ? -1 : 1)));
  expect(readFileSync('python/warpool/words.py', 'utf8')).toContain(writePython(declared));
});
