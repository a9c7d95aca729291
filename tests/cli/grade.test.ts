/** Command `warpool grade`. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listTasks } from '../../src/environments/suite/suite-tasks.ts';
import { called, getOutput, json } from './called.ts';

const FLEET = 'phased-dice-fleet-v1';
const folder = mkdtempSync(join(tmpdir(), 'warpool-grade-'));

test('lists the tasks', async () => {
  const stdout = await getOutput('grade');
  for (const { name } of listTasks()) expect(stdout).toContain(name);
  expect(await json('grade')).toEqual(listTasks());
});

test('shows a task with its baselines', async () => {
  const stdout = await getOutput('grade', FLEET);
  expect(stdout).toMatch(/^attacker +0\.596722 +0\.100647 +0\.193445 +0\.596711/m);
  expect(stdout).toContain('637 positions, 56 of them with decisions');
  expect(await json('grade', FLEET)).toMatchObject({ name: FLEET, players: ['attacker'], reward: 'win' });
});

test('prints value, exploitability and the ten worst states of a policy', async () => {
  const stdout = await getOutput('grade', FLEET, 'uniform');
  for (const part of ['Value of uniform: 0.100647', 'Exploitability: 0.496075', '(--json also has 46 more)'])
    expect(stdout).toContain(part);
  expect(stdout.match(/ of the exploitability\)/g)?.length).toBe(10);
  expect(await json('grade', FLEET, 'uniform')).toMatchObject({
    ...{ task: FLEET, player: 'attacker', reward: 'win', scenario: { name: FLEET } },
    exploitability: expect.closeTo(0.496075, 6) as number,
  });
});

test('grades a policy file of best-response, and another player with --player', async () => {
  const file = join(folder, 'best.json');
  await called(['best-response', 'scenarios/token-conflict-pirates.yaml', '--out', file]);
  const stdout = await getOutput('grade', 'token-conflict-pirates-v1', file);
  expect(stdout).toContain(`Value of ${file}: -0.642857`);
  expect(stdout).toContain('Exploitability: 0\n');
  expect(stdout).not.toContain('States in which');
  expect(await json('grade', 'goofspiel-three-v1', 'uniform', '--player', 'blue')).toMatchObject({
    ...{ player: 'blue', value: expect.closeTo(-2, 9) as number },
    optimum: expect.closeTo(-38 / 33, 9) as number,
  });
});

const other = join(folder, 'other.json');
writeFileSync(other, '{"format": "warpool-policy-1", "system": "cube-bag"}');

test.each([
  [['phased-dice-flet-v1'], 'found "phased-dice-flet-v1" (did you mean phased-dice-fleet-v1?)'],
  [[FLEET, 'uniform', '--player', 'defender'], '--player: expected a player of phased-dice-fleet-v1: attacker'],
  [[FLEET, '--player', 'attacker'], '--player requires a policy'],
  [[FLEET, 'missing.json'], 'missing.json: expected a readable file'],
  [[FLEET, 'unifrom'], 'policies.attacker: expected uniform, the path of a policy file, or its content'],
  [[FLEET, other], 'policies.attacker'],
])('rejects %j', async (args, message) => {
  const { code, stderr } = await called(['grade', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
