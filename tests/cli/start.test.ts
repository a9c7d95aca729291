/** Files that a command loads: small runs must not load code that they do not use. */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { DUEL, ROOT, warpool } from './warpool.ts';

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

/** Runs a command and returns its loaded files relative to the root, from the coverage of V8. */
async function loadedBy(...args: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'warpool-'));
  const { code } = await warpool(args, { env: { NODE_V8_COVERAGE: folder } });
  expect(code).toBe(0);
  const scripts = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
    return result.map(({ url }) => url);
  });
  const files = scripts.filter((url) => url.startsWith('file:')).map((url) => relative(ROOT, fileURLToPath(url)));
  return [...new Set(files)].sort();
}

const ALWAYS = ['bin/code-cache.js', 'bin/warpool.js', 'dist/program/first.cjs', 'dist/program/main.cjs'];
const RUNTIME = 'dist/program/rolldown-runtime.cjs';

test('--version loads neither systems nor scenarios', async () => {
  expect((await loadedBy('--version')).filter((file) => file !== RUNTIME)).toEqual(ALWAYS);
});

const SHORTEST = [
  ['run', DUEL, '--battles', '1000'],
  ['exact', DUEL],
  ['check', DUEL],
];

test.each(SHORTEST)('%s loads only the shared code and one system', async (...args) => {
  const loaded = await loadedBy(...args);
  const shared = [...ALWAYS, 'dist/program/short.cjs', 'dist/program/system-attrition.cjs'];
  expect(loaded.filter((file) => file !== RUNTIME)).toEqual(shared);
});

test('each program file starts with its hash, which the code cache uses', () => {
  for (const file of readdirSync(join(ROOT, 'dist/program')).filter((name) => name.endsWith('.cjs'))) {
    const [, hash, code = ''] = /^\/\/(\w+)\n(.*)$/s.exec(readFileSync(join(ROOT, 'dist/program', file), 'utf8')) ?? [];
    expect(hash, file).toBe(createHash('sha256').update(code).digest('hex'));
  }
});

test('run creates no Intl.Segmenter, which takes longer than the simulation', async () => {
  const rejecting = encodeURIComponent('Intl.Segmenter = class { constructor() { throw new Error("created"); } };');
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${rejecting}` };
  expect((await warpool(['run', DUEL, '--battles', '1000'], { env })).code).toBe(0);
});

test('the code cache replaces damaged files and ignores write errors', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'warpool-'));
  for (const part of ['package.json', 'bin', 'dist/program'])
    cpSync(join(ROOT, part), join(clone, part), { recursive: true });
  const check = (): Promise<unknown> => warpool(['check', DUEL], { main: join(clone, 'bin/warpool.js') });
  const cache = join(clone, 'dist/cache');
  const first = await check();
  const folder = join(cache, `${process.version}-${process.arch}`, 'check');
  const files = readdirSync(folder).map((name) => join(folder, name));
  const largest = (): number => Math.max(...files.map((file) => readFileSync(file).length));
  expect(largest()).toBeGreaterThan(500_000);
  for (const file of files) writeFileSync(file, 'damaged');
  expect(await check()).toEqual(first);
  expect(largest()).toBeGreaterThan(500_000);
  rmSync(cache, { recursive: true });
  writeFileSync(cache, 'not a folder');
  expect(await check()).toEqual(first);
  rmSync(clone, { recursive: true });
});

test.runIf(DEPTH > 1)('a long run starts threads', async () => {
  const loaded = await loadedBy('run', DUEL, '--battles', '1e5', '--engine', 'reference', '--exact', 'never');
  expect(loaded.filter((file) => file.startsWith('node_modules/piscina/'))).not.toEqual([]);
  expect(loaded).toContain('dist/threads/batch.js');
});
