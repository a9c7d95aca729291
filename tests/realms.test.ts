/** The package in realms that lack what newer ones have, and where memory is short. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadScenario, ThreadPool, version } from '../src/index.ts';
import { DEPTH } from './depth.ts';
import { requireBuild } from './pool/fixtures.ts';

requireBuild();

interface Ended {
  readonly code: number;
  readonly out: string;
}

/** Runs a command of the shell. */
const run = (command: string, args: readonly string[] = []): Promise<Ended> =>
  new Promise((resolve) => {
    execFile('bash', ['-c', command, 'bash', ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: stdout + stderr });
    });
  });

const PROGRAM = `
import { loadScenario, simulate } from 'warpool';
const run = async () => (await simulate(await loadScenario('scenarios/attrition-direct.yaml'), { battles: 1000 })).digest;
`;

const DIGEST = /"?digest"?:? "?([0-9a-f]{64})/;

/** A program that hides the symbols first, as in browsers without explicit resource management. */
const WITHOUT = `
const real = Symbol;
globalThis.Symbol = new Proxy(() => undefined, {
  get: (_, name) => (name === 'dispose' || name === 'asyncDispose' ? undefined : real[name]),
  apply: (_, self, args) => real(...args),
});
`;

test('simulate works where Symbol.asyncDispose is missing', async () => {
  const bare = `${WITHOUT}
    const { loadScenario, simulate, solve } = await import('warpool');
    const scenario = await loadScenario('scenarios/attrition-direct.yaml');
    console.log('digest', (await simulate(scenario, { battles: 1000 })).digest);
    console.log((await solve(scenario, { budget: 1e6 })).steps > 0);`;
  const plain = `${PROGRAM} console.log('digest', await run());`;
  const node = `"${process.execPath}" --input-type=module -e "$1"`;
  const [without, usual] = await Promise.all([run(node, [bare]), run(node, [plain])]);
  expect(without).toMatchObject({ code: 0, out: expect.stringContaining('true') as string });
  expect(DIGEST.exec(without.out)?.[1]).toBe(DIGEST.exec(usual.out)?.[1]);
});

test.runIf(DEPTH > 1)(
  'simulate works in the pool vmThreads of Vitest',
  async () => {
    const folder = mkdtempSync(join('dist', 'realm-test-'));
    writeFileSync(join(folder, 'vitest.config.mjs'), `export default { test: { include: ['**/*.test.mjs'] } };\n`);
    writeFileSync(
      join(folder, 'simulate.test.mjs'),
      `import { expect, test } from 'vitest';${PROGRAM}test('simulate', async () => { expect(await run()).toHaveLength(64); });\n`,
    );
    const { code, out } = await run(
      `node_modules/.bin/vitest run --config "$1/vitest.config.mjs" --dir "$1" --pool=vmThreads; code=$?; rm -r "$1"; exit $code`,
      [folder],
    );
    expect(out).toContain('1 passed');
    expect(code).toBe(0);
  },
  60_000,
);

test('no class has a key of its own for dispose: it would be "undefined" in such a realm', () => {
  for (const folder of ['library', 'threads', 'browser'])
    for (const file of readdirSync(join('dist', folder)).filter((name) => name.endsWith('.js')))
      expect(readFileSync(join('dist', folder, file), 'utf8'), file).not.toMatch(
        /\[Symbol\.(?:asyncDispose|dispose)\]/,
      );
});

/** Kilobytes of address space. */
const limited = (command: string): Promise<Ended> => run(`ulimit -v 20000000; ${command}`);

const WARPOOL = `"${process.execPath}" bin/warpool.js run scenarios/attrition-direct.yaml --battles 1000`;

test.runIf(process.platform === 'linux')(
  'a limit of the address space is named, with the switch that helps',
  async () => {
    const [refused, switched] = await Promise.all([
      limited(WARPOOL),
      limited(`NODE_OPTIONS=--disable-wasm-trap-handler ${WARPOOL}`),
    ]);
    expect(refused).toMatchObject({
      code: 1,
      out: expect.stringContaining('NODE_OPTIONS=--disable-wasm-trap-handler') as string,
    });
    expect(refused.out).not.toContain('unexpected error');
    expect(switched).toMatchObject({ code: 0, out: expect.stringContaining('attacker') as string });
  },
);

test('scenarios are loaded from URLs, as text and as such', async () => {
  const url = new URL('../scenarios/attrition-direct.yaml', import.meta.url);
  const scenario = await loadScenario('scenarios/attrition-direct.yaml');
  expect(await loadScenario(url)).toEqual(scenario);
  expect(await loadScenario(url.href)).toEqual(scenario);
  await expect(loadScenario(`${url.href}.no`)).rejects.toThrow('found no such file');
});

test('the library has a version, a pool is made by create, and calls only tasks that there are', async () => {
  expect(version).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
  expect((): unknown => Reflect.construct(ThreadPool, [])).toThrow('expected a call of ThreadPool.create');
  const pool = await ThreadPool.create({ workers: 1 });
  await expect(pool.call('nope', null)).rejects.toThrow('the worker file nope.js is missing');
  await pool.close();
});

test('webpack and Vite leave imports of modules of users alone', () => {
  for (const platform of ['node', 'browser'])
    expect(readFileSync(`src/core/platform/${platform}/import-module.ts`, 'utf8')).toContain(
      'import(/* webpackIgnore: true */ /* @vite-ignore */ url)',
    );
});
