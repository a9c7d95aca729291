/** What the tutorial shows of the terminal is what the commands print, but for times, threads, and sizes of files. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT, warpool } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';
import { requireBuild } from '../pool/fixtures.ts';

beforeAll(requireBuild);

const page = readFileSync(join(ROOT, 'docs/tutorials/custom-rules.md'), 'utf8');

/** The listing with a decision replaces the first one where it stands. */
const withDecision = page.indexOf('chance.decide(');
const listing = [...page.matchAll(/```js\n(.*?)```/gs)]
  .map(([, code = '']) => code)
  .find((code) => code.includes('chance.decide('));

interface Shown {
  readonly command: string;
  readonly lines: readonly string[];
  readonly decides: boolean;
}

const shown: Shown[] = [...page.matchAll(/```console\n(.*?)```/gs)].flatMap(({ 1: block = '', index }) =>
  block
    .split(/^\$ npx warpool /mu)
    .slice(1)
    .map((each) => {
      const [command = '', ...lines] = each.split('\n');
      return {
        command,
        lines: lines.filter((line) => line.trim() !== '' && line !== '...'),
        decides: index > withDecision,
      };
    }),
);

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

describe('the tutorial', () => {
  // In their order: what one writes others read. The first one alone where it is shallow.
  test.each(DEPTH > 1 ? shown : shown.slice(0, 1))('$command', async ({ command, lines, decides }) => {
    const said = await warpool(wordsOf(command), { cwd: decides ? deciding : plain, env: { COLUMNS: '120' } });
    const printed = new Set(`${said.stdout}${said.stderr}`.split('\n').map(settled));
    expect({ code: said.code, missing: lines.filter((line) => !printed.has(settled(line))) }, said.stderr).toEqual({
      code: 0,
      missing: [],
    });
  });

  test('shows many commands', () => {
    expect(shown.length).toBeGreaterThan(10);
  });
});
