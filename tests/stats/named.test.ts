/** Objects with keys from names in scenarios. */
import { expect, test } from 'vitest';
import { createRecord, indexByName } from '../../src/stats/records.ts';

test('createRecord and indexByName accept __proto__ and constructor as keys', () => {
  const found = createRecord([
    ['__proto__', { p: 1 }],
    ['constructor', { p: 2 }],
  ]);
  expect(Object.keys(found)).toEqual(['__proto__', 'constructor']);
  expect(JSON.stringify(found)).toBe('{"__proto__":{"p":1},"constructor":{"p":2}}');
  expect(Object.getPrototypeOf(createRecord([]))).toBe(Object.prototype);
  expect(JSON.stringify(indexByName([{ name: '__proto__', p: 3 }], ({ p }) => ({ p })))).toBe('{"__proto__":{"p":3}}');
});
