/** Runs that end once they are precise: their looks, their intervals without chance, and the numbers that decide. */
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

/** What all outcomes that came share. */
const ERROR = 0.0495;

type Look = Parameters<typeof hasNarrowOutcomes>[1];

/** How often the interval of an outcome holds its probability when the run ends. */
const shareHeld = <L extends Look>(looks: readonly L[], p: number, levelOf: (look: L) => number): number =>
  held(
    looks,
    p,
    (count, look) => hasNarrowOutcomes([count], look),
    (count, look) => covers(clopperPearson(count, look.battles, levelOf(look)), p),
  );

const sampled = (range: Interval, ...pairs: readonly (readonly [number, number])[]) =>
  computeSampleMoments(pairs, range);

/** Probabilities from 0 to 1/2, closer to each other where they are small. */
const spread = (size: number): number[] => Array.from({ length: size }, (_, i) => 0.5 * ((i + 1) / size) ** 2);

describe('coverage without chance: the law of the count followed from look to look', () => {
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
  )('outcomes to ±%f, at most %j battles: 95 % wherever the probability is', (precision, most) => {
    const { analyses: looks, level } = scheduleOutcomeAnalyses({ halfWidth: precision }, 2, most);
    const turns = looks.flatMap((look) => clopperPearson(Math.max(0, look.upTo), look.battles, level));
    const critical = turns.flatMap((p) => [p - 1e-9, p + 1e-9]);
    const found = [...critical, ...spread(30)]
      .filter((p) => p > 0 && p <= 0.5)
      .map((p) => shareHeld(looks, p, () => level));
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.95);
    expect(Math.min(...found)).toBeLessThan(0.98);
  });

  /** A metric that is 0 or 1. */
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

  test.runIf(DEPTH > 1)('a mean, from one in a thousand to a half: 94 % wherever the bound of a look is', () => {
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

  test('a mean of what is rarer: no expected number of rare values is worse', () => {
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
  )('outcomes to the part %f, floor %f: 95 %% wherever the probability is', (part, floor) => {
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
 * Two outcomes that come often and one that is rare: until the rare one has come the run has the looks of two outcomes,
 * then those of three or more. Which path it takes is settled by when the rare one comes first; given that, the others
 * are followed from look to look.
 */
describe('a run that passes from the looks of two outcomes to those of more', () => {
  /** Looks with the level of their schedule. */
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
  )('to ±%f, from two to %i: 95 %% whenever the rare one comes', (halfWidth, outcomes) => {
    const [few, more] = [levelled(halfWidth, 2), levelled(halfWidth, outcomes)];
    const ends = [...few, ...more].flatMap(({ upTo, battles, level }) => clopperPearson(upTo, battles, level));
    const shares = [...ends.flatMap((p) => [p - 1e-9, p + 1e-9]), 0.5, 0.4, 0.3].filter((p) => p > 0.02 && p <= 0.5);
    const found = shares.flatMap((p) => {
      // By the look of two outcomes before which the rare one has come.
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

describe('looks of means', () => {
  const aim = { halfWidth: 0.02 };
  const looks = scheduleMeanAnalyses(aim, [0, 40], 2 ** 40);
  const narrowIn = (...pairs: readonly (readonly [number, number])[]): boolean =>
    isMeanNarrow(computeMeanInterval(sampled([0, 40], ...pairs), Z), 0, aim);

  test('begin late, grow by a quarter at most, and the last is enough for every law', () => {
    expect(looks[0]).toBe(16_384);
    for (const [l, battles] of looks.slice(1).entries()) {
      expect(battles % 4096).toBe(0);
      expect(battles / (looks[l] ?? 1)).toBeLessThanOrEqual(1.25);
    }
    const last = looks.at(-1) ?? 0;
    expect(narrowIn([0, last / 2], [40, last / 2])).toBe(true);
    expect(narrowIn([0, last / 3], [40, last / 3])).toBe(false);
  });

  test('begin where no interval can be narrow before: the range decides', () => {
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

  test('to a part of the mean, or of the floor where it is less', () => {
    const part = { part: 0.01, floor: 0.5 };
    expect(isMeanNarrow([9.9, 10.1], 10, part)).toBe(true);
    expect(isMeanNarrow([9.89, 10.1], 10, part)).toBe(false);
    expect(isMeanNarrow([-10.1, -9.9], -10, part)).toBe(true);
    expect(isMeanNarrow([0.1051, 0.115], 0.11, part)).toBe(true);
    expect(isMeanNarrow([0.1049, 0.115], 0.11, part)).toBe(false);
    const last = scheduleMeanAnalyses(part, [0, 40], 2 ** 40).at(-1) ?? 0;
    expect(last).toBe(scheduleMeanAnalyses({ halfWidth: 0.005 }, [0, 40], 2 ** 40).at(-1));
  });

  test('are few, and whole, for any precision', () => {
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

describe('looks of outcomes', () => {
  test('the more a count is from half, the narrower its interval', () => {
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
    'to ±%f: every threshold is narrow enough, the last is all',
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

  test('are the same on every machine: frozen', () => {
    const { analyses: looks, level } = scheduleOutcomeAnalyses({ halfWidth: 0.005 }, 3);
    expect(level).toBe(0.008977587164234775);
    expect(looks.map(({ battles, from, upTo }) => [battles, from, upTo].join(' '))).toEqual([
      ...['12288 11718 570', '16384 15348 1036', '20480 18826 1654', '24576 22142 2434', '28672 25282 3390'],
      ...['36864 30974 5890', '45056 35721 9335', '57344 40247 17097', '69632 0 69632'],
    ]);
  });

  test.runIf(DEPTH > 1)('cost as docs/explanation/statistics.md says: battles over those of one plain interval', () => {
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

describe('numbers that decide', () => {
  test('ln and exp are those of Math', () => {
    for (const x of [1e-300, 1e-9, 0.3, 0.75, 1, 1.5, 2, 1234.5, 1e15, 1e300]) {
      expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(4e-16 * Math.max(1, Math.abs(Math.log(x))));
    }
    for (const x of [-600, -20.3, -1, -1e-9, 0, 0.5, 3, 650]) {
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(3e-13);
    }
  });

  test('tails are sums of the law', () => {
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

  test('Clopper and Pearson: ends of n = 10 and of no success', () => {
    // Published: 10 trials, 95 %: 1 success 0.0025..0.4450, 5 successes 0.1871..0.8129 (Clopper and Pearson 1934).
    expect(clopperPearson(1, 10, 0.05).map((end) => end.toFixed(4))).toEqual(['0.0025', '0.4450']);
    expect(clopperPearson(5, 10, 0.05).map((end) => end.toFixed(4))).toEqual(['0.1871', '0.8129']);
    const [low, high] = clopperPearson(0, 1000, 0.05);
    expect(low).toBe(0);
    expect(high).toBeCloseTo(1 - 0.025 ** (1 / 1000), 13);
    expect(clopperPearson(1000, 1000, 0.05)).toEqual([1 - high, 1]);
  });

  test('the ends have the tails that they are to have, with many trials too', () => {
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
