/** What callers in JavaScript give in the place of lists: an InputError says what is expected. */
import { expect, test } from 'vitest';
import { InputError } from '../src/core/errors.ts';
import {
  changeScenario,
  compare,
  diffRules,
  judgeExpectations,
  loadScenario,
  loadSystems,
  prepareSweep,
  sweepInto,
} from '../src/index.ts';
import { VectorEnv } from '../src/rollout.ts';

const scenario = await loadScenario('scenarios/attrition-direct.yaml');
const ground = await loadScenario('scenarios/phased-dice-ground.yaml');

/** A function as callers without types see it. */
const untyped = (act: unknown) => act as (...given: unknown[]) => unknown;

const env = (asked: object) => VectorEnv.make(ground, { numEnvs: 2, seed: 1, ...asked });

const CASES: readonly (readonly [string, () => unknown, string])[] = [
  ['compare()', () => untyped(compare)(), 'scenarios: expected a list of scenarios, found nothing'],
  ['compare(text)', () => untyped(compare)('x'), 'scenarios: expected a list of scenarios, found "x"'],
  ['compare({})', () => untyped(compare)({}), 'scenarios: expected a list of scenarios, found an object'],
  [
    'compare with null',
    () => untyped(compare)([scenario, null]),
    'scenarios: expected a list of scenarios, found a list with nothing in it',
  ],
  ['diffRules()', () => untyped(diffRules)(), 'a scenario: expected a scenario from loadScenario'],
  ['diffRules(one)', () => untyped(diffRules)(scenario), 'a scenario: expected a scenario from loadScenario'],
  [
    'changeScenario with an object',
    () => untyped(changeScenario)(scenario, { 'attacker.hp': 20 }),
    "--set: expected a list such as ['attacker.hp=12'], found an object",
  ],
  [
    'changeScenario with a text',
    () => untyped(changeScenario)(scenario, 'attacker.hp=20'),
    '--set: expected a list such as [\'attacker.hp=12\'], found "attacker.hp=20"',
  ],
  ['changeScenario with numbers', () => untyped(changeScenario)(scenario, [20]), 'found a list with a number in it'],
  [
    'loadSystems()',
    () => untyped(loadSystems)(),
    'systems: expected a list of paths, or of names of packages, found no',
  ],
  ['loadSystems(text)', () => untyped(loadSystems)('./a.js'), 'names of packages, found "./a.js"'],
  ['loadSystems([5])', () => untyped(loadSystems)([5]), 'found a list with a number in it'],
  ['judgeExpectations()', () => untyped(judgeExpectations)(), 'expectations: expected the expectations of loadExpec'],
  [
    'sweepInto a path',
    () => untyped(sweepInto)('x', 'duels.yaml'),
    'sweep: expected what loadSweep returns, found "du',
  ],
  ['prepareSweep nothing', () => untyped(prepareSweep)('x'), 'sweep: expected what loadSweep returns, found nothing'],
  [
    'agents: a name',
    () => env({ agents: 'attacker' }),
    'agents: expected a list of some of attacker, defender, or \'all\', found "attacker"',
  ],
  ['points: a name', () => env({ points: 'retreat' }), 'points: expected a list of some of '],
];

test.each(CASES)('%s', async (_, act, message) => {
  const error: unknown = await Promise.resolve()
    .then(act)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  expect((error as InputError).message).toContain(message);
});
