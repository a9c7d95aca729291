/** What is typed into the forms of the page means what it means on the command line. */
import { expect, test } from 'vitest';
import { LENGTH } from '../../src/studies/asked.ts';
import { battleNumber, battlesIn, halfWidth, numberIn, read, seedTyped, wrongWith } from '../../web/app/parts/typed.ts';

test.each(['10k', '10M', '1,000,000', '1 000 000', '1e6', '20000', '1G', '2.5k'])('battles: %s', (text) => {
  const meant = LENGTH.battles.read(text, '--battles');
  expect(meant).toBeGreaterThan(1000);
  expect(read(battlesIn(1, Number.MAX_SAFE_INTEGER), text)).toBe(meant);
});

test('what is no number of battles is told with the range and what was found', () => {
  expect(wrongWith(battlesIn(2, 100), '101')).toBe('expected an integer 2..100, found "101"');
  expect(wrongWith(battlesIn(2, 100), '')).toBe('expected an integer 2..100, found nothing');
  expect(wrongWith(battlesIn(1, 100), '2.5')).toMatch(/^expected an integer 1\.\.100, found "2\.5"/);
  expect(wrongWith(battlesIn(2, 100), '100')).toBeUndefined();
});

test('half-widths are numbers or percentage points, no per cent of something', () => {
  expect(read(halfWidth(0.0001), '0.1pp')).toBe(0.001);
  expect(read(halfWidth(0.0001), '0.005')).toBe(0.005);
  expect(read(halfWidth(0.0001), '0.00001')).toBeUndefined();
  expect(read(halfWidth(0.00001), '0.00001')).toBe(0.00001);
  expect(read(halfWidth(0.00001), '0.25')).toBe(0.25);
  expect(read(halfWidth(0.00001), '0.2501')).toBeUndefined();
  expect(wrongWith(halfWidth(0.0001), '10%')).toBe(
    'expected a number 0.0001..0.25, or points such as 0.1pp, found "10%"',
  );
});

test('seeds and battles to the last one; numbers within bounds', () => {
  expect(read(seedTyped, ' 18446744073709551615 ')).toBe(18446744073709551615n);
  expect(read(seedTyped, '18446744073709551616')).toBeUndefined();
  expect(read(battleNumber, '9007199254740991')).toBe(9007199254740991);
  expect(read(battleNumber, '-1')).toBeUndefined();
  expect(read(numberIn(1, 9, 'a number'), '9')).toBe(9);
  expect(read(numberIn(1, 9, 'a number'), '9.5')).toBeUndefined();
  expect(read(numberIn(1, 9, 'an integer', true), '2.5')).toBeUndefined();
  expect(read(numberIn(-9, 9, 'a number'), '')).toBeUndefined();
});
