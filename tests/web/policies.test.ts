/** Scenarios with policy files in the web app: their content is part of the text. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatGrouped } from '../../src/core/index.ts';
import { parseScenario, simulate } from '../../src/index.ts';
import { answer } from '../../web/engine/answer.ts';
import { check } from '../../web/engine/editing/check.ts';
import { battle } from '../../web/engine/studies/battle.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, MISSING } from './browser.ts';

const SCENARIO = readFileSync('scenarios/phased-dice-broadside.yaml', 'utf8');
const { policy } = JSON.parse(readFileSync('tests/policies/exported-network.json', 'utf8')) as { policy: object };

/** JSON is YAML, so the content of a file can follow the name of the player. */
const TEXT = `${SCENARIO}\npolicies: { attacker: ${JSON.stringify(policy)} }\n`;

test('a policy in the scenario text is used with the digest of the library', async () => {
  expect(check.check(TEXT)).toMatchObject({ ok: true, system: 'phased-dice' });
  const effort = { kind: 'battles', battles: 2000 } as const;
  const simulation = await answer.play({ text: TEXT, file: 'broadside.yaml', seed: '7', effort }, 1, () => undefined);
  const { digest } = await simulate(parseScenario(TEXT), { battles: 2000, seed: 7 });
  const { digest: other } = await simulate(parseScenario(SCENARIO), { battles: 2000, seed: 7 });
  expect(simulation).toMatchObject({ digest, battles: 2000, complete: true });
  expect(digest).not.toBe(other);
});

test.each([
  ['a path', 'policy.json', '"policy.json"'],
  ['a path with a hash', '{ file: policy.json, sha256: 00 }', 'a mapping'],
])('%s is rejected with a hint to insert the content', (_, value, found) => {
  const expected = 'the content of the policy file: replace the path by the JSON of the file';
  const text = `${SCENARIO}\npolicies:\n  attacker: ${value}\n`;
  const line = text.split('\n').findIndex((each) => each.startsWith('  attacker:')) + 1;
  const problem = { line, column: 13, field: 'policies.attacker', expected, found };
  expect(check.check(text)).toMatchObject({ ok: false, more: 0, problems: [problem] });
});

test('a replay shows the choices of a policy with their probabilities', () => {
  const { steps } = battle.getReplay({ text: TEXT, file: 'broadside.yaml', seed: '1', battle: 3 });
  expect(steps.flatMap(({ notes }) => notes)).toContain('retreat, chance 85.2 %');
});

describe.skipIf(MISSING || DEPTH === 1)('policy files in the web app', () => {
  const served = inBrowser();
  const FILE = 'scenarios/phased-dice-broadside.yaml';

  test('a scenario with the content of a policy file is simulated and replayed', async () => {
    const page = await served.opened(FILE, { text: TEXT, battles: 20_000 });
    const panel = page.getByRole('tabpanel');
    const { summary } = await simulate(parseScenario(TEXT), { battles: 20_000, seed: 1 });
    const { count = 0 } = summary.outcomes.find(({ name }) => name === 'retreat') ?? {};
    await panel.getByText(formatGrouped(count)).first().waitFor();
    const replayed = await served.opened(FILE, { text: TEXT, panel: 'battle', notes: { battle: 3 } });
    await replayed.getByRole('listbox', { name: 'Replay' }).press('End');
    await replayed.getByRole('tabpanel').getByText('chance 85.2 %').first().waitFor();
  });

  test('a path of a policy file is rejected with a hint', async () => {
    const page = await served.opened(FILE, { text: `${SCENARIO}\npolicies: { attacker: policy.json }\n` });
    await page.getByText('replace the path by the JSON of the file').first().waitFor();
  });
});
