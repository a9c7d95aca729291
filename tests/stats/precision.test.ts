/**
 * Runs that end once they are precise: what their intervals are worth. Runs here are Bernoulli streams, no battles.
 * Of 1 000 runs that hold with probability 0.95, fewer than 94 % hold with probability 0.07; where they hold with
 * 0.97, as most do, with 1e-6. Seeds are fixed: a test that passes once always does.
 */
import { describe, expect, test } from 'vitest';
import { Stream } from '../../src/chance/stream.ts';
import { clopperPearson, lnTail } from '../../src/stats/binomial.ts';
import { exp, ln } from '../../src/stats/elementary.ts';
import { type Interval, Z95 } from '../../src/stats/intervals.ts';
import { maurerPontil, meanLooks, meanNarrow, type Sums } from '../../src/stats/mean-looks.ts';
import { errorBound, intervalsOf, outcomeLooks, outcomesNarrow } from '../../src/stats/outcome-looks.ts';
import type { Look, Schedule } from '../../src/stats/stopping.ts';

const RUNS = 1000;

const covers = ([low, high]: Interval, value: number): boolean => low <= value && value <= high;

/** The part of so many runs that is good. */
function share(runs: number, good: (run: number) => boolean): number {
  let count = 0;
  for (let run = 0; run < runs; run++) if (good(run)) count++;
  return count / runs;
}

/** Plays from look to look until it is enough, or to the last; returns that look. */
function ended({ looks }: Schedule, draw: () => void, enough: (look: Look) => boolean): Look {
  let played = 0;
  for (const look of looks) {
    for (; played < look.battles; played++) draw();
    if (enough(look)) return look;
  }
  return looks.at(-1) ?? { battles: 0, most: 0 };
}

/** The cumulative thresholds of words for probabilities. */
function thresholds(law: readonly number[]): number[] {
  let sum = 0;
  return law.map((p) => {
    sum += p * 2 ** 32;
    return Math.round(sum);
  });
}

/** Counts of a run that ends by the rule, and the look at which it does. */
function stopped(law: readonly number[], schedule: Schedule, seed: bigint, run: number) {
  const stream = Stream.of(seed, run);
  const edges = thresholds(law);
  const counts = law.map(() => 0);
  const draw = (): void => {
    const word = stream.word();
    let outcome = 0;
    while (word >= (edges[outcome] ?? 2 ** 32)) outcome++;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  };
  const look = ended(schedule, draw, (each) => outcomesNarrow(counts, each));
  return { counts, look };
}

/** All intervals of a run hold. */
function allHold(law: readonly number[], schedule: Schedule, seed: bigint, run: number): boolean {
  const { counts, look } = stopped(law, schedule, seed, run);
  return law.every((p, o) => covers(clopperPearson(counts[o] ?? 0, look.battles, schedule.level), p));
}

/** The naive rule: look every hundred, end as soon as p ± 1.96 sqrt(p (1 - p) / n) is narrow, and believe it. */
function naiveHolds(p: number, precision: number) {
  return (run: number): boolean => {
    const stream = Stream.of(99n, run);
    const edge = p * 2 ** 32;
    let count = 0;
    for (let n = 1; ; n++) {
      if (stream.word() < edge) count++;
      if (n % 100 !== 0) continue;
      const found = count / n;
      const spread = Z95 * Math.sqrt((found * (1 - found)) / n);
      if (spread <= precision) return covers([found - spread, found + spread], p);
    }
  };
}

const STUDY = [
  [0.001, 0.0005],
  [0.01, 0.002],
  [0.1, 0.01],
  [0.5, 0.01],
] as const;

describe('coverage of runs that end by themselves, nominal 95 %', () => {
  test.each(STUDY)('one probability, %f to ±%f', (p, precision) => {
    const schedule = outcomeLooks(precision, 2);
    const held = share(RUNS, (run) => allHold([p, 1 - p], schedule, 7n, run));
    expect(held).toBeGreaterThanOrEqual(0.94);
    expect(held).toBeLessThan(1);
    expect(schedule.looks.length).toBeGreaterThan(1);
  });

  test('where a look is as likely as the next', () => {
    const schedule = outcomeLooks(0.01, 2);
    for (const { most, battles } of schedule.looks.slice(0, -1)) {
      const held = share(RUNS, (run) => allHold([most / battles, 1 - most / battles], schedule, 11n, run));
      expect(held).toBeGreaterThanOrEqual(0.94);
      expect(held).toBeLessThan(1);
    }
  });

  test.each([
    [0.5, 0.45, 0.05],
    [0.9, 0.099, 0.001],
    [0.3, 0.3, 0.2, 0.1, 0.1],
  ])('all outcomes together: %f, %f, %f ...', (...law) => {
    const schedule = outcomeLooks(0.01, law.length);
    expect(share(RUNS, (run) => allHold(law, schedule, 13n, run))).toBeGreaterThanOrEqual(0.94);
  });

  test('a run that may not play enough', () => {
    const schedule = outcomeLooks(0.002, 2, 20_000);
    expect(schedule.looks.at(-1)?.battles).toBe(20_000);
    expect(share(RUNS, (run) => allHold([0.01, 0.99], schedule, 17n, run))).toBeGreaterThanOrEqual(0.94);
  });

  test.each([
    [0.001, 0.0005],
    [0.01, 0.002],
  ])('the naive rule fails the same test at %f', (p, precision) => {
    expect(share(RUNS, naiveHolds(p, precision))).toBeLessThan(0.6);
  });

  test.each([
    [0.5, 0.2],
    [0.01, 0.02],
  ])('a mean, where a rare value is far off: %f, to ±%f', (often, precision) => {
    // 0 or 1 with the first probability, 10 once in a thousand.
    const mean = often + 10 * 0.001;
    const schedule = meanLooks(precision, 10, 2 ** 40);
    const edges = thresholds([often, 0.001]);
    const held = share(RUNS, (run) => {
      const stream = Stream.of(19n, run);
      let [ones, tens] = [0, 0];
      const sums = (): Sums => ({ sum: BigInt(ones + 10 * tens), squares: BigInt(ones + 100 * tens) });
      const draw = (): void => {
        const word = stream.word();
        if (word < (edges[0] ?? 0)) ones++;
        else if (word < (edges[1] ?? 0)) tens++;
      };
      const { battles } = ended(schedule, draw, (look) => meanNarrow(sums(), look));
      const interval = maurerPontil(sums(), 10, battles, schedule.level);
      expect((interval[1] - interval[0]) / 2).toBeLessThanOrEqual(precision * (1 + 1e-9));
      return covers(interval, mean);
    });
    expect(held).toBeGreaterThanOrEqual(0.94);
  });
});

/** The law of n trials within eight standard deviations, from its greatest term outwards. */
function binomial(n: number, p: number): { from: number; law: Float64Array } {
  const reach = Math.ceil(8 * Math.sqrt(n * p * (1 - p))) + 20;
  const mode = Math.floor((n + 1) * p);
  const from = Math.max(0, mode - reach);
  const law = new Float64Array(Math.min(n, mode + reach) - from + 1);
  law[mode - from] = 1;
  const odds = p / (1 - p);
  for (let x = mode; x > from; x--) law[x - 1 - from] = ((law[x - from] ?? 0) * x) / (n - x + 1) / odds;
  for (let x = mode + 1; x < from + law.length; x++)
    law[x - from] = ((law[x - 1 - from] ?? 0) * (n - x + 1) * odds) / x;
  const sum = law.reduce((total, part) => total + part, 0);
  return { from, law: law.map((part) => part / sum) };
}

/** The probability that the interval of one probability holds when the run ends, by following the law of the count. */
function coverage({ looks, level }: Schedule, p: number): number {
  let [held, before] = [0, 0];
  let [from, law] = [0, new Float64Array([1])];
  for (const [l, look] of looks.entries()) {
    const step = binomial(look.battles - before, p);
    const next = new Float64Array(law.length + step.law.length - 1);
    for (const [i, a] of law.entries())
      if (a > 1e-18) for (const [j, b] of step.law.entries()) next[i + j] = (next[i + j] ?? 0) + a * b;
    [from, law, before] = [from + step.from, next, look.battles];
    for (const [i, part] of law.entries()) {
      if (part < 1e-14 || (l < looks.length - 1 && !outcomesNarrow([from + i], look))) continue;
      if (covers(clopperPearson(from + i, look.battles, level), p)) held += part;
      law[i] = 0;
    }
  }
  return held;
}

describe('coverage without chance: the law of the count followed from look to look', () => {
  test.each([
    [0.02, undefined],
    [0.01, undefined],
    [0.005, undefined],
    [0.005, 30_000],
  ] as const)('to ±%f, at most %j battles: 95 % wherever the probability is', (precision, most) => {
    const schedule = outcomeLooks(precision, 2, most);
    const turns = schedule.looks.flatMap((look) =>
      clopperPearson(Math.max(0, look.most), look.battles, schedule.level),
    );
    const critical = turns.flatMap((p) => [p - 1e-9, p + 1e-9]);
    const spread = Array.from({ length: 40 }, (_, i) => 0.5 * ((i + 1) / 40) ** 2);
    const found = [...critical, ...spread].filter((p) => p > 0 && p <= 0.5).map((p) => coverage(schedule, p));
    const least = Math.min(...found);
    expect(least).toBeGreaterThanOrEqual(0.95);
    expect(least).toBeLessThan(0.98);
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
        const { looks, level } = outcomeLooks(precision, outcomes);
        expect(errorBound(looks, level, intervalsOf(outcomes))).toBeLessThanOrEqual(0.05);
        for (const { battles, most } of looks) {
          const [low, high] = clopperPearson(most, battles, level);
          expect((high - low) / 2).toBeLessThanOrEqual(precision);
        }
        const last = looks.at(-1);
        expect(last?.most).toBe(Math.floor((last?.battles ?? 0) / 2));
      }
    },
  );

  test('are the same on every machine: frozen', () => {
    const { looks, level } = outcomeLooks(0.005, 3);
    expect({ looks, level }).toMatchInlineSnapshot(`
      {
        "level": 0.008977587164234775,
        "looks": [
          {
            "battles": 12288,
            "most": 570,
          },
          {
            "battles": 16384,
            "most": 1036,
          },
          {
            "battles": 20480,
            "most": 1654,
          },
          {
            "battles": 24576,
            "most": 2434,
          },
          {
            "battles": 28672,
            "most": 3390,
          },
          {
            "battles": 36864,
            "most": 5890,
          },
          {
            "battles": 45056,
            "most": 9335,
          },
          {
            "battles": 57344,
            "most": 17097,
          },
          {
            "battles": 69632,
            "most": 34816,
          },
        ],
      }
    `);
  });

  test('cost as docs/statistics.md says: battles over those of one plain interval', () => {
    const cost = (p: number, precision: number, outcomes: number): string => {
      const { looks } = outcomeLooks(precision, outcomes);
      const battles = looks.find((look) => look.most >= look.battles * p)?.battles ?? 0;
      return ((battles * precision ** 2) / (Z95 ** 2 * p * (1 - p))).toFixed(2);
    };
    const rows = [2, 4].map((outcomes) => [0.5, 0.05, 0.001].map((p) => cost(p, 0.0001, outcomes)));
    expect(rows).toMatchInlineSnapshot(`
      [
        [
          "1.21",
          "1.33",
          "1.43",
        ],
        [
          "1.93",
          "2.13",
          "2.28",
        ],
      ]
    `);
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
        expect(Math.exp(lnTail(x, n, p)) / tail).toBeCloseTo(1, 11);
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
      expect(lnTail(count, n, low)).toBeCloseTo(Math.log(0.005), 5);
      expect(lnTail(n - count, n, 1 - high)).toBeCloseTo(Math.log(0.005), 5);
    }
  });
});
