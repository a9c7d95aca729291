/** The library in bundles of Vite and esbuild, and in a browser whose threads fail. Needs Chromium. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build as esbuild } from 'esbuild';
import type { Browser } from 'playwright-core';
import { build as vite } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { VectorEnv } from '../../src/environments.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { launched, MISSING, visit } from './browser.ts';
import { served } from './folder.ts';

const TEXT = readFileSync('scenarios/phased-dice-ground.yaml', 'utf8');

/** Code of a project that uses the package: import, threads, exact answer, environments. */
const MAIN = `
import { ThreadPool, parseScenario, RunError, simulate, solveSync } from 'warpool';
import { VectorEnv } from 'warpool/environments';

const answer = async (text) => {
  const scenario = parseScenario(text);
  await using pool = await ThreadPool.create({ workers: 2 });
  const { digest } = await simulate(scenario, { battles: 300_000, seed: 3, pool });
  const env = await VectorEnv.create(scenario, { numEnvs: 64, seed: 1 });
  for (let step = 0; step < 20; step++) env.step(env.buffers.act);
  const { outcomes } = solveSync(scenario).summary;
  return { digest, exact: outcomes.map((each) => each.p), seen: [...env.buffers.obs].slice(0, 200) };
};
const dying = async (text, script) => {
  const began = performance.now();
  try {
    await using pool = await ThreadPool.create({ workers: 1, worker: new URL(script, location.href), bootTimeoutMs: 20_000 });
    const { engineUsed, workers } = await simulate(parseScenario(text), { battles: 2_000_000, seed: 3, pool });
    return ['it was played', engineUsed, workers];
  } catch (error) {
    const soon = performance.now() - began < 15_000;
    return [error instanceof RunError, soon, error.message];
  }
};
globalThis.requested = { answer, dying };
`;

interface Asked {
  answer(text: string): Promise<{ digest: string; exact: number[]; seen: number[] }>;
  dying(text: string, script: string): Promise<unknown>;
}

/** Globals of the page. */
declare const requested: Asked;

describe.skipIf(MISSING || DEPTH === 1)('a project that imports warpool', () => {
  const root = mkdtempSync(join(tmpdir(), 'warpool-project-'));
  const expected: { digest?: string; exact?: number[]; seen?: number[] } = {};
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(resolve('.'), join(root, 'node_modules', 'warpool'));
    writeFileSync(join(root, 'package.json'), '{"type":"module","private":true}');
    writeFileSync(join(root, 'main.js'), MAIN);
    writeFileSync(
      join(root, 'index.html'),
      '<!doctype html><title>x</title><script type="module" src="/main.js"></script>',
    );
    const scenario = parseScenario(TEXT);
    const env = await VectorEnv.create(scenario, { numEnvs: 64, seed: 1 });
    for (let step = 0; step < 20; step++) env.step(env.buffers.act);
    expected.digest = (await simulate(scenario, { battles: 300_000, seed: 3 })).digest;
    expected.exact = solveSync(scenario).summary.outcomes.map(({ p }) => p);
    expected.seen = [...env.buffers.obs].slice(0, 200);
    browser = await launched();
  });

  afterAll(async () => {
    await browser.close();
    rmSync(root, { recursive: true });
  });

  const BUNDLERS: Readonly<Record<string, (out: string) => Promise<unknown>>> = {
    Vite: (outDir) => vite({ root, logLevel: 'error', build: { outDir, target: 'es2022' }, configFile: false }),
    esbuild: async (outdir) => {
      const entryPoints = [join(root, 'main.js')];
      await esbuild({ entryPoints, outdir, bundle: true, format: 'esm', target: 'es2022', logLevel: 'error' });
      writeFileSync(
        join(outdir, 'index.html'),
        '<!doctype html><title>x</title><script type="module" src="/main.js"></script>',
      );
    },
    'esbuild, in parts': async (outdir) => {
      const entryPoints = [join(root, 'main.js')];
      await esbuild({
        entryPoints,
        outdir,
        bundle: true,
        splitting: true,
        format: 'esm',
        target: 'es2022',
        minify: true,
      });
      writeFileSync(
        join(outdir, 'index.html'),
        '<!doctype html><title>x</title><script type="module" src="/main.js"></script>',
      );
    },
  };

  test.each(Object.keys(BUNDLERS))('has digests, exact answers and environments of this machine: %s', async (name) => {
    const out = join(root, `out-${name.replaceAll(/\W/g, '')}`);
    await BUNDLERS[name]?.(out);
    for (const isolated of [true, false]) {
      await using site = await served(out, isolated);
      const { page, context, received } = await visit(browser, site.url);
      await page.goto(site.url);
      await page.waitForFunction(() => 'requested' in globalThis);
      expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(isolated);
      expect(await page.evaluate((text) => requested.answer(text), TEXT)).toEqual(expected);
      expect(received.filter((line) => !line.includes('favicon') && !line.includes('404'))).toEqual([]);
      await context.close();
    }
  });

  test('reports a thread that cannot be loaded, fails or ends silently', async () => {
    const out = join(root, 'out-dying');
    await BUNDLERS['esbuild']?.(out);
    copyFileSync('dist/browser-thread/thread.js', join(out, 'thread.js'));
    // The first message to a thread has no task. Listeners are called in the order in which they were added.
    const dies = (name: string, how: string): void => {
      const deaf = `if (event.data.argumentList?.[1]?.value) { event.stopImmediatePropagation(); ${how} }`;
      writeFileSync(join(out, `${name}-listener.js`), `addEventListener('message', (event) => { ${deaf} });`);
      writeFileSync(join(out, `${name}.js`), `import './${name}-listener.js'; import './thread.js';`);
    };
    dies('ending', 'close();');
    dies('failing', 'throw new Error("broken");');
    for (const isolated of [true, false]) {
      await using site = await served(out, isolated);
      const { page, context } = await visit(browser, site.url);
      await page.goto(site.url);
      await page.waitForFunction(() => 'requested' in globalThis);
      const reported = (script: string) =>
        page.evaluate(([text = '', file = '']) => requested.dying(text, file), [TEXT, script]);
      expect(await reported('/missing.js')).toEqual([true, true, expect.stringContaining('cannot be loaded')]);
      expect(await reported('/ending.js')).toEqual([true, true, expect.stringContaining('ended without a message')]);
      expect(await reported('/failing.js')).toEqual([true, true, expect.stringContaining('broken')]);
      await context.close();
    }
  });
});
