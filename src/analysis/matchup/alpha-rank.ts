/**
 * Alpha-rank of a symmetric game of one population (Omidshafiei et al., alpha-Rank: Multi-Agent Evaluation by Evolution, Scientific
 * Reports 9, 2019): how often each strategy is played in the long run by a population in which rare mutants spread or die out.
 */

import { createOptionsCheck, describeFound, InputError } from '../../core/index.ts';
import {
  choice,
  count,
  number,
  type OptionSpecs,
  type RequestedOptions,
  type ResolvedOptions,
  resolveOptions,
  withFallback,
} from '../../rules/option-spec.ts';
import { TIE } from './payoff-matrix.ts';

/** Options of `computeAlphaRank`. */
export const ALPHA_RANK = {
  /** Alpha-rank: size of the population, 2..10 000; default 50. */
  population: withFallback(count(2, 10_000, 'alpha-rank: size of the population'), 50),
  /** Alpha-rank: strength of selection, above 0; default: the limit of strong selection. */
  alpha: number('alpha-rank: strength of selection (default: the limit of strong selection)', {
    expected: 'a number above 0',
    isAccepted: (value) => value > 0 && Number.isFinite(value),
  }),
  /**
   * Opponents that determine the fitness of an individual: its current opponent (`local`, as in the paper), or the whole population
   * (`global`, as in Han et al. 2013).
   */
  selection: choice('alpha-rank: opponents that determine the fitness', ['local', 'global']),
} as const satisfies OptionSpecs;

/** Options of `computeAlphaRank`. */
export type AlphaRankOptions = RequestedOptions<typeof ALPHA_RANK>;

type AlphaRankSettings = ResolvedOptions<typeof ALPHA_RANK>;

const checkOptions = createOptionsCheck<AlphaRankOptions>('computeAlphaRank', ALPHA_RANK);

/** Smaller terms, as differences of natural logarithms, do not change a sum of doubles. */
const NEGLIGIBLE = 40;

const { NEGATIVE_INFINITY } = Number;

/**
 * Least rate of a chain that is not in logarithms. Between two strategies of a symmetric game, the rate of at least one direction is
 * 1/m or more, so smaller rates do not change the shares.
 */
const RATE_MIN = 1e-200;

/** Adds two numbers that are given by their logarithms. */
function addLogs(a: number, b: number): number {
  const [most, least] = a > b ? [a, b] : [b, a];
  return most - least < NEGLIGIBLE ? most + Math.log1p(Math.exp(least - most)) : most;
}

/** Computes the logarithm of (1 - e^-u) / (1 - e^-mu) without overflow. */
function getLogFixation(u: number, population: number): number {
  const size = Math.abs(u);
  if (size === 0) return -Math.log(population);
  const ratio = Math.log(-Math.expm1(-size)) - Math.log(-Math.expm1(-population * size));
  return u > 0 ? ratio : ratio - (population - 1) * size;
}

/** Game of one population: payoff of the row strategy, in rows. */
interface PopulationGame {
  readonly size: number;
  readonly payoffs: Float64Array;
}

/** Returns the logarithm of the probability that one mutant takes over a population, by mutant and resident. */
function createFixation(
  { size, payoffs }: PopulationGame,
  { population, selection }: AlphaRankSettings,
  alpha: number,
): (mutant: number, resident: number) => number {
  const at = (row: number, column: number): number => payoffs[row * size + column] ?? 0;
  if (selection === 'local') {
    return (mutant, resident) => {
      const margin = at(mutant, resident) - at(resident, mutant);
      return getLogFixation(Math.abs(margin) < TIE ? 0 : alpha * margin, population);
    };
  }
  return (mutant, resident) => {
    let [exponent, sum] = [0, 0];
    for (let mutants = 1; mutants < population; mutants++) {
      const residents = population - mutants;
      const ofMutant = (mutants - 1) * at(mutant, mutant) + residents * at(mutant, resident);
      const ofResident = (residents - 1) * at(resident, resident) + mutants * at(resident, mutant);
      const margin = (ofMutant - ofResident) / (population - 1);
      exponent -= Math.abs(margin) < TIE ? 0 : alpha * margin;
      sum = addLogs(sum, exponent);
    }
    return -sum;
  };
}

const normalize = (weights: Float64Array): Float64Array<ArrayBuffer> => {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return Float64Array.from(weights, (weight) => weight / sum);
};

/** Eliminates the states of a chain from the last one, and divides the rates to each state by the sum of its exits. */
function eliminateStates(size: number, cells: Float64Array): void {
  for (let last = size - 1; last > 0; last--) {
    const ofLast = cells.subarray(last * size, last * size + last);
    const total = ofLast.reduce((sum, rate) => sum + rate, 0);
    for (let from = 0; from < last; from++) {
      const start = from * size;
      const rate = (cells[start + last] ?? 0) / total;
      cells[start + last] = rate;
      for (let to = 0; to < last; to++) cells[start + to] = (cells[start + to] ?? 0) + rate * (ofLast[to] ?? 0);
    }
  }
}

/**
 * Computes the stationary distribution of a chain by the elimination of states without subtractions (Grassmann, Taksar and
 * Heyman 1985).
 * @param rates from row to column, at most 1; those below `RATE_MIN` count as this
 */
function computeStationaryShares(size: number, rates: Float64Array): Float64Array {
  const cells = rates.map((rate) => Math.max(rate, RATE_MIN));
  eliminateStates(size, cells);
  let shares = new Float64Array(size);
  shares[0] = 1;
  for (let state = 1; state < size; state++) {
    for (let from = 0; from < state; from++)
      shares[state] = (shares[state] ?? 0) + (shares[from] ?? 0) * (cells[from * size + state] ?? 0);
    if ((shares[state] ?? 0) > 1) shares = normalize(shares);
  }
  return normalize(shares);
}

/** Computes the same from logarithms of rates of any size, several times slower. */
function computeSharesByLogs(size: number, logs: Float64Array): Float64Array {
  const at = (row: number, column: number): number => logs[row * size + column] ?? NEGATIVE_INFINITY;
  for (let last = size - 1; last > 0; last--) {
    let total = NEGATIVE_INFINITY;
    for (let to = 0; to < last; to++) total = addLogs(total, at(last, to));
    for (let from = 0; from < last; from++) {
      const rate = at(from, last) - total;
      logs[from * size + last] = rate;
      for (let to = 0; to < last; to++) logs[from * size + to] = addLogs(at(from, to), rate + at(last, to));
    }
  }
  const shares = new Float64Array(size);
  for (let state = 1; state < size; state++) {
    let share = NEGATIVE_INFINITY;
    for (let from = 0; from < state; from++) share = addLogs(share, (shares[from] ?? 0) + at(from, state));
    shares[state] = share;
  }
  const most = shares.reduce((largest, share) => Math.max(largest, share), NEGATIVE_INFINITY);
  return normalize(shares.map((share) => Math.exp(share - most)));
}

/**
 * Lists the strategies that a chain in the limit of strong selection does not leave for ever. Between any two strategies there is a
 * transition in at least one direction, so exactly one set of strategies is closed, and the one with the fewest exits is in it.
 * @param canLeave true if the chain can change from a strategy to another one
 */
export function listRecurrent(size: number, canLeave: (from: number, to: number) => boolean): number[] {
  const strategies = [...new Array(size).keys()];
  const exits = strategies.map((from) => strategies.filter((to) => to !== from && canLeave(from, to)));
  const fewest = exits.reduce((best, each, s) => (each.length < (exits[best]?.length ?? 0) ? s : best), 0);
  const reached = new Set([fewest]);
  for (const strategy of reached) for (const to of exits[strategy] ?? []) reached.add(to);
  return [...reached].sort((a, b) => a - b);
}

function checkGame({ size, payoffs }: PopulationGame): void {
  if (!Number.isSafeInteger(size) || size < 1) throw new InputError('size', 'an integer above 0', describeFound(size));
  if (!((payoffs as unknown) instanceof Float64Array) || payoffs.length !== size * size)
    throw new InputError('payoffs', `a Float64Array of ${String(size * size)} numbers`, describeFound(payoffs));
  const wrong = payoffs.find((payoff) => !Number.isFinite(payoff));
  if (wrong !== undefined) throw new InputError('payoffs', 'finite numbers', String(wrong));
}

/** Ranks in the limit of strong selection: a mutant takes over if it is better, and with probability 1/m if it is equal. */
function rankInLimit(game: PopulationGame, population: number): Float64Array {
  const { size, payoffs } = game;
  const getMargin = (from: number, to: number): number =>
    (payoffs[to * size + from] ?? 0) - (payoffs[from * size + to] ?? 0);
  const recurrent = listRecurrent(size, (from, to) => getMargin(from, to) > -TIE);
  const rates = recurrent.flatMap((from) =>
    recurrent.map((to) => {
      const margin = getMargin(from, to);
      return margin >= TIE ? 1 : margin > -TIE ? 1 / population : 0;
    }),
  );
  const shares = new Float64Array(size);
  const found = computeStationaryShares(recurrent.length, Float64Array.from(rates));
  for (const [index, strategy] of recurrent.entries()) shares[strategy] = found[index] ?? 0;
  return shares;
}

/**
 * Computes the share of time that a population spends at each strategy.
 * @param payoffs payoffs of a symmetric game: of the row strategy against the column strategy, in rows
 * @throws InputError for a payoff that is not finite, or an invalid option
 */
export function computeAlphaRank(size: number, payoffs: Float64Array, options: AlphaRankOptions = {}): Float64Array {
  const game = { size, payoffs };
  checkOptions(options);
  checkGame(game);
  const settings = resolveOptions(ALPHA_RANK, options);
  const { alpha, population, selection } = settings;
  if (alpha === undefined) return rankInLimit(game, population);
  const getFixation = createFixation(game, settings, alpha);
  const logs = Float64Array.from({ length: size * size }, (_, at) => {
    const [from, to] = [Math.floor(at / size), at % size];
    return from === to ? NEGATIVE_INFINITY : getFixation(to, from);
  });
  return selection === 'global' ? computeSharesByLogs(size, logs) : computeStationaryShares(size, logs.map(Math.exp));
}
