/** Token conflict: payoffs of outcomes and rewards of tokens. */
import { describe, expect, it } from 'vitest';
import { createScenarioSpec } from '../../src/environments/env-spec.ts';
import { open, scenario, siege } from './token-conflict-fight.ts';

describe('the payoff', () => {
  const value = (given: object, outcome: string) => {
    const { players, ...spec } = createScenarioSpec(scenario(given));
    return Object.fromEntries(players.map((name) => [name, spec.payoff(outcome, name)]));
  };
  const three = open(2, { a: 3, b: [0, 2], barbarians: 1 }, { idle: {} });

  it.each([
    ['a', three, { idle: 0, a: 1, b: -1 }],
    ['barbarians', three, { idle: 0, a: -1, b: -1 }],
    ['coexist', three, { idle: 0, a: 0, b: 0 }],
    ['empty', three, { idle: 0, a: 0, b: 0 }],
    ['city-destroyed', siege({ a: 7, b: 6 }), { a: 1, b: 0, egypt: -1 }],
    ['repelled', siege({ a: 7, b: 6 }), { a: -1, b: 0, egypt: 1 }],
    ['city-destroyed', siege({ a: 7, b: [1, 8] }), { a: 0, b: 0, egypt: -1 }],
    ['repelled', siege({ a: 7, b: [1, 8] }), { a: -1, b: -1, egypt: 1 }],
    ['city-destroyed', siege({ a: 7 }, { egypt: { advances: ['engineering'] } }), { egypt: -1, a: 0 }],
    ['city-destroyed', siege({ a: 7 }, {}, { city: 'pirates' }), { a: 1 }],
  ])('of outcome %s equals the expected values', (outcome, given, expected) => {
    expect(value(given, outcome)).toEqual(expected);
  });

  it('of several areas is the mean over areas', () => {
    const areas = [
      { name: 'A', limit: 0, tokens: { a: 1, b: 1 } },
      { name: 'B', limit: 0, tokens: { a: 1, c: 1 } },
      { name: 'C', limit: 0, city: 'b', tokens: { a: 7 } },
      { name: 'D', limit: 0, tokens: { b: 2 } },
    ];
    expect(value({ areas }, 'a + c + city-destroyed + empty')).toEqual({ a: 1 / 4, b: -2 / 4, c: 1 / 4 });
  });

  it('as material reward is the own share minus the mean of the others', () => {
    const given = scenario(siege({ a: [0, 8], barbarians: 4 }, { idle: {} }));
    expect(createScenarioSpec(given).rewards['material']?.('a')).toEqual({
      'left.a': 1 / 8,
      'left.barbarians': -1 / 8,
      'left.egypt': -1 / 14,
    });
  });
});
