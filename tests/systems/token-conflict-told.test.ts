/** Token conflict: the rules that apply in a battle, and their sentences in a replay. */
import { describe, expect, it } from 'vitest';
import type { ScriptEntry } from '../../src/core/chance/scripted-chance.ts';
import { tokenConflict } from '../../src/rules/token-conflict/index.ts';
import { siege } from './token-conflict-fight.ts';
import { toldOf } from './told.ts';

const reported = (input: object, script: readonly ScriptEntry[] = []): string[] => toldOf(tokenConflict, input, script);

describe('a replay', () => {
  it('prints counts, conflicts, an attack and its reward', () => {
    const players = { egypt: { stock: 1, hand: 1 }, assyria: { advances: ['metalworking'], stock: 2 } };
    const input = siege({ assyria: [8, 9], egypt: 1 }, players, { limit: 1 });
    expect(reported(input, [{ pick: 0 }])).toEqual([
      'count: Tokens of assyria in Thebes: 8.',
      'conflict.city: Conflict before the city in Thebes, until one player is left.',
      'round: A round in Thebes: assyria 8, egypt 1.',
      'order.metalworking: With Metalworking assyria acts after everyone without.',
      'lose.token: One token of egypt goes, 0 left.',
      'end.one: Only assyria is left in Thebes.',
      'attack.succeeds: With 8 tokens, 7 needed, assyria takes the city of egypt in Thebes.',
      'city.short: The city becomes only 2 tokens instead of 6: the stock of egypt is short.',
      'round: A round in Thebes: assyria 8, egypt 2.',
      'order.metalworking: With Metalworking assyria acts after everyone without.',
      'lose.token: One token of egypt goes, 1 left.',
      'lose.token: One token of assyria goes, 7 left.',
      'round: A round in Thebes: assyria 7, egypt 1.',
      'order.metalworking: With Metalworking assyria acts after everyone without.',
      'lose.token: One token of egypt goes, 0 left.',
      'end.one: Only assyria is left in Thebes.',
      'card: A random card passes from egypt to assyria.',
      'treasury: From stock to treasury: 3 tokens of assyria.',
    ]);
  });

  it('prints a failed attack', () => {
    expect(reported(siege({ assyria: 1 }))).toEqual([
      'conflict.none: No conflict in Thebes.',
      'attack.fails: With 1 token, 7 needed, assyria fails before the city of egypt in Thebes and loses it.',
    ]);
  });

  it('prints the order of attacks', () => {
    const areas = ['Thebes', 'Sais'].map((name) => ({ name, limit: 9, city: 'egypt', tokens: { assyria: 1 } }));
    expect(reported({ areas, players: { egypt: { cityOrder: ['Sais'] } } }).slice(2)).toEqual([
      'attack.order: egypt chooses that its city in Sais is attacked next.',
      'attack.fails: With 1 token, 7 needed, assyria fails before the city of egypt in Sais and loses it.',
      'attack.fails: With 1 token, 7 needed, assyria fails before the city of egypt in Thebes and loses it.',
    ]);
  });

  it('prints why nothing goes to the treasury', () => {
    const last = (treasury: number) => reported(siege({ assyria: 7 }, {}, { treasury })).at(-1);
    expect(last(3)).toBe('treasury.none: Nothing goes to the treasury: the stock of assyria is empty.');
    expect(last(0)).toBe('treasury.none: Nothing goes to the treasury in this scenario.');
  });
});
