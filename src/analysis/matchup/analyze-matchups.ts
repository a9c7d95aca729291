/** Analysis of a payoff matrix of armies: docs/explanation/matchup-analysis.md defines its numbers. */

import { createOptionsCheck } from '../../core/index.ts';
import {
  number,
  type OptionSpecs,
  pickOptions,
  type RequestedOptions,
  resolveOptions,
  withFallback,
} from '../../rules/option-spec.ts';
import { ALPHA_RANK } from './alpha-rank.ts';
import { type AlphaRank, analyzeAlphaRank, analyzeRoleAlphaRank, type RoleAlphaRank } from './alpha-rank-analysis.ts';
import { type CycleReport, findCycles, listUndecidedPairs } from './cycles.ts';
import { decomposePayoffs, orderCyclically, type PayoffDecomposition } from './decomposition.ts';
import {
  type DominatedArmy,
  type EliminationRound,
  eliminateDominated,
  findDominatedArmies,
  findMixDominatedArmies,
  type MixDominatedArmy,
} from './dominance.ts';
import {
  type EquilibriumArmy,
  findMatchupEquilibrium,
  findSymmetricEquilibrium,
  type MatchupEquilibrium,
  type SymmetricEquilibrium,
} from './equilibrium.ts';
import { checkPayoffMatrix, isSameRoster, type PayoffMatrix, swapRoles, symmetrize, TIE } from './payoff-matrix.ts';
import { computeSideBias, type RankedArmy, rankArmies, type SideBias } from './ranking.ts';

/** Options of `analyzeMatchups`. */
export const MATCHUP = {
  ...ALPHA_RANK,
  /** Margins that are certainly this close to 0 need no more battles; default 0.01. */
  resolution: withFallback(
    number('margins that are certainly this close to 0 need no more battles', {
      expected: 'a number of at least 0',
      isAccepted: (value) => value >= 0,
    }),
    0.01,
  ),
} as const satisfies OptionSpecs;

/** Options of `analyzeMatchups`. */
export type MatchupOptions = RequestedOptions<typeof MATCHUP>;

const checkOptions = createOptionsCheck<MatchupOptions>('analyzeMatchups', MATCHUP);

/** Ranking and dominated armies of one player. */
export interface RoleAnalysis {
  readonly ranking: readonly RankedArmy[];
  readonly dominated: readonly DominatedArmy[];
  readonly mixDominated: readonly MixDominatedArmy[];
}

/** Analysis of the game in which each army attacks in half of the battles. */
export interface SymmetricAnalysis extends RoleAnalysis {
  readonly elimination: readonly EliminationRound[];
  readonly cycles: CycleReport;
  readonly decomposition: PayoffDecomposition;
  readonly equilibrium: SymmetricEquilibrium;
  readonly alphaRank: AlphaRank;
  /** Armies in the order of the heat map: each one tends to beat those that follow it. */
  readonly order: readonly string[];
}

/** Reason why a cell needs more battles. */
export type UndecidedReason = 'cycle' | 'dominance' | 'support';

/** Cell whose interval leaves a result open. */
export interface UndecidedCell {
  readonly row: number;
  readonly column: number;
  readonly reasons: readonly UndecidedReason[];
}

/** Results of `analyzeMatchups`. */
export interface MatchupAnalysis {
  readonly attackers: RoleAnalysis;
  readonly defenders: RoleAnalysis;
  readonly elimination: readonly EliminationRound[];
  readonly equilibrium: MatchupEquilibrium;
  /** Absent for more than 1 600 pairs of armies. */
  readonly alphaRank?: RoleAlphaRank;
  /** Of a roster against itself. */
  readonly sideBias?: SideBias;
  readonly symmetric?: SymmetricAnalysis;
  readonly undecided: readonly UndecidedCell[];
}

const analyzeRole = (matrix: PayoffMatrix): RoleAnalysis => ({
  ranking: rankArmies(matrix),
  dominated: findDominatedArmies(matrix),
  mixDominated: findMixDominatedArmies(matrix),
});

function analyzeSymmetricGame(game: PayoffMatrix, options: MatchupOptions): SymmetricAnalysis {
  return {
    ...analyzeRole(game),
    elimination: eliminateDominated(game, true),
    cycles: findCycles(game),
    decomposition: decomposePayoffs(game),
    equilibrium: findSymmetricEquilibrium(game),
    alphaRank: analyzeAlphaRank(game, pickOptions(ALPHA_RANK, options)),
    order: orderCyclically(game).map((army) => game.rows[army] ?? ''),
  };
}

/** Cells whose intervals leave results open, with the reasons. */
class UndecidedCells {
  readonly #matrix: PayoffMatrix;
  readonly #resolution: number;
  readonly #reasons = new Map<number, Set<UndecidedReason>>();

  constructor(matrix: PayoffMatrix, resolution: number) {
    this.#matrix = matrix;
    this.#resolution = resolution;
  }

  /** Adds a cell unless its interval is narrow. */
  add(row: number, column: number, reason: UndecidedReason): void {
    const { columns, lower, upper } = this.#matrix;
    const cell = row * columns.length + column;
    if ((upper[cell] ?? 0) - (lower[cell] ?? 0) <= this.#resolution + TIE) return;
    this.#reasons.set(cell, (this.#reasons.get(cell) ?? new Set()).add(reason));
  }

  /** Adds the cells that decide whether an army dominates another one. */
  addDominance(matrix: PayoffMatrix, dominated: readonly DominatedArmy[], add: UndecidedCells['add']): void {
    const { rows, columns, lower, upper } = matrix;
    for (const { army, by, isCertain } of dominated) {
      if (isCertain) continue;
      const [worse, better] = [rows.indexOf(army), rows.indexOf(by)];
      for (const column of columns.keys()) {
        const [least, most] = [lower[better * columns.length + column], upper[worse * columns.length + column]];
        if ((least ?? 0) > (most ?? 0) - TIE) continue;
        add(better, column, 'dominance');
        add(worse, column, 'dominance');
      }
    }
  }

  /** Adds the cells of armies that may be best responses to the mix of the other player, against the armies in this. */
  addSupport(own: readonly EquilibriumArmy[], other: readonly EquilibriumArmy[], add: UndecidedCells['add']): void {
    for (const [row, { weightBound }] of own.entries())
      if (weightBound === 1)
        for (const [column, { weight }] of other.entries()) if (weight > 0) add(row, column, 'support');
  }

  list(): readonly UndecidedCell[] {
    const width = this.#matrix.columns.length;
    const cells = [...this.#reasons].sort(([a], [b]) => a - b);
    return cells.map(([cell, reasons]) => ({
      row: Math.floor(cell / width),
      column: cell % width,
      reasons: [...reasons],
    }));
  }
}

function listUndecidedCells(matrix: PayoffMatrix, resolution: number, analysis: Omit<MatchupAnalysis, 'undecided'>) {
  const cells = new UndecidedCells(matrix, resolution);
  const { attackers, defenders, equilibrium, symmetric } = analysis;
  const add: UndecidedCells['add'] = (row, column, reason) => {
    cells.add(row, column, reason);
  };
  const addSwapped: UndecidedCells['add'] = (column, row, reason) => {
    cells.add(row, column, reason);
  };
  const addBoth: UndecidedCells['add'] = (row, column, reason) => {
    add(row, column, reason);
    add(column, row, reason);
  };
  cells.addDominance(matrix, attackers.dominated, add);
  cells.addDominance(swapRoles(matrix), defenders.dominated, addSwapped);
  cells.addSupport(equilibrium.attackers, equilibrium.defenders, add);
  cells.addSupport(equilibrium.defenders, equilibrium.attackers, addSwapped);
  if (symmetric !== undefined) {
    const game = symmetrize(matrix);
    cells.addDominance(game, symmetric.dominated, addBoth);
    cells.addSupport(symmetric.equilibrium.armies, symmetric.equilibrium.armies, addBoth);
    for (const [first, second] of listUndecidedPairs(game, resolution)) addBoth(first, second, 'cycle');
  }
  return cells.list();
}

/**
 * Analyzes a payoff matrix. If rows and columns are the same roster, the symmetric game is analyzed, too. Statements with
 * `isCertain`, `lower` and `upper` hold for all matrices that the intervals allow, so all together with 95 % probability.
 * @throws InputError for an invalid matrix or option
 */
export function analyzeMatchups(matrix: PayoffMatrix, options: MatchupOptions = {}): MatchupAnalysis {
  checkOptions(options);
  const { resolution } = resolveOptions(MATCHUP, options);
  checkPayoffMatrix(matrix);
  const isSame = isSameRoster(matrix);
  const alphaRank = analyzeRoleAlphaRank(matrix, pickOptions(ALPHA_RANK, options));
  const analysis = {
    attackers: analyzeRole(matrix),
    defenders: analyzeRole(swapRoles(matrix)),
    elimination: eliminateDominated(matrix, false),
    equilibrium: findMatchupEquilibrium(matrix),
    ...(alphaRank && { alphaRank }),
    ...(isSame && { sideBias: computeSideBias(matrix), symmetric: analyzeSymmetricGame(symmetrize(matrix), options) }),
  };
  return { ...analysis, undecided: listUndecidedCells(matrix, resolution, analysis) };
}
