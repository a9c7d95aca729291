/** What two tutorials show of the terminal is what the commands print, but for times, threads, and sizes of files. */
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

/** The listing with a decision replaces the first one where it stands. */
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

/** A folder as the tutorial has it at its beginning, or after the decision was added. */
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

/** Without what depends on the machine, and with blanks of one kind. */
const settled = (line: string): string =>
  line
    .replaceAll(/[\u2009\u00a0\u202f]/gu, ' ')
    .replaceAll(/one thread\b/gu, '1 threads')
    .replaceAll(/\d[\d .]* (?:s|ms|cells\/s|battles\/s|threads?|kB)\b/gu, 'so much')
    .trimEnd();

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, word = '']) => quoted ?? word);

async function expectShown({ command, lines }: Shown, cwd: string, code = 0): Promise<void> {
  const said = await warpool(wordsOf(command), { cwd, env: { COLUMNS: '120' } });
  const printed = new Set(`${said.stdout}${said.stderr}`.split('\n').map(settled));
  expect({ code: said.code, missing: lines.filter((line) => !printed.has(settled(line))) }, said.stderr).toEqual({
    code,
    missing: [],
  });
}

describe('the tutorial of custom rules', () => {
  // In their order: what one writes others read. The first one alone where it is shallow.
  test.each(DEPTH > 1 ? shown : shown.slice(0, 1))('$command', async (each) => {
    await expectShown(each, each.index > withDecision ? deciding : plain);
  });

  test('shows many commands', () => {
    expect(shown.length).toBeGreaterThan(10);
  });
});

describe('the tutorial of army points', () => {
  const study = mkdtempSync(join(tmpdir(), 'warpool-points-'));
  symlinkSync(join(ROOT, 'examples'), join(study, 'examples'));
  const commands = listShown(readPage('army-points.md'));

  test.each(DEPTH > 1 ? commands : commands.slice(0, 2))('$command', async (each) => {
    await expectShown(each, study, each.command.startsWith('assert') ? 1 : 0);
  });

  test('ends with a failing expectation', () => {
    expect(commands.map(({ command }) => command.split(' ')[0])).toEqual([
      'check',
      'matchup',
      'matchup',
      'matchup',
      'assert',
    ]);
  });
});
