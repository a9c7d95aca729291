/** Columns that grow, and the hash table of keys, compared with arrays and a Map. */
import { expect, test } from 'vitest';
import { BudgetError } from '../../src/core/index.ts';
import { GrowableColumn, KeyIndex, PackedTexts } from '../../src/environments/best-response/columns.ts';
import type { Key } from '../../src/rules/index.ts';
import { draw } from './exact-matrix-game.ts';

test('a column contains the appended values', () => {
  const column = new GrowableColumn(Int32Array);
  for (let value = 0; value < 1000; value++) column.push(3 * value);
  column.append(Int32Array.of(-1, -2));
  expect([...column.values]).toEqual([...Array.from({ length: 1000 }, (_, value) => 3 * value), -1, -2]);
  expect([column.get(999), column.get(1001), column.length]).toEqual([2997, -2, 1002]);
});

test('a column that exceeds the memory throws a BudgetError', () => {
  const column = new GrowableColumn(Float64Array);
  column.push(1);
  expect(() => column.reserve(2 ** 50)).toThrow(BudgetError);
  expect(column.get(0)).toBe(1);
});

test('packed texts can contain any characters', () => {
  const texts = Array.from({ length: 500 }, (_, t) => '"é\u{1f600}x'.repeat(draw(9, t)));
  const column = new PackedTexts();
  for (const text of texts) column.push(text);
  expect(texts.map((_, t) => column.get(t))).toEqual(texts);
});

/** Creates numbers and texts, with a text of the same 16-bit units as a number. */
function createKeys(): Key[] {
  const units = new Uint16Array(Float64Array.of(12.5).buffer);
  const special = ['', '\0', '\0\0', '\ud800', '\udc00', 'x'.repeat(300), String.fromCharCode(...units), 12.5, 0, -1];
  const numbers = Array.from({ length: 3000 }, (_, k) => [k, k + 0.5, k * 2 ** 33, -k * 4096]).flat();
  const texts = Array.from({ length: 3000 }, (_, k) => [String(k), `${'k'.repeat(draw(40, k))}${String(k)}`]).flat();
  return [...new Set<Key>([...special, ...numbers, ...texts])];
}

test('an index finds each key at its position, and no other key', () => {
  const index = new KeyIndex();
  index.add(undefined);
  const keys = createKeys();
  for (const key of keys) {
    expect(index.get(key)).toBeUndefined();
    index.add(key);
  }
  expect(keys.map((key) => index.get(key))).toEqual(keys.map((_, k) => k + 1));
  expect(index.get(-0)).toBe(index.get(0));
  expect([index.get('absent'), index.get(0.25), index.get('\0\0\0')]).toEqual([undefined, undefined, undefined]);
});
