/** Budgets of exact answers: an error suggests a larger budget for the option, and the option is respected. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEPTH, some } from '../depth.ts';
import { called } from './called.ts';
import { file, ROOT, type Said } from './warpool.ts';

const scenario = (name: string): string => join(ROOT, 'scenarios', name);

const BRAWL = scenario('attrition-brawl.yaml');
const BLUFF = scenario('strength-cards-bluff.yaml');
const SMALL = file(
  'small.yaml',
  'system: phased-dice\nmode: ground\nattacker: { units: { spearman: 1 } }\ndefender: { units: { spearman: 1 } }\n',
);
const EXPECTATIONS = file(
  'expectations.yaml',
  `scenario: ${BRAWL}\nexpectations:\n  - name: the watch\n    expect: watch at least 50%\n`,
);
const ALWAYS = ['--exact', 'always'];

/** Returns the budget that an error message suggests. */
function suggested({ code, stdout, stderr }: Said): number {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const [, budget = ''] = /\n"--budget (\d+)" may be enough; \S.*\n$/.exec(stderr) ?? [];
  expect(budget, stderr).not.toBe('');
  return Number(budget);
}

describe('repeated use of the suggested budget succeeds', () => {
  test.each(
    some([
      ['exact', ['exact', BRAWL]],
      ['run', ['run', BRAWL, ...ALWAYS, '--battles', '1000', '--quiet']],
      ['run of draws', ['run', BRAWL, '--engine', 'sampled', '--exact', 'never', '--battles', '1000', '--quiet']],
      ['assert', ['assert', EXPECTATIONS, ...ALWAYS, '--quiet']],
      [
        'balance',
        ['balance', BRAWL, '--vary', 'combatants[0].hp=3..5', '--target', 'watch=0.5', '--tolerance', '1', ...ALWAYS],
      ],
      ['sensitivity', ['sensitivity', BRAWL, '--fields', 'combatants[0].hp', ...ALWAYS]],
      ['equilibrium', ['equilibrium', BLUFF]],
      ['best-response', ['best-response', SMALL]],
    ]),
  )('%s', { timeout: 60_000 }, async (_, args) => {
    let budget = 1;
    for (let tries = 0; tries < 25; tries++) {
      const printed = await called([...args, '--budget', String(budget)]);
      if (printed.code === 0) {
        expect(budget).toBeGreaterThan(1);
        expect(printed.stdout).not.toBe('');
        return;
      }
      const next = suggested(printed);
      expect(next).toBeGreaterThan(budget);
      budget = DEPTH === 1 ? 8 * next : next;
    }
    throw new Error(`no budget was enough: ${String(budget)}`);
  });

  test.runIf(DEPTH > 1)('sweep, with the budget in its file', async () => {
    const out = mkdtempSync(join(tmpdir(), 'warpool-'));
    onTestFinished(() => {
      rmSync(out, { recursive: true });
    });
    const sweep = (budget: string): string =>
      file(
        'sweep.yaml',
        `scenario: ${BRAWL}\naxes: [{ path: "combatants[0].hp", values: [4, 5] }]\nexact: always\n${budget}`,
      );
    for (const more of [['--out', join(out, 'small')], ['--dry-run']]) {
      const { code, stderr } = await called(['sweep', sweep('budget: 10\n'), ...more, '--quiet']);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /: the exact answer needs more than the budget of 10 steps.*\n"budget: \d+" in the file of the sweep may be enough; battles/,
      );
    }
    expect((await called(['sweep', sweep('budget: 1e4\n'), '--out', join(out, 'large'), '--quiet'])).code).toBe(0);
    expect((await called(['verify', join(out, 'large')])).code).toBe(0);
  });
});

describe('--budget', () => {
  test.each([
    [['exact', BRAWL, '--budget', '1e3'], 0, /^$/],
    [['exact', BRAWL, '--budget', '1_000'], 0, /^$/],
    [['exact', BRAWL, '--budget', '0'], 2, /^--budget: expected an integer 1\.\.10000000000, found "0"\n/],
    [['exact', BRAWL, '--budget', 'all'], 2, /^--budget: expected an integer 1\.\.10000000000, found "all"\n/],
    [['best-response', SMALL, '--budget', '1e8'], 2, /^--budget: expected an integer 1\.\.64000000, found "1e8"\n/],
    [['equilibrium', BLUFF, '--budget', '1e8'], 2, /^--budget: expected an integer 1\.\.64000000, found "1e8"\n/],
  ])('%j', async (args, code, message) => {
    const done = await called(args);
    expect(done.code).toBe(code);
    expect(done.stderr).toMatch(message);
  });

  test('omits exact values that exceed the budget from a run', async () => {
    const args = ['run', BRAWL, '--battles', '1000', '--json', '--quiet'];
    const [without, with1] = await Promise.all([
      called([...args, '--budget', '10']),
      called([...args, '--budget', '1000']),
    ]);
    expect(JSON.parse(without.stdout)).not.toHaveProperty('exact');
    expect(JSON.parse(with1.stdout)).toHaveProperty('exact');
  });
});
