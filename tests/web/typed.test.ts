/** Text typed into forms has the same meaning as on the command line. */
import { expect, test } from 'vitest';
import { RUN_LENGTH } from '../../src/analysis/run-options.ts';
import {
  battleIndexParser,
  createBattleCountParser,
  createHalfWidthParser,
  createNumberParser,
  findTextError,
  readText,
  seedParser,
} from '../../web/app/parts/text-parsers.ts';

test.each(['10k', '10M', '1,000,000', '1 000 000', '1e6', '20000', '1G', '2.5k'])(
  'createBattleCountParser reads %s as --battles does',
  (text) => {
    const expectedValue = RUN_LENGTH.battles.read(text, '--battles');
    expect(expectedValue).toBeGreaterThan(1000);
    expect(readText(createBattleCountParser(1, Number.MAX_SAFE_INTEGER), text)).toBe(expectedValue);
  },
);

test('createBattleCountParser reports the range and the invalid text', () => {
  expect(findTextError(createBattleCountParser(2, 100), '101')).toBe('expected an integer 2..100, found "101"');
  expect(findTextError(createBattleCountParser(2, 100), '')).toBe('expected an integer 2..100, found nothing');
  expect(findTextError(createBattleCountParser(1, 100), '2.5')).toMatch(/^expected an integer 1\.\.100, found "2\.5"/);
  expect(findTextError(createBattleCountParser(2, 100), '100')).toBeUndefined();
});

test('createHalfWidthParser accepts numbers and percentage points, but not percentages', () => {
  expect(readText(createHalfWidthParser(0.0001), '0.1pp')).toBe(0.001);
  expect(readText(createHalfWidthParser(0.0001), '0.005')).toBe(0.005);
  expect(readText(createHalfWidthParser(0.0001), '0.00001')).toBeUndefined();
  expect(readText(createHalfWidthParser(0.00001), '0.00001')).toBe(0.00001);
  expect(readText(createHalfWidthParser(0.00001), '0.25')).toBe(0.25);
  expect(readText(createHalfWidthParser(0.00001), '0.2501')).toBeUndefined();
  expect(findTextError(createHalfWidthParser(0.0001), '10%')).toBe(
    'expected a number 0.0001..0.25, or points such as 0.1pp, found "10%"',
  );
});

test('parsers of seeds, battles and numbers reject values out of range', () => {
  expect(readText(seedParser, ' 18446744073709551615 ')).toBe(18446744073709551615n);
  expect(readText(seedParser, '18446744073709551616')).toBeUndefined();
  expect(readText(battleIndexParser, '9007199254740991')).toBe(9007199254740991);
  expect(readText(battleIndexParser, '-1')).toBeUndefined();
  expect(readText(createNumberParser(1, 9, 'a number'), '9')).toBe(9);
  expect(readText(createNumberParser(1, 9, 'a number'), '9.5')).toBeUndefined();
  expect(readText(createNumberParser(1, 9, 'an integer', true), '2.5')).toBeUndefined();
  expect(readText(createNumberParser(-9, 9, 'a number'), '')).toBeUndefined();
});
