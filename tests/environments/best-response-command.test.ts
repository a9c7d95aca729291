/** Output and errors of `warpool best-response`. */
import { expect, test } from 'vitest';
import { called, getOutput } from '../cli/called.ts';

const BROADSIDE = 'scenarios/phased-dice-broadside.yaml';

test('prints both values, the outcomes and the states in which the policy is not optimal', async () => {
  const stdout = await getOutput('best-response', BROADSIDE);
  const parts = [
    'Broadside · phased-dice · attacker · reward win\n',
    'Best response: 0.507575 (decides target, losses, retreat)\nOwn policy:    0.318267\n',
    'Against the policy of the scenario for defender.\n',
    'attacker    56.4422   62.4868\n',
    'States in which the policy is not optimal: 11\nretreat instead of stay (visits 0.0816, loss 0.5452, 23.5 %',
    'left.defender.galley 3\n',
    '(--json also has 1 more)\n',
  ];
  for (const part of parts) expect(stdout).toContain(part);
});

test('prints with --json an object whose corrections sum to the difference of the values', async () => {
  const { code, stdout } = await called([
    'best-response',
    BROADSIDE,
    '--agent',
    'attacker',
    '--decisions',
    'retreat',
    '--json',
  ]);
  expect(code).toBe(0);
  const found = JSON.parse(stdout) as {
    value: number;
    policyValue: number;
    decisions: string[];
    corrections: {
      visits: number;
      loss: number;
      bestAction: string;
      policy: object;
      observation: Record<string, number>;
    }[];
  };
  expect(found.decisions).toEqual(['retreat']);
  const lost = found.corrections.reduce((sum, { visits, loss }) => sum + visits * loss, 0);
  expect(lost).toBeCloseTo(found.value - found.policyValue, 12);
  expect(found.corrections[0]).toMatchObject({ bestAction: 'retreat', policy: { stay: 1 } });
  // The rules of this scenario do not depend on the number of rounds, so a state does not include it.
  expect(Object.keys(found.corrections[0]?.observation ?? {})).not.toContain('round');
});

test('prints that a side has no decision to make', async () => {
  const { stdout } = await called(['best-response', BROADSIDE, '--agent', 'defender']);
  expect(stdout).toContain('defender has no decision to make');
});

test.each([
  [['--agent', 'nobody'], '--agent: expected some of attacker, defender, found "nobody"\n'],
  [['--reward', 'glory'], '--reward: expected one of win, material, found "glory"\n'],
  [['--decisions', 'retreat,flee'], '--decisions: expected some of target, losses, retreat, found "flee"\n'],
])('rejects %j', async (args, message) => {
  const { code, stderr } = await called(['best-response', BROADSIDE, ...args]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: message });
});
