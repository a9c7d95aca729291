/** Runs that end once they are precise: their looks, their intervals without chance, and the numbers that decide. */
import { describe, expect, test } from 'vitest';
import { clopperPearson, lnTail } from '../../src/stats/binomial.ts';
import { exp, ln } from '../../src/stats/elementary.ts';
import { Z95 } from '../../src/stats/intervals.ts';
import { chowRobbins, meanLooks, meanNarrow, sumsOf } from '../../src/stats/mean-looks.ts';
import { errorBound, intervalsOf, outcomeLooks, outcomesNarrow } from '../../src/stats/outcome-looks.ts';
import type { Look } from '../../src/stats/stopping.ts';
import { held } from './followed.ts';
import { covers } from './studies.ts';

/** Probabilities from 0 to 1/2, closer to each other where they are small. */
const spread = (size: number): number[] => Array.from({ length: size }, (_, i) => 0.5 * ((i + 1) / size) ** 2);

describe('coverage without chance: the law of the count followed from look to look', () => {
  test.each([
    [0.25, undefined],
    [0.02, undefined],
    [0.02, 3000],
    [0.01, undefined],
    [0.01, 9000],
    [0.005, undefined],
    [0.005, 30_000],
  ] as const)('outcomes to ±%f, at most %j battles: 95 % wherever the probability is', (precision, most) => {
    const { looks, level } = outcomeLooks(precision, 2, most);
    const turns = looks.flatMap((look) => clopperPearson(Math.max(0, look.most), look.battles, level));
    const critical = turns.flatMap((p) => [p - 1e-9, p + 1e-9]);
    const found = [...critical, ...spread(30)]
      .filter((p) => p > 0 && p <= 0.5)
      .map((p) =>
        held(
          looks,
          p,
          (count, look) => outcomesNarrow([count], look),
          (count, { battles }) => covers(clopperPearson(count, battles, level), p),
        ),
      );
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.95);
    expect(Math.min(...found)).toBeLessThan(0.98);
  });

  /** A metric that is 0 or 1. */
  const meanHeld = (p: number, precision: number, most: number): number => {
    const sums = (count: number) => ({ sum: BigInt(count), squares: BigInt(count), span: 1n });
    return held(
      meanLooks(precision, 1, most).looks,
      p,
      (count, look) => meanNarrow(sums(count), look),
      (count, { battles }) => covers(chowRobbins(sums(count), battles), p),
    );
  };

  test('a mean, from one in a thousand to a half: 94 % wherever the bound of a look is', () => {
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
});

describe('looks of means', () => {
  const schedule = meanLooks(0.02, 40, 2 ** 40);

  test('begin late, grow by a quarter at most, and the last is enough for every law', () => {
    const { looks } = schedule;
    expect(looks[0]?.battles).toBe(16_384);
    for (const [l, { battles }] of looks.slice(1).entries()) {
      expect(battles % 4096).toBe(0);
      expect(battles / (looks[l]?.battles ?? 1)).toBeLessThanOrEqual(1.25);
    }
    const last = looks.at(-1)?.battles ?? 0;
    const widest = sumsOf([
      [0, last / 2],
      [40, last / 2],
    ]);
    expect(meanNarrow(widest, looks.at(-1) ?? { battles: 0, most: -1 })).toBe(true);
    expect(meanNarrow(widest, looks.at(-2) ?? { battles: 0, most: -1 })).toBe(false);
  });

  test('end where the interval is narrow, and not before', () => {
    const halfWidth = (ones: number, { battles }: Look): number => {
      const [low, high] = chowRobbins(
        sumsOf([
          [-1, battles - ones],
          [1, ones],
        ]),
        battles,
      );
      return (high - low) / 2;
    };
    for (const look of schedule.looks.slice(0, 8)) {
      for (const ones of [1, 100, Math.floor(look.battles / 10), Math.floor(look.battles / 2)]) {
        const sums = sumsOf([
          [-1, look.battles - ones],
          [1, ones],
        ]);
        expect(meanNarrow(sums, look)).toBe(halfWidth(ones, look) <= 0.02);
      }
    }
  });

  test('what never came in so many battles may still come: four battles a step off are added', () => {
    const [low, high] = chowRobbins(sumsOf([[7, 10_000]]), 10_000);
    expect(low + high).toBeCloseTo(14, 12);
    expect((high - low) / 2).toBeCloseTo((2.053748910631823 * 2) / 10_000, 12);
    expect(chowRobbins(sumsOf([[7, 1]]), 1)).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  test('are few, and whole, for any precision', () => {
    for (const [precision, range] of [
      [1e-9, 1e9],
      [0.001, 10_000],
      [1e300, 0],
      [3, 1],
    ] as const) {
      const { looks } = meanLooks(precision, range, 2 ** 53);
      expect(looks.length).toBeLessThan(150);
      for (const { battles, most } of looks)
        expect([Number.isInteger(battles), Number.isInteger(most)]).toEqual([true, true]);
    }
    expect(meanLooks(0.01, 10, 1).looks).toEqual([{ battles: 1, most: -1 }]);
  });

  test('are the same on every machine: frozen', () => {
    expect(schedule.looks.slice(0, 3)).toMatchInlineSnapshot(`
      [
        {
          "battles": 16384,
          "most": 417060067,
        },
        {
          "battles": 20480,
          "most": 814580388,
        },
        {
          "battles": 24576,
          "most": 1407606366,
        },
      ]
    `);
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
