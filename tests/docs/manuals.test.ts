/** Promises of the manuals: a CI workflow that runs, a valid citation, and a glossary of the main terms. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../src/core/version.ts';
import { createSystemEntry, formatSystemList } from '../../src/report/systems/system-list.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { GAMES } from '../../src/rules/games.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { RULESET } from '../../src/stats/digest.ts';
import { warpool } from '../cli/warpool.ts';
import { requireBuild } from '../pool/fixtures.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

beforeAll(requireBuild);

describe('the workflow of docs/how-to/ci.md', () => {
  const [workflow = '', expectations = ''] = [...text('docs/how-to/ci.md').matchAll(/```yaml\n(.*?)```/gs)].map(
    ([, code]) => code,
  );
  const { jobs } = parse(workflow) as { jobs: Record<string, { steps: readonly { run?: string }[] }> };
  const commands = Object.values(jobs)
    .flatMap(({ steps }) => steps.map(({ run = '' }) => run))
    .filter((run) => run.startsWith('npx warpool '))
    .map((run) => run.split(' ').slice(2));

  test('runs only check and assert, without --update', () => {
    expect(commands.map(([command]) => command)).toEqual(['check', 'assert']);
    expect(workflow).not.toMatch(/--update|bench/);
  });

  test('runs in a project, and reports to GitHub and to a JUnit file', { timeout: 60_000 }, async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'warpool-ci-'));
    for (const folder of ['scenarios', 'sweeps']) mkdirSync(join(cwd, folder));
    copyFileSync(join(ROOT, 'scenarios/attrition-direct.yaml'), join(cwd, 'scenarios/duel.yaml'));
    writeFileSync(
      join(cwd, 'sweeps/hp.yaml'),
      'scenario: ../scenarios/duel.yaml\naxes: [{ path: attacker.hp, range: [20, 30] }]\n',
    );
    writeFileSync(join(cwd, 'balance.yaml'), expectations.replace('between 45% and 55%', 'between 55% and 60%'));
    expect((await warpool(['assert', 'balance.yaml', '--update'], { cwd })).code).toBe(0);
    const summary = join(cwd, 'summary.md');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    for (const command of commands) {
      const args = command.flatMap((arg) => (arg.includes('*') ? inFolder(cwd, arg) : [arg]));
      expect(await warpool(args, { cwd, env })).toMatchObject({ code: 0, stderr: '' });
    }
    expect(readFileSync(summary, 'utf8')).toContain('3 expectations: 3 hold');
    expect(readFileSync(join(cwd, 'reports/warpool.xml'), 'utf8')).toContain('tests="3" failures="0"');
    // After a change of the scenario, each of three errors is reported once.
    writeFileSync(
      join(cwd, 'scenarios/duel.yaml'),
      text('scenarios/attrition-direct.yaml').replace(/hp: (\d+)/, 'hp: 1$1'),
    );
    const changed = await warpool(['assert', 'balance.yaml'], { cwd, env });
    expect(changed.code).toBe(1);
    const shown = changed.stderr.trimEnd().split('\n');
    expect(shown).toHaveLength(3);
    for (const line of shown) expect(line).toMatch(/^::error file=balance\.yaml,line=\d+,col=\d+,title=/);
  });

  /** Expands `folder/*.yaml` like a shell. */
  function inFolder(cwd: string, pattern: string): string[] {
    const folder = pattern.split('/')[0] ?? '';
    return readdirSync(join(cwd, folder)).map((name) => `${folder}/${name}`);
  }
});

describe('citations', () => {
  const cff = parse(text('CITATION.cff')) as Record<string, unknown>;

  test('CITATION.cff has the required fields of format 1.2.0, and no addresses or dates', () => {
    expect(cff).toMatchObject({ 'cff-version': '1.2.0', title: 'warpool', type: 'software', license: 'Apache-2.0' });
    expect(cff['version']).toBe(version());
    expect(cff['message']).toMatch(/cite/);
    expect(cff['authors']).toEqual([{ name: 'The authors of warpool' }]);
    for (const unknown of ['doi', 'url', 'repository-code', 'date-released']) expect(cff).not.toHaveProperty(unknown);
  });

  test('docs/how-to/cite.md names this version and ruleset', () => {
    const page = text('docs/how-to/cite.md');
    expect(page).toContain(`version ${version()} (ruleset ${RULESET})`);
    expect(page).toContain(`version = {${version()}}`);
    expect(page).toContain(`note    = {Ruleset ${RULESET}}`);
  });
});

test('the glossary explains the main terms, each once', () => {
  const page = text('docs/reference/glossary.md');
  const explained = [...page.matchAll(/^\| ([^|]+?) +\|/gm)].flatMap(([, word = '']) => word.split(', '));
  for (const word of [
    ...[
      'probability',
      'confidence interval',
      'common random numbers',
      'Markov chain',
      'step',
      'state',
      'stream',
      'seed',
    ],
    ...[
      'distribution',
      'interim analysis',
      'cell',
      'point',
      'setting',
      'conform',
      '`unobserved <`',
      'digest',
      'ruleset',
      'store',
      'segment',
    ],
  ])
    expect(explained).toContain(word);
  const words = explained.filter((word) => !/^(?:word|-+)$/.test(word));
  expect(new Set(words).size).toBe(words.length);
});

test('no text for users refers to a section of an internal document', () => {
  const files = [
    'docs/tutorials',
    'docs/how-to',
    'docs/reference',
    'docs/reference/systems',
    'docs/explanation',
    'scenarios',
    'examples',
    'examples/games',
    'examples/systems',
  ].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && !entry.name.endsWith('.png') ? [join(folder, entry.name)] : [],
    ),
  );
  for (const file of [...files, 'README.md']) expect(text(file), file).not.toMatch(/\bseed 0\d\d\b|outside the seed/);
  expect(JSON.stringify(shippedSystems.map((system) => createSystemEntry(system)))).not.toMatch(
    /seed 0\d\d|outside the seed/,
  );
});

test('README and the list of systems name well-known games', () => {
  for (const game of ['Risk', 'Axis & Allies', 'Warhammer', 'battle calculator', 'Dice combat', 'risk odds'])
    expect(text('README.md').toLowerCase()).toContain(game.toLowerCase());
  const list = formatSystemList(
    shippedSystems.map((system) => createSystemEntry(system)),
    GAMES,
    { width: 200, paint: PLAIN_PAINT },
  );
  for (const example of [
    'conquest-dice  Opposed sorted dice',
    'As in Risk, ',
    'Warhammer',
    'warpool/examples/systems/<name>.mjs',
  ])
    expect(list).toContain(example);
});
