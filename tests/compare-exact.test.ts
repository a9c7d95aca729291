/** Comparisons hold the battles of every scenario against its exact answer: here that of another scenario is given instead. */
import { expect, test, vi } from 'vitest';
import { RunError } from '../src/core/errors.ts';
import { applyChanges, loadScenario } from '../src/rules/scenario/index.ts';
import { compare } from '../src/studies/comparing/compare.ts';
import { diffRules } from '../src/studies/comparing/diff-rules.ts';
import type { answerTo } from '../src/studies/solve.ts';

const duel = await loadScenario('scenarios/attrition-direct.yaml');
const [stronger, weaker, falsified] = ['attacker.attack=3', 'attacker.attack=2', 'attacker.defense=3'].map((change) =>
  applyChanges(duel, [change]),
);

vi.mock('../src/studies/solve.ts', async (original) => {
  const solve: { answerTo: typeof answerTo } = await original();
  const wrong: typeof answerTo = (scenario, ...rest) =>
    solve.answerTo(scenario === falsified ? duel : scenario, ...rest);
  return { ...solve, answerTo: wrong };
});

const scenarios = [duel, stronger, weaker, falsified].flatMap((scenario) => scenario ?? []);
const sound = scenarios.slice(0, 3);
const [first = duel, second = duel] = sound;

/** What is said, and of which law. */
const REFUSED =
  /^attrition: exact and played contradict each other: .* in \d+ battles, but exactly .*fault of warpool/u;

const options = { battles: 20_000, seed: 3 };

test.each([
  ['a comparison', {}],
  ['the best of several', { best: 'highest' as const }],
  ['the best of several, of a metric', { best: 'lowest' as const, of: 'rounds' }],
])('%s', async (_, asked) => {
  await expect(compare(scenarios, { ...options, ...asked })).rejects.toThrow(REFUSED);
  await expect(compare(scenarios, { ...options, ...asked })).rejects.toBeInstanceOf(RunError);
  await expect(compare(sound, { ...options, ...asked })).resolves.toHaveProperty('standings');
});

test('two readings of a scenario, whichever is wrong', async () => {
  const wrong = scenarios[3] ?? duel;
  await expect(diffRules(first, wrong, options)).rejects.toThrow(REFUSED);
  await expect(diffRules(wrong, first, options)).rejects.toThrow(REFUSED);
  await expect(diffRules(first, second, options)).resolves.toHaveProperty('exact');
});
