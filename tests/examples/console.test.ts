/** Console blocks of two tutorials equal the output of the commands, except for times, threads and file sizes. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT, warpool } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';
import { requireBuild } from '../pool/fixtures.ts';

beforeAll(requireBuild);

const readPage = (name: string): string => readFileSync(join(ROOT, 'docs/tutorials', name), 'utf8');

const page = readPage('custom-rules.md');

/** Position in the page from which the listing with a decision replaces the first one. */
const withDecision = page.indexOf('chance.decide(');
const listing = [...page.matchAll(/```js\n(.*?)```/gs)]
  .map(([, code = '']) => code)
  .find((code) => code.includes('chance.decide('));

interface Shown {
  readonly command: string;
  readonly lines: readonly string[];
  /** Offset of its block in the page. */
  readonly index: number;
}

const listShown = (text: string): Shown[] =>
  [...text.matchAll(/```console\n(.*?)```/gs)].flatMap(({ 1: block = '', index }) =>
    block
      .split(/^\$ npx warpool /mu)
      .slice(1)
      .map((each) => {
        const [command = '', ...lines] = each.split('\n');
        return { command, lines: lines.filter((line) => line.trim() !== '' && line !== '...'), index };
      }),
  );

const shown = listShown(page);

/** Creates a folder as at the start of the tutorial, or with another module. */
function folder(module?: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'warpool-console-'));
  cpSync(join(ROOT, 'examples/templates/system'), dir, { recursive: true });
  mkdirSync(join(dir, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(dir, 'node_modules/warpool'));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  if (module !== undefined) writeFileSync(join(dir, 'my-duel.js'), module);
  return dir;
}

const plain = folder();
const deciding = folder(listing);

/** Removes values that depend on the machine, and unifies blanks. */
const settled = (line: string): string =>
  line
    .replaceAll(/[\u2009\u00a0\u202f]/gu, ' ')
    .replaceAll(/one thread\b/gu, '1 threads')
    .replaceAll(/\d[\d .]* (?:s|ms|cells\/s|battles\/s|threads?|kB)\b/gu, 'so much')
    .trimEnd();

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, word = '']) => quoted ?? word);

async function expectShown({ command, lines }: Shown, cwd: string, code = 0): Promise<void> {
  const stdoutText = await warpool(wordsOf(command), { cwd, env: { COLUMNS: '120' } });
  const printed = new Set(`${stdoutText.stdout}${stdoutText.stderr}`.split('\n').map(settled));
  expect(
    { code: stdoutText.code, missing: lines.filter((line) => !printed.has(settled(line))) },
    stdoutText.stderr,
  ).toEqual({
    code,
    missing: [],
  });
}

describe('the tutorial of custom rules', () => {
  // In this order, because commands read files of earlier ones. The shallow suite runs only the first.
  test.each(DEPTH > 1 ? shown : shown.slice(0, 1))('shows the output of $command', async (each) => {
    await expectShown(each, each.index > withDecision ? deciding : plain);
  });

  test('shows more than ten commands', () => {
    expect(shown.length).toBeGreaterThan(10);
  });
});

describe('the tutorial of army points', () => {
  const study = mkdtempSync(join(tmpdir(), 'warpool-points-'));
  symlinkSync(join(ROOT, 'examples'), join(study, 'examples'));
  const commands = listShown(readPage('army-points.md'));

  test.each(DEPTH > 1 ? commands : commands.slice(0, 2))('shows the output of $command', async (each) => {
    await expectShown(each, study, each.command.startsWith('assert') ? 1 : 0);
  });

  test('runs check, then matchup three times, then assert', () => {
    expect(commands.map(({ command }) => command.split(' ')[0])).toEqual([
      'check',
      'matchup',
      'matchup',
      'matchup',
      'assert',
    ]);
  });
});
