/** Tests of the analysis of payoff matrices against published values and brute force. */
import { describe, expect, test } from 'vitest';
import { analyzeMatchups, type MatchupAnalysis } from '../../src/analysis/matchup/analyze-matchups.ts';
import { compareMatchups } from '../../src/analysis/matchup/compare-matchups.ts';
import { type PayoffMatrix, symmetrize } from '../../src/analysis/matchup/payoff-matrix.ts';
import { computeValue, draw } from '../environments/exact-matrix-game.ts';
import { BUDGET_GAME } from './budget-game.ts';
import { createMatrix, drawMatrix, ROCK_PAPER_SCISSORS } from './matrices.ts';

const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);

const at = ({ columns, values }: PayoffMatrix, row: number, column: number): number =>
  values[row * columns.length + column] ?? Number.NaN;

const toRows = (matrix: PayoffMatrix, values = matrix.values): number[][] =>
  matrix.rows.map((_, row) => [...values.subarray(row * matrix.columns.length, (row + 1) * matrix.columns.length)]);

function getSymmetric(matrix: PayoffMatrix): NonNullable<MatchupAnalysis['symmetric']> {
  const { symmetric } = analyzeMatchups(matrix);
  if (symmetric === undefined) throw new Error('not symmetric');
  return symmetric;
}

/** Draws a matrix within the intervals of another one. */
function drawInside({ lower, upper, ...matrix }: PayoffMatrix, seed: number): PayoffMatrix {
  const values = lower.map((low, cell) => low + (((upper[cell] ?? 0) - low) * draw(101, seed, cell)) / 100);
  return { ...matrix, values, lower: values, upper: values };
}

test('analyzeMatchups finds the published saddle point of the budget game', () => {
  const { equilibrium } = analyzeMatchups(BUDGET_GAME);
  expect(equilibrium.value.value).toBeCloseTo(-0.48320513880754, 13);
  const used = [equilibrium.attackers, equilibrium.defenders].map((armies) =>
    armies.filter(({ weight }) => weight > 0),
  );
  expect(used.map((armies) => armies.map(({ army }) => army))).toEqual([['4 infantry, 3 artillery'], ['8 infantry']]);
});

test('analyzeMatchups describes rock, paper, scissors', () => {
  const analysis = getSymmetric(createMatrix(ROCK_PAPER_SCISSORS));
  const { cycles, decomposition, equilibrium, alphaRank, ranking, order, dominated, elimination } = analysis;
  expect(ranking.map(({ rank, rating: { value } }) => [rank, value])).toEqual([1, 1, 1].map((rank) => [rank, 0]));
  expect(cycles).toMatchObject({ count: 1, estimated: 1, possible: 1 });
  const strongest = { armies: ['army 0', 'army 2', 'army 1'], margins: [1, 1, 1], strength: 1, lower: 1, upper: 1 };
  expect(cycles.strongest).toEqual([strongest]);
  expect(decomposition).toEqual({
    transitive: { value: 0, lower: 0, upper: 0 },
    cyclic: { value: 1, lower: 1, upper: 1 },
  });
  expect(equilibrium.isUnique).toBe(true);
  for (const { weight } of equilibrium.armies) expect(weight).toBeCloseTo(1 / 3, 12);
  for (const { share } of alphaRank.armies) expect(share).toBeCloseTo(1 / 3, 12);
  expect(order).toEqual(['army 0', 'army 2', 'army 1']);
  expect([...dominated, ...elimination]).toEqual([]);
});

test('analyzeMatchups describes a transitive roster', () => {
  const ratings = [0.1, -0.3, 0.4, -0.2];
  const analysis = getSymmetric(createMatrix(ratings.map((own) => ratings.map((other) => own - other))));
  expect(analysis.decomposition.transitive.value).toBe(1);
  expect(analysis.decomposition.cyclic.value).toBe(0);
  expect(analysis.cycles.count).toBe(0);
  const best = ['army 2', 'army 0', 'army 3', 'army 1'];
  expect(analysis.order).toEqual(best);
  expect(analysis.ranking.map(({ army }) => army)).toEqual(best);
  expect(analysis.ranking.map(({ rating }) => rating.value)).toEqual(
    [0.4, 0.1, -0.2, -0.3].map((rating) => expect.closeTo(rating, 12) as number),
  );
  expect(analysis.ranking.map(({ bestRank, worstRank }) => [bestRank, worstRank])).toEqual(
    [1, 2, 3, 4].map((r) => [r, r]),
  );
  expect(analysis.elimination).toEqual([{ player: 'both', armies: ['army 0', 'army 1', 'army 3'] }]);
  expect(analysis.dominated.map(({ army, by, isStrict, isCertain }) => [army, by, isStrict, isCertain])).toEqual(
    ['army 0', 'army 1', 'army 3'].map((army) => [army, 'army 2', true, true]),
  );
  expect(analysis.equilibrium.armies.map(({ weight, range }) => [weight, range])).toEqual(
    [0, 0, 1, 0].map((weight) => [weight, [weight, weight]]),
  );
  expect(analysis.alphaRank.armies.map(({ share }) => share)).toEqual([0, 0, 1, 0]);
});

describe.each(SEEDS)('random roster %i', (seed) => {
  const size = 2 + (seed % 6);
  const matrix = drawMatrix(size, seed, 0, seed % 2 === 0 ? 2001 : 5);
  const game = symmetrize(matrix);
  const analysis = analyzeMatchups(matrix);
  const symmetric = getSymmetric(matrix);
  const armies = [...matrix.rows.keys()];

  test('has the cycles that a search over all triples finds', () => {
    const triples = armies.flatMap((a) => armies.flatMap((b) => armies.map((c) => [a, b, c] as const)));
    const found = triples
      .filter(([a, b, c]) => a < b && a < c && Math.min(at(game, a, b), at(game, b, c), at(game, c, a)) > 1e-12)
      .map(([a, b, c]) => Math.min(at(game, a, b), at(game, b, c), at(game, c, a)));
    expect(symmetric.cycles).toMatchObject({ count: found.length, estimated: found.length, possible: found.length });
    expect(symmetric.cycles.strongest.map(({ strength }) => strength)).toEqual(
      found.toSorted((a, b) => b - a).slice(0, 20),
    );
    for (const cycle of symmetric.cycles.strongest) {
      const [a = 0, b = 0, c = 0] = cycle.armies.map((army) => matrix.rows.indexOf(army));
      expect(cycle.margins).toEqual([at(game, a, b), at(game, b, c), at(game, c, a)]);
    }
  });

  test('has shares that add up to 1, and a cyclic part whose rows have the mean 0', () => {
    const { transitive, cyclic } = symmetric.decomposition;
    const ratings = armies.map((a) => armies.reduce((sum, b) => sum + at(game, a, b), 0) / size);
    let [all, rated] = [0, 0];
    for (const a of armies)
      for (const b of armies) {
        all += at(game, a, b) ** 2;
        rated += ((ratings[a] ?? 0) - (ratings[b] ?? 0)) ** 2;
      }
    expect(transitive.value + cyclic.value).toBeCloseTo(all === 0 ? 0 : 1, 12);
    expect(transitive.value).toBeCloseTo(all === 0 ? 0 : rated / all, 12);
  });

  test('has the values that rational arithmetic finds', () => {
    const { equilibrium } = analysis;
    expect(equilibrium.value.value).toBeCloseTo(computeValue(toRows(matrix)), 11);
    for (const { weight, range, payoff, weightBound } of [...equilibrium.attackers, ...symmetric.equilibrium.armies]) {
      expect(range?.[0] ?? 0).toBeLessThanOrEqual(weight + 1e-8);
      expect(range?.[1] ?? 1).toBeGreaterThanOrEqual(weight - 1e-8);
      expect(weightBound).toBeGreaterThanOrEqual((range?.[1] ?? 0) - 1e-8);
      expect(payoff.value).toBeLessThanOrEqual(Math.max(0, equilibrium.value.value) + 1e-9);
    }
    for (const { payoff } of symmetric.equilibrium.armies) expect(payoff.value).toBeLessThanOrEqual(1e-9);
  });

  test('has the dominated armies that a search finds', () => {
    const gains = (better: number, worse: number): number[] =>
      armies.map((c) => at(matrix, better, c) - at(matrix, worse, c));
    const byArmy = armies.filter((worse) =>
      armies.some((better) => gains(better, worse).every((gain) => gain >= 0) && Math.max(...gains(better, worse)) > 0),
    );
    expect(analysis.attackers.dominated.map(({ army }) => army)).toEqual(byArmy.map((army) => matrix.rows[army]));
    // A mix dominates strictly if the game of the differences has a value above 0.
    const byMix = armies.filter((worse) => {
      const others = armies.filter((other) => other !== worse);
      const isByArmy = others.some((better) => Math.min(...gains(better, worse)) > 1e-9);
      return !isByArmy && computeValue(others.map((other) => gains(other, worse))) > 1e-9;
    });
    expect(analysis.attackers.mixDominated.map(({ army }) => army)).toEqual(byMix.map((army) => matrix.rows[army]));
    for (const { army, mix, margin } of analysis.attackers.mixDominated) {
      const worse = matrix.rows.indexOf(army);
      const least = Math.min(
        ...armies.map((c) =>
          mix.reduce(
            (sum, [other, weight]) => sum + weight * at(matrix, matrix.rows.indexOf(other), c),
            -at(matrix, worse, c),
          ),
        ),
      );
      expect(least).toBeCloseTo(margin, 9);
    }
  });

  test('keeps the value of the game when dominated armies are removed', () => {
    const gone = (player: string): Set<string> =>
      new Set(analysis.elimination.filter((round) => round.player === player).flatMap((round) => round.armies));
    const [ofRows, ofColumns] = [gone('attacker'), gone('defender')];
    const left = toRows(matrix)
      .filter((_, row) => !ofRows.has(matrix.rows[row] ?? ''))
      .map((row) => row.filter((_, column) => !ofColumns.has(matrix.columns[column] ?? '')));
    expect(computeValue(left)).toBeCloseTo(analysis.equilibrium.value.value, 11);
  });
});

test('analyzeMatchups finds the mix that dominates an army which no army dominates', () => {
  const rows = [
    [1, -1, 0.5],
    [-1, 1, 0.5],
    [-0.5, -0.5, 0],
  ];
  const { mixDominated } = analyzeMatchups(createMatrix(rows, 0, ['x', 'y', 'z'])).attackers;
  expect(mixDominated).toHaveLength(1);
  expect(mixDominated[0]).toMatchObject({ army: 'army 2', margin: expect.closeTo(0.5, 12) as number, isCertain: true });
  expect(Object.fromEntries(mixDominated[0]?.mix ?? [])).toEqual({
    'army 0': expect.closeTo(0.5, 12) as number,
    'army 1': expect.closeTo(0.5, 12) as number,
  });
  const uncertain = analyzeMatchups(createMatrix(rows, 0.26, ['x', 'y', 'z'])).attackers.mixDominated;
  expect(uncertain.map(({ isCertain }) => isCertain)).toEqual([false]);
});

describe.each([0.01, 0.1, 0.4])('intervals of half-width %f', (width) => {
  const matrix = drawMatrix(6, 77, width);
  const analysis = analyzeMatchups(matrix);
  const symmetric = getSymmetric(matrix);
  const contains = ({ lower, upper }: { readonly lower: number; readonly upper: number }, value: number): void => {
    expect(value).toBeGreaterThanOrEqual(lower - 1e-12);
    expect(value).toBeLessThanOrEqual(upper + 1e-12);
  };

  test.each(SEEDS)('contain the results of any matrix inside: %i', (seed) => {
    const inside = drawInside(matrix, seed);
    const other = analyzeMatchups(inside);
    const otherSymmetric = getSymmetric(inside);
    contains(analysis.equilibrium.value, other.equilibrium.value.value);
    contains(symmetric.decomposition.cyclic, otherSymmetric.decomposition.cyclic.value);
    contains(symmetric.decomposition.transitive, otherSymmetric.decomposition.transitive.value);
    if (analysis.sideBias !== undefined) contains(analysis.sideBias.mean, other.sideBias?.mean.value ?? Number.NaN);
    for (const { army, rating, bestRank, worstRank } of symmetric.ranking) {
      const found = otherSymmetric.ranking.find((each) => each.army === army);
      contains(rating, found?.rating.value ?? Number.NaN);
      contains({ lower: bestRank, upper: worstRank }, found?.rank ?? Number.NaN);
    }
    expect(otherSymmetric.cycles.count).toBeGreaterThanOrEqual(symmetric.cycles.count);
    expect(otherSymmetric.cycles.count).toBeLessThanOrEqual(symmetric.cycles.possible);
    const cycles = otherSymmetric.cycles.strongest.map(({ armies }) => armies.join());
    for (const { armies } of symmetric.cycles.strongest) expect(cycles).toContain(armies.join());
    for (const { army, by, isCertain } of [...analysis.attackers.dominated])
      if (isCertain)
        expect(
          other.attackers.dominated.map((each) => each.army),
          by,
        ).toContain(army);
    for (const [a, { weightBound }] of analysis.equilibrium.attackers.entries())
      expect(other.equilibrium.attackers[a]?.range?.[1] ?? 0).toBeLessThanOrEqual(weightBound + 1e-8);
    for (const [a, { weightBound }] of symmetric.equilibrium.armies.entries())
      expect(otherSymmetric.equilibrium.armies[a]?.range?.[1] ?? 0).toBeLessThanOrEqual(weightBound + 1e-8);
    const ranked = [
      [symmetric.alphaRank.isCertain, symmetric.alphaRank.armies, otherSymmetric.alphaRank.armies],
      [analysis.alphaRank?.isCertain, analysis.alphaRank?.attackers ?? [], other.alphaRank?.attackers],
      [analysis.alphaRank?.isCertain, analysis.alphaRank?.defenders ?? [], other.alphaRank?.defenders],
    ] as const;
    for (const [isCertain, armies, others] of ranked)
      for (const [a, { share, isPossible }] of armies.entries()) {
        if (isPossible === false) expect(others?.[a]?.share).toBe(0);
        if (isCertain === true) expect(others?.[a]?.share).toBeCloseTo(share, 12);
      }
  });

  test('are listed where they leave a result open', () => {
    const reasons = new Set(analysis.undecided.flatMap((cell) => cell.reasons));
    const isOpen = symmetric.cycles.possible > symmetric.cycles.count;
    expect(reasons.has('cycle')).toBe(isOpen);
  });
});

test('analyzeMatchups lists no undecided cell of an exact matrix, or within the resolution', () => {
  expect(analyzeMatchups(drawMatrix(6, 5)).undecided).toEqual([]);
  expect(analyzeMatchups(drawMatrix(6, 5, 0.1), { resolution: 0.2 }).undecided).toEqual([]);
  expect(() => analyzeMatchups(drawMatrix(2, 1), { resolution: Number.NaN })).toThrow('resolution: expected a number');
});

test('analyzeMatchups reports no cycle whose margins may be noise, and requests battles for its pairs', () => {
  const { symmetric, undecided } = analyzeMatchups(
    createMatrix(
      ROCK_PAPER_SCISSORS.map((row) => row.map((p) => p / 10)),
      0.2,
    ),
  );
  expect(symmetric?.cycles).toEqual({ count: 0, estimated: 1, possible: 2, strongest: [] });
  const pairs = undecided.filter(({ reasons }) => reasons.includes('cycle')).map(({ row, column }) => [row, column]);
  expect(pairs).toEqual([0, 1, 2].flatMap((row) => [0, 1, 2].filter((c) => c !== row).map((column) => [row, column])));
});

test('analyzeMatchups computes the side bias from both orders', () => {
  const { sideBias } = analyzeMatchups(
    createMatrix([
      [0.2, 0.5],
      [0.1, 0.4],
    ]),
  );
  expect(sideBias?.mean.value).toBeCloseTo(0.3, 12);
  expect(sideBias?.armies.map(({ mirror, advantage }) => [mirror.value, advantage.value])).toEqual([
    [0.2, expect.closeTo(0.25, 12)],
    [0.4, expect.closeTo(0.35, 12)],
  ]);
});

test('analyzeMatchups analyzes two different rosters without a symmetric game', () => {
  const rows = [
    [0.5, -0.5, 0.1],
    [-0.5, 0.5, 0.2],
  ];
  const analysis = analyzeMatchups(createMatrix(rows, 0, ['x', 'y', 'z']));
  expect(Object.keys(analysis)).toEqual([
    ...['attackers', 'defenders', 'elimination', 'equilibrium', 'alphaRank', 'undecided'],
  ]);
  expect(analysis.attackers.ranking.map(({ army }) => army)).toEqual(['army 1', 'army 0']);
  expect(analysis.defenders.ranking.map(({ army, rating }) => [army, rating.value])).toEqual([
    ['x', 0],
    ['y', 0],
    ['z', expect.closeTo(-0.15, 12)],
  ]);
  expect(analysis.equilibrium).toMatchObject({ value: { value: 0 }, isUnique: true });
  expect(analysis.elimination).toEqual([{ player: 'defender', armies: ['z'] }]);
});

test('analyzeMatchups analyzes a single army, and armies that are all equal', () => {
  const single = getSymmetric(createMatrix([[0.3]]));
  expect(single.ranking).toEqual([
    { army: 'army 0', rating: { value: 0, lower: 0, upper: 0 }, rank: 1, bestRank: 1, worstRank: 1 },
  ]);
  expect(single.alphaRank.armies).toEqual([{ army: 'army 0', share: 1, isPossible: true }]);
  expect(single.equilibrium.armies.map(({ weight }) => weight)).toEqual([1]);
  const equal = getSymmetric(
    createMatrix([
      [0.3, 0.3],
      [0.3, 0.3],
    ]),
  );
  expect(equal.decomposition.cyclic.value + equal.decomposition.transitive.value).toBe(0);
  expect(equal.equilibrium.armies.map(({ range }) => range)).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(equal.alphaRank.armies.map(({ share }) => share)).toEqual([0.5, 0.5]);
  expect(equal.dominated).toEqual([]);
});

test('analyzeMatchups calls a dominance certain only if the intervals are separate', () => {
  const rows = [[0.5], [0.4], [0]].map((row) => [...row, ...row, ...row]);
  const { attackers, undecided } = analyzeMatchups(createMatrix(rows, 0.1));
  expect(attackers.dominated).toEqual([
    { army: 'army 1', by: 'army 0', isStrict: true, isCertain: false },
    { army: 'army 2', by: 'army 0', isStrict: true, isCertain: true },
  ]);
  const cells = undecided.filter(({ row, reasons }) => row < 2 && reasons.includes('dominance'));
  expect(cells.map(({ row, column }) => [row, column])).toEqual(
    [0, 1].flatMap((row) => [0, 1, 2].map((c) => [row, c])),
  );
  const exact = analyzeMatchups(createMatrix(rows)).attackers.dominated;
  expect(exact.map(({ isCertain }) => isCertain)).toEqual([true, true]);
});

describe('a comparison', () => {
  const before = drawMatrix(5, 60, 0.02);
  const after = { ...drawMatrix(4, 61, 0.03), rows: before.rows.slice(1), columns: before.rows.slice(1) };
  const found = compareMatchups(before, after);

  test('has the changes of the common armies, with their intervals', () => {
    expect(found.attackers.map(({ army }) => army)).toEqual(after.rows);
    for (const [a, { change }] of found.attackers.entries()) {
      const others = [0, 1, 2, 3];
      const mean = others.reduce((sum, o) => sum + at(after, a, o) - at(before, a + 1, o + 1), 0) / 4;
      expect(change.value).toBeCloseTo(mean, 12);
      expect([change.lower, change.upper].map((end) => end - mean)).toEqual(
        [-0.05, 0.05].map((e) => expect.closeTo(e, 12) as number),
      );
      const gain = others.reduce((sum, o) => sum - (at(after, o, a) - at(before, o + 1, a + 1)), 0) / 4;
      expect(found.defenders[a]?.change.value).toBeCloseTo(gain, 12);
      const own = at(after, a, a) - at(before, a + 1, a + 1);
      expect(found.symmetric?.[a]?.change.value).toBeCloseTo((mean + gain - (own - own)) / 2, 12);
    }
    const old = toRows(before)
      .slice(1)
      .map((row) => row.slice(1));
    expect(found.value.value).toBeCloseTo(computeValue(toRows(after)) - computeValue(old), 11);
  });

  test('of a matrix with itself has no change, and requires common armies', () => {
    const exact = drawMatrix(3, 62);
    expect(compareMatchups(exact, exact).symmetric?.map(({ change }) => change.value)).toEqual([0, 0, 0]);
    const others = { ...exact, rows: ['x', 'y', 'z'] };
    expect(() => compareMatchups(exact, others)).toThrow(
      'matrices: expected attackers and defenders in common, found none',
    );
  });
});

test.each(SEEDS)('analyzeMatchups analyzes a roster whose battles are nearly certain: %i', (seed) => {
  const matrix = drawMatrix(12, 500 + seed, 0, 9);
  const values = matrix.values.map((value) => Math.tanh(20 * value));
  const { equilibrium, symmetric } = analyzeMatchups({ ...matrix, values, lower: values, upper: values });
  expect(Math.abs(equilibrium.value.value - computeValue(toRows(matrix, values)))).toBeLessThan(2e-9);
  for (const { payoff } of symmetric?.equilibrium.armies ?? []) expect(payoff.value).toBeLessThan(2e-9);
});

test.each([
  ['a number', { values: Float64Array.of(Number.NaN) }, /army 0 against army 0: expected a finite payoff/],
  [
    'an infinite end',
    { upper: Float64Array.of(Number.POSITIVE_INFINITY) },
    /expected a finite payoff within its interval/,
  ],
  [
    'an interval',
    { lower: Float64Array.of(0.5) },
    /expected a finite payoff within its interval, found 0.25 in 0.5 .. 0.25/,
  ],
  ['a size', { lower: Float64Array.of(0, 0) }, /lower: expected 1 numbers, found 2/],
  ['no armies', { rows: [] }, /rows: expected 1..2000 armies, found 0/],
  ['a name', { columns: ['a', 'a'] }, /columns: expected different names, found "a" twice/],
] as const)('analyzeMatchups rejects a matrix with a wrong part: %s', (_, part, message) => {
  expect(() => analyzeMatchups({ ...createMatrix([[0.25]]), ...part })).toThrow(message);
});
