/** Limit of branches of draws that are enumerated. */
import { expect, test } from 'vitest';
import { enumerateBranches } from '../../src/core/chance/enumerated-chance.ts';
import { BudgetError } from '../../src/core/errors.ts';
import { KeyBudget } from '../../src/rules/play-battle.ts';

const deck = (kinds: number): number[] => new Array<number>(kinds).fill(1);

const count = (bag: readonly number[], drawn: number): number =>
  [...enumerateBranches((chance) => chance.draw(bag, drawn))].length;

test('draws are enumerated up to a limit of branches and rejected above it', () => {
  // 3 of 20 cards, and the 17 other cards.
  expect(count(deck(20), 3)).toBe(1140);
  expect(count([2, 3, 4], 4)).toBe(11);
  expect(count(deck(20), 17)).toBe(1140);
  expect(() => count(deck(60), 7)).toThrow(BudgetError);
  expect(() => count(deck(60), 7)).toThrow(/^draw: 7 of 60 in 60 kinds has [\d ]+ or more .*, the limit is 65 536/);
  expect(() => count([100_000, 100_000], 100_000)).toThrow(BudgetError);
});

test('picks and hits above the limit are rejected', () => {
  expect(() => [...enumerateBranches((chance) => chance.pick(deck(65_537)))]).toThrow(BudgetError);
  expect(() => [...enumerateBranches((chance) => chance.hits([{ dice: 65_536, value: 3 }]))]).toThrow(BudgetError);
});

test('a key budget limits the total length of keys', () => {
  const room = new KeyBudget(10);
  expect(room.spend(12_345_678_901)).toBeUndefined();
  expect(room.spend('1234567890')).toBeUndefined();
  expect(room.spend('1')).toMatch(/has a key of 1 characters; does the state grow/);
});
