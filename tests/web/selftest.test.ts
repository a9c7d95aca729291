/** The same digests in browsers as here, isolated and not, with any number of threads. Needs Chromium, and Firefox. */
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

/** As many as those of tests/frozen/digests.json have, and fewer of the example systems, which play in JavaScript. */
const BATTLES = { shipped: 20_000, examples: 2000 };

const frozen = JSON.parse(readFileSync('tests/frozen/digests.json', 'utf8')) as {
  readonly digests: Readonly<Record<string, string>>;
};

/** The example systems, each with all that it imports in one file: threads of browsers find no packages. */
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

/** The scenarios of an example system, and their digests here. */
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

describe.skipIf(DEPTH === 1)('digests in a browser are those of this machine', () => {
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

  /** Whether all digests that a browser posts are those expected. */
  function expectSame({ error, digests, isolated }: Result, wanted: boolean): void {
    expect(error).toBeUndefined();
    expect(isolated).toBe(wanted);
    expect(digests).toEqual(Object.fromEntries(plan.workers.map((workers) => [workers, expected])));
  }

  // The games of tests/web/games.test.ts are simulated the other way round.
  test.skipIf(MISSING)('Chromium, with shared memory', async () => {
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
    // Runs without a pool start a thread where they turn out to be long: how many do depends on the machine.
    expect(started).toBeGreaterThanOrEqual(plan.workers.reduce((sum, workers) => sum + workers));
  });

  test.skipIf(NO_FIREFOX)('Firefox, without shared memory', async () => {
    const isolated = false;
    await using server = await selfTest<Result>(plan, isolated);
    onTestFinished(openFirefox(server.url));
    expectSame(await server.result, isolated);
  });
});
