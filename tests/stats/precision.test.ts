/** Runs that stop at a precision target: interim analyses, exact coverage of intervals, and numerical functions. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exp, ln } from '../../src/core/elementary.ts';
import { clopperPearson, computeLogTail } from '../../src/stats/binomial.ts';
import { type Interval, Z95 } from '../../src/stats/intervals.ts';
import { computeMeanInterval } from '../../src/stats/mean-interval.ts';
import { isMeanNarrow, scheduleMeanAnalyses, Z } from '../../src/stats/mean-schedule.ts';
import { hasNarrowOutcomes } from '../../src/stats/outcome-analysis.ts';
import { computeErrorBound, countIntervals, scheduleOutcomeAnalyses } from '../../src/stats/outcome-schedule.ts';
import { computeSampleMoments } from '../../src/stats/sample-moments.ts';
import { DEPTH, some } from '../depth.ts';
import { held } from './followed.ts';
import { covers } from './studies.ts';

/** Error probability that all observed outcomes share. */
const ERROR = 0.0495;

type Look = Parameters<typeof hasNarrowOutcomes>[1];

/** Computes the probability that the interval of an outcome covers its probability at the end of a run. */
const shareHeld = <L extends Look>(looks: readonly L[], p: number, levelOf: (look: L) => number): number =>
  held(
    looks,
    p,
    (count, look) => hasNarrowOutcomes([count], look),
    (count, look) => covers(clopperPearson(count, look.battles, levelOf(look)), p),
  );

const sampled = (range: Interval, ...pairs: readonly (readonly [number, number])[]) =>
  computeSampleMoments(pairs, range);

/** Lists probabilities from 0 to 1/2, with smaller distances between small ones. */
const spread = (size: number): number[] => Array.from({ length: size }, (_, i) => 0.5 * ((i + 1) / size) ** 2);

describe('exactly computed coverage of runs that stop at a precision target', () => {
  test.each(
    some([
      [0.25, undefined],
      [0.02, undefined],
      [0.02, 3000],
      [0.01, undefined],
      [0.01, 9000],
      [0.005, undefined],
      [0.005, 30_000],
    ] as const),
  )('for outcomes to ±%f in at most %j battles is at least 95 %', (precision, most) => {
    const { analyses: looks, level } = scheduleOutcomeAnalyses({ halfWidth: precision }, 2, most);
    const turns = looks.flatMap((look) => clopperPearson(Math.max(0, look.upTo), look.battles, level));
    const critical = turns.flatMap((p) => [p - 1e-9, p + 1e-9]);
    const found = [...critical, ...spread(30)]
      .filter((p) => p > 0 && p <= 0.5)
      .map((p) => shareHeld(looks, p, () => level));
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.95);
    expect(Math.min(...found)).toBeLessThan(0.98);
  });

  /** Computes the coverage of the mean of a metric that is 0 or 1. */
  const meanHeld = (p: number, precision: number, most: number): number => {
    const aim = { halfWidth: precision };
    const interval = (count: number, battles: number) =>
      computeMeanInterval(sampled([0, 1], [0, battles - count], [1, count]), Z);
    return held(
      scheduleMeanAnalyses(aim, [0, 1], most).map((battles) => ({ battles })),
      p,
      (count, { battles }) => isMeanNarrow(interval(count, battles), 0, aim),
      (count, { battles }) => covers(interval(count, battles), p),
    );
  };

  test.runIf(DEPTH > 1)('is at least 94 % for means from 0.001 to 0.5', () => {
    const found: number[] = [];
    for (const p of [0.001, 0.0012, 0.0025, 0.006, 0.02, 0.1, 0.5]) {
      for (let battles = 15_000; battles < 30_000; battles *= 1.02) {
        found.push(meanHeld(p, Z95 * Math.sqrt((p * (1 - p)) / battles), 2 ** 40));
        found.push(meanHeld(p, Z95 * Math.sqrt((p * (1 - p)) / battles), Math.round(1.1 * battles)));
      }
    }
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.94);
    expect(Math.max(...found)).toBeLessThan(1);
  });

  test('is at least 94.5 % for means of rarer values', () => {
    const found: number[] = [];
    for (const [size, most] of [
      [50_000, 40],
      [90_000, 200],
    ] as const)
      for (let rare = 0.2; rare < most; rare *= 1.3) {
        const p = rare / size;
        found.push(meanHeld(p, Z95 * Math.sqrt((p * (1 - p)) / size), 2 ** 40));
      }
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.945);
  });

  test.each(
    some([
      [0.5, 0.01],
      [0.2, 0.02],
      [0.1, 0.01],
    ]),
  )('for outcomes to the part %f with floor %f is at least 95 %%', (part, floor) => {
    const { analyses: looks, level } = scheduleOutcomeAnalyses({ part, floor }, 2);
    const turns = looks.flatMap((look) => [
      ...clopperPearson(Math.min(look.battles, look.from), look.battles, level),
      Math.min(1, look.from / look.battles),
    ]);
    const critical = turns.flatMap((p) => [p - 1e-9, p + 1e-9]);
    const found = [...critical, floor, floor / 3, ...spread(20)]
      .filter((p) => p > 0 && p < 1)
      .map((p) => shareHeld(looks, p, () => level));
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.95);
    expect(Math.min(...found)).toBeLessThan(0.99);
  });
});

/**
 * Two frequent outcomes and a rare one: the run uses the interim analyses of two outcomes until the rare outcome
 * occurs, then the analyses of three or more outcomes. The first occurrence decides which analyses apply. In each case,
 * the distribution of the other outcomes is propagated through the analyses.
 */
describe('a run that observes a rare outcome late', () => {
  /** Returns the analyses of a schedule with its level. */
  const levelled = (halfWidth: number, outcomes: number) => {
    const { analyses: looks, level } = scheduleOutcomeAnalyses({ halfWidth }, outcomes, undefined, ERROR);
    return looks.map((look) => ({ ...look, level }));
  };

  test.each(
    some([
      [0.02, 3],
      [0.01, 3],
      [0.01, 6],
    ]),
  )('to ±%f, from two to %i outcomes, has a coverage of at least 95 %%', (halfWidth, outcomes) => {
    const [few, more] = [levelled(halfWidth, 2), levelled(halfWidth, outcomes)];
    const ends = [...few, ...more].flatMap(({ upTo, battles, level }) => clopperPearson(upTo, battles, level));
    const shares = [...ends.flatMap((p) => [p - 1e-9, p + 1e-9]), 0.5, 0.4, 0.3].filter((p) => p > 0.02 && p <= 0.5);
    const found = shares.flatMap((p) => {
      // Indexed by the first analysis that observes the rare outcome.
      const byPath = Array.from({ length: few.length + 1 }, (_, path) => {
        const from = few[path]?.battles ?? Number.POSITIVE_INFINITY;
        const looks = [...few.slice(0, path), ...more.filter(({ battles }) => battles >= from)];
        return shareHeld(looks, p, ({ level }) => level);
      });
      return [0.01, 0.1, 0.3, 0.6, 1, 2, 4, 8].map((rate) => {
        const unseen = (look: number): number =>
          look < 0 ? 1 : Math.exp((-rate * (few[look]?.battles ?? 0)) / (few.at(-1)?.battles ?? 1));
        return byPath.reduce(
          (sum, held, path) => sum + held * (unseen(path - 1) - (path < few.length ? unseen(path) : 0)),
          0,
        );
      });
    });
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.95);
    expect(Math.min(...found)).toBeLessThan(0.97);
  });
});

describe('interim analyses of means', () => {
  const aim = { halfWidth: 0.02 };
  const looks = scheduleMeanAnalyses(aim, [0, 40], 2 ** 40);
  const narrowIn = (...pairs: readonly (readonly [number, number])[]): boolean =>
    isMeanNarrow(computeMeanInterval(sampled([0, 40], ...pairs), Z), 0, aim);

  test('start at 16 384 battles, grow by at most 25 % and suffice for every distribution', () => {
    expect(looks[0]).toBe(16_384);
    for (const [l, battles] of looks.slice(1).entries()) {
      expect(battles % 4096).toBe(0);
      expect(battles / (looks[l] ?? 1)).toBeLessThanOrEqual(1.25);
    }
    const last = looks.at(-1) ?? 0;
    expect(narrowIn([0, last / 2], [40, last / 2])).toBe(true);
    expect(narrowIn([0, last / 3], [40, last / 3])).toBe(false);
  });

  test('start later for larger ranges, where no earlier interval can be narrow enough', () => {
    for (const range of [1e4, 1e6, 1e8]) {
      const [first = 0] = scheduleMeanAnalyses({ halfWidth: 0.5 }, [0, range], 2 ** 40);
      const halfWidth = (battles: number): number => {
        const [low, high] = computeMeanInterval(sampled([0, range], [7, battles]), Z);
        return (high - low) / 2;
      };
      expect(halfWidth(first - 4096)).toBeGreaterThan(0.5);
      expect(first).toBeLessThan(4 * range);
    }
  });

  test('use a part of the mean, or of the floor if the mean is smaller', () => {
    const part = { part: 0.01, floor: 0.5 };
    expect(isMeanNarrow([9.9, 10.1], 10, part)).toBe(true);
    expect(isMeanNarrow([9.89, 10.1], 10, part)).toBe(false);
    expect(isMeanNarrow([-10.1, -9.9], -10, part)).toBe(true);
    expect(isMeanNarrow([0.1051, 0.115], 0.11, part)).toBe(true);
    expect(isMeanNarrow([0.1049, 0.115], 0.11, part)).toBe(false);
    const last = scheduleMeanAnalyses(part, [0, 40], 2 ** 40).at(-1) ?? 0;
    expect(last).toBe(scheduleMeanAnalyses({ halfWidth: 0.005 }, [0, 40], 2 ** 40).at(-1));
  });

  test('are fewer than 150 integers for any precision', () => {
    for (const [halfWidth, range] of [
      [1e-9, 1e9],
      [0.001, 10_000],
      [1e300, 0],
      [3, 1],
      [1e-300, 0],
    ] as const)
      for (const bounded of [false, true]) {
        const found = scheduleMeanAnalyses({ halfWidth }, [0, range], 2 ** 53, bounded);
        expect(found.length).toBeLessThan(150);
        expect(found.every((battles) => Number.isInteger(battles))).toBe(true);
      }
    expect(scheduleMeanAnalyses({ halfWidth: 0.01 }, [0, 10], 1)).toEqual([1]);
  });
});

describe('interim analyses of outcomes', () => {
  test('intervals of counts are narrower farther from one half', () => {
    for (const n of [100, 4096, 12_288]) {
      let width = 0;
      for (let count = 0; count <= n / 2; count += Math.ceil(n / 2000)) {
        const [low, high] = clopperPearson(count, n, 0.01);
        expect(high - low).toBeGreaterThan(width);
        width = high - low;
      }
    }
  });

  test.each([0.25, 0.05, 0.01, 0.002, 0.0005])(
    'to ±%f have thresholds that are narrow enough, and the last accepts all counts',
    (precision) => {
      for (const outcomes of [1, 2, 3, 7]) {
        const schedule = scheduleOutcomeAnalyses({ halfWidth: precision }, outcomes);
        const { analyses: looks, level } = schedule;
        expect(computeErrorBound(schedule, countIntervals(outcomes), false)).toBeLessThanOrEqual(0.05);
        for (const { battles, upTo } of looks) {
          const [low, high] = clopperPearson(Math.min(upTo, Math.floor(battles / 2)), battles, level);
          expect((high - low) / 2).toBeLessThanOrEqual(precision);
        }
        expect(looks.at(-1)).toMatchObject({ upTo: looks.at(-1)?.battles, from: 0 });
      }
    },
  );

  test('have the same numbers on every machine', () => {
    const { analyses: looks, level } = scheduleOutcomeAnalyses({ halfWidth: 0.005 }, 3);
    expect(level).toBe(0.008977587164234775);
    expect(looks.map(({ battles, from, upTo }) => [battles, from, upTo].join(' '))).toEqual([
      ...['12288 11718 570', '16384 15348 1036', '20480 18826 1654', '24576 22142 2434', '28672 25282 3390'],
      ...['36864 30974 5890', '45056 35721 9335', '57344 40247 17097', '69632 0 69632'],
    ]);
  });

  test.runIf(DEPTH > 1)('cost the number of battles in the table of docs/explanation/statistics.md', () => {
    const cost = (p: number, precision: number, outcomes: number): string => {
      const { analyses: looks } = scheduleOutcomeAnalyses({ halfWidth: precision }, outcomes, undefined, ERROR);
      const battles = looks.find((look) => look.upTo >= look.battles * p)?.battles ?? 0;
      return ((battles * precision ** 2) / (Z95 ** 2 * p * (1 - p))).toFixed(2);
    };
    const docs = readFileSync('docs/explanation/statistics.md', 'utf8').replaceAll(/ +/g, ' ');
    for (const outcomes of [2, 4])
      for (const precision of [0.001, 0.0001]) {
        const costs = [0.5, 0.05, 0.001].map((p) => cost(p, precision, outcomes));
        expect(docs).toContain(`\n| ${String(outcomes)}, ${String(precision)} | ${costs.join(' | ')} |\n`);
      }
  });
});

describe('numerical functions', () => {
  test('ln and exp equal Math.log and Math.exp within rounding', () => {
    for (const x of [1e-300, 1e-9, 0.3, 0.75, 1, 1.5, 2, 1234.5, 1e15, 1e300]) {
      expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(4e-16 * Math.max(1, Math.abs(Math.log(x))));
    }
    for (const x of [-600, -20.3, -1, -1e-9, 0, 0.5, 3, 650]) {
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(3e-13);
    }
  });

  test('computeLogTail equals sums of binomial probabilities', () => {
    const n = 40;
    for (const p of [0.01, 0.3, 0.6]) {
      let [point, tail] = [(1 - p) ** n, 0];
      const points = Array.from({ length: n + 1 }, (_, k) => {
        const here = point;
        point *= ((n - k) / (k + 1)) * (p / (1 - p));
        return here;
      });
      for (let x = n; x > n * p; x--) {
        tail += points[x] ?? 0;
        expect(Math.exp(computeLogTail(x, n, p)) / tail).toBeCloseTo(1, 11);
      }
    }
  });

  test('clopperPearson equals published values for n = 10 and the formula for no success', () => {
    // Published: 10 trials, 95 %: 1 success 0.0025..0.4450, 5 successes 0.1871..0.8129 (Clopper and Pearson 1934).
    expect(clopperPearson(1, 10, 0.05).map((end) => end.toFixed(4))).toEqual(['0.0025', '0.4450']);
    expect(clopperPearson(5, 10, 0.05).map((end) => end.toFixed(4))).toEqual(['0.1871', '0.8129']);
    const [low, high] = clopperPearson(0, 1000, 0.05);
    expect(low).toBe(0);
    expect(high).toBeCloseTo(1 - 0.025 ** (1 / 1000), 13);
    expect(clopperPearson(1000, 1000, 0.05)).toEqual([1 - high, 1]);
  });

  test('clopperPearson returns ends with the correct tail probabilities for up to 1e10 trials', () => {
    for (const [count, n] of [
      [3, 1e4],
      [5e5, 1e6],
      [7, 1e9],
      [4e9, 1e10],
    ] as const) {
      const [low, high] = clopperPearson(count, n, 0.01);
      expect(computeLogTail(count, n, low)).toBeCloseTo(Math.log(0.005), 5);
      expect(computeLogTail(n - count, n, 1 - high)).toBeCloseTo(Math.log(0.005), 5);
    }
  });
});
