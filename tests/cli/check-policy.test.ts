/** Validation of policy files by `warpool check`, also of policies in `--set`. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { called, getOutput, json } from './called.ts';

const NETWORK = 'scripts/suite-policies/token-conflict-pirates-v1.ppo.json';
const folder = mkdtempSync(join(tmpdir(), 'warpool-check-'));

/** Writes a policy with one state of a battle. */
function writePolicy(changes: object): string {
  const file = join(folder, 'policy.json');
  const states = [{ decision: 'retreat', observation: [1], actions: { stay: 1 } }];
  const head = { format: 'warpool-policy-1', system: 'phased-dice', kind: 'table', features: ['round'] };
  writeFileSync(file, JSON.stringify({ ...head, states, otherwise: 'scenario', ...changes }));
  return file;
}

const failed = async (...words: string[]) => {
  const { code, stderr } = await called(words);
  expect(code).toBe(2);
  return stderr.trim();
};

test('check accepts a policy file and prints its system', async () => {
  expect(await getOutput('check', NETWORK)).toBe(`${NETWORK}: ok (policy, network for token-conflict)\n`);
  const file = writePolicy({});
  expect(await json('check', file)).toMatchObject({ files: [{ ok: true, kind: 'policy', system: 'phased-dice' }] });
});

test('check reports the first error of an invalid policy file', async () => {
  const file = writePolicy({ states: [] });
  expect(await failed('check', file)).toBe(`${file}:1:1 policy.states: expected a list, found an empty list`);
});

test('run rejects a policy file in place of a scenario', async () => {
  expect(await failed('run', NETWORK)).toBe(
    `${NETWORK}: expected a scenario, with the field system, found a policy file; use "--set policies.<player>=<file>"`,
  );
});

test('check and compare-rules validate a policy file in --set', async () => {
  const file = writePolicy({});
  const changed = ['--set', `policies.attacker=${file}`];
  expect(await getOutput('check', 'scenarios/phased-dice-ground.yaml', ...changed)).toContain('ok');
  const message =
    'expected decisions of the scenario: target, losses, retreat, found "retreet" (did you mean retreat?)';
  const wrong = JSON.parse(readFileSync(file, 'utf8')) as { states: object[] };
  writePolicy({ states: wrong.states.map((state) => ({ ...state, decision: 'retreet' })) });
  expect(await failed('check', 'scenarios/phased-dice-ground.yaml', ...changed)).toContain(message);
  expect(await failed('compare-rules', 'scenarios/phased-dice-ground.yaml', ...changed)).toContain(message);
});
