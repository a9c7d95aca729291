/** Jobs of a system of a user in real threads, which load its module. Sweeps: tests/store/own.test.ts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countsDigest } from '../../src/answers/digest.ts';
import { FULL_BUDGET } from '../../src/engines/exact/budget.ts';
import { playHere } from '../../src/engines/pool/conduct.ts';
import type { AnswerReply } from '../../src/engines/pool/offload.ts';
import { Pool } from '../../src/engines/pool/pool.ts';
import { prepare } from '../../src/engines/pool/setup.ts';
import { loadSystems } from '../../src/rules/load.ts';
import { opened, portable } from '../../src/rules/opened.ts';
import { checkScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { solveSync } from '../../src/studies/solve.ts';
import { change, type Own, ownFolder } from '../own.ts';
import { battles, requireBuild } from './fixtures.ts';

let own: Own;
let scenario: Scenario;
let pool: Pool;

beforeAll(async () => {
  requireBuild();
  own = ownFolder();
  scenario = checkScenario({ system: 'my-duel' }, '', { systems: await loadSystems([own.path]) });
  pool = await Pool.create({ workers: 2 });
});

afterAll(() => pool.close());

test.each([
  ['reference', 'reference'],
  ['kernel', 'automaton'],
] as const)('runs with --engine %s are played as here, by the %s', async (engine, form) => {
  const run = battles(5, 4005, { engine, scenario });
  expect((await prepare(run)).setup.form).toBe(form);
  const { tally, complete } = await pool.play(run, { chunk: 500 });
  const { shape } = opened(scenario);
  expect(complete).toBe(true);
  expect(countsDigest(shape, tally)).toBe(countsDigest(shape, (await playHere(run)).tally));
});

test('exact answers are those of here', async () => {
  const said = await pool.call<AnswerReply>('answer', { ...portable(scenario), name: 'solve', options: FULL_BUDGET });
  expect(said).toMatchObject({ ok: true, result: { law: solveSync(scenario).law } });
});

test('a module that has changed since is refused', async () => {
  const other = ownFolder();
  const systems = await loadSystems([other.path]);
  const sent = portable(checkScenario({ system: 'my-duel' }, '', { systems }));
  change(other.path, 'Duel of a user', 'Duel of another');
  const said = await pool.call<AnswerReply>('answer', { ...sent, name: 'solve', options: FULL_BUDGET });
  expect(said).toMatchObject({
    ok: false,
    error: { name: 'InputError', message: expect.stringContaining('expected the file with hash') as string },
  });
});
