/**
 * Alpha-rank (Omidshafiei et al., alpha-Rank: Multi-Agent Evaluation by Evolution, Scientific Reports 9, 2019) of a symmetric game of one
 * population, and of two populations with opposite payoffs: how often each strategy is played in the long run if rare mutants
 * spread or die out.
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
 * Least rate of a chain that is not in logarithms. The rate of at least one direction of each change is 1/m or more, so smaller rates do not
 * change the shares.
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

/**
 * Returns the logarithm of the probability that one mutant takes over a population, by mutant and resident, if the fitness of an
 * individual depends on the whole population.
 */
function createFixation(
  size: number,
  payoffs: Float64Array,
  { population }: AlphaRankSettings,
  alpha: number,
): (mutant: number, resident: number) => number {
  const at = (row: number, column: number): number => payoffs[row * size + column] ?? 0;
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

/** Long-run chain of populations: its states, the states that one mutant can lead to, and what the mutant gains. */
export interface MutantChain {
  readonly size: number;
  readonly listMutants: (state: number) => readonly number[];
  readonly getGain: (from: number, to: number) => number;
}

/** Adds all states that can be reached from a state. */
function addReached(start: number, listNext: (state: number) => readonly number[], reached: Set<number>): void {
  const open = [start];
  reached.add(start);
  for (let state = open.pop(); state !== undefined; state = open.pop())
    for (const next of listNext(state)) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
}

/**
 * Lists the states that a chain in the limit of strong selection does not leave for ever. Exactly one set of states is closed: between
 * two strategies of one population there is a transition in at least one direction, and for two populations whose payoffs sum to a
 * constant see Biggar and Shames, The attractor of the replicator dynamic in zero-sum games, 2024. The last search backwards
 * starts in it, because all states lead to it.
 */
export function listRecurrent({ size, listMutants, getGain }: MutantChain): number[] {
  const canLeave = (from: number, to: number): boolean => getGain(from, to) > -TIE;
  const known = new Set<number>();
  let last = 0;
  for (let state = 0; state < size; state++) {
    if (known.has(state)) continue;
    last = state;
    addReached(state, (to) => listMutants(to).filter((from) => canLeave(from, to)), known);
  }
  const recurrent = new Set<number>();
  addReached(last, (from) => listMutants(from).filter((to) => canLeave(from, to)), recurrent);
  return [...recurrent].sort((a, b) => a - b);
}

interface MatrixGame {
  readonly rows: number;
  readonly columns: number;
  readonly payoffs: Float64Array;
}

function checkGame({ rows, columns, payoffs }: MatrixGame): void {
  const size = [rows, columns].find((each) => !Number.isSafeInteger(each) || each < 1);
  if (size !== undefined) throw new InputError('size', 'an integer above 0', describeFound(size));
  if (!((payoffs as unknown) instanceof Float64Array) || payoffs.length !== rows * columns)
    throw new InputError('payoffs', `a Float64Array of ${String(rows * columns)} numbers`, describeFound(payoffs));
  const wrong = payoffs.find((payoff) => !Number.isFinite(payoff));
  if (wrong !== undefined) throw new InputError('payoffs', 'finite numbers', String(wrong));
}

/** Computes the share of time at each state: in the limit, a mutant takes over if it is better, and with probability 1/m if it is equal. */
function computeShares(chain: MutantChain, { population, alpha }: AlphaRankSettings): Float64Array {
  const { size, listMutants, getGain } = chain;
  const getRate = (from: number, to: number): number => {
    const gain = getGain(from, to);
    if (Math.abs(gain) < TIE) return 1 / population;
    return alpha === undefined ? Number(gain > 0) : Math.exp(getLogFixation(alpha * gain, population));
  };
  const all = [...new Array(size).keys()];
  const visited = alpha === undefined ? listRecurrent(chain) : all;
  const places = new Map(visited.map((state, place) => [state, place]));
  const rates = new Float64Array(visited.length * visited.length);
  for (const [place, from] of visited.entries())
    for (const to of listMutants(from)) {
      const target = places.get(to);
      if (target !== undefined) rates[place * visited.length + target] = getRate(from, to);
    }
  const found = computeStationaryShares(visited.length, rates);
  return Float64Array.from(all, (state) => found[places.get(state) ?? -1] ?? 0);
}

/**
 * Creates the chain of one population: its states are strategies.
 * @param lower payoffs of the row strategy that a mutant loses
 * @param upper payoffs of the row strategy that a mutant gets
 */
export function createPopulationChain(size: number, lower: Float64Array, upper = lower): MutantChain {
  const all = [...new Array(size).keys()];
  return {
    size,
    listMutants: (state) => all.filter((other) => other !== state),
    getGain: (from, to) => (upper[to * size + from] ?? 0) - (lower[from * size + to] ?? 0),
  };
}

/**
 * Creates the chain of two populations: its states are pairs of strategies, in rows.
 * @param lower payoffs of the row player that a mutant loses
 * @param upper payoffs of the row player that a mutant gets; the other player has the opposite payoffs
 */
export function createRoleChain(rows: number, columns: number, lower: Float64Array, upper = lower): MutantChain {
  const [allRows, allColumns] = [[...new Array(rows).keys()], [...new Array(columns).keys()]];
  const isInRow = (from: number, to: number): boolean => Math.floor(from / columns) === Math.floor(to / columns);
  return {
    size: rows * columns,
    listMutants: (state) => {
      const [row, column] = [Math.floor(state / columns), state % columns];
      return [
        ...allRows.flatMap((other) => (other === row ? [] : [other * columns + column])),
        ...allColumns.flatMap((other) => (other === column ? [] : [row * columns + other])),
      ];
    },
    getGain: (from, to) =>
      isInRow(from, to) ? (upper[from] ?? 0) - (lower[to] ?? 0) : (upper[to] ?? 0) - (lower[from] ?? 0),
  };
}

/**
 * Computes the share of time that a population spends at each strategy.
 * @param payoffs payoffs of a symmetric game: of the row strategy against the column strategy, in rows
 * @throws InputError for a payoff that is not finite, or an invalid option
 */
export function computeAlphaRank(size: number, payoffs: Float64Array, options: AlphaRankOptions = {}): Float64Array {
  checkOptions(options);
  checkGame({ rows: size, columns: size, payoffs });
  const settings = resolveOptions(ALPHA_RANK, options);
  const { alpha, selection } = settings;
  if (alpha === undefined || selection === 'local')
    return computeShares(createPopulationChain(size, payoffs), settings);
  const getFixation = createFixation(size, payoffs, settings, alpha);
  const logs = Float64Array.from({ length: size * size }, (_, at) => {
    const [from, to] = [Math.floor(at / size), at % size];
    return from === to ? NEGATIVE_INFINITY : getFixation(to, from);
  });
  return computeSharesByLogs(size, logs);
}

/** Maximum number of pairs of strategies: the time rises with their third power. */
export const ROLE_PAIRS_MAX = 1600;

/** Shares of time of the strategies of two players. */
export interface RoleShares {
  readonly rows: Float64Array;
  readonly columns: Float64Array;
}

/**
 * Computes the share of time that two populations spend at each strategy, one of row players and one of column players. The fitness of an
 * individual depends on the other population, so `selection` makes no difference.
 * @param payoffs of the row player, in rows; the column player has the opposite payoffs
 * @throws InputError for more than 1 600 pairs of strategies, a payoff that is not finite, or an invalid option
 */
export function computeRoleAlphaRank(
  rows: number,
  columns: number,
  payoffs: Float64Array,
  options: AlphaRankOptions = {},
): RoleShares {
  checkOptions(options);
  checkGame({ rows, columns, payoffs });
  if (rows * columns > ROLE_PAIRS_MAX)
    throw new InputError('payoffs', `at most ${String(ROLE_PAIRS_MAX)} pairs of strategies`, String(rows * columns));
  const pairs = computeShares(createRoleChain(rows, columns, payoffs), resolveOptions(ALPHA_RANK, options));
  const shares = { rows: new Float64Array(rows), columns: new Float64Array(columns) };
  for (const [pair, share] of pairs.entries()) {
    const [row, column] = [Math.floor(pair / columns), pair % columns];
    shares.rows[row] = (shares.rows[row] ?? 0) + share;
    shares.columns[column] = (shares.columns[column] ?? 0) + share;
  }
  return shares;
}
