import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkExpectations, loadExpectations } from '../../src/analysis/expectations/index.ts';
import { checkFiles } from '../../src/cli/check.ts';
import { CommandExit } from '../../src/cli/failure.ts';
import { annotate, annotateFailure, writeSummary } from '../../src/cli/github.ts';
import { InputError } from '../../src/core/errors.ts';
import { splitPlace } from '../../src/core/path.ts';
import {
  createExpectationAnnotations,
  formatExpectationsJUnit,
  formatExpectationsMarkdown,
} from '../../src/report/checks/expectations.ts';
import { createInputAnnotations, formatMarkdownTable, formatWorkflowCommand } from '../../src/report/checks/github.ts';
import { called } from './called.ts';
import { catchWriting, written } from './written.ts';

const folder = mkdtempSync(join(tmpdir(), 'warpool-github-'));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const DUEL = 'system: attrition\nmode: direct\nattacker: { name: a, attack: 1, defense: 1, hp: 9 }\n';
const GOOD = file('good.yaml', `${DUEL}defender: { name: d, attack: 1, defense: 1, hp: 8 }\n`);
/** Scenario with three errors: a value out of range, an unknown field and a duplicate name. */
const BAD = file('bad.yaml', `${DUEL}defender: { name: a, attack: 1, defense: 1, hp: 0 }\nmaxRouns: 5\n`);
const SWEEP = file('sweep.yaml', 'scenario: good.yaml\nname: both\naxes: [{ path: attacker.hp, range: [1, 3] }]\n');
const EXPECTED = file(
  'expected.yaml',
  'scenario: good.yaml\nexpectations: [{ name: n, expect: attacker at least 1% }]\n',
);

const UNMET = file('unmet.yaml', 'scenario: good.yaml\nexpectations: [{ name: n, expect: attacker at most 1% }]\n');

beforeEach(() => {
  catchWriting();
  for (const name of ['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY']) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('workflow commands', () => {
  test('escape special characters, with more of them in properties than in messages', () => {
    const command = formatWorkflowCommand({
      title: 'a:b,c%',
      message: '50% of a:b,\nc',
      file: 'x,y.yaml',
      line: 3,
      column: 7,
    });
    expect(command).toBe('::error file=x%2Cy.yaml,line=3,col=7,title=a%3Ab%2Cc%25::50%25 of a:b,%0Ac');
    expect(formatWorkflowCommand({ level: 'warning', title: 't', message: 'm\u001B[2J' })).toBe(
      '::warning title=t::m\uFFFD[2J',
    );
  });

  test('contain the file, line and column of bad input', () => {
    const error = new InputError('army.yaml:12:16 attacker.hp', 'an integer', '0');
    expect(createInputAnnotations(error)).toEqual([
      {
        file: 'army.yaml',
        line: 12,
        column: 16,
        title: 'attacker.hp',
        message: 'army.yaml:12:16 attacker.hp: expected an integer, found 0',
      },
    ]);
    expect(splitPlace('--seed')).toEqual({ field: '--seed' });
    expect(splitPlace('a.yaml:1:2')).toEqual({ file: 'a.yaml', line: 1, column: 2, field: '' });
    expect(createInputAnnotations(new TypeError('x'))).toBeUndefined();
  });

  test('are written to standard error only on GitHub, at most ten', () => {
    const many = Array.from({ length: 12 }, (_, n) => ({ title: String(n), message: 'm' }));
    annotate(many);
    expect(written.err).toBe('');
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    annotate(many);
    expect(written.err.split('\n').filter((line) => line.startsWith('::error title='))).toHaveLength(10);
    written.err = '';
    annotateFailure(new InputError('a.yaml:1:9 system', 'another by option systems', '"x"'), '');
    annotateFailure(new TypeError('x'), 'warpool: oops');
    annotateFailure(new TypeError('x'), '');
    const named =
      '::error file=a.yaml,line=1,col=9,title=system::a.yaml:1:9 system: expected another by --systems, found "x"\n';
    expect(written).toEqual({ err: `${named}::error title=warpool::warpool: oops\n`, out: '' });
  });
});

describe('errors on GitHub', () => {
  const FAILS = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '' };
  const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

  test.each([
    ['bad input', ['run', BAD], 3],
    ['a file that is refused', ['check', BAD], 3],
    ['an expectation that fails', ['assert', UNMET], 1],
    ['an option', ['run', GOOD, '--battles', 'no'], 1],
  ])('are printed once, as annotations: %s', async (_, args, mistakes) => {
    const { stderr } = await called(args, FAILS);
    expect(lines(stderr)).toHaveLength(mistakes);
    for (const line of lines(stderr)) expect(line).toMatch(/^::error (?:file=.*,)?title=.*::/);
    const plain = lines((await called(args, { GITHUB_ACTIONS: '' })).stderr);
    expect(lines(stderr).map((line) => line.replace(/^::.*?::/, '').replaceAll('%25', '%'))).toEqual(plain);
  });

  test('are also printed as plain lines if there are more than ten', async () => {
    const many = file(
      'many.yaml',
      `system: attrition\nmode: direct\n${'abcdefghijkl'
        .split('')
        .map((x) => `${x}: 1\n`)
        .join('')}`,
    );
    const { stderr } = await called(['run', many], FAILS);
    expect(lines(stderr).filter((line) => line.startsWith('::'))).toHaveLength(10);
    expect(lines(stderr).filter((line) => line.startsWith(many)).length).toBeGreaterThan(10);
  });
});

describe('the summary of a job', () => {
  test('is appended to the file of GITHUB_STEP_SUMMARY', async () => {
    const path = join(folder, 'summary.md');
    await writeSummary(() => 'nowhere');
    vi.stubEnv('GITHUB_STEP_SUMMARY', path);
    await writeSummary(() => '# one');
    await writeSummary(() => '# two');
    expect(readFileSync(path, 'utf8')).toBe('# one\n\n# two\n\n');
  });

  test('causes only a warning if it cannot be written', async () => {
    vi.stubEnv('GITHUB_STEP_SUMMARY', folder);
    await writeSummary(() => 'x');
    expect(written.err).toMatch(/^warpool: cannot write the summary of the job: EISDIR/);
  });

  test('escapes Markdown and HTML in table cells', () => {
    expect(formatMarkdownTable(['a'], [['x | <b>`y`']])).toBe('| a |\n| --- |\n| x \\| \\<b\\>\\`y\\` |');
  });
});

describe('check', () => {
  const reported = async (files: readonly string[], json = false): Promise<unknown> => {
    const code = await checkFiles(files, { json }).then(
      () => 0,
      (error: unknown) => (error instanceof CommandExit ? error.code : error),
    );
    return code;
  };

  test('prints the kind of each file', async () => {
    expect(await reported([GOOD, SWEEP, EXPECTED])).toBe(0);
    expect(written.out).toBe(
      `${GOOD}: ok (attrition, direct)\n${SWEEP}: ok (sweep of 3 points, attrition, direct, both)\n${EXPECTED}: ok (1 expectation)\n`,
    );
    expect(written.err).toBe('');
  });

  test('reports all errors of a file at once', async () => {
    expect(await reported([BAD])).toBe(2);
    expect(
      written.err
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(BAD.length)),
    ).toEqual([
      ':4:19 defender.name: expected a name other than the attacker\'s, found "a" twice',
      ':4:49 defender.hp: expected an integer 1..100000, found 0',
      expect.stringMatching(
        /^:5:1 maxRouns: expected .*, found an unknown field \(did you mean maxRounds\?\)$/,
      ) as string,
    ]);
  });

  test('--json prints only JSON to standard output', async () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    expect(await reported([GOOD, BAD, join(folder, 'none.yaml')], true)).toBe(2);
    const stdoutText = JSON.parse(written.out) as { files: readonly Record<string, unknown>[] };
    expect(stdoutText).toMatchObject({ ok: false, warpool: expect.any(String) as string });
    const [good, bad, none] = stdoutText.files;
    expect(good).toMatchObject({ file: GOOD, ok: true, kind: 'scenario', system: 'attrition', name: null, errors: [] });
    expect(good?.['hash']).toMatch(/^[0-9a-f]{64}$/);
    expect(bad).toMatchObject({ ok: false, kind: 'scenario', hash: null, more: 0 });
    const errors = bad?.['errors'] as readonly unknown[];
    expect(errors[2]).toEqual({
      ...{ file: BAD, line: 5, column: 1, path: 'maxRouns', found: 'an unknown field', suggestion: 'maxRounds' },
      expected: expect.stringContaining('maxRounds') as string,
    });
    expect(none?.['errors']).toEqual([
      {
        ...{ file: join(folder, 'none.yaml'), line: null, column: null, path: null, suggestion: null },
        ...{ expected: 'a readable file', found: 'no such file' },
      },
    ]);
    expect(written.err).toContain(
      `::error file=${BAD},line=4,col=49,title=defender.hp::${BAD}:4:49 defender.hp: expected an integer 1..100000, found 0\n`,
    );
  });

  test('reports errors of a sweep file and of its scenario', async () => {
    const both = file('both.yaml', 'scenario: bad.yaml\naxes: []\nbattels: 3\n');
    expect(await reported([both])).toBe(2);
    for (const part of ['axes: expected', 'battels: expected', 'bad.yaml:4:49 defender.hp'])
      expect(written.err).toContain(part);
  });
});

describe('assert', () => {
  const text =
    'scenario: good.yaml\nexpectations:\n  - name: a\n    expect: attacker at most 1%\n  - { name: b, expect: attacker at least 1% }\n';

  test('annotates failed expectations at their sentence and writes times to JUnit', async () => {
    const path = file('fails.yaml', text);
    const decided: string[] = [];
    const judged = await checkExpectations(await loadExpectations(path), {
      exact: 'always',
      onResult: ({ expectation, verdict }) => void decided.push(`${expectation.name} ${verdict}`),
    });
    expect(decided).toEqual(['a fails', 'b holds']);
    expect(createExpectationAnnotations(judged, false)).toEqual([
      {
        ...{ level: 'error', file: path, line: 4, column: 13, title: 'a: fails' },
        message: expect.stringMatching(/^a: expected attacker at most 1%, found attacker = 0\.\d+, exact$/) as string,
      },
    ]);
    expect(formatExpectationsMarkdown(judged, 'fails.yaml')).toContain(
      '2 expectations: 1 holds, 1 fails\n\n| verdict |',
    );
    const xml = formatExpectationsJUnit([{ file: 'fails.yaml', judged, seconds: [1.25, 0.5] }], false);
    expect(xml).toMatch(/<testsuite [^>]*time="1\.750"/);
    expect(xml).toMatch(/name="a" time="1\.250" file="[^"]+fails.yaml" line="4"/);
  });
});
