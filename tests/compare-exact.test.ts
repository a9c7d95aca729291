/** Comparisons check simulated battles against exact answers. A mock returns a wrong exact answer for one scenario. */
import { expect, test, vi } from 'vitest';
import { compare } from '../src/analysis/comparing/compare.ts';
import { compareRules } from '../src/analysis/comparing/compare-rules.ts';
import type { findExactAnswer } from '../src/analysis/solve.ts';
import { RunError } from '../src/core/errors.ts';
import { getExactDifference } from '../src/report/index.ts';
import { applyChanges, loadScenario } from '../src/rules/scenario/index.ts';
import type { Summary } from '../src/stats/index.ts';

const duel = await loadScenario('scenarios/attrition-direct.yaml');
const [stronger, weaker, falsified] = ['attacker.attack=3', 'attacker.attack=2', 'attacker.defense=3'].map((change) =>
  applyChanges(duel, [change]),
);

vi.mock('../src/analysis/solve.ts', async (original) => {
  const solve: { findExactAnswer: typeof findExactAnswer } = await original();
  const wrong: typeof findExactAnswer = (scenario, ...rest) =>
    solve.findExactAnswer(scenario === falsified ? duel : scenario, ...rest);
  return { ...solve, findExactAnswer: wrong };
});

const scenarios = [duel, stronger, weaker, falsified].flatMap((scenario) => scenario ?? []);
const sound = scenarios.slice(0, 3);
const [first = duel, second = duel] = sound;

/** Message of the error about results that disagree. */
const REFUSED = /^attrition: exact and simulated results disagree: .* in \d+ battles, but exactly .*bug in warpool/u;

const options = { battles: 20_000, seed: 3 };

test.each([
  ['a comparison', {}],
  ['the best of several', { best: 'highest' as const }],
  ['the best of several, of a metric', { best: 'lowest' as const, of: 'rounds' }],
])('compare rejects a wrong exact answer: %s', async (_, requested) => {
  await expect(compare(scenarios, { ...options, ...requested })).rejects.toThrow(REFUSED);
  await expect(compare(scenarios, { ...options, ...requested })).rejects.toBeInstanceOf(RunError);
  await expect(compare(sound, { ...options, ...requested })).resolves.toHaveProperty('standings');
});

test('compareRules rejects a wrong exact answer of either scenario', async () => {
  const wrong = scenarios[3] ?? duel;
  await expect(compareRules(first, wrong, options)).rejects.toThrow(REFUSED);
  await expect(compareRules(wrong, first, options)).rejects.toThrow(REFUSED);
  await expect(compareRules(first, second, options)).resolves.toHaveProperty('exact');
});

test('getExactDifference returns 0 for differences within rounding errors, but not for 1e-12', async () => {
  const result = await compareRules(first, second, options);
  const [one] = result.exact ?? [];
  if (one === undefined) throw new Error('no exact answers');
  const withShare = (p: number): Summary => ({ ...one, outcomes: [{ name: 'attacker', p, count: p }] });
  const shift = (p: number) =>
    getExactDifference({ ...result, exact: [withShare(0.3), withShare(p)] }, 'outcomes', 'attacker');
  expect(shift(0.3 + 2 ** -53)).toBe(0);
  expect(shift(0.3 + 1e-12)).toBeCloseTo(1e-12, 15);
});
