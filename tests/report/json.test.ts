import { describe, expect, test } from 'vitest';
import { version } from '../../src/core/version.ts';
import { createExactJson, createRunJson } from '../../src/report/json.ts';
import { type Line, simulated, solved } from './sample.ts';

const label = { name: 'fight' };
const LINES: readonly Line[] = [
  [0, 1, -4, 3],
  [1, 2, 3, 1],
];
const LAW: readonly Line[] = [
  [0, 1, -4, 0.75],
  [1, 2, 3, 0.25],
];

/** Converts a value to JSON and back, as readers of the output see it. */
function read(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

describe('JSON of a run', () => {
  test('has the documented structure', () => {
    expect(read(createRunJson(simulated(LINES), label, undefined, 4))).toMatchObject({
      warpool: version(),
      ruleset: expect.stringMatching(/^\d+$/) as string,
      system: 'attrition',
      scenario: { name: 'fight', hash: 'abc' },
      engine: 'kernel',
      seed: '18446744073709551615',
      battles: 4,
      digest: 'd1',
      elapsedSeconds: 0.5,
      outcomes: {
        attacker: { count: 3, p: 0.75, ci95: [expect.any(Number), expect.any(Number)] },
        never: { count: 0, p: 0, ci95: [0, expect.any(Number)] },
      },
      metrics: {
        rounds: {
          mean: 1.25,
          variance: 0.1875,
          min: 1,
          max: 2,
          ci95: [expect.any(Number), expect.any(Number)],
          quantiles: { '0.05': 1, '0.25': 1, '0.5': 1, '0.75': 1, '0.95': 2 },
          histogram: { '1': 3, '2': 1 },
        },
        margin: { mean: -1.125, min: -2, max: 1.5, histogram: { '-2': 3, '1.5': 1 } },
      },
    });
  });

  test('preserves unusual names', () => {
    const { outcomes } = createRunJson(simulated(LINES), label, undefined, 4);
    expect(Object.keys(outcomes)).toEqual(['attacker', '__proto__', 'never']);
  });

  test('has metrics by outcome', () => {
    const { metrics } = createRunJson(simulated(LINES), label, undefined, 4);
    expect(metrics['rounds']?.meanByOutcome['attacker']).toBe(1);
    expect(metrics['margin']?.histogramByOutcome['attacker']).toEqual({ '-2': 3 });
    expect(metrics['margin']?.histogramByOutcome['never']).toBeUndefined();
  });

  test('has the interval of a single battle, which the declared range determines', () => {
    const json = read(createRunJson(simulated([[0, 1, 0, 1]]), label, undefined, 1));
    expect(json).toMatchObject({
      metrics: {
        rounds: {
          ci95: [expect.closeTo(0.025, 12) as unknown, expect.closeTo(9.775, 12) as unknown],
          unobserved: expect.closeTo(9.75, 12) as unknown,
          variance: 0,
        },
      },
    });
  });

  test('of an interrupted run has both requested and simulated battles', () => {
    const json = createRunJson(simulated(LINES, { complete: false, from: 10, to: 14 }), label, undefined, 1000);
    expect(json).toMatchObject({ from: 10, battles: 4, requested: 1000, complete: false });
  });

  test('has a separate block of exact values', () => {
    const json = read(createRunJson(simulated(LINES), label, solved(LAW), 4));
    expect(json).toMatchObject({
      exact: {
        outcomes: { attacker: { p: 0.75, z: 0 }, never: { p: 0, z: 0 } },
        metrics: { rounds: { mean: 1.25, variance: 0.1875, z: 0 } },
      },
    });
  });
});

describe('JSON of an exact answer', () => {
  const json = read(createExactJson(solved(LAW), label));

  test('has probabilities and no counts', () => {
    expect(json).toMatchObject({
      engine: 'exact',
      scenario: { name: 'fight', hash: 'abc' },
      elapsedSeconds: 0.25,
      outcomes: { attacker: { p: 0.75 }, never: { p: 0 } },
      metrics: { rounds: { mean: 1.25, variance: 0.1875, min: 1, max: 2, histogram: { '1': 0.75, '2': 0.25 } } },
    });
  });

  test('omits fields that only a run has', () => {
    for (const key of ['seed', 'battles', 'digest']) expect(json).not.toHaveProperty(key);
    expect(JSON.stringify(json)).not.toContain('ci95');
    expect(JSON.stringify(json)).not.toContain('count');
  });
});
