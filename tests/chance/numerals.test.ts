/** Numbers in the formats that people use. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCount, parseSeed } from '../../src/core/chance/stream.ts';
import { describeNumeral, findAmount, formatGrouped, parseAmount, parseWholeNumber } from '../../src/core/numerals.ts';
import { formatExact, formatFixed, formatNumber, formatSignificant } from '../../src/report/text/number-format.ts';

test.each([
  ['1000000', 1_000_000n],
  ['1e6', 1_000_000n],
  ['1E6', 1_000_000n],
  ['1.5e3', 1500n],
  ['1k', 1000n],
  ['1.5K', 1500n],
  ['2M', 2_000_000n],
  ['2 M', 2_000_000n],
  ['3G', 3_000_000_000n],
  ['1,000,000', 1_000_000n],
  ['1,500', 1500n],
  ['1_000_000', 1_000_000n],
  ['1 000 000', 1_000_000n],
  ['1\u202F000\u00A0000', 1_000_000n],
  ['1.0', 1n],
  ['0.0', 0n],
  ['007', 7n],
  ['-12', -12n],
  ['18446744073709551615', 18_446_744_073_709_551_615n],
])('%s is a whole number', (text, whole) => {
  expect(parseWholeNumber(text)).toBe(whole);
});

test.each([
  ...['', ' ', 'x', '1.5', '1.0000000000000000000001', '1e-1', '0.0005k', '1,5', '1,00', '1,0000', '0,001', '1.000'],
  ...['1.000.000', '1.000,5', '1,000 000', '1 00', '1__0', '_1', '1_', '1m', '1kk', '1e6k', '50%', '1pp', 'NaN'],
  ...['Infinity', '0x10', '1e', '--1', '1e99999', '1'.repeat(500)],
])('%j is not a whole number', (text) => {
  expect(parseWholeNumber(text)).toBeUndefined();
});

test.each([
  ['0.5', 0.5, ''],
  ['.5', 0.5, ''],
  ['5.', 5, ''],
  ['50%', 0.5, '%'],
  ['0.1 %', 0.001, '%'],
  ['0.1pp', 0.001, 'pp'],
  ['7.3%', 0.073, '%'],
  ['-1.5e-3', -0.0015, ''],
  ['1,234,567.5', 1_234_567.5, ''],
  ['1.5k', 1500, ''],
  ['1.000', 1, ''],
])('%s is an amount', (text, value, unit) => {
  expect(findAmount(text, ['%', 'pp'])).toEqual({ value, unit });
});

test.each(['1,5', '1,500', '0,001', '1.000.000', '1e400', 'NaN', '', '5%%', '50 percent'])(
  '%j is not an amount',
  (text) => {
    expect(findAmount(text, ['%', 'pp'])).toBeUndefined();
  },
);

test('an unexpected unit is rejected', () => {
  expect(findAmount('50%')).toBeUndefined();
  expect(() => parseAmount('50pp', '--error-rate', 'a number 0..1', () => true, ['%'])).toThrow(
    '--error-rate: expected a number 0..1, found "50pp"',
  );
});

test.each([
  ['1,5', 'a decimal point, as in 1.5; commas separate thousands, as in 1,000,000'],
  ['1.000.000', 'points do not separate thousands: 1,000,000, 1 000 000 and 1e6 are a million'],
  ['1.000', 'points do not separate thousands'],
  ['5m', 'M is a million'],
])('%s is rejected with a hint', (text, hint) => {
  expect(describeNumeral(text)).toContain(`"${text}" (${hint}`);
  expect(() => parseCount(text, '--battles', 1)).toThrow(hint);
});

test('counts and seeds are limited to their bounds', () => {
  for (const text of ['-1', '0', '1e17', '9007199254740993'])
    expect(() => parseCount(text, '--battles', 1)).toThrow('--battles: expected an integer 1..');
  expect(parseSeed('0xff')).toBe(255n);
  expect(parseSeed('18,446,744,073,709,551,615')).toBe(2n ** 64n - 1n);
  expect(() => parseSeed('18446744073709551616')).toThrow('seed: expected an integer 0..18446744073709551615');
});

describe('a round trip through format and parse', () => {
  test('returns the same whole number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (n) => {
        const commas = formatGrouped(n).replaceAll(' ', ',');
        for (const text of [String(n), formatGrouped(n), commas, commas.replaceAll(',', '_')])
          expect(Number(parseWholeNumber(text))).toBe(n);
      }),
    );
  });

  test('returns the same seed', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (seed) => {
        expect(parseSeed(String(seed))).toBe(seed);
        expect(parseSeed(`0x${seed.toString(16)}`)).toBe(seed);
      }),
    );
  });

  test('returns the same decimal number, with and without a unit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(findAmount(String(x))?.value).toBe(x === 0 ? 0 : x);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), fc.integer({ min: 0, max: 9 }), (x, decimals) => {
        for (const text of [
          formatFixed(x, decimals),
          formatNumber(x),
          formatSignificant(x, 3),
          formatExact(x, decimals),
        ]) {
          const value = Number(text.replaceAll(' ', ''));
          expect(findAmount(text)?.value).toBe(value === 0 ? 0 : value);
          expect(findAmount(`${text} %`, ['%'])?.value).toBeCloseTo(value / 100, 6 - Math.log10(1 + Math.abs(value)));
        }
      }),
    );
  });
});
