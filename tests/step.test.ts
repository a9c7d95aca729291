/** Steps of the build: left out where nothing has changed, done anew where anything has. */
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
// Scripts are JavaScript, which these types do not read.
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

/** Joins its inputs in out/all.txt, and says whether what it left was whole. */
const joined = () =>
  step('some/join', ['in', 'one.txt'], ['out'], (intact) => {
    made.push(intact);
    mkdirSync('out', { recursive: true });
    writeFileSync('out/all.txt', `${readFileSync('in/deep/a.txt', 'utf8')}${readFileSync('one.txt', 'utf8')}`);
  });

test('a step is done once, and left out while nothing changes', async () => {
  for (let k = 0; k < 3; k++) await joined();
  expect(made).toEqual([false]);
  expect(readFileSync('out/all.txt', 'utf8')).toBe('a1');
});

describe('a step is done anew where an input', () => {
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

describe('an output is made again where it', () => {
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

test('make is told that the outputs are as the step left them', async () => {
  await joined();
  writeFileSync('one.txt', '2');
  await joined();
  expect(made).toEqual([false, true]);
});

test('a step that failed is done anew, though the inputs are those of before', async () => {
  await joined();
  writeFileSync('one.txt', '2');
  const failing = step('some/join', ['in', 'one.txt'], ['out'], () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  writeFileSync('one.txt', '1');
  await joined();
  expect(made).toHaveLength(2);
});

test('an input that changes while a step is done does it anew', async () => {
  await step('s', ['one.txt'], [], () => {
    writeFileSync('one.txt', '2');
  });
  await step('s', ['one.txt'], [], () => made.push(true));
  expect(made).toEqual([true]);
});

test('stamps lie where no package takes them from', () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly files: string[] };
  expect(readdirSync(join(ROOT, 'dist/.stamps')).length).toBeGreaterThan(5);
  expect(files.filter((path) => 'dist/.stamps'.startsWith(path))).toEqual([]);
});
