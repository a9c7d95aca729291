/** Objects by names that a scenario gives. */
import { expect, test } from 'vitest';
import { byName, named } from '../../src/answers/named.ts';

test('any name is a key like any other', () => {
  const found = named([
    ['__proto__', { p: 1 }],
    ['constructor', { p: 2 }],
  ]);
  expect(Object.keys(found)).toEqual(['__proto__', 'constructor']);
  expect(JSON.stringify(found)).toBe('{"__proto__":{"p":1},"constructor":{"p":2}}');
  expect(Object.getPrototypeOf(named([]))).toBe(Object.prototype);
  expect(JSON.stringify(byName([{ name: '__proto__', p: 3 }], ({ p }) => ({ p })))).toBe('{"__proto__":{"p":3}}');
});
