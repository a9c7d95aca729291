import { expect, test } from 'vitest';
import { BudgetError, RunError } from '../src/core/errors.ts';
import { budgetOf, FULL_BUDGET, sideBudget } from '../src/engines/exact/budget.ts';
import { validateScenario } from '../src/rules/scenario/index.ts';
import type { Scenario } from '../src/rules/system.ts';
import { answerPatiently, solveJob } from '../src/studies/decide.ts';
import { solve } from '../src/studies/solve.ts';
import { DEPTH } from './depth.ts';

const melee = (hp: number, parties: readonly string[]): Scenario =>
  validateScenario({
    system: 'attrition',
    mode: 'mass',
    combatants: parties.map((party) => ({ name: party, party, attack: 1, defense: 1, hp })),
  });

/** More than is solved in the calling thread, a fifth of a second. */
const LONG = melee(20, ['red', 'blue', 'green']);
/** Minutes. */
const ENDLESS = melee(40, ['red', 'blue', 'green', 'grey']);

const listening = (): AbortSignal => new AbortController().signal;

test.runIf(DEPTH > 1)('what a thread works out is what solve gives', async () => {
  expect(() => solve(LONG, sideBudget(1e9))).toThrow(BudgetError);
  const { law, states, steps } = (await answerPatiently(LONG, 'always', 0, undefined, listening())) ?? {};
  expect({ law, states, steps }).toEqual((({ law, states, steps }) => ({ law, states, steps }))(solve(LONG)));
});

test('a signal ends it although the solver hears nothing', async () => {
  const stop = new AbortController();
  const answer = answerPatiently(ENDLESS, 'always', 0, 1e10, stop.signal);
  setTimeout(() => {
    stop.abort();
  }, 700);
  await expect(answer).rejects.toThrow(RunError);
  await expect(answerPatiently(ENDLESS, 'always', 0, 1e10, AbortSignal.abort())).rejects.toThrow('stopped before');
});

test('a signal that comes while the thread starts ends it too', async () => {
  const stop = new AbortController();
  const answer = answerPatiently(ENDLESS, 'always', 0, 1e10, stop.signal);
  stop.abort();
  await expect(answer).rejects.toThrow('stopped before');
});

test('errors come back with their class and fields', async () => {
  const said = await solveJob({ scenario: LONG, module: undefined, budget: budgetOf(1000) });
  expect(said).toMatchObject({ ok: false, beyond: true, suggested: expect.any(Number) as number });
  const wide = melee(1000, ['red', 'blue', 'green', 'grey']);
  expect(() => solve(wide, FULL_BUDGET)).toThrow(BudgetError);
  await expect(answerPatiently(wide, 'always', 0, undefined, listening())).rejects.toThrow(BudgetError);
  expect(await answerPatiently(wide, 'auto', 0, 4e6, listening())).toBeUndefined();
  expect(await answerPatiently(wide, 'never', 0, 4e6, listening())).toBeUndefined();
});
