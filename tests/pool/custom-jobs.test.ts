/**
 * Tests of jobs of a custom system in real threads, which load its module. Sweeps: tests/store/custom-system.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { FULL_BUDGET } from '../../src/engines/exact/budget.ts';
import { chooseEngine } from '../../src/engines/pool/choose-engine.ts';
import type { AnswerReply } from '../../src/engines/pool/offload.ts';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import { ThreadPool } from '../../src/engines/pool/thread-pool.ts';
import { getBoundScenario, toPortable } from '../../src/rules/bound-scenario.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { computeCountsDigest } from '../../src/stats/digest.ts';
import { change, type Own, ownFolder } from '../custom-system.ts';
import { battles, requireBuild } from './fixtures.ts';

let own: Own;
let scenario: Scenario;
let pool: ThreadPool;

beforeAll(async () => {
  requireBuild();
  own = ownFolder();
  scenario = validateScenario({ system: 'my-duel' }, { systems: await loadSystems([own.path]) });
  pool = await ThreadPool.create({ workers: 2 });
});

afterAll(() => pool.close());

test.each([
  ['reference', 'reference'],
  ['kernel', 'automaton'],
] as const)('a run with --engine %s has the digest of the calling thread, with the engine %s', async (engine, form) => {
  const run = battles(5, 4005, { engine, scenario });
  expect((await chooseEngine(run)).setup.form).toBe(form);
  const { counts, complete } = await pool.play(run, { chunk: 500 });
  const { shape } = getBoundScenario(scenario);
  expect(complete).toBe(true);
  expect(computeCountsDigest(shape, counts)).toBe(computeCountsDigest(shape, (await runInCallingThread(run)).counts));
});

test('exact answers of a thread equal solveSync', async () => {
  const printed = await pool.call<AnswerReply>('answer', {
    ...toPortable(scenario),
    name: 'solve',
    options: FULL_BUDGET,
  });
  expect(printed).toMatchObject({ ok: true, result: { distribution: solveSync(scenario).distribution } });
});

test('a module that has changed since it was loaded is rejected', async () => {
  const other = ownFolder();
  const systems = await loadSystems([other.path]);
  const sent = toPortable(validateScenario({ system: 'my-duel' }, { systems }));
  change(other.path, 'Duel of a user', 'Duel of another');
  const printed = await pool.call<AnswerReply>('answer', { ...sent, name: 'solve', options: FULL_BUDGET });
  expect(printed).toMatchObject({
    ok: false,
    error: { name: 'InputError', message: expect.stringContaining('expected the file with hash') as string },
  });
});
