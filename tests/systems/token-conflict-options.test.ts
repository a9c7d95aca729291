/** Token conflict: numeric options of a scenario. */
import { describe, expect, it } from 'vitest';
import { createScenarioSpec } from '../../src/environments/env-spec.ts';
import { tokenConflict } from '../../src/rules/token-conflict/index.ts';
import { fight, scenario, siege } from './token-conflict-fight.ts';

const rich = { stock: 20, hand: 3 };
const engineer = { advances: ['engineering'] };

describe('numeric options', () => {
  const engineers = { assyria: engineer, egypt: { ...rich, ...engineer } };
  const besieged = (tokens: number, options: object, players: object = { egypt: rich }) => {
    const { outcome, metrics } = fight(siege({ assyria: tokens }, players, { limit: 99, ...options }));
    return [outcome, metrics['left.egypt'] ?? metrics['left.barbarians']];
  };

  it('needed sets the tokens that take a city', () => {
    expect(besieged(4, { needed: 5 })).toEqual(['repelled', 0]);
    expect(besieged(5, { needed: 5 })).toEqual(['city-destroyed', 6]);
    expect(besieged(1, { needed: 1 })).toEqual(['city-destroyed', 6]);
    expect(besieged(8, { needed: 9 }, engineers)).toEqual(['repelled', 0]);
    expect(besieged(9, { needed: 9 }, engineers)).toEqual(['city-destroyed', 6]);
    expect(besieged(3, { needed: 3, city: 'pirates' }, {})).toEqual(['city-destroyed', 6]);
  });

  it('cityTokens sets the tokens of a fallen city, also of a pirate city', () => {
    expect(besieged(7, { cityTokens: 9 })).toEqual(['city-destroyed', 9]);
    expect(besieged(7, { cityTokens: 0 })).toEqual(['city-destroyed', 0]);
    expect(besieged(7, { cityTokens: 4 }, engineers)).toEqual(['city-destroyed', 4]);
    expect(besieged(7, { cityTokens: 9, city: 'pirates' }, {})).toEqual(['city-destroyed', 9]);
    expect(besieged(7, { cityTokens: 30 })).toEqual(['city-destroyed', 20]);
  });

  it('needed and cityTokens have no effect if only one side has Engineering', () => {
    const options = { needed: 2, cityTokens: 1 };
    expect(besieged(5, options, { egypt: rich, assyria: engineer })).toEqual(['repelled', 0]);
    expect(besieged(6, options, { egypt: rich, assyria: engineer })).toEqual(['city-destroyed', 5]);
    expect(besieged(7, options, { egypt: { ...rich, ...engineer } })).toEqual(['repelled', 0]);
    expect(besieged(8, options, { egypt: { ...rich, ...engineer } })).toEqual(['city-destroyed', 7]);
  });

  it.each([
    [5, 5],
    [99, 9],
    [0, 0],
  ])('treasury %i takes %i of 9 tokens in stock', (treasury, taken) => {
    const ended = fight(siege({ assyria: 7 }, { egypt: rich, assyria: { stock: 9 } }, { limit: 99, treasury }));
    expect(ended.metrics['treasury.assyria']).toBe(taken);
    expect(ended.requested.some((line) => line.includes('takeTreasury'))).toBe(taken > 0);
  });

  it('are included in the bounds of metrics and features', () => {
    const given = scenario(siege({ assyria: 7 }, { egypt: rich }, { cityTokens: 30, treasury: 8 }));
    const most = new Map(tokenConflict.model(given).metrics.map(({ name, max }) => [name, max]));
    expect([most.get('left.egypt'), most.get('lost.egypt'), most.get('treasury.assyria')]).toEqual([30, 30, 8]);
    expect(most.get('rounds')).toBe(30);
    const seen = new Map(createScenarioSpec(given).features.map(({ name, high }) => [name, high]));
    expect([seen.get('tokens.Thebes.egypt'), seen.get('treasury.assyria')]).toEqual([30, 8]);
  });

  it('default to the values of the rule text and its completion', () => {
    const { needed, cityTokens, treasury, engineeringCity } = scenario(siege({}));
    expect({ needed, cityTokens, treasury, engineeringCity }).toEqual({
      ...{ needed: 7, cityTokens: 6 },
      ...{ treasury: 3, engineeringCity: 7 },
    });
  });
});
