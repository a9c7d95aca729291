/**
 * Coverage of every kind of interval: the share of simulated runs of known distributions whose interval contains the
 * true value. The nominal coverage is 95 %; the tests require a share in [0.94, 1). Of 2 000 runs with a coverage of
 * 0.95, fewer than 94 % cover with probability 0.02. Seeds are fixed: a test that passes once always passes. At depth 1
 * there are 400 runs, of which 92 % must cover (fewer do with probability 0.003).
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { clopperPearson, clopperPearson95 } from '../../src/stats/binomial.ts';
import type { ComparisonCounts } from '../../src/stats/comparison-counts.ts';
import { listValueCounts } from '../../src/stats/counts.ts';
import type { HalfWidthTarget } from '../../src/stats/half-width-target.ts';
import { type Interval, Z95 } from '../../src/stats/intervals.ts';
import { computeFixedLengthInterval } from '../../src/stats/mean-interval.ts';
import { hasNarrowOutcomes } from '../../src/stats/outcome-analysis.ts';
import { scheduleOutcomeAnalyses } from '../../src/stats/outcome-schedule.ts';
import { computeSampleMoments } from '../../src/stats/sample-moments.ts';
import { DEPTH, some } from '../depth.ts';
import { binomialDraw, type Law, meanOf, uniformOf, varianceOf } from './draws.ts';
import {
  compared,
  countsIn,
  covers,
  gapHolds,
  meanRun,
  outcomesRun,
  search,
  searchFor,
  share,
  stopped,
  together,
} from './studies.ts';

/** Returns the score interval of E. B. Wilson (1927), for comparison. */
function wilson95(count: number, trials: number): Interval {
  const z2 = Z95 * Z95;
  const p = count / trials;
  const spread = Z95 * Math.sqrt((p * (1 - p)) / trials + z2 / (4 * trials * trials));
  const [centre, scale] = [p + z2 / (2 * trials), 1 + z2 / trials];
  return [(centre - spread) / scale, (centre + spread) / scale];
}

const RUNS = DEPTH === 1 ? 400 : 2000;

/** Number of runs that take longer to simulate. Of 1 000 runs, fewer than 94 % cover with probability 0.07. */
const FEWER = DEPTH === 1 ? 400 : 1000;

/** Tested probabilities and the half-width that a run for each of them must reach. */
const PRECISION = { 0.001: 0.0005, 0.01: 0.0015, 0.1: 0.004, 0.5: 0.007 };
const PROBABILITIES = [0.001, 0.01, 0.1, 0.5] as const;

/** Tested probabilities of this run: only the first and the last at depth 1. */
const STUDIED = PROBABILITIES.filter((_, k) => k % 3 === 0 || DEPTH > 1);

/** Measured rows of the table in docs/explanation/statistics.md. */
const measured = new Map<string, (string | undefined)[]>();

function kept(kind: string, p: (typeof PROBABILITIES)[number], found: number): void {
  const row = measured.get(kind) ?? PROBABILITIES.map(() => undefined);
  measured.set(
    kind,
    row.map((cell, k) => (PROBABILITIES[k] === p ? found.toFixed(3) : cell)),
  );
}

function keepsItsPromise(found: number): void {
  expect(found).toBeGreaterThanOrEqual(DEPTH === 1 ? 0.92 : 0.94);
  if (DEPTH > 1) expect(found).toBeLessThan(1);
}

const coin = (p: number): Law => [
  [0, 1 - p],
  [1, p],
];

/** Returns a function that simulates a run and checks that the intervals of all outcomes cover their probabilities. */
function outcomesHold(exactDistribution: Law, halfWidth: number, most: number | undefined, seed: bigint) {
  const { analyses: looks, level } = scheduleOutcomeAnalyses({ halfWidth }, exactDistribution.length, most);
  return (run: number): boolean => {
    const { counts, look } = stopped(exactDistribution, looks, hasNarrowOutcomes, uniformOf(seed, run));
    return exactDistribution.every(([, p], o) => covers(clopperPearson(counts[o] ?? 0, look.battles, level), p));
  };
}

const numbered = (...probabilities: number[]): Law => probabilities.map((p, o) => [o, p] as const);

/** Returns true if all intervals of a run cover their probabilities; the run must reach the requested precision. */
const runHolds =
  (exactDistribution: Law, aim: HalfWidthTarget, seed: bigint) =>
  (run: number): boolean => {
    const { intervals, reached, battles, most } = outcomesRun(exactDistribution, aim, 2 ** 45, uniformOf(seed, run));
    expect({ reached, within: battles <= most }).toEqual({ reached: true, within: true });
    return exactDistribution.every(([, p], o) => covers(intervals[o] ?? [1, 0], p));
  };

/** Lists the probabilities of four scenarios; the first two are also used as a pair. */
const neighbors = (p: number): number[] => [p, 1.2 * p, 1.3 * p, 1.3 * p];

/** By kind of interval and probability: a function that simulates a run and checks that its intervals are correct. */
const KINDS: Readonly<Record<string, (p: (typeof PROBABILITIES)[number]) => (run: number) => boolean>> = {
  'a share, fixed length': (p) => (run) =>
    covers(clopperPearson95(binomialDraw(uniformOf(1n, run), 20_000, p), 20_000), p),
  'a mean, fixed length': (p) => (run) => {
    const ones = binomialDraw(uniformOf(2n, run), 50_000, p);
    const pairs = [[0, 50_000 - ones] as const, [1, ones] as const].filter(([, count]) => count > 0);
    return covers(computeFixedLengthInterval(computeSampleMoments(pairs, [0, 1])), p);
  },
  'two outcomes, ended by itself': (p) => outcomesHold(coin(p), PRECISION[p], undefined, 3n),
  'three outcomes at once, ended by itself': (p) =>
    outcomesHold(numbered(p, 0.3 * (1 - p), 0.7 * (1 - p)), 0.006, undefined, 4n),
  'five outcomes, three of them impossible': (p) =>
    runHolds(numbered(p, 1 - p, 0, 0, 0), { halfWidth: PRECISION[p] }, 12n),
  'three outcomes at once, to 10 % of each': (p) =>
    runHolds(numbered(p, 0.3 * (1 - p), 0.7 * (1 - p)), { part: 0.1, floor: 0.001 }, 15n),
  'a mean, ended by itself': (p) => (run) =>
    covers(meanRun(coin(p), PRECISION[p], [0, 1], uniformOf(5n, run)).interval, p),
  'a difference of shares, paired': (p) => {
    const truth = neighbors(p).slice(0, 2);
    const exactDistribution = together(truth, 0.7);
    return (run) => compared(exactDistribution, 2, 'shares', 20_000, uniformOf(6n, run)).gaps().every(gapHolds(truth));
  },
  'a difference of means, paired': (p) => {
    const truth = neighbors(p).slice(0, 2);
    const exactDistribution = together(truth, 0.7);
    return (run) => compared(exactDistribution, 2, 'means', 100_000, uniformOf(7n, run)).gaps().every(gapHolds(truth));
  },
  'all pairs of four shares at once': (p) => {
    const exactDistribution = together(neighbors(p), 0.7);
    return (run) =>
      compared(exactDistribution, 4, 'shares', 20_000, uniformOf(8n, run))
        .gaps()
        .every(gapHolds(neighbors(p)));
  },
  'all pairs of four means at once': (p) => {
    const exactDistribution = together(neighbors(p), 0.7);
    return (run) =>
      compared(exactDistribution, 4, 'means', 100_000, uniformOf(9n, run))
        .gaps()
        .every(gapHolds(neighbors(p)));
  },
  'ranks of four equal scenarios': (p) => {
    const exactDistribution = together([p, p, p, p], 0.5);
    return (run) =>
      compared(exactDistribution, 4, 'shares', 20_000, uniformOf(10n, run))
        .gaps()
        .every(({ verdict }) => verdict === 'tie');
  },
  'all pairs and looks of a search for the best': (p) => {
    const study = searchFor(neighbors(p), 20_000);
    return (run) => search(study, uniformOf(24n, run)).holds;
  },
};

describe.each(DEPTH > 1 ? Object.entries(KINDS) : some(Object.entries(KINDS)))('%s', (kind, study) => {
  test.each(STUDIED)('covers the true value at probability %f', (p) => {
    const found = share(RUNS, study(p));
    kept(kind, p, found);
    keepsItsPromise(found);
  });
});

test.runIf(DEPTH > 1)('the table in docs/explanation/statistics.md contains the measured coverage', () => {
  const docs = readFileSync('docs/explanation/statistics.md', 'utf8').replaceAll(/ +/g, ' ');
  for (const [kind, found] of measured) {
    const [, reported = ''] = new RegExp(`\n\\| ${kind} \\| (.*) \\|\n`).exec(docs) ?? [];
    expect(
      reported.split(' | ').map((cell, k) => (found[k] === undefined ? undefined : cell)),
      kind,
    ).toEqual(found);
  }
  expect(measured.size).toBe(Object.keys(KINDS).length);
});

describe('runs with rare or impossible outcomes', () => {
  test.each(
    some([
      [0.5, 0.4999, 0.0001],
      [0.5, 0.4, 0.0999, 0.0001, 0, 0],
      [0.5, 0.499, 0.0004, 0.0003, 0.0003],
      [0.9, 0.09, 0.009, 0.001],
      [0.5, 0.25, 0.125, 0.0625, 0.03, 0.016, 0.008, 0.0085, 0, 0, 0, 0],
      [0.999, 0.001],
    ]),
  )('cover the probabilities %f, %f, %f ...', (...exactDistribution) => {
    for (const aim of [
      { halfWidth: 0.01 },
      { halfWidth: 0.004 },
      { part: 0.1, floor: 0.001 },
      { part: 0.05, floor: 0.01 },
    ].slice(DEPTH === 1 ? 2 : 0))
      keepsItsPromise(share(FEWER, runHolds(numbered(...exactDistribution), aim, 16n)));
  });

  test('need no more battles if further outcomes are impossible', () => {
    const battlesOf = (size: number): number => {
      const exactDistribution = numbered(0.64, 0.36, ...Array.from({ length: size - 2 }, () => 0));
      return outcomesRun(exactDistribution, { halfWidth: 0.001 }, 2 ** 45, uniformOf(19n, 0)).battles;
    };
    expect([2, 5, 12].map(battlesOf)).toEqual([1_150_976, 1_150_976, 1_150_976]);
  });

  test('with a certain outcome stop once unobserved outcomes are rare enough', () => {
    const { intervals, battles } = outcomesRun(
      numbered(1, 0, 0),
      { part: 0.1, floor: 0.001 },
      2 ** 45,
      uniformOf(20n, 0),
    );
    expect(battles).toBe(45_056);
    expect(intervals[0]?.[1]).toBe(1);
    expect(intervals[1]?.[1]).toBeCloseTo(1 - (0.0005 / 3) ** (1 / battles), 12);
  });
});

describe('runs that stop at a precision target for outcomes', () => {
  test('cover probabilities at the threshold between two interim analyses', () => {
    for (const { upTo, battles } of scheduleOutcomeAnalyses({ halfWidth: 0.01 }, 2).analyses.slice(0, -1)) {
      keepsItsPromise(share(RUNS, outcomesHold(coin(upTo / battles), 0.01, undefined, 11n)));
    }
  });

  test.each(
    some([
      [0.5, 0.45, 0.05],
      [0.9, 0.099, 0.001],
      [0.99, 0.0098, 0.0001, 0.0001],
      [0.3, 0.3, 0.2, 0.1, 0.1],
      [0.1178, 0.1178, 0.3822, 0.3822],
      [0.95, 0.01, 0.01, 0.01, 0.01, 0.01],
      [0.192, 0.1616, 0.1616, 0.1616, 0.1616, 0.1616],
      [0.114, 0.114, 0.129, 0.129, 0.129, 0.129, 0.128, 0.128],
    ]),
  )('cover all outcomes together: %f, %f, %f ...', (...exactDistribution) => {
    keepsItsPromise(share(RUNS, outcomesHold(numbered(...exactDistribution), 0.01, undefined, 13n)));
    keepsItsPromise(share(RUNS, outcomesHold(numbered(...exactDistribution), 0.01, 12_000, 14n)));
  });

  test('cover the outcomes if they stop at the maximum number of battles', () => {
    const schedule = scheduleOutcomeAnalyses({ halfWidth: 0.002 }, 2, 20_000);
    expect(schedule.analyses.at(-1)?.battles).toBe(20_000);
    keepsItsPromise(share(RUNS, outcomesHold(coin(0.01), 0.002, 20_000, 17n)));
  });
});

/** Naive stopping rule: check every 100 battles, and stop as soon as p ± 1.96 sqrt(p (1 - p) / n) is narrow enough. */
function naiveHolds(p: number, precision: number) {
  return (run: number): boolean => {
    const uniform = uniformOf(99n, run);
    let count = 0;
    for (let n = 100; ; n += 100) {
      count += binomialDraw(uniform, 100, p);
      const found = count / n;
      const spread = Z95 * Math.sqrt((found * (1 - found)) / n);
      if (spread <= precision) return covers([found - spread, found + spread], p);
    }
  };
}

describe('the naive stopping rule has too low coverage', () => {
  test.each([
    [0.001, 0.12],
    [0.01, 0.65],
  ] as const)('at %f', (p, most) => {
    expect(share(RUNS, naiveHolds(p, PRECISION[p]))).toBeLessThan(most);
  });
});

test("Wilson's interval of a share has too low coverage for small counts", () => {
  // The probability is just below the lower end of the interval for three successes.
  const p = 0.00102;
  const count = (run: number): number => binomialDraw(uniformOf(18n, run), 1000, p);
  expect(share(RUNS, (run) => covers(wilson95(count(run), 1000), p))).toBeLessThan(0.93);
  keepsItsPromise(share(RUNS, (run) => covers(clopperPearson95(count(run), 1000), p)));
});

/** Returns the coverage of a mean, and the battles relative to Student's interval at a fixed number of battles. */
function meanStudy(exactDistribution: Law, precision: number, range: Interval, seed: bigint) {
  const mean = meanOf(exactDistribution);
  let battles = 0;
  const found = share(FEWER, (run) => {
    const end = meanRun(exactDistribution, precision, range, uniformOf(seed, run));
    battles += end.battles / FEWER;
    expect(end.interval[1] - end.interval[0]).toBeLessThanOrEqual(2 * precision * (1 + 1e-9));
    return covers(end.interval, mean);
  });
  return { found, cost: battles / (Z95 ** 2 * varianceOf(exactDistribution) * precision ** -2) };
}

/** Returns the half-width of Student's interval after `battles` battles. */
const reachedWith = (exactDistribution: Law, battles: number): number =>
  Z95 * Math.sqrt(varianceOf(exactDistribution) / battles);

describe('a run that stops at a precision target for a mean', () => {
  const geometric = Array.from({ length: 100 }, (_, k) => [k, 0.2 * 0.8 ** k] as const);
  const cubes = Array.from({ length: 100 }, (_, k) => [k, (k + 1) ** -3] as const);
  const whole = (exactDistribution: Law): Law => {
    const sum = exactDistribution.reduce((total, [, p]) => total + p, 0);
    return exactDistribution.map(([value, p]) => [value, p / sum]);
  };
  const LAWS: Readonly<Record<string, Law>> = {
    geometric: whole(geometric),
    'a falling cube': whole(cubes),
    'ten, once in a thousand': [
      [0, 0.499],
      [1, 0.5],
      [10, 0.001],
    ],
    'a hundred, once in two thousand': [
      [0, 0.4995],
      [1, 0.5],
      [100, 0.0005],
    ],
  };

  test.each(some(Object.entries(LAWS)))('covers the mean of a skewed distribution: %s', (_, exactDistribution) => {
    for (const [w, battles] of [20_000, 24_000, 100_000].entries()) {
      const { found } = meanStudy(exactDistribution, reachedWith(exactDistribution, battles), [0, 100], BigInt(30 + w));
      keepsItsPromise(found);
    }
  });

  test.each(
    some([
      ['attrition-direct', 'hp.attacker', 1.25],
      ['phased-dice-ground', 'left.defender', 1.25],
      ['strength-cards-pocket', 'hp.defender', 1.25],
      ['cube-bag-field', 'losses.attacker', 1.25],
      ['attrition-nightfall', 'rounds', 1.35],
    ]),
  )('covers the exact mean of %s, %s', async (name, metric, most) => {
    const { shape, distribution: counts } = solveSync(await loadScenario(`scenarios/${name}.yaml`));
    const m = shape.metrics.findIndex((each) => each.name === metric);
    const exactDistribution = whole(listValueCounts(counts, m));
    const { min = 0, max = 0 } = shape.metrics[m] ?? {};
    for (const [w, battles] of [20_000, 25_000, 60_000, 400_000].slice(0, 2 * DEPTH).entries()) {
      const { found, cost } = meanStudy(
        exactDistribution,
        reachedWith(exactDistribution, battles),
        [min, max],
        BigInt(40 + w),
      );
      keepsItsPromise(found);
      expect(cost).toBeLessThan(most);
    }
  });
});

/** Returns a function that simulates a comparison and returns true if the intervals of all pairs are correct. */
const pairsHold = (truth: readonly number[], battles: number, shared: number, seed: bigint) => {
  const exactDistribution = together(truth, shared);
  return (run: number): boolean =>
    compared(exactDistribution, truth.length, 'shares', battles, uniformOf(seed, run)).gaps().every(gapHolds(truth));
};

describe('intervals of differences of shares with few differing battles', () => {
  test.each(
    some([
      [[0.001, 0.004], 1500, 1],
      [[0.001, 0.002], 3000, 0.5],
      [[0.01, 0.01], 400, 0.5],
      [[0.1, 0.13], 200, 0.9],
      [[0.1, 0.2], 100, 1],
      [[0.5, 0.5], 100, 0.8],
      [[0.5, 0.55], 200, 0],
      [[0.01, 0.01, 0.02], 400, 0.5],
      [[0.1, 0.12, 0.15, 0.15], 300, 0.8],
      [[0.4, 0.5, 0.5, 0.5, 0.55, 0.6], 100, 0.5],
    ]),
  )('cover the differences of %j, %i battles, %f of the randomness shared', (truth, battles, shared) => {
    keepsItsPromise(share(RUNS, pairsHold(truth, battles, shared, 21n)));
  });

  test("have sufficient coverage where Wald's interval fails", () => {
    const [p, more, battles] = [0.001, 0.002, 2000];
    const differ = (run: number): number => binomialDraw(uniformOf(22n, run), battles, more - p);
    const waldHolds = (run: number): boolean =>
      Math.abs(differ(run) / battles - (more - p)) <= (Z95 * Math.sqrt(differ(run))) / battles;
    expect(share(RUNS, waldHolds)).toBeLessThan(0.9);
    keepsItsPromise(share(RUNS, pairsHold([p, more], battles, 1, 22n)));
  });
});

test.each([2, 4])('intervals cover the differences of means of %i dice with modifiers after 400 battles', (size) => {
  const truth = Array.from({ length: size }, (_, i) => (5 + i) / 2);
  const rolled = (run: number): ComparisonCounts => {
    const [uniform, counts] = [uniformOf(23n, run), countsIn(size, false, [0, 10])];
    for (let battle = 0; battle < 400; battle++) {
      const luck = uniform();
      counts.count(truth.map((_, i) => Math.floor((uniform() < 0.7 ? luck : uniform()) * (6 + i))));
    }
    return counts;
  };
  keepsItsPromise(share(RUNS, (run) => rolled(run).gaps().every(gapHolds(truth))));
});
