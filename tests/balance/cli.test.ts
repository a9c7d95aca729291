/** The command `warpool balance` for a scenario. */
import { describe, expect, test } from 'vitest';
import { called } from '../cli/called.ts';
import { CROWD, DUEL, interrupted, warpool } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';

/** Calls the command with arguments separated by spaces. */
const call = (args: string) => called(['balance', DUEL, ...args.split(' ')]);
const HALF = '--vary defender.hp --target attacker=0.5';

describe('balance', () => {
  test('prints the value that meets the target', async () => {
    const { code, stdout, stderr } = await call(HALF);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('duel · attacker = 50 ± 1 % · by defender’s hit points · 27 settings\n');
    expect(stdout).toMatch(/\n +29 +49\.029 % +exact +-0\.971 +meets\n/);
    expect(stdout).toMatch(/\n +25 +57\.648 % +exact +\+7\.648 +current\n/);
    expect(stdout).toContain('\ndefender’s hit points = 29 gives attacker = 50 ± 1 %: 49.029 %, exact.\n');
    expect(stdout).toContain('All 27 values of defender’s hit points in 12..38 were examined: attacker always falls.');
    expect(stdout).toContain(`\nwarpool compare-rules ${DUEL} --set defender.hp=29\n`);
  });

  test('prints the nearest values if no value meets the target', async () => {
    const { code, stdout } = await call(`${HALF} --tolerance 1e-3`);
    expect(code).toBe(1);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'No value of defender’s hit points in 12..38 gives attacker = 50 ± 0.1 %; nearest: defender’s hit points = 29 gives 49.029 %, defender’s hit points = 28 gives 51.139 %.',
    );
  });

  test('prints that the target is out of reach', async () => {
    const { code, stdout } = await call('--vary defender.hp=1..20 --target attacker=0.5');
    expect(code).toBe(1);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'it is out of reach: defender’s hit points = 20 gives 68.759 %, defender’s hit points = 1 gives 98.624 %.',
    );
  });

  test('prints a table for two fields', async () => {
    const { code, stdout } = await call('--vary defender.hp=20..26 attacker.hp --target attacker=0.5');
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n +20 +21 +48\.782 % +exact/);
    expect(stdout).toContain('if there are several crossings, the table shows one of them.');
  });

  test('prints one object with --json', async () => {
    const { code, stdout } = await call(`${HALF} --json --exact never --tolerance 0.03 --battles 2e5`);
    expect(code).toBe(0);
    const setting = {
      set: { 'defender.hp': 29 },
      interval: [expect.any(Number), expect.any(Number)],
      verdict: 'meets',
    };
    expect(JSON.parse(stdout)).toMatchObject({
      system: 'attrition',
      of: 'attacker',
      kind: 'outcome',
      target: 0.5,
      tolerance: 0.03,
      targetMet: true,
      complete: true,
      exact: false,
      fields: [{ path: 'defender.hp', current: 25, low: 12, high: 38 }],
      meeting: expect.arrayContaining([expect.objectContaining(setting)]) as unknown,
      curve: { allExact: false, crossings: [[{ set: { 'defender.hp': 28 } }, { set: { 'defender.hp': 29 } }]] },
      maxBattles: 200_000,
      seed: '1',
      errorRate: 0.01,
    });
  });

  test('prints the values that simulation did not exclude', async () => {
    const args = '--vary defender.hp=15..40 --target mutual=0.06 --tolerance 0.001 --exact never --battles 2e5';
    const { code, stdout } = await call(args);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nUndecided: defender’s hit points = \d+ gives 6\.\d+ % \(/);
    expect(stdout).toMatch(/\nSimulation did not exclude \d+ values of defender’s hit points: \d+\.\.\d+\.\n/);
    expect(stdout).toContain(
      'All 26 values of defender’s hit points in 15..40 were examined; no crossing of the target is certain',
    );
    const found = JSON.parse((await call(`${args} --json`)).stdout) as { possible: unknown };
    expect(found.possible).toEqual(
      expect.arrayContaining([22, 23, 30, 31, 32].map((hp) => ({ 'defender.hp': hp }))) as unknown,
    );
  });

  test.runIf(DEPTH > 1)('prints a partial result after SIGINT', async () => {
    // The target equals the probability at 29 hit points: no number of battles distinguishes them.
    const args = ['balance', DUEL, '--vary', 'defender.hp=20..30', '--target', 'attacker=0.49028501341364333'];
    const { code, stdout, stderr } = await interrupted(
      [...args, '--exact', 'never', '--battles', '1e10', '--json'],
      ({ stderr }) => /interrupted after [1-9]/.test(stderr),
    );
    expect(code).toBe(130);
    const found = JSON.parse(stdout) as { examined: number };
    expect(found).toMatchObject({ complete: false, targetMet: false });
    expect(stderr).toBe(`interrupted after ${String(found.examined)} settings\n`);
  });

  test.each([
    ['--vary defender.hp=5', '--vary: expected path or path=low..high, found "defender.hp=5"'],
    ['--vary =1..2', '--vary: expected path or path=low..high, found "=1..2"'],
    ['--vary defender.hp=9..1', 'found defender.hp=9..1'],
    [
      '--vary defender.hp --tolerance x',
      '--tolerance: expected a number of 0 or more, or points of probabilities such as 1pp, found "x"',
    ],
    ['--vary defender.hp --error-rate 1', '--error-rate: expected a number above 0, at most 0.25, found "1"'],
  ])('rejects %s', async (args, message) => {
    const { code, stdout, stderr } = await call(`${args} --target attacker=0.5`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('requires a target', async () => {
    const { code, stderr } = await call('--vary defender.hp');
    expect(code).toBe(2);
    expect(stderr).toContain('--vary requires --target <name=value>');
  });

  test('rejects --exact always if the exact answer is too large', async () => {
    const args = ['balance', CROWD, '--vary', 'combatants[0].hp', '--target', 'red=0.25', '--exact', 'always'];
    const { code, stderr } = await called(args);
    expect(code).toBe(1);
    expect(stderr).toContain('to simulate instead, omit "--exact always');
  });

  test.runIf(DEPTH > 1)('exits without an error if the reader closes the pipe', async () => {
    expect(await warpool(['balance', DUEL, ...HALF.split(' ')], { deaf: true })).toMatchObject({ code: 0, stderr: '' });
  });
});
