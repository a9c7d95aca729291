/** Alpha-rank of the armies of a roster, and what the intervals of its payoffs allow. */

import { resolveOptions } from '../../rules/option-spec.ts';
import {
  ALPHA_RANK,
  type AlphaRankOptions,
  computeAlphaRank,
  computeRoleAlphaRank,
  createPopulationChain,
  createRoleChain,
  listRecurrent,
  type MutantChain,
  ROLE_PAIRS_MAX,
} from './alpha-rank.ts';
import { type PayoffMatrix, TIE } from './payoff-matrix.ts';

/** Alpha-rank of an army. */
export interface AlphaRankedArmy {
  readonly army: string;
  /** Share of time at the army, of the point estimates. */
  readonly share: number;
  /** In the limit: false if the share is 0 in all matrices that the intervals allow. */
  readonly isPossible?: boolean;
}

/** Settings and certainty of an alpha-rank. */
export interface AlphaRankSummary {
  readonly population: number;
  /** Strength of selection; absent for the limit. */
  readonly alpha?: number;
  /** In the limit: true if the intervals allow no other shares. */
  readonly isCertain?: boolean;
}

/** Alpha-rank of a roster. */
export interface AlphaRank extends AlphaRankSummary {
  readonly armies: readonly AlphaRankedArmy[];
}

/** Alpha-rank of two populations: attackers and defenders. */
export interface RoleAlphaRank extends AlphaRankSummary {
  readonly attackers: readonly AlphaRankedArmy[];
  readonly defenders: readonly AlphaRankedArmy[];
}

/** Result of the intervals in the limit; undefined for a finite alpha. */
type LimitRange = { readonly states: readonly number[]; readonly isCertain: boolean } | undefined;

/** Finds the states that matrices in the intervals visit in the limit. @param chain with the greatest gains in the intervals */
function findLimitRange(chain: MutantChain, { alpha }: AlphaRankOptions): LimitRange {
  if (alpha !== undefined) return undefined;
  const { listMutants, getGain } = chain;
  const states = listRecurrent(chain);
  const possible = new Set(states);
  const isDecided = (from: number, to: number): boolean => {
    const gains = [getGain(from, to), getGain(to, from)] as const;
    return Math.min(...gains) < -TIE || gains[0] + gains[1] === 0;
  };
  const isCertain = states.every((from) => listMutants(from).every((to) => !possible.has(to) || isDecided(from, to)));
  return { states, isCertain };
}

function summarizeAlphaRank(options: AlphaRankOptions, range: LimitRange): AlphaRankSummary {
  const { population, alpha } = resolveOptions(ALPHA_RANK, options);
  return { population, ...(alpha !== undefined && { alpha }), ...(range && { isCertain: range.isCertain }) };
}

/** @param getArmy army of a state of the chain */
function rankShares(
  armies: readonly string[],
  shares: Float64Array,
  range: LimitRange,
  getArmy = (state: number): number => state,
): AlphaRankedArmy[] {
  const possible = new Set(range?.states.map(getArmy));
  return armies.map((army, a) => ({ army, share: shares[a] ?? 0, ...(range && { isPossible: possible.has(a) }) }));
}

/** Analyzes the game in which each army attacks in half of the battles. */
export function analyzeAlphaRank({ rows, values, lower, upper }: PayoffMatrix, options: AlphaRankOptions): AlphaRank {
  const range = findLimitRange(createPopulationChain(rows.length, lower, upper), options);
  const armies = rankShares(rows, computeAlphaRank(rows.length, values, options), range);
  return { ...summarizeAlphaRank(options, range), armies };
}

/** Analyzes the game of attacker and defender; undefined if it has too many pairs of armies. */
export function analyzeRoleAlphaRank(
  { rows, columns, values, lower, upper }: PayoffMatrix,
  options: AlphaRankOptions,
): RoleAlphaRank | undefined {
  const width = columns.length;
  if (rows.length * width > ROLE_PAIRS_MAX) return undefined;
  const range = findLimitRange(createRoleChain(rows.length, width, lower, upper), options);
  const shares = computeRoleAlphaRank(rows.length, width, values, options);
  return {
    ...summarizeAlphaRank(options, range),
    attackers: rankShares(rows, shares.rows, range, (pair) => Math.floor(pair / width)),
    defenders: rankShares(columns, shares.columns, range, (pair) => pair % width),
  };
}
