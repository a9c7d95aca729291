/** Value of the game of a large roster, from a part of its matchups. */
import {
  type CertifiedGame,
  certifyMatrixGame,
  type MatrixCell,
  type PayoffInterval,
  THREADS,
} from '../../analysis/index.ts';
import { createOptionsCheck, InputError } from '../../core/index.ts';
import { fractionAbove0 } from '../../rules/option-spec.ts';
import { computeCells } from '../store/sweep-cells.ts';
import { estimatePayoff, type Payoff } from './payoff.ts';
import { ERROR_RATE, getCellShape, PayoffSums } from './read-payoffs.ts';
import { checkRosterObject, type Roster } from './roster.ts';

/** Options of `certifyMatchup`. */
export interface CertifyMatchupOptions {
  /** Half-width of the interval of the value; default: 0.005. */
  readonly tolerance?: number | undefined;
  readonly workers?: number | string | undefined;
  /** Ends the search with an error. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of computed cells. */
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly cells: number; readonly before: number }) => void)
    | undefined;
}

const checkOptions = createOptionsCheck<CertifyMatchupOptions>('certifyMatchup', {
  ...THREADS,
  tolerance: fractionAbove0('half-width of the interval of the value'),
  signal: true,
  onProgress: true,
});

/** Bounds of the value of a roster, and the mixes that prove them. */
export interface CertifiedMatchup extends CertifiedGame {
  readonly roster: Roster;
  /** Number of cells of the whole matrix. */
  readonly allCells: number;
}

/** Returns the least and the greatest payoff of a battle. @throws InputError if the payoff has metrics */
function getPayoffRange({ constant, factors, metrics }: Payoff, outcomes: readonly string[]): PayoffInterval {
  if (metrics.length > 0) throw new InputError('payoff', 'a sum of outcomes', `metrics: ${metrics.join(', ')}`);
  const values = outcomes.map((outcome) => constant + (factors.get(outcome) ?? 0));
  return [Math.min(...values), Math.max(...values)];
}

/**
 * Bounds the value of the game in which both players choose an army of a roster. Computes only the matchups that the
 * double oracle method needs (`certifyMatrixGame`). The intervals of simulated matchups hold together with a probability
 * of at least 95 %, whichever of them are computed.
 * @throws InputError if an option is invalid, or the payoff has metrics
 * @throws BudgetError if `exact` of the roster is `always` and an answer exceeds the budget
 */
export async function certifyMatchup(roster: Roster, options: CertifyMatchupOptions = {}): Promise<CertifiedMatchup> {
  checkOptions(options);
  checkRosterObject(roster);
  const { tolerance, workers, signal, onProgress } = options;
  const { sweep, payoff, terrains, attackers, defenders } = roster;
  const [rows, columns] = [attackers.length, defenders.length];
  const allCells = rows * columns;
  const sums = new PayoffSums(roster);
  let done = 0;
  const evaluateCell = async ([row, column]: MatrixCell): Promise<PayoffInterval> => {
    const matchup = row * columns + column;
    const points = terrains.map((_, terrain) => terrain * allCells + matchup);
    for await (const { index, rows: results } of computeCells(sweep, { workers, signal }, points))
      sums.add(
        index,
        estimatePayoff(payoff, results, () => getCellShape(roster, index), ERROR_RATE / sweep.points),
      );
    onProgress?.({ done: ++done, cells: allCells, before: 0 });
    return sums.getInterval(matchup);
  };
  const game = await certifyMatrixGame({
    ...{ rows, columns, signal, ...(tolerance !== undefined && { tolerance }) },
    range: getPayoffRange(payoff, getCellShape(roster, 0).outcomes),
    evaluate: async (cells) => {
      const intervals: PayoffInterval[] = [];
      for (const cell of cells) intervals.push(await evaluateCell(cell));
      return intervals;
    },
  });
  return { roster, allCells, ...game };
}
