/** Balance problems with the command `warpool balance`: tutorial, wrong input, interrupts, pipes. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { called } from '../cli/called.ts';
import { DUEL, ROOT, warpool } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';

const PROBLEM = 'examples/balance/three-scenarios.yaml';
const folder = mkdtempSync(join(tmpdir(), 'warpool-problems-'));

interface ProblemFile {
  readonly scenarios?: object;
  readonly fields?: readonly object[];
  readonly targets?: readonly unknown[];
}

/** Writes a problem with one scenario. */
function writeProblem(name: string, { scenarios, fields, targets }: ProblemFile): string {
  const file = join(folder, name);
  const content = {
    scenarios: scenarios ?? { plain: DUEL },
    fields: fields ?? [{ path: 'defender.hp', range: [25, 30] }],
    targets: targets ?? ['attacker = 50%'],
  };
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe('docs/tutorials/balance-scenarios.md', () => {
  const page = readFileSync(join(ROOT, 'docs/tutorials/balance-scenarios.md'), 'utf8');
  const blocks = [...page.matchAll(/```console\n\$ npx warpool (.*)\n([^`]*)```/gu)];

  test('has two commands', () => {
    expect(blocks).toHaveLength(2);
  });

  test.each((DEPTH > 1 ? blocks : blocks.slice(0, 1)).map(([, command = '', output = '']) => ({ command, output })))(
    'shows the output of $command',
    async ({ command, output }) => {
      const { code, stdout } = await warpool(command.split(' '), { cwd: ROOT, env: { COLUMNS: '120' } });
      const printed = stdout.split('\n');
      expect(output.split('\n').filter((line) => line !== '...' && !printed.includes(line))).toEqual([]);
      expect(code).toBe(output.includes('No setting meets') ? 1 : 0);
    },
  );
});

describe('a balance problem', () => {
  test('with one solution is solved and written as JSON and HTML', async () => {
    const file = writeProblem('one.json', {});
    const html = join(folder, 'one.html');
    const { code, stdout } = await called(['balance', file, '--html', html]);
    expect(code).toBe(0);
    expect(stdout).toContain('defender.hp = 29 meets the target.');
    const json = await called(['balance', file, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ targetsMet: true, meeting: [{ set: { 'defender.hp': 29 } }] });
    expect(readFileSync(html, 'utf8')).toContain('defender.hp = 29 meets the target.');
  });

  test('with two fields has a heat map', async () => {
    const fields = ['attacker.hp', 'defender.hp'].map((path) => ({ path, range: [4, 7] }));
    const html = join(folder, 'two.html');
    await called(['balance', writeProblem('two.json', { fields }), '--html', html]);
    const page = readFileSync(html, 'utf8');
    expect(page).toContain('<svg');
    expect(page).toContain('Greatest miss of a target in units of its tolerance');
  });

  test.each([
    [
      'a name of a scenario',
      { scenarios: { plain: DUEL, hill: DUEL }, targets: ['plan.attacker = 50%'] },
      'expected the name of a scenario before outcomes and metrics: plain., hill., found "plan.attacker" (did you mean plain?)',
    ],
    ['an outcome', { targets: ['plain.atacker = 50%'] }, 'did you mean attacker?'],
    ['a relation', { targets: ['attacker 50%'] }, 'targets[0]:10: expected =, <= or >=, found "50%"'],
    ['a comma', { targets: ['quantile(rounds) <= 3'] }, 'expected a comma, found ")"'],
    ['a factor', { targets: ['attacker * rounds = 1'] }, 'expected a constant factor'],
    [
      'a possible share',
      { targets: ['plain.attacker >= 150%'] },
      'expected bounds that probabilities can reach, within 0%..100%, found "plain.attacker >= 150%"',
    ],
    [
      'a possible difference',
      { targets: ['plain.attacker - plain.defender <= -101%'] },
      'expected bounds that probabilities can reach, within -100%..100%, found',
    ],
    ['a target with a name', { targets: ['1 <= 2'] }, 'expected a target with an outcome or a metric'],
    ['a tolerance', { targets: [{ target: 'rounds = 8', tolerance: '1pp' }] }, 'a tolerance in the unit of the target'],
    ['a range', { fields: [{ path: 'defender.hp', range: [0, 5] }] }, 'expected a range of integers within 1..'],
    ['a path', { fields: [{ path: 'defender.hq', range: [1, 5] }] }, 'did you mean defender.hp?'],
    ['paths', { fields: [{ range: [1, 5] }] }, 'expected either path or paths, found neither'],
    ['known scenarios', { fields: [{ path: 'defender.hp', scenarios: ['hill'], range: [1, 5] }] }, 'found "hill"'],
    ['each path once', { fields: ['a', 'b'].map((name) => ({ name, path: 'defender.hp', range: [1, 5] })) }, 'again'],
    [
      'a target of each scenario',
      { scenarios: { plain: DUEL, hill: DUEL }, targets: ['plain.attacker = 1'] },
      'no target of hill',
    ],
  ])('needs %s', async (name, file, message) => {
    const { code, stderr } = await called(['balance', writeProblem(`${name}.json`, file)]);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
    expect(code).toBe(2);
  });

  test('rejects options of scenarios, and scenarios reject options of problems', async () => {
    const rejected = async (...args: string[]) => (await called(['balance', ...args])).stderr;
    expect(await rejected(DUEL)).toContain('--vary and --target');
    expect(await rejected(PROBLEM, '--set', 'a=1')).toContain('--set cannot be combined with a balance problem');
    expect(await rejected(PROBLEM, '--vary', 'a', '--target', 'attacker=1')).toContain(
      'use "warpool balance" without --vary',
    );
    expect(await rejected(DUEL, '--vary', 'a', '--target', 'attacker=1', '--out', 'x')).toContain(
      '--out cannot be combined',
    );
    expect(await rejected(PROBLEM, '--resume')).toContain('--resume requires --out <folder>');
    const checked = await called(['check', PROBLEM]);
    expect(checked.stdout).toContain('ok (balance problem of 441 settings, Three scenarios)');
  });

  test('causes an error if a field declared as monotone is not', async () => {
    // Mutual destruction is most likely for equal sides.
    const fields = [{ path: 'attacker.hp', range: [5, 60], monotone: true }];
    const file = writeProblem('monotone.json', { fields, targets: ['mutual = 10%'] });
    const { code, stderr } = await called(['balance', file, '--search', 'pruned']);
    expect(stderr).toContain('always rises or always falls, as monotone declares');
    expect(code).toBe(2);
  });
});

describe('balance --pipe', () => {
  test('evaluates each line', async () => {
    const lines = [{ set: { swordsmen: 27, pikemen: 25 } }, { set: { swordsmen: 26, pikemen: 24 } }];
    const stdin = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
    const { code, stdout } = await warpool(['balance', PROBLEM, '--pipe'], { cwd: ROOT, stdin });
    const [head, first, second, last] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(head).toMatchObject({ fields: [{ name: 'swordsmen', low: 16, step: 1, count: 21 }, {}] });
    expect(first).toMatchObject({ evaluation: { ...lines[0], verdict: 'misses' } });
    expect(second).toMatchObject({ evaluation: lines[1] });
    expect(last).toMatchObject({ solution: { search: 'optimizer', possible: 2, nearest: lines[0] } });
    expect(code).toBe(1);
  });

  test.runIf(DEPTH > 1)('rejects invalid lines', async () => {
    for (const [stdin, message] of [
      ['27 25\n', 'a line with a JSON object'],
      ['{"set":{"swordsmen":27}}\n', 'a number for the field "pikemen"'],
    ] as const) {
      const { code, stderr } = await warpool(['balance', PROBLEM, '--pipe'], { cwd: ROOT, stdin });
      expect(stderr).toContain(message);
      expect(code).toBe(2);
    }
  });
});

test.runIf(DEPTH > 1)('an interrupted search continues with --resume', async () => {
  const out = join(folder, 'search');
  const args = ['balance', PROBLEM, '--out', out, '--exact', 'never', '--battles', '40000'];
  const { code, stderr } = await warpool(args, { cwd: ROOT, signals: [['SIGINT', 1500]] });
  expect(code).toBe(130);
  expect(stderr).toContain('stopped before the end of the search; add --resume to continue');
  const resumed = await warpool([...args, '--resume', '--json'], { cwd: ROOT });
  const whole = await warpool([...args.slice(0, 2), ...args.slice(4), '--json'], { cwd: ROOT });
  expect(JSON.parse(resumed.stdout)).toEqual(JSON.parse(whole.stdout));
});
