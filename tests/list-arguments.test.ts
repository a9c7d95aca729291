/** Arguments that JavaScript callers pass instead of lists: an InputError names the expected value. */
import { expect, test } from 'vitest';
import { InputError } from '../src/core/errors.ts';
import { VectorEnv } from '../src/environments.ts';
import {
  checkExpectations,
  compare,
  compareRules,
  createStore,
  loadScenario,
  loadSystems,
  runSweep,
  updateScenario,
} from '../src/index.ts';

const scenario = await loadScenario('scenarios/attrition-direct.yaml');
const ground = await loadScenario('scenarios/phased-dice-ground.yaml');

/** Removes the types of a function, as for callers in JavaScript. */
const untyped = (act: unknown) => act as (...given: unknown[]) => unknown;

const env = (requested: object) => VectorEnv.create(ground, { numEnvs: 2, seed: 1, ...requested });

const CASES: readonly (readonly [string, () => unknown, string])[] = [
  ['compare()', () => untyped(compare)(), 'scenarios: expected a list of scenarios, found nothing'],
  ['compare(text)', () => untyped(compare)('x'), 'scenarios: expected a list of scenarios, found "x"'],
  ['compare({})', () => untyped(compare)({}), 'scenarios: expected a list of scenarios, found an empty mapping'],
  [
    'compare with null',
    () => untyped(compare)([scenario, null]),
    'scenarios: expected a list of scenarios, found a list with null in it',
  ],
  ['compareRules()', () => untyped(compareRules)(), 'a scenario: expected a scenario from loadScenario'],
  ['compareRules(one)', () => untyped(compareRules)(scenario), 'a scenario: expected a scenario from loadScenario'],
  [
    'updateScenario with a text',
    () => untyped(updateScenario)(scenario, 'attacker.hp=20'),
    'values: expected an object such as { \'attacker.hp\': 12 }, found "attacker.hp=20"',
  ],
  ['updateScenario with a list', () => untyped(updateScenario)(scenario, ['attacker.hp=20']), 'found a list of 1'],
  [
    'updateScenario with no path',
    () => updateScenario(scenario, { 'a..b': 20 }),
    'expected a path such as attacker.hp',
  ],
  ['loadSystems()', () => untyped(loadSystems)(), 'paths: expected a list of paths, or of names of packages, found no'],
  ['loadSystems(text)', () => untyped(loadSystems)('./a.js'), 'names of packages, found "./a.js"'],
  ['loadSystems([5])', () => untyped(loadSystems)([5]), 'found a list with 5 in it'],
  ['checkExpectations()', () => untyped(checkExpectations)(), 'expectations: expected the expectations of loadExpec'],
  [
    'runSweep with a path',
    () => untyped(runSweep)('duels.yaml', { out: 'x' }),
    'sweep: expected a sweep from loadSweep, found "du',
  ],
  ['createStore of null', () => untyped(createStore)(null, 'x'), 'sweep: expected a sweep from loadSweep, found null'],
  [
    'agents: a name',
    () => env({ agents: 'attacker' }),
    'agents: expected a list of some of attacker, defender, or \'all\', found "attacker"',
  ],
  ['decisions: a name', () => env({ decisions: 'retreat' }), 'decisions: expected a list of some of '],
];

test.each(CASES)('%s is rejected with an InputError', async (_, act, message) => {
  const error: unknown = await Promise.resolve()
    .then(act)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  expect((error as InputError).message).toContain(message);
});
