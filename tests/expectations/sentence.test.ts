/** Parsing of expectation sentences, and errors of invalid ones. */
import { describe, expect, test } from 'vitest';
import { parseSentence } from '../../src/analysis/expectations/load-expectations.ts';
import type { CountsShape } from '../../src/stats/counts.ts';

const SHAPE: CountsShape = {
  outcomes: ['attacker', 'King of Asia', '50% of rounds', 'stalemate'],
  metrics: [
    { name: 'rounds', min: 0, max: 100 },
    { name: 'hp.Red Guard', min: 0, max: 30 },
  ],
};

const [NONE, ALL] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

describe('parseSentence returns quantity and bounds', () => {
  test.each([
    ['attacker between 0.45 and 0.55', 'attacker', 'outcome', [0.45, 0.55]],
    ['attacker between 45% and 55 %', 'attacker', 'outcome', [0.45, 0.55]],
    ['  attacker  at least  .5 ', 'attacker', 'outcome', [0.5, ALL]],
    ['stalemate at most 1e-3', 'stalemate', 'outcome', [NONE, 0.001]],
    ['King of Asia at most 1', 'King of Asia', 'outcome', [NONE, 1]],
    ['rounds at most 12', 'rounds', 'mean', [NONE, 12]],
    ['rounds between -1 and +3.5', 'rounds', 'mean', [-1, 3.5]],
    ['hp.Red Guard at least 3', 'hp.Red Guard', 'mean', [3, ALL]],
    ['95% of rounds at most 20', 'rounds', 'share', [0.95, 1]],
    ['0.95 of hp.Red Guard at least 1', 'hp.Red Guard', 'share', [0.95, 1]],
    ['12.5 % of rounds between 3 and 4', 'rounds', 'share', [0.125, 1]],
    ['50% of rounds at most 20%', '50% of rounds', 'outcome', [NONE, 0.2]],
  ] as const)('%s', (text, of, kind, bounds) => {
    const sentence = parseSentence(text, SHAPE, 'here');
    expect(sentence).toMatchObject({ quantity: { of, kind } });
    expect(sentence.bounds[0]).toBeCloseTo(bounds[0], 15);
    expect(sentence.bounds[1]).toBeCloseTo(bounds[1], 15);
  });
});

describe('parseSentence with "as in the snapshot"', () => {
  test.each([
    ['attacker as in the snapshot', 'attacker', 'outcome', 'attacker'],
    [' King of  Asia  as in  the snapshot ', 'King of Asia', 'outcome', 'King of Asia'],
    ['rounds as in the snapshot', 'rounds', 'mean', 'rounds'],
    ['share of rounds at most 20 as in the snapshot', 'rounds', 'share', 'share of rounds at most 20'],
  ] as const)('accepts "%s"', (text, of, kind, snapshotSubject) => {
    expect(parseSentence(text, SHAPE, 'here')).toMatchObject({
      quantity: { of, kind },
      bounds: [NONE, ALL],
      snapshotSubject,
    });
  });

  test.each([
    ['round as in the snapshot', 'expected one of attacker'],
    ['attacker at most 1 as in the snapshot', 'expected one of attacker'],
    ['share of round at most 1 as in the snapshot', 'expected one of rounds'],
    ['share of rounds between 3 and 1 as in the snapshot', 'expected the lesser bound first'],
  ])('rejects "%s"', (text, message) => {
    expect(() => parseSentence(text, SHAPE, 'here')).toThrow(message);
  });
});

describe('parseSentence rejects', () => {
  const FORM = 'an outcome or a metric, then "between a and b", "at least a", "at most b" or "as in the snapshot"';
  const NAMES = 'one of attacker, King of Asia, 50% of rounds, stalemate, rounds, hp.Red Guard';
  test.each([
    ['attacker', `${FORM}, found "attacker"`],
    ['attacker = 0.5', `${FORM}, found "attacker = 0.5"`],
    ['at least 3', `${FORM}, found "at least 3"`],
    ['attacker between 0.4', `${FORM}, found "attacker between 0.4"`],
    ['atacker at least 0.5', `${NAMES}, found "atacker" (did you mean attacker?)`],
    ['attacker at least half', 'a number, found "half"'],
    ['attacker at least 0x1', 'a number, found "0x1"'],
    ['attacker at most 55', 'a probability 0..1 or 0%..100%, found "55"'],
    ['attacker at least -0.1', 'a probability 0..1 or 0%..100%, found "-0.1"'],
    ['attacker at most 101%', 'a probability 0..1 or 0%..100%, found "101%"'],
    ['rounds at most 50%', 'a number in the unit of the metric, found "50%"'],
    ['rounds between 5 and 3', 'the lesser bound first, found between 5 and 3'],
    ['95% of rounds between 5 and 3', 'the lesser bound first, found between 5 and 3'],
    ['95% of round at most 3', 'one of rounds, hp.Red Guard, found "round" (did you mean rounds?)'],
    ['95 of rounds at most 3', 'a probability 0..1 or 0%..100%, found "95"'],
    ['95% of attacker at most 3', 'one of rounds, hp.Red Guard, found "attacker"'],
  ])('%s', (text, message) => {
    expect(() => parseSentence(text, SHAPE, 'here')).toThrow(`here: expected ${message}`);
  });
});
