import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countSupportedDecimals,
  formatDuration,
  formatExact,
  formatFixed,
  formatGrouped,
  formatLowerBound,
  formatNumber,
  formatSignificant,
  formatUpperBound,
} from '../../src/report/text/number-format.ts';

describe('countSupportedDecimals', () => {
  test.each([
    [0.096, 2],
    [0.0096, 3],
    [0.013, 3],
    [0.00998, 3],
    [0.0099, 3],
    [0.99, 1],
    [0.999, 1],
    [1, 1],
    [3, 0],
    [13, 0],
    [45, -1],
    [450, -2],
    [1300, -2],
    [2e-9, 9],
  ])('for a half-width of %d returns %d', (halfWidth, decimals) => {
    expect(countSupportedDecimals(halfWidth)).toBe(decimals);
  });

  test('returns decimals whose last unit is at most the half-width and at least a twentieth of it', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (halfWidth) => {
        const unit = 10 ** -countSupportedDecimals(halfWidth);
        expect(unit).toBeLessThanOrEqual(halfWidth * 1.06);
        expect(unit).toBeGreaterThanOrEqual(halfWidth / 20);
      }),
    );
  });
});

describe('numbers as text', () => {
  test('separate thousands with spaces, but not decimals', () => {
    expect(formatGrouped(1_000_000)).toBe('1 000 000');
    expect(formatGrouped(999)).toBe('999');
    expect(formatFixed(12_345.678_91, 4)).toBe('12 345.6789');
  });

  test('are rounded to tens and hundreds by negative decimals', () => {
    expect(formatFixed(12_345, -2)).toBe('12 300');
    expect(formatFixed(-12_355, -1)).toBe('-12 350');
  });

  test('are never minus zero', () => {
    expect(formatFixed(-0.001, 1)).toBe('0.0');
    expect(formatFixed(-0.4, 0)).toBe('0');
    expect(formatFixed(-4, -2)).toBe('0');
  });

  test('use an exponent for exact values that would round to zero', () => {
    expect(formatExact(57.647_594_788, 4)).toBe('57.6476');
    expect(formatExact(3.14e-9, 4)).toBe('3.1e-9');
    expect(formatExact(-3.14e-9, 4)).toBe('-3.1e-9');
    expect(formatExact(0, 4)).toBe('0');
    expect(formatExact(25, 4)).toBe('25');
    expect(formatExact(7.5, -3)).toBe('8');
  });

  test('round bounds outward', () => {
    expect(formatUpperBound(0.000_381)).toBe('0.00039');
    expect(formatUpperBound(0.000_38)).toBe('0.00038');
    expect(formatUpperBound(27.75)).toBe('28');
    expect(formatLowerBound(99.999_619, 100)).toBe('99.99961');
    expect(formatLowerBound(20.65, 100)).toBe('20');
  });

  test('have formats for significant digits and durations', () => {
    expect(formatNumber(-1.5)).toBe('-1.5');
    expect(formatNumber(0.1 + 0.2)).toBe('0.3');
    expect(formatSignificant(2_413_961, 3)).toBe('2 410 000');
    expect(formatDuration(0.0421)).toBe('0.042 s');
    expect(formatDuration(59.96)).toBe('60 s');
    expect(formatDuration(725)).toBe('12 min 5 s');
    expect(formatDuration(12_000)).toBe('3 h 20 min');
  });
});
