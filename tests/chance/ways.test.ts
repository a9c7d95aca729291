/** Draws of which all ways are followed have a limit. */
import { expect, test } from 'vitest';
import { enumerateBranches } from '../../src/core/chance/enumerated-chance.ts';
import { BudgetError } from '../../src/core/errors.ts';
import { KeyBudget } from '../../src/rules/play-battle.ts';

const deck = (kinds: number): number[] => new Array<number>(kinds).fill(1);

const count = (bag: readonly number[], drawn: number): number =>
  [...enumerateBranches((chance) => chance.draw(bag, drawn))].length;

test('draws of many ways are refused, those below are followed', () => {
  // 3 of 20 cards, and the 17 that they leave.
  expect(count(deck(20), 3)).toBe(1140);
  expect(count([2, 3, 4], 4)).toBe(11);
  expect(count(deck(20), 17)).toBe(1140);
  expect(() => count(deck(60), 7)).toThrow(BudgetError);
  expect(() => count(deck(60), 7)).toThrow(/^draw: 7 of 60 in 60 kinds has [\d ]+ or more .*, the limit is 65 536/);
  expect(() => count([100_000, 100_000], 100_000)).toThrow(BudgetError);
});

test('so are picks and hits', () => {
  expect(() => [...enumerateBranches((chance) => chance.pick(deck(65_537)))]).toThrow(BudgetError);
  expect(() => [...enumerateBranches((chance) => chance.hits([{ dice: 65_536, value: 3 }]))]).toThrow(BudgetError);
});

test('keys have room for so many characters in all', () => {
  const room = new KeyBudget(10);
  expect(room.spend(12_345_678_901)).toBeUndefined();
  expect(room.spend('1234567890')).toBeUndefined();
  expect(room.spend('1')).toMatch(/has a key of 1 characters; does the state grow/);
});
