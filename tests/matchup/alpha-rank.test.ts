/** Tests of alpha-rank against published shares, OpenSpiel, and powers of Markov chains. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type AlphaRankOptions,
  computeAlphaRank,
  computeRoleAlphaRank,
  createRoleChain,
  listRecurrent,
} from '../../src/analysis/matchup/alpha-rank.ts';
import { drawPayoff, ROCK_PAPER_SCISSORS } from './matrices.ts';

interface Game extends AlphaRankOptions {
  readonly size: number;
  /** Number of strategies of the column player, in games of two populations. */
  readonly columns?: number;
  readonly payoffs: readonly number[];
}

function drawGame(game: number, size: number, isZeroSum: boolean, options: AlphaRankOptions): Game {
  const payoffs = Array.from({ length: size * size }, (_, at) => {
    const [row, column] = [Math.floor(at / size), at % size];
    if (!isZeroSum) return drawPayoff(game, row, column);
    return row === column ? 0 : row < column ? drawPayoff(game, row, column) : -drawPayoff(game, column, row);
  });
  return { size, payoffs, population: 50, ...options };
}

function drawRoleGame(game: number, size: number, columns: number, options: AlphaRankOptions): Game {
  const payoffs = Array.from({ length: size * columns }, (_, at) =>
    drawPayoff(game, Math.floor(at / columns), at % columns),
  );
  return { size, columns, payoffs, population: 50, ...options };
}

/** Returns the shares of the strategies. In games of two populations the rows come first. */
function rank({ size, columns, payoffs, ...options }: Game): number[] {
  if (columns === undefined) return [...computeAlphaRank(size, Float64Array.from(payoffs), options)];
  const shares = computeRoleAlphaRank(size, columns, Float64Array.from(payoffs), options);
  return [...shares.rows, ...shares.columns];
}

/** Random games, with the shares that OpenSpiel 2.0.2 computes. */
const GAMES: readonly (readonly [Game, readonly number[]])[] = [
  [
    drawGame(0, 4, true, { alpha: 0.5, selection: 'local' }),
    [1.0113126389939435e-6, 0.3165587181336008, 0.34671729435547205, 0.3367229761982882],
  ],
  [
    drawGame(1, 6, true, { alpha: 0.1, selection: 'local' }),
    [
      0.01113999876303915, 0.04926825018637415, 0.04797963801581691, 0.19067596133406362, 0.5379201268557702,
      0.16301602484493602,
    ],
  ],
  [
    drawGame(2, 8, true, { alpha: 0.05, selection: 'local' }),
    [
      0.1664401806865809, 0.17418214094219528, 0.13717466653126312, 0.10255572813956286, 0.03550975525313484,
      0.20660749970744974, 0.11219402535945093, 0.06533600338036251,
    ],
  ],
  [
    drawGame(3, 5, false, { alpha: 0.2, selection: 'local' }),
    [0.5454429286703425, 0.059789716561834974, 0.1303939438424793, 0.13459982239930074, 0.12977358852604257],
  ],
  [
    drawGame(4, 5, true, { alpha: 0.2, selection: 'global' }),
    [0.252196638427579, 0.5149892779984843, 0.0006594357900188256, 0.20499812041696996, 0.027156527366947753],
  ],
  [
    drawGame(5, 4, false, { alpha: 0.1, selection: 'global' }),
    [0.04786126357549491, 0.8923457841898308, 0.039349471222209886, 0.020443481012464546],
  ],
];

function expectShares(found: readonly number[], expected: readonly number[], tolerance = 1e-9): void {
  expect(found).toHaveLength(expected.length);
  for (const [s, share] of found.entries())
    expect(Math.abs(share - (expected[s] ?? Number.NaN))).toBeLessThan(tolerance);
}

test('alpha-rank equals the shares of Han et al. 2013, as OpenSpiel tests them', () => {
  const [reward, temptation, punishment, sucker, delta, cost] = [1, 2, 0, -1, 4, 0.25];
  const payoffs = [
    [reward - cost / 2, reward - cost, 0, sucker + delta - cost, reward - cost],
    [reward, reward, sucker, sucker, sucker],
    [0, temptation, punishment, punishment, punishment],
    [temptation - delta, temptation, punishment, punishment, punishment],
    [reward, temptation, punishment, punishment, punishment],
  ];
  const found = computeAlphaRank(5, Float64Array.from(payoffs.flat()), {
    population: 20,
    alpha: 0.1,
    selection: 'global',
  });
  expectShares([...found], [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039], 1e-8);
});

test.each(GAMES.map(([game, shares], g) => [g, game, shares] as const))(
  'alpha-rank equals OpenSpiel on game %i',
  (_, game, shares) => {
    expectShares(rank(game), shares);
  },
);

const python = (...args: readonly string[]) => spawnSync('python3', args, { encoding: 'utf8' });
const hasOpenSpiel = python('-c', 'import pyspiel, scipy').status === 0;

test.runIf(hasOpenSpiel)('alpha-rank equals OpenSpiel where it is installed', { timeout: 120_000 }, () => {
  const more = Array.from({ length: 20 }, (_, g) =>
    drawGame(100 + g, 3 + (g % 7), g % 2 === 0, {
      alpha: 0.02 * (1 + (g % 5)),
      selection: g % 3 === 0 ? 'global' : 'local',
    }),
  );
  const roles = Array.from({ length: 10 }, (_, g) =>
    drawRoleGame(150 + g, 1 + (g % 4), 2 + (g % 5), { alpha: 0.02 * (1 + (g % 5)) }),
  );
  const games = [...GAMES.map(([game]) => game), ...more, ...roles];
  const file = join(mkdtempSync(join(tmpdir(), 'warpool-alpha-rank-')), 'games.json');
  writeFileSync(file, JSON.stringify(games));
  const { stdout, stderr } = python('tests/matchup/alpha_rank.py', file);
  expect(stderr).toBe('');
  const shares = JSON.parse(stdout) as number[][];
  for (const [g, game] of games.entries()) expectShares(rank(game), shares[g] ?? []);
});

/** Computes the stationary distribution of the limit chain by its powers. */
function rankByPowers(size: number, payoffs: readonly number[], population: number): number[] {
  const at = (row: number, column: number): number => payoffs[row * size + column] ?? 0;
  let shares = new Array<number>(size).fill(1 / size);
  for (let step = 0; step < 20_000; step++) {
    const next = shares.slice();
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++) {
        const margin = at(to, from) - at(from, to);
        const rate = from === to || margin < 0 ? 0 : (margin > 0 ? 1 : 1 / population) / size;
        const moved = (shares[from] ?? 0) * rate;
        next[from] = (next[from] ?? 0) - moved;
        next[to] = (next[to] ?? 0) + moved;
      }
    shares = next;
  }
  return shares;
}

describe('limit of strong selection', () => {
  test.each([0, 1, 2, 3, 4, 5])('is the stationary distribution of the limit chain: game %i', (g) => {
    const { size, payoffs } = drawGame(200 + g, 3 + g, true, {});
    const coarse = payoffs.map((payoff) => Math.round(payoff * 2) / 2);
    for (const game of [payoffs, coarse])
      expectShares([...computeAlphaRank(size, Float64Array.from(game))], rankByPowers(size, game, 50), 1e-9);
  });

  test.each([0, 1, 2, 3])('equals the shares for large alpha, whose exponentials overflow: game %i', (g) => {
    const game = drawGame(300 + g, 4 + g, true, {});
    const limit = rank(game);
    for (const selection of ['local', 'global'] as const) {
      expectShares(rank({ ...game, alpha: 1e5, selection }), limit, 1e-9);
      expectShares(rank({ ...game, alpha: 1e300, selection }), limit, 1e-9);
    }
  });

  test('gives an army that beats all others the share 1', () => {
    const payoffs = [0, 0.2, 0.1, -0.2, 0, 0.3, -0.1, -0.3, 0];
    expectShares(rank({ size: 3, payoffs }), [1, 0, 0], 1e-15);
    expectShares(rank({ size: 3, payoffs, alpha: 1000 }), [1, 0, 0], 1e-15);
  });

  test('counts margins below 1e-12 as ties, which are neutral', () => {
    const payoffs = [0, 1e-13, -1e-13, 0];
    expectShares(rank({ size: 2, payoffs }), [0.5, 0.5], 1e-15);
    expectShares(rank({ size: 2, payoffs, alpha: 1e12 }), [0.5, 0.5], 1e-15);
    expect(rank({ size: 2, payoffs: [0, 1e-11, -1e-11, 0] })).toEqual([1, 0]);
  });
});

/** Computes the shares of two populations from the powers of their limit chain. */
function rankRolesByPowers(rows: number, columns: number, payoffs: readonly number[], population: number): number[] {
  const at = (row: number, column: number): number => payoffs[row * columns + column] ?? 0;
  const getRate = (gain: number): number => (gain > 0 ? 1 : gain === 0 ? 1 / population : 0) / (rows + columns);
  let shares = Array.from({ length: rows }, () => new Array<number>(columns).fill(1 / (rows * columns)));
  for (let step = 0; step < 20_000; step++) {
    const next = shares.map((row) => [...row]);
    const move = (from: readonly [number, number], to: readonly [number, number], gain: number): void => {
      const moved = (shares[from[0]]?.[from[1]] ?? 0) * getRate(gain);
      for (const [[row, column], change] of [[from, -moved] as const, [to, moved] as const]) {
        const line = next[row] ?? [];
        line[column] = (line[column] ?? 0) + change;
      }
    };
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        for (let other = 0; other < rows; other++)
          if (other !== row) move([row, column], [other, column], at(other, column) - at(row, column));
        for (let other = 0; other < columns; other++)
          if (other !== column) move([row, column], [row, other], at(row, column) - at(row, other));
      }
    shares = next;
  }
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const byColumn = Array.from({ length: columns }, (_, column) => sum(shares.map((row) => row[column] ?? 0)));
  return [...shares.map(sum), ...byColumn];
}

describe('two populations', () => {
  test.each([0, 1, 2, 3, 4, 5])('have the stationary distribution of their limit chain: game %i', (g) => {
    const game = drawRoleGame(400 + g, 2 + (g % 3), 2 + (g % 4), {});
    const { size, columns = 1, payoffs } = game;
    const coarse = payoffs.map((payoff) => Math.round(payoff * 2) / 2);
    for (const each of [payoffs, coarse])
      expectShares(rank({ ...game, payoffs: each }), rankRolesByPowers(size, columns, each, 50), 1e-9);
    expectShares(rank({ ...game, alpha: 1e5 }), rank(game), 1e-9);
  });

  test('have one closed set of pairs that is reached from all pairs, also with ties', () => {
    for (let g = 0; g < 300; g++) {
      const { size, columns = 1, payoffs } = drawRoleGame(500 + g, 1 + (g % 4), 1 + (g % 5), {});
      const coarse = Float64Array.from(payoffs, (payoff) => Math.round(payoff));
      const chain = createRoleChain(size, columns, coarse);
      const recurrent = listRecurrent(chain);
      const canLeave = (from: number, to: number): boolean => chain.getGain(from, to) >= 0;
      for (const from of recurrent)
        for (const to of chain.listMutants(from)) if (canLeave(from, to)) expect(recurrent).toContain(to);
      for (let pair = 0; pair < chain.size; pair++) {
        const reached = new Set([pair]);
        for (const from of reached) for (const to of chain.listMutants(from)) if (canLeave(from, to)) reached.add(to);
        expect([...reached]).toEqual(expect.arrayContaining(recurrent));
      }
    }
  });

  test('have equal shares in matching pennies', () => {
    expectShares(rank({ size: 2, columns: 2, payoffs: [1, -1, -1, 1] }), [0.5, 0.5, 0.5, 0.5], 1e-12);
  });

  test('stay at a saddle point', () => {
    expectShares(rank({ size: 2, columns: 3, payoffs: [0.1, 0.3, 0.5, 0, -0.2, 0.4] }), [1, 0, 1, 0, 0], 1e-15);
  });

  test('are limited to 1 600 pairs', () => {
    expect(() => computeRoleAlphaRank(41, 40, new Float64Array(1640))).toThrow(
      'payoffs: expected at most 1600 pairs of strategies, found 1640',
    );
  });
});

test('alpha-rank keeps the order of two equilibria whose exits are both too rare for doubles', () => {
  // Two strict equilibria of a coordination game: the exit from the better one is rarer by 100 orders of magnitude.
  const shares = rank({ size: 2, payoffs: [2, 0, 0, 1], population: 50, alpha: 100, selection: 'global' });
  expect(shares[0]).toBeGreaterThan(1 - 1e-12);
});

test('alpha-rank gives equal shares to rock, paper, scissors, and to weak selection', () => {
  for (const alpha of [undefined, 1e-9, 1, 100])
    expectShares(rank({ size: 3, payoffs: ROCK_PAPER_SCISSORS.flat(), alpha }), [1 / 3, 1 / 3, 1 / 3], 1e-12);
  expectShares(rank({ ...drawGame(7, 5, true, {}), alpha: 1e-14 }), [0.2, 0.2, 0.2, 0.2, 0.2], 1e-9);
  expect(rank({ size: 1, payoffs: [0] })).toEqual([1]);
});

test.each([
  [{ population: 1 }, 'population: expected an integer 2..10000, found 1'],
  [{ alpha: 0 }, 'alpha: expected a number above 0, found 0'],
  [{ alpha: Number.POSITIVE_INFINITY }, 'alpha: expected a number above 0, found Infinity'],
] as const)('alpha-rank rejects %j', (options, message) => {
  expect(() => computeAlphaRank(1, Float64Array.of(0), options)).toThrow(message);
});

test('alpha-rank rejects payoffs that are not finite or not square', () => {
  expect(() => computeAlphaRank(2, Float64Array.of(0, Number.NaN, 0, 0))).toThrow(
    'payoffs: expected finite numbers, found NaN',
  );
  expect(() => computeAlphaRank(2, Float64Array.of(0, 1))).toThrow(
    'payoffs: expected a Float64Array of 4 numbers, found an object',
  );
});
