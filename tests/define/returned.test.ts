/** Invalid results of rules are errors in runs too, because they would be miscounted or break the counts. */
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { type Battle, defineSystem } from '../../src/system.ts';

interface Left {
  readonly left: number;
}

const simulated = (changes: object): Promise<unknown> => {
  const battle: Battle<Left> = {
    outcomes: ['won'],
    metrics: { left: { min: 0, max: 3, of: ({ left }) => left } },
    start: () => ({ left: 3 }),
    round: ({ left }) => ({ left: left - 1 }),
    outcome: ({ left }) => (left === 0 ? 'won' : undefined),
    ...changes,
  };
  const about = { id: 'short', title: 'Short', about: 'Three rounds.', fields: {}, rules: {}, examples: { one: {} } };
  const systems = [defineSystem({ ...about, battle: () => battle })];
  return simulate(validateScenario({ system: 'short' }, { systems }), { battles: 10 });
};

const bounded = 'the metric "left" is declared as an integer 0..3, but a battle ended with';

describe('simulate with custom rules', () => {
  test.each<[string, object, string]>([
    ['nothing is no state', { round: () => undefined }, 'round returned undefined; it has to return a state'],
    [
      'nothing is no state, of a phase',
      { round: [(state: Left) => state, () => undefined] },
      'phase 2 of the round returned undefined',
    ],
    ['a Promise is no state', { round: (state: Left) => Promise.resolve(state) }, 'rules cannot be async'],
    ['an outcome is not declared', { outcome: () => 'lost' }, 'the outcome "lost" is not one of won, stalemate'],
    ['an outcome is no name', { outcome: () => false }, 'the outcome false is not one of won, stalemate'],
    ['a metric is no number', { metrics: { left: { min: 0, max: 3, of: () => Number.NaN } } }, `${bounded} NaN`],
    ['a metric is no integer', { metrics: { left: { min: 0, max: 3, of: () => 0.5 } } }, `${bounded} 0.5`],
    ['a metric is out of bounds', { metrics: { left: { min: 0, max: 3, of: () => 4 } } }, `${bounded} 4`],
    [
      'facts are a function',
      {
        round: (state: Left, chance: { rule(id: string, facts: object): void }) => {
          chance.rule('hit', {});
          return state;
        },
      },
      'chance.rule("hit") needs a function that returns the event data: () => ({ ... })',
    ],
  ])('reports that %s', async (_, changes, message) => {
    await expect(simulated(changes)).rejects.toThrow(message);
  });

  test('accepts valid results', async () => {
    expect(await simulated({})).toHaveProperty('engineUsed', 'automaton');
  });
});
