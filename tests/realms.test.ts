/** The package in JavaScript realms without recent features, and with limited memory. */
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

/** Runs a shell command. */
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

/** Code that hides the symbols of explicit resource management, as in browsers without them. */
const WITHOUT = `
const real = Symbol;
globalThis.Symbol = new Proxy(() => undefined, {
  get: (_, name) => (name === 'dispose' || name === 'asyncDispose' ? undefined : real[name]),
  apply: (_, self, args) => real(...args),
});
`;

test('simulate and solve work without Symbol.asyncDispose', async () => {
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

test('built files have no [Symbol.dispose] keys, which old browsers would name "undefined"', () => {
  for (const folder of ['library', 'threads', 'browser'])
    for (const file of readdirSync(join('dist', folder)).filter((name) => name.endsWith('.js')))
      expect(readFileSync(join('dist', folder, file), 'utf8'), file).not.toMatch(
        /\[Symbol\.(?:asyncDispose|dispose)\]/,
      );
});

/** Runs a command with limited address space, in kilobytes. */
const limited = (command: string): Promise<Ended> => run(`ulimit -v 20000000; ${command}`);

const WARPOOL = `"${process.execPath}" bin/warpool.js run scenarios/attrition-direct.yaml --battles 1000`;

test.runIf(process.platform === 'linux')(
  'the error about limited address space names the option that avoids it',
  async () => {
    const [rejected, switched] = await Promise.all([
      limited(WARPOOL),
      limited(`NODE_OPTIONS=--disable-wasm-trap-handler ${WARPOOL}`),
    ]);
    expect(rejected).toMatchObject({
      code: 1,
      out: expect.stringContaining('NODE_OPTIONS=--disable-wasm-trap-handler') as string,
    });
    expect(rejected.out).not.toContain('unexpected error');
    expect(switched).toMatchObject({ code: 0, out: expect.stringContaining('attacker') as string });
  },
);

test('loadScenario accepts URL objects and URLs as text', async () => {
  const url = new URL('../scenarios/attrition-direct.yaml', import.meta.url);
  const scenario = await loadScenario('scenarios/attrition-direct.yaml');
  expect(await loadScenario(url)).toEqual(scenario);
  expect(await loadScenario(url.href)).toEqual(scenario);
  await expect(loadScenario(`${url.href}.no`)).rejects.toThrow('found no such file');
});

test('version equals package.json, and ThreadPool rejects its constructor and unknown tasks', async () => {
  expect(version).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
  expect((): unknown => Reflect.construct(ThreadPool, [])).toThrow('expected a call of ThreadPool.create');
  const pool = await ThreadPool.create({ workers: 1 });
  await expect(pool.call('nope', null)).rejects.toThrow('the worker file nope.js is missing');
  await pool.close();
});

test('imports of user modules have comments for webpack and Vite to skip them', () => {
  for (const platform of ['node', 'browser'])
    expect(readFileSync(`src/core/platform/${platform}/import-module.ts`, 'utf8')).toContain(
      'import(/* webpackIgnore: true */ /* @vite-ignore */ url)',
    );
});
