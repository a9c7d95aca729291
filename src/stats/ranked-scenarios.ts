/** Ranks scenarios by paired differences, or by exact values. */
import { findTiedGroups, type RankedValue, type ScenarioDifference } from './comparison-counts.ts';

/** Relative tolerance of exact values: rounding causes such differences. */
const ROUNDING = 1e-11;

/** Compares numbers up to rounding. */
export function isEqual(x: number, y: number): boolean {
  return Math.abs(y - x) <= ROUNDING * Math.max(1, Math.abs(x), Math.abs(y));
}

/** A compared scenario: its value, and its possible ranks. */
export interface RankedScenario extends RankedValue {
  /** Exact value, if those of all scenarios are known. */
  readonly exact?: number;
  /**
   * The best and the worst possible rank of a scenario by the significant differences; 1 is the highest value, or the
   * lowest if that is the goal.
   */
  readonly rank: readonly [best: number, worst: number];
}

/** Difference between two compared scenarios. */
export interface PairedDifference extends ScenarioDifference {
  /** Exact difference, if known; it decides the verdict. */
  readonly exact?: number;
}

/** Replaces the differences of pairs by exact ones, which then decide the verdicts. */
export function withExactDifferences(
  gaps: readonly ScenarioDifference[],
  values: readonly number[],
): PairedDifference[] {
  return gaps.map((gap) => {
    const [x, y] = [values[gap.first] ?? 0, values[gap.second] ?? 0];
    if (isEqual(x, y)) return { ...gap, exact: 0, verdict: 'tie' };
    return { ...gap, exact: y - x, verdict: y > x ? 'higher' : 'lower' };
  });
}

/** Counts the pairs in which a scenario is lower, or higher, than another. */
function countVerdicts(pairs: readonly PairedDifference[], scenario: number, as: 'higher' | 'lower'): number {
  const isSignificant = (gap: PairedDifference): boolean =>
    gap.second === scenario ? gap.verdict === as : gap.first === scenario && !['tie', as].includes(gap.verdict);
  return pairs.filter(isSignificant).length;
}

/** Order of scenarios: by the goal, and before that by the time at which they were dropped. */
export interface RankingOrder {
  readonly goal: 'highest' | 'lowest';
  /** Order of being dropped; later ones have greater numbers. */
  readonly stayed: (scenario: number) => number;
}

/** @param exact values of all scenarios, if they are known */
export function rankScenarios(
  figures: readonly RankedValue[],
  pairs: readonly PairedDifference[],
  exact?: readonly number[],
  { goal, stayed }: RankingOrder = { goal: 'highest', stayed: () => 0 },
) {
  const [worse, better] = goal === 'highest' ? (['lower', 'higher'] as const) : (['higher', 'lower'] as const);
  const standings = figures.map((figure, s): RankedScenario => {
    const rank = [1 + countVerdicts(pairs, s, worse), figures.length - countVerdicts(pairs, s, better)] as const;
    const known = exact?.[s];
    return { ...figure, ...(known !== undefined && { exact: known }), rank };
  });
  const getValueAt = (s: number): number => standings[s]?.exact ?? standings[s]?.value ?? 0;
  const sign = goal === 'highest' ? 1 : -1;
  const order = [...standings.keys()].sort(
    (a, b) => stayed(b) - stayed(a) || sign * (getValueAt(b) - getValueAt(a)) || a - b,
  );
  const apart = pairs.filter(({ verdict }) => verdict !== 'tie').map(({ first, second }) => [first, second] as const);
  return { standings, order, groups: findTiedGroups(order, apart) };
}
