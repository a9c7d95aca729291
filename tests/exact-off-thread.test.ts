/** Exact answers that are computed in threads, so that the event loop stays free. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findExactAnswerOffThread } from '../src/analysis/bounds-decision.ts';
import { solveWithBudget } from '../src/analysis/solve.ts';
import { BudgetError, InputError } from '../src/core/errors.ts';
import { createSideBudget } from '../src/engines/exact/budget.ts';
import { findBestResponse, findBestResponseSync } from '../src/environments/best-response/best-response.ts';
import { findEquilibrium, findEquilibriumSync } from '../src/environments/equilibrium/find-equilibrium.ts';
import {
  loadScenario,
  loadSystems,
  measureRuleCoverage,
  measureRuleCoverageSync,
  type Scenario,
  solve,
  solveSync,
  validateScenario,
  type WorkProgress,
} from '../src/index.ts';
import { DEPTH, some } from './depth.ts';
import { requireBuild } from './pool/fixtures.ts';

requireBuild();

const melee = (hp: number, parties: readonly string[]): Scenario =>
  validateScenario({
    system: 'attrition',
    mode: 'mass',
    combatants: parties.map((party) => ({ name: party, party, attack: 1, defense: 1, hp })),
  });

/** A scenario with too many steps for the calling thread. */
const LONG = melee(20, ['red', 'blue', 'green']);
/** A scenario that takes minutes. */
const ENDLESS = melee(40, ['red', 'blue', 'green', 'grey']);

const listening = (): AbortSignal => new AbortController().signal;

/** Returns a result without its elapsed time. */
const timeless = (result: object): object => ({ ...result, elapsedSeconds: 0 });

const SHIPPED = readdirSync('scenarios').filter((file) => file.endsWith('.yaml'));

test.each(some(SHIPPED))('solve and solveSync return identical results for %s', async (file) => {
  const scenario = await loadScenario(`scenarios/${file}`);
  const sync = (() => {
    try {
      return solveSync(scenario);
    } catch (error) {
      return error as BudgetError;
    }
  })();
  if (sync instanceof BudgetError) {
    await expect(solve(scenario)).rejects.toMatchObject({ name: 'BudgetError', suggested: sync.suggested });
    return;
  }
  const promised = await solve(scenario);
  expect(timeless(promised)).toStrictEqual(timeless(sync));
  expect(promised.scenario).toBe(scenario);
  expect({ ...promised.toJSON(), elapsedSeconds: 0 }).toStrictEqual({ ...sync.toJSON(), elapsedSeconds: 0 });
});

test.runIf(DEPTH > 1)('asynchronous functions return the same results as their Sync variants', async () => {
  const [stand, bluff] = await Promise.all(
    ['phased-dice-last-stand', 'strength-cards-bluff'].map((name) => loadScenario(`scenarios/${name}.yaml`)),
  );
  if (stand === undefined || bluff === undefined) throw new Error('two files give two scenarios');
  const promised = await Promise.all([
    findBestResponse(stand),
    measureRuleCoverage(stand, { battles: 200, seed: 7 }),
    findEquilibrium(bluff, { reward: 'hp', decisions: ['card'] }),
  ]);
  const [best, , cards] = promised;
  expect([timeless(best), promised[1], timeless(cards)]).toStrictEqual([
    timeless(findBestResponseSync(stand)),
    measureRuleCoverageSync(stand, { battles: 200, seed: 7 }),
    timeless(findEquilibriumSync(bluff, { reward: 'hp', decisions: ['card'] })),
  ]);
  expect(best.toJSON().scenario).toEqual({ name: stand.name, hash: best.scenarioHash });
  expect(cards.toJSON().scenario).toEqual({ name: bluff.name, hash: cards.scenarioHash });
});

const systems = await loadSystems(['conquest-dice']);
const conquest = (armies: number): Scenario =>
  validateScenario({ system: 'conquest-dice', attacker: armies, defender: armies }, { systems });

test('solve keeps the event loop free, reports progress, and stops at a signal', async () => {
  const stop = new AbortController();
  const reported: WorkProgress[] = [];
  let [ticks, most, last] = [0, 0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    [ticks, most, last] = [ticks + 1, Math.max(most, now - last), now];
  }, 10);
  const reason = new Error('client gone');
  const answer = solve(conquest(1000), {
    signal: stop.signal,
    onProgress: (progress) => {
      reported.push(progress);
      stop.abort(reason);
    },
  });
  await expect(answer).rejects.toMatchObject({ name: 'AbortError', cause: reason });
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(5);
  // solve tries a small budget in the calling thread first.
  expect(most).toBeLessThan(1000);
  expect(reported).toHaveLength(1);
  expect(reported[0]).toMatchObject({ unit: 'steps', done: expect.any(Number) as number });
});

test('an error thrown by onProgress ends the computation', async () => {
  const onProgress = (): never => {
    throw new Error('no room');
  };
  await expect(solve(conquest(1000), { onProgress })).rejects.toThrow('no room');
});

test('errors from threads keep their class and fields', async () => {
  const small = solve(conquest(100), { budget: 6000 });
  await expect(small).rejects.toThrow(BudgetError);
  await expect(small).rejects.toMatchObject({ name: 'BudgetError', suggested: expect.any(Number) as number });
  const nobody = findBestResponse(conquest(5), { agent: 'nobody' });
  await expect(nobody).rejects.toThrow(InputError);
  await expect(nobody).rejects.toMatchObject({ name: 'InputError', expected: expect.any(String) as string });
});

test('a system passed as a value is solved in the calling thread with the same results', async () => {
  const own = conquest(60);
  const value = systems.all.find(({ id }) => id === 'conquest-dice');
  const given = validateScenario(
    { system: 'conquest-dice', attacker: 60, defender: 60 },
    { systems: [value as never] },
  );
  const [mine, theirs] = await Promise.all([solve(given), solve(own)]);
  expect(mine.distribution).toStrictEqual(theirs.distribution);
  expect(await measureRuleCoverage(given, { battles: 50 })).toEqual(measureRuleCoverageSync(own, { battles: 50 }));
});

test.runIf(DEPTH > 1)('findExactAnswerOffThread returns the same answer as solveSync', async () => {
  expect(() => solveWithBudget(LONG, createSideBudget(1e9))).toThrow(BudgetError);
  const {
    distribution: exactDistribution,
    states,
    steps,
  } = (await findExactAnswerOffThread(LONG, 'always', 0, undefined, listening())) ?? {};
  expect({ law: exactDistribution, states, steps }).toEqual(
    (({ distribution: exactDistribution, states, steps }) => ({ law: exactDistribution, states, steps }))(
      solveSync(LONG),
    ),
  );
});

test('a signal stops a running solver of findExactAnswerOffThread', async () => {
  const stop = new AbortController();
  const answer = findExactAnswerOffThread(ENDLESS, 'always', 0, 1e10, stop.signal);
  setTimeout(() => {
    stop.abort();
  }, 700);
  await expect(answer).rejects.toThrow('stopped before the answer was computed');
});

test('a signal stops a thread that is still starting', async () => {
  const stop = new AbortController();
  const answer = solve(ENDLESS, { budget: 1e10, signal: stop.signal });
  stop.abort();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
});

test('findExactAnswerOffThread rejects an answer beyond the budget only with always', async () => {
  const wide = melee(1000, ['red', 'blue', 'green', 'grey']);
  await expect(findExactAnswerOffThread(wide, 'always', 0, undefined, listening())).rejects.toThrow(BudgetError);
  expect(await findExactAnswerOffThread(wide, 'auto', 0, 4e6, listening())).toBeUndefined();
  expect(await findExactAnswerOffThread(wide, 'never', 0, 4e6, listening())).toBeUndefined();
});
