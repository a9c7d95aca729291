/** Probabilities in words and in percent. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCountedNoun } from '../../src/report/odds/counted-noun.ts';
import {
  formatBattleShare,
  formatEstimatedPercent,
  formatRoughPercent,
  formatSharePercent,
  formatTimes,
  roundOneIn,
} from '../../src/report/odds/probability-text.ts';
import { toSingular } from '../../src/report/odds/remaining-metrics.ts';
import { preventNumberBreaks } from '../../src/report/text/number-breaks.ts';

describe('a probability in words', () => {
  test.each([
    [0, 'never', 'in no battle'],
    [1e-20, 'hardly ever', 'in hardly any battle'],
    [0.0004, 'hardly ever', 'in hardly any battle'],
    [0.001, '1 of 1 000 times', 'in 1 of 1 000 battles'],
    [0.0235, 'about 1 of 40 times', 'in about 1 of 40 battles'],
    [0.05, '1 of 20 times', 'in 1 of 20 battles'],
    [0.1, '1 of 10 times', 'in 1 of 10 battles'],
    [1 / 3, '1 of 3 times', 'in 1 of 3 battles'],
    [0.5, 'half of the time', 'in half of the battles'],
    [0.495, 'about half of the time', 'in about half of the battles'],
    [0.5765, '58 of 100 times', 'in 58 of 100 battles'],
    [0.667, '2 of 3 times', 'in 2 of 3 battles'],
    [0.662, 'about 2 of 3 times', 'in about 2 of 3 battles'],
    [0.75, '3 of 4 times', 'in 3 of 4 battles'],
    [0.9, '9 of 10 times', 'in 9 of 10 battles'],
    [0.95, '19 of 20 times', 'in 19 of 20 battles'],
    [0.9996, 'almost every time', 'in almost every battle'],
    [1 - 1e-16, 'almost every time', 'in almost every battle'],
    [1, 'every time', 'in every battle'],
  ])('%f is %s', (p, times, battles) => {
    expect(formatTimes(p)).toBe(times);
    expect(formatBattleShare(p)).toBe(battles);
  });

  test('is close to the number', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.0005, max: 0.9994, noNaN: true }), (p) => {
        const [, part = '1', whole = '2'] = /([\d ]+) of ([\d ]+) times/.exec(formatTimes(p)) ?? [];
        const printed = Number(part.replaceAll(' ', '')) / Number(whole.replaceAll(' ', ''));
        const near = Math.min(p, 1 - p);
        // Within one percentage point, or within a sixth for rare events.
        expect(Math.abs(printed - p)).toBeLessThan(near < 0.055 ? near / 6 : 0.0100001);
      }),
    );
  });

  test('uses the round numbers of roundOneIn', () => {
    expect([0.02, 0.0028, 1 / 36_100, 0.001].map(roundOneIn)).toEqual([50, 400, 40_000, 1000]);
  });
});

describe('a probability in percent', () => {
  test.each([
    [0, '0 %', '0 %'],
    [1e-12, 'under 0.0000001 %', '<1 %'],
    [0.0000376, '0.0038 %', '<1 %'],
    [0.004, '0.40 %', '<1 %'],
    [0.5, '50 %', '50 %'],
    [0.5764759, '57.65 %', '58 %'],
    [0.997, '99.70 %', '>99 %'],
    [0.999972, '99.9972 %', '>99 %'],
    [1 - 1e-13, 'over 99.9999999 %', '>99 %'],
    [1, '100 %', '100 %'],
  ])('%f is %s', (p, share, rough) => {
    expect(formatSharePercent(p)).toBe(share);
    expect(formatRoughPercent(p)).toBe(rough);
  });

  test('is never 0 % or 100 % if it is between 0 and 1', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true }), (p) => {
        expect(formatSharePercent(p)).not.toMatch(/^(?:0|100|0\.0+|100\.0+) %$/);
        expect(formatRoughPercent(p)).not.toMatch(/^(?:0|100) %$/);
      }),
    );
  });

  test('of simulated battles has the digits of its interval, or is a bound', () => {
    expect(formatEstimatedPercent({ value: 0.5767, interval: [0.5757, 0.5777] })).toBe('57.67 %');
    expect(formatEstimatedPercent({ value: 1, interval: [0.39, 1] })).toBe('> 39 %');
    expect(formatEstimatedPercent({ value: 0, interval: [0, 0.00037] })).toBe('< 0.037 %');
  });
});

test('toSingular and formatCountedNoun return singular and plural nouns', () => {
  expect(['units', 'armies', 'lives', 'hit points'].map(toSingular)).toEqual(['unit', 'army', 'life', 'hit point']);
  expect(['tank', 'infantry', 'spearman', 'galley', 'battery'].map((name) => formatCountedNoun(2, name))).toEqual([
    '2 tanks',
    '2 infantry',
    '2 spearmen',
    '2 galleys',
    '2 batteries',
  ]);
  expect(formatCountedNoun(1, 'tank')).toBe('1 tank');
  expect([formatCountedNoun(1, 'armies'), formatCountedNoun(2, 'armies'), formatCountedNoun(2, 'war sun')]).toEqual([
    '1 army',
    '2 armies',
    '2 war suns',
  ]);
});

test('preventNumberBreaks keeps numbers and their signs on one line', () => {
  expect(preventNumberBreaks('57.67 % of 1 000 000 battles (57.57 .. 57.77 %)')).toBe(
    '57.67\u00A0% of 1\u00A0000\u00A0000 battles (57.57\u00A0..\u00A057.77\u00A0%)',
  );
});
