/** Bundled programs find kernels and threads in the installed package, or report the missing package. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, describe, expect, test } from 'vitest';
import { loadScenario, simulate } from '../src/index.ts';
import { DEPTH } from './depth.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCENARIO = join(ROOT, 'scenarios/phased-dice-ground.yaml');

/** Program whose second run has enough battles of the slow engine to start threads. */
const PROGRAM = `
import { loadScenario, simulate } from 'warpool';
import { VectorEnv } from 'warpool/environments';
async function main() {
  const scenario = await loadScenario(${JSON.stringify(SCENARIO)});
  const { digest } = await simulate(scenario, { battles: 1000, seed: 1 });
  const { digest: again, workers } = await simulate(scenario, { battles: 20000, seed: 1, engine: 'reference', workers: 2 });
  const env = await VectorEnv.create(scenario, { numEnvs: 2, agents: [] });
  console.log(JSON.stringify([digest, again, workers, env.numEnvs]));
}
await main();
`;

describe.skipIf(DEPTH === 1)('a bundled program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'warpool-bundle-'));
  const modules = join(folder, 'node_modules');
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  mkdirSync(join(modules, 'warpool'), { recursive: true });
  for (const part of ['package.json', 'dist/kernels', 'dist/library', 'dist/threads'])
    cpSync(join(ROOT, part), join(modules, 'warpool', part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules/piscina'), join(modules, 'piscina'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'program.js'), PROGRAM);

  async function bundled(name: string): Promise<string> {
    const file = join(folder, name);
    const bundle = await rolldown({ input: join(folder, 'program.js'), platform: 'node' });
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    await bundle.close();
    return file;
  }

  const simulated = (file: string) => spawnSync(process.execPath, [file], { encoding: 'utf8' });

  test('simulates the same battles as the package, also in threads', async () => {
    const scenario = await loadScenario(SCENARIO);
    const digests = [1000, 20_000].map(async (battles) => (await simulate(scenario, { battles, seed: 1 })).digest);
    const { stdout, stderr } = simulated(await bundled('bundle.js'));
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([...(await Promise.all(digests)), 2, 2]);
  });

  test('reports that the package is not installed or has another version', async () => {
    const file = await bundled('lonely.js');
    const installed = join(modules, 'warpool/package.json');
    const exports = { './package.json': './package.json' };
    writeFileSync(installed, JSON.stringify({ name: 'warpool', version: '0.0.1', exports }));
    expect(simulated(file).stderr).toContain('has version 0.0.1');
    rmSync(join(modules, 'warpool'), { recursive: true });
    expect(simulated(file).stderr).toMatch(
      /RunError: .*lonely\.js is not part of the package warpool: .*docs\/how-to\/browsers\.md/,
    );
  });
});
