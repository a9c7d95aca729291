import { describe, expect, test } from 'vitest';
import { parseBattleCondition } from '../src/analysis/find-battles.ts';
import { InputError } from '../src/core/errors.ts';

const vocabulary = {
  outcomes: ['attacker', 'defender', 'mutual'],
  metrics: [
    { name: 'rounds', min: 0, max: 99 },
    { name: 'margin', min: -40, max: 40, unit: 0.5 },
    { name: 'hp.Red Guard', min: 0, max: 9 },
  ],
};

const battle = { outcome: 1, metrics: [12, -3, 7] };

const holds = (text: string): boolean => parseBattleCondition(text, vocabulary)(battle);

describe('conditions of battles', () => {
  test.each([
    'winner=defender',
    'outcome == defender',
    'winner != attacker',
    'rounds=12',
    'rounds >= 12 && rounds <= 12',
    'rounds>11&&rounds<13',
    'margin = -1.5',
    'margin < -1',
    '"hp.Red Guard" > 6',
    "'hp.Red Guard'=7 && winner='defender'",
    'rounds < 5 || winner = defender',
    'rounds = 12 || rounds = 1 && winner = attacker',
    '!(rounds < 5)',
    '!winner=attacker && !(winner=mutual || rounds!=12)',
  ])('%s holds', (text) => {
    expect(holds(text)).toBe(true);
  });

  test.each([
    'winner=attacker',
    'winner!=defender',
    'rounds!=12',
    'rounds<12',
    'rounds>12',
    'margin>=-1',
    '(rounds = 12 || rounds = 1) && winner = attacker',
    '!!(rounds>12)',
  ])('%s does not hold', (text) => {
    expect(holds(text)).toBe(false);
  });

  test.each([
    ['', 'where:1: expected outcome or a metric (rounds, margin, hp.Red Guard), found the end'],
    ['winner', 'where:7: expected = or !=, found the end'],
    ['winner < attacker', 'where:8: expected = or !=, found "<"'],
    ['winner=nobody', 'where:8: expected one of attacker, defender, mutual, found "nobody"'],
    ['round>3', 'where:1: expected outcome or one of the metrics rounds, margin, hp.Red Guard, found "round"'],
    ['rounds 3', 'where:8: expected one of = == != < <= > >=, found "3"'],
    ['rounds > many', 'where:10: expected a number, found "many"'],
    ['rounds > 3 &', 'where:12: expected a name, a value or a sign, found "&"'],
    ['(rounds > 3', 'where:12: expected ), found the end'],
    ['rounds > 3 rounds < 5', 'where:12: expected &&, || or the end, found "rounds"'],
    ['rounds > "unfinished', 'where:10: expected a name, a value or a sign, found """'],
  ])('reject %s', (text, message) => {
    expect(() => parseBattleCondition(text, vocabulary)).toThrow(InputError);
    expect(() => parseBattleCondition(text, vocabulary)).toThrow(message);
  });

  test('may be deeply nested, with at most 2 000 characters', () => {
    const nested = (levels: number) => `${'('.repeat(levels)}rounds>12${')'.repeat(levels)}`;
    expect(holds(nested(900))).toBe(false);
    expect(holds(`${'!'.repeat(1501)}rounds>12`)).toBe(true);
    for (const text of [nested(20_000), `${'!'.repeat(20_000)}rounds>12`]) {
      expect(() => parseBattleCondition(text, vocabulary)).toThrow(InputError);
      expect(() => parseBattleCondition(text, vocabulary)).toThrow(
        'where: expected a condition of at most 2000 characters',
      );
    }
  });
});
