/** Command `warpool assert`: verdicts, JUnit reports, exit codes and interruption. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { called, getOutput } from '../cli/called.ts';
import { DUEL, file, interrupted, ROOT, warpool } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';

const expectations = (name: string, ...sentences: readonly string[]): string =>
  file(
    name,
    `scenario: ${DUEL}\nexpectations:\n${sentences.map((s, i) => `  - { name: 'number <${String(i)}>', expect: ${s} }`).join('\n')}\n`,
  );

const GOOD = expectations('good.yaml', 'attacker between 0.55 and 0.6', 'rounds at most 9');
const MIXED = expectations('mixed.yaml', 'attacker at least 0.2', 'attacker at most 0.2', 'attacker at least 0.57647');

/** Returns the name and the child element of each test case of a JUnit report. */
function cases(xml: string): string[][] {
  return [
    ...xml.matchAll(/<testcase classname="[^"]+" name="([^"]+)" time="[\d.]+"[^>]*>\s*<(failure|skipped|system-out)/g),
  ].map(([, name = '', inside = '']) => [name, inside]);
}

describe('assert', () => {
  test('prints exact verdicts if all expectations hold', async () => {
    const stdout = await getOutput('assert', GOOD);
    expect(stdout).toContain(`good.yaml · 2 expectations: 2 hold\n`);
    expect(stdout).toMatch(/\nnumber <0> +holds +attacker +0\.57648 +exact +0\.55 \.\. 0\.6\n/);
    expect(stdout).toMatch(/\nnumber <1> +holds +rounds +8\.39309 +exact +at most 9\n/);
    expect(stdout).toContain('\nAll verdicts are exact.\n');
  });

  test('exits with 1 and writes JUnit if expectations fail or are undecided', async () => {
    const report = file('report.xml', 'old');
    const { code, stdout, stderr } = await called([
      'assert',
      MIXED,
      '--exact',
      'never',
      '--battles',
      '5e4',
      '--junit',
      report,
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('3 expectations: 1 holds, 1 fails, 1 is undecided\n');
    expect(stdout).toContain('at most 1 % each, 3 % in total.');
    expect(stderr).toMatch(
      /^number <1>: expected attacker at most 0.2, found attacker = 0.5\d+, 0.5\d+ .. 0.5\d+ after /,
    );
    expect(stderr).toMatch(/\nnumber <2>: expected attacker at least 0.57647, undecided: attacker = /);
    const xml = readFileSync(report, 'utf8');
    expect(xml).toContain('tests="3" failures="2" errors="0" skipped="0"');
    expect(cases(xml)).toEqual([
      ['number &lt;0&gt;', 'system-out'],
      ['number &lt;1&gt;', 'failure'],
      ['number &lt;2&gt;', 'failure'],
    ]);
    const [, line, message, body] =
      /line="(\d+)">\n\s*<failure message="(expected attacker at most 0.2, found [^"]+)" type="fails">(.+)<\/failure>/.exec(
        xml,
      ) ?? [];
    expect(body).toMatch(new RegExp(`^${MIXED}:${line ?? ''}:\\d+: expected attacker at most 0\\.2, found `));
    expect(body?.endsWith(message ?? '')).toBe(true);
    expect(xml).toContain(`file="${MIXED}" line="${line ?? ''}"`);
  });

  test('--allow-undecided exits with 0 and skips undecided expectations in JUnit', async () => {
    const path = expectations('open.yaml', 'attacker at least 0.57647');
    const report = file('open.xml', '');
    const args = ['assert', path, '--exact', 'never', '--battles', '5e4', '--json', '--junit', report];
    const strict = await called(args);
    const lax = await called([...args, '--allow-undecided']);
    expect([strict.code, lax.code]).toEqual([1, 0]);
    expect(JSON.parse(strict.stdout)).toMatchObject({ passed: false, undecided: 1 });
    expect(JSON.parse(lax.stdout)).toMatchObject({ passed: true, undecided: 1 });
    expect(cases(readFileSync(report, 'utf8'))).toEqual([['number &lt;0&gt;', 'skipped']]);
  });

  test('--json prints one object with all verdicts', async () => {
    const { code, stdout } = await called(['assert', MIXED, '--json', '--seed', '9']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      file: MIXED,
      passed: false,
      holds: 2,
      fails: 1,
      undecided: 0,
      interrupted: 0,
      expectations: [
        { name: 'number <0>', verdict: 'holds', low: 0.2, high: null, exact: true, interval: null, battles: 0 },
        { verdict: 'fails', low: null, high: 0.2, seed: '9', errorRate: 0.01, of: 'attacker', kind: 'outcome' },
        { verdict: 'holds', scenario: { file: DUEL, system: 'attrition' } },
      ],
    });
  });

  test('the shipped example holds, both exactly and by simulation', async () => {
    const path = join(ROOT, 'examples/balance.yaml');
    expect((await called(['assert', path])).code).toBe(0);
    expect((await called(['assert', path, '--exact', 'never'])).code).toBe(0);
  });

  test.runIf(DEPTH > 1)('prints the decided verdicts after SIGINT', async () => {
    const report = file('interrupted.xml', '');
    const { code, stdout, stderr } = await interrupted(
      ['assert', MIXED, '--exact', 'never', '--battles', '1e12', '--json', '--junit', report],
      ({ stderr }) => stderr.includes('interrupted after 2 '),
    );
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      expectations: [{ verdict: 'holds' }, { verdict: 'fails' }, { verdict: 'interrupted', value: null }],
    });
    expect(stderr).toBe('interrupted after 2 of 3 expectations\n');
    expect(cases(readFileSync(report, 'utf8'))[2]).toEqual(['number &lt;2&gt;', 'skipped']);
  });

  test('reports an error of a file with line, column and field', async () => {
    const bad = file('bad.yaml', `scenario: ${DUEL}\nexpectations:\n  - { name: a, expect: attaker at most 1 }\n`);
    const { code, stdout, stderr } = await called(['assert', bad]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${bad}:3:24 expectations[0].expect: expected one of attacker, defender`);
    expect(stderr).toContain('(did you mean attacker?)');
  });

  test('reports a JUnit file that cannot be written', async () => {
    const { code, stderr } = await called(['assert', GOOD, '--junit', `${GOOD}/report.xml`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^warpool: .*good.yaml\/report.xml cannot be written: /);
  });

  test('has a JSON Schema for its files', async () => {
    const { stdout } = await called(['schema', 'expectations']);
    expect(JSON.parse(stdout)).toMatchObject({ $id: 'urn:warpool:expectations', required: ['expectations'] });
  });

  test.runIf(DEPTH > 1)('exits with 0 if the reader closes standard output', async () => {
    expect(await warpool(['assert', GOOD], { deaf: true })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('assert in continuous integration', () => {
  const missing = file(
    'missing.yaml',
    'expectations:\n  - name: n\n    scenario: gone.yaml\n    expect: attacker at least 1%\n',
  );

  test('checks several files, writes one report and returns the worst exit code', async () => {
    const report = file('several.xml', 'old');
    const { code, stdout, stderr } = await called(['assert', GOOD, missing, MIXED, '--junit', report]);
    expect(code).toBe(2);
    expect(stdout).toContain('good.yaml · 2 expectations: 2 hold\n');
    expect(stdout).toContain('mixed.yaml · 3 expectations: ');
    expect(stderr).toContain(
      `${missing}:3:15 expectations[0].scenario: expected a readable file, found no such file: `,
    );
    const xml = readFileSync(report, 'utf8');
    expect(xml).toContain('tests="6" failures="1" errors="1" skipped="0"');
    expect(xml).toMatch(/file="[^"]*missing\.yaml" line="3"/);
  });

  test('replaces the report of an earlier run after an input error', async () => {
    const report = file('stale.xml', 'old');
    const { code } = await called(['assert', missing, '--junit', report]);
    expect(code).toBe(2);
    expect(readFileSync(report, 'utf8')).toMatch(/errors="1"[\s\S]*<error message="[^"]*gone\.yaml/);
  });

  test('annotates a missing scenario with a path relative to the repository', async () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: dirname(dirname(missing)) };
    const { stderr } = await called(['assert', missing], env);
    const folder = basename(dirname(missing));
    expect(stderr).toContain(`::error file=${folder}/missing.yaml,line=3,col=15,`);
  });

  test('uses the configuration next to the file unless --no-config is set', async () => {
    const folder = mkdtempSync(join(dirname(GOOD), 'own-'));
    const source = readFileSync(join(ROOT, 'examples/games/conquest-dice.mjs'), 'utf8');
    writeFileSync(join(folder, 'my-dice.mjs'), source.replace("id: 'conquest-dice'", "id: 'my-dice'"));
    writeFileSync(join(folder, 'warpool.config.mjs'), "export default { systems: ['./my-dice.mjs'] };");
    const scenario = 'scenario: { system: my-dice, attacker: 5, defender: 5 }\n';
    const path = join(folder, 'balance.yaml');
    writeFileSync(path, `${scenario}expectations: [{ name: odds, expect: attacker at least 1% }]\n`);
    expect((await called(['assert', path])).code).toBe(0);
    expect((await called(['check', path])).code).toBe(0);
    expect((await called(['assert', path, '--no-config'])).code).toBe(2);
  });
});
