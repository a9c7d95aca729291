/** Definitions with misspelled, missing or mistyped members are rejected with the name of the member. */
import { describe, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { InputError } from '../../src/core/errors.ts';
import { createEnvSpec } from '../../src/environments/env-spec.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { defineSystem } from '../../src/system.ts';

const SYSTEM = { id: 'short-duel', title: 'Short', about: 'Three rounds.', fields: {} };
const BATTLE = {
  outcomes: ['won'],
  start: () => ({ left: 3 }),
  round: ({ left }: { left: number }) => ({ left: left - 1 }),
  outcome: ({ left }: { left: number }) => (left === 0 ? 'won' : undefined),
};
const METRIC = { min: 0, max: 3, of: ({ left }: { left: number }) => left };
const DECISION = { point: 'go', who: 'red', about: 'Goes.', policies: ['go'] };
const ENVIRONMENT = { players: ['red'], features: [{ name: 'left', high: 3, of: () => 1 }] };

/** Defines a system with members that the types may not allow, as in JavaScript. */
const define = (changes: object) =>
  defineSystem({ ...SYSTEM, battle: () => BATTLE, ...changes } as Parameters<typeof defineSystem>[0]);

const scenarioOf = (changes: object) => validateScenario({ system: 'short-duel' }, { systems: [define(changes)] });

const play = (battle: object): unknown => solveSync(scenarioOf({ battle: () => ({ ...BATTLE, ...battle }) }));

const create = (environment: object): unknown =>
  createEnvSpec([
    { scenario: scenarioOf({ decisions: [DECISION], environment: () => ({ ...ENVIRONMENT, ...environment }) }) },
  ]);

function rejection(act: () => unknown, message: string): void {
  expect(act).toThrow(InputError);
  expect(act).toThrow(message);
}

describe('defineSystem rejects', () => {
  test.each<[object, string]>([
    [{ environments: () => ENVIRONMENT }, 'defineSystem short-duel: expected members among id, title, about, '],
    [{ environments: () => ENVIRONMENT }, 'found "environments" (did you mean environment?)'],
    [{ field: {} }, 'found "field" (did you mean fields?)'],
    [{ tittle: 'Short' }, 'found "tittle" (did you mean title?)'],
    [{ fields: undefined }, 'defineSystem short-duel fields: expected the fields of a scenario'],
    [
      { battle: BATTLE },
      'defineSystem short-duel battle: expected a function that gives the rules of a scenario, found',
    ],
    [{ decisions: {} }, 'defineSystem short-duel decisions: expected a list of decision points, found'],
    [{ decisions: [{ ...DECISION, points: 1 }] }, 'short-duel decisions[0]: expected members among point,'],
    [{ decisions: [{ ...DECISION, who: undefined }] }, 'decisions[0] who: expected a non-empty string, found nothing'],
    [{ rules: { hit: {} } }, 'short-duel rules.hit describe: expected a function of the event data, found nothing'],
    [{ rules: { hit: 'It hits.' } }, 'short-duel rules.hit: expected an object, found'],
  ])('%o', (changes, message) => {
    rejection(() => define(changes), message);
  });

  test.each([undefined, null, 5, []])('%o instead of a definition', (given) => {
    rejection(() => defineSystem(given as never), 'defineSystem: expected an object');
  });
});

describe('a battle is rejected with', () => {
  test.each<[object, string]>([
    [
      { rounds: BATTLE.round },
      'short-duel: battle: expected members among outcomes, atRoundLimit, metrics, streams, start, round, ',
    ],
    [{ metric: {} }, 'found "metric" (did you mean metrics?)'],
    [{ maxRounds: 3 }, 'found "maxRounds"'],
    [{ begin: BATTLE.start }, 'found "begin"'],
    [{ start: undefined }, 'short-duel: battle start: expected a function that returns the first state, found nothing'],
    [
      { round: undefined },
      'battle round: expected a function of state and chance, or a list of such phases, found nothing',
    ],
    [
      { round: [] },
      'battle round: expected a function of state and chance, or a list of such phases, found an empty list',
    ],
    [{ outcomes: undefined }, 'battle outcomes: expected a list of names, found nothing'],
    [{ outcome: 'won' }, 'battle outcome: expected a function that returns the outcome of a state, found "won"'],
    [{ key: 'left' }, 'battle key: expected a function of a state, found "left"'],
    [{ metrics: { left: { max: 3, of: METRIC.of } } }, 'battle.metrics.left min: expected an integer, found nothing'],
    [{ metrics: { left: { ...METRIC, maximum: 3 } } }, 'battle.metrics.left: expected members among min, max,'],
    [{ metrics: { left: METRIC.of } }, 'battle.metrics.left: expected an object, found'],
  ])('%o', (battle, message) => {
    rejection(() => play(battle), message);
  });
});

describe('an environment is rejected with', () => {
  test.each<[object, string]>([
    [{ player: ['red'] }, 'short-duel: environment: expected members among players, '],
    [{ players: undefined }, 'short-duel: environment players: expected a list of names, found nothing'],
    [{ features: undefined }, 'short-duel: environment features: expected a list of features, found nothing'],
    [{ features: [{ name: 'left', hight: 3 }] }, 'environment.features[0]: expected members among name, high, '],
    [{ features: [{ name: 'left' }] }, 'environment.features[0] high: expected a number, found nothing'],
  ])('%o', (environment, message) => {
    rejection(() => create(environment), message);
  });
});

test('a complete battle and a complete environment are accepted', () => {
  expect(play({ metrics: { left: { ...METRIC, unit: 5 } }, streams: { a: 1 }, round: [BATTLE.round] })).toHaveProperty(
    'distribution',
  );
  expect(create({ actions: { go: ['go'] } })).toHaveProperty('variants');
});
