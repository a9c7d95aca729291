/** Digests in browsers match this machine, isolated or not, with any number of threads. Needs Chromium and Firefox. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { examples } from '../examples/files.ts';
import { launched, MISSING } from './browser.ts';
import { NO_FIREFOX, openFirefox } from './selftest/firefox.ts';
import { type Plan, type Result, selfTest } from './selftest/server.ts';

/** Battles as in tests/frozen/digests.json, and fewer for the example systems, which run in JavaScript. */
const BATTLES = { shipped: 20_000, examples: 2000 };

const frozen = JSON.parse(readFileSync('tests/frozen/digests.json', 'utf8')) as {
  readonly digests: Readonly<Record<string, string>>;
};

/** Bundles the example systems to one file each: threads of browsers find no packages. */
async function bundled(folder: string): Promise<void> {
  await build({
    entryPoints: examples('.mjs'),
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    conditions: ['browser'],
    logLevel: 'error',
  });
}

/** Returns the scenarios of an example system with their digests on this machine. */
async function planned(folder: string): Promise<{ scenarios: Plan['scenarios']; digests: Record<string, string> }> {
  const modules = readdirSync(folder);
  const digests: Record<string, string> = {};
  const scenarios: Plan['scenarios'][number][] = [];
  for (const path of examples('.yaml')) {
    const name = basename(path);
    const module = modules.find((each) => name.startsWith(`${basename(each, '.js')}-`)) ?? '';
    const systems = await loadSystems([join(folder, module)]);
    digests[name] = (
      await simulate(await loadScenario(path, { systems }), { battles: BATTLES.examples, seed: 1 })
    ).digest;
    scenarios.push({ name, battles: BATTLES.examples, text: readFileSync(path, 'utf8'), module: `/modules/${module}` });
  }
  return { scenarios, digests };
}

describe.skipIf(DEPTH === 1)('digests in a browser', () => {
  const modules = mkdtempSync(join(tmpdir(), 'warpool-modules-'));
  let plan: Plan;
  let expected: Readonly<Record<string, string>>;

  beforeAll(async () => {
    await bundled(modules);
    const own = await planned(modules);
    const shipped = Object.keys(frozen.digests).map((name) => ({
      name,
      battles: BATTLES.shipped,
      text: readFileSync(join('scenarios', name), 'utf8'),
    }));
    plan = { workers: [0, 3], scenarios: [...shipped, ...own.scenarios], modules };
    expected = { ...frozen.digests, ...own.digests };
  });

  afterAll(() => {
    rmSync(modules, { recursive: true });
  });

  /** Expects that all digests of a browser are correct. */
  function expectSame({ error, digests, isolated }: Result, wanted: boolean): void {
    expect(error).toBeUndefined();
    expect(isolated).toBe(wanted);
    expect(digests).toEqual(Object.fromEntries(plan.workers.map((workers) => [workers, expected])));
  }

  // games.test.ts uses the other combination of browsers and shared memory.
  test.skipIf(MISSING)('match this machine in Chromium, with shared memory', async () => {
    const isolated = true;
    await using server = await selfTest<Result>(plan, isolated);
    const browser = await launched();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    let started = 0;
    page.on('worker', () => {
      started++;
    });
    await page.goto(server.url);
    expectSame(await server.result, isolated);
    // Long runs without a pool start a thread. The number of such runs depends on the machine.
    expect(started).toBeGreaterThanOrEqual(plan.workers.reduce((sum, workers) => sum + workers));
  });

  test.skipIf(NO_FIREFOX)('match this machine in Firefox, without shared memory', async () => {
    const isolated = false;
    await using server = await selfTest<Result>(plan, isolated);
    onTestFinished(openFirefox(server.url));
    expectSame(await server.result, isolated);
  });
});
