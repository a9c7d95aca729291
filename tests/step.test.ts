/** Steps of the build: skipped if nothing changed, repeated if an input or output changed. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

type Step = (
  name: string,
  inputs: readonly string[],
  outputs: readonly string[],
  make: (intact: boolean) => unknown,
) => Promise<void>;

const ROOT = process.cwd();
// Scripts are JavaScript without type declarations.
const { step } = (await import(new URL('../scripts/step.js', import.meta.url).href)) as { readonly step: Step };

let made: boolean[];

beforeEach(() => {
  process.chdir(mkdtempSync(join(tmpdir(), 'warpool-step-')));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  mkdirSync('in/deep', { recursive: true });
  writeFileSync('in/deep/a.txt', 'a');
  writeFileSync('one.txt', '1');
  writeFileSync('package-lock.json', '{}');
  made = [];
});

afterEach(() => {
  process.chdir(ROOT);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Runs a step that joins its inputs in out/all.txt, and records whether its previous outputs were intact. */
const joined = () =>
  step('some/join', ['in', 'one.txt'], ['out'], (intact) => {
    made.push(intact);
    mkdirSync('out', { recursive: true });
    writeFileSync('out/all.txt', `${readFileSync('in/deep/a.txt', 'utf8')}${readFileSync('one.txt', 'utf8')}`);
  });

test('a step runs once, and is skipped while nothing changes', async () => {
  for (let k = 0; k < 3; k++) await joined();
  expect(made).toEqual([false]);
  expect(readFileSync('out/all.txt', 'utf8')).toBe('a1');
});

describe('a step runs again if an input', () => {
  test.each<[string, () => void]>([
    [
      'file has another content',
      () => {
        writeFileSync('one.txt', '2');
      },
    ],
    [
      'folder has a file of another content',
      () => {
        writeFileSync('in/deep/a.txt', 'b');
      },
    ],
    [
      'folder has a file more',
      () => {
        writeFileSync('in/b.txt', '');
      },
    ],
    [
      'that every step has is another one',
      () => {
        writeFileSync('package-lock.json', '{ }');
      },
    ],
    ['is the version of Node', () => vi.spyOn(process, 'version', 'get').mockReturnValue('v0.0.0')],
  ])('%s', async (_, change) => {
    await joined();
    change();
    await joined();
    await joined();
    expect(made).toHaveLength(2);
  });
});

describe('a step runs again if its output', () => {
  test.each<[string, () => void]>([
    [
      'is gone',
      () => {
        rmSync('out/all.txt');
      },
    ],
    [
      'is damaged',
      () => {
        writeFileSync('out/all.txt', 'x');
      },
    ],
    [
      'has something beside it',
      () => {
        writeFileSync('out/more.txt', 'x');
      },
    ],
  ])('%s', async (_, damage) => {
    await joined();
    damage();
    await joined();
    expect(made).toEqual([false, false]);
    expect(readFileSync('out/all.txt', 'utf8')).toBe('a1');
  });
});

test('make receives true if the previous outputs are intact', async () => {
  await joined();
  writeFileSync('one.txt', '2');
  await joined();
  expect(made).toEqual([false, true]);
});

test('a failed step runs again even if its inputs are unchanged', async () => {
  await joined();
  writeFileSync('one.txt', '2');
  const failing = step('some/join', ['in', 'one.txt'], ['out'], () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  writeFileSync('one.txt', '1');
  await joined();
  expect(made).toHaveLength(2);
});

test('a step runs again if an input changed during the step', async () => {
  await step('s', ['one.txt'], [], () => {
    writeFileSync('one.txt', '2');
  });
  await step('s', ['one.txt'], [], () => made.push(true));
  expect(made).toEqual([true]);
});

test('stamps of steps are not part of the package', () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly files: string[] };
  expect(readdirSync(join(ROOT, 'dist/.stamps')).length).toBeGreaterThan(5);
  expect(files.filter((path) => 'dist/.stamps'.startsWith(path))).toEqual([]);
});
