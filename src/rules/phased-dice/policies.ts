/** What the policies that a scenario can name decide. */
import { type Army, GROUND_CLASSES, type GroundClass, type PhasedTroop, total } from './army.ts';

export const LOSSES = ['lowest-era', 'highest-era', 'fewest-expected-hits-lost'] as const;
export type LossesPolicy = (typeof LOSSES)[number];

export type TargetPolicy = 'most-dice' | 'most-expected-hits' | readonly GroundClass[];

export type RetreatPolicy = 'never' | { readonly afterRounds: number } | { readonly whenWeaker: number };

const LOSS_ORDERS: Readonly<Record<LossesPolicy, (a: PhasedTroop, b: PhasedTroop) => number>> = {
  'lowest-era': (a, b) => a.era - b.era,
  'highest-era': (a, b) => b.era - a.era,
  'fewest-expected-hits-lost': (a, b) => a.weight - b.weight || a.era - b.era,
};

/** Troops in the order in which a policy gives them up; of equals the first in the table goes first. */
export function lossOrder(policy: LossesPolicy, troops: readonly PhasedTroop[]): PhasedTroop[] {
  return [...troops].sort((a, b) => LOSS_ORDERS[policy](a, b) || a.index - b.index);
}

/** The order in which a policy looks at the classes, and what makes it prefer a later one. */
export interface TargetPlan {
  readonly classes: readonly GroundClass[];
  /** Summed over the living units of a class that fit into the pool; only a greater sum wins over an earlier class. */
  readonly worth: (troop: PhasedTroop) => number;
}

export function targetPlan(policy: TargetPolicy): TargetPlan {
  if (policy === 'most-dice') return { classes: GROUND_CLASSES, worth: ({ dice }) => dice };
  if (policy === 'most-expected-hits') return { classes: GROUND_CLASSES, worth: ({ weight }) => weight };
  return { classes: [...new Set([...policy, ...GROUND_CLASSES])], worth: () => 0 };
}

/** The class among `present` that a policy names, `pool` hits being there to be placed on `victims`. */
export function namedClass(
  { classes, worth }: TargetPlan,
  present: readonly GroundClass[],
  victims: Army,
  counts: readonly number[],
  pool: number,
): GroundClass {
  if (present.length === 1 && present[0] !== undefined) return present[0];
  let best: GroundClass | undefined;
  let most = -1;
  for (const next of classes) {
    if (!present.includes(next)) continue;
    const sum = total(victims.troops, counts, (troop) =>
      troop.class === next && troop.hits <= pool ? worth(troop) : 0,
    );
    if (sum <= most) continue;
    best = next;
    most = sum;
  }
  if (best === undefined) throw new Error('a class is named although no ground unit is left');
  return best;
}

/** Steps in which the ratio of `whenWeaker` is given: with integers no rounding decides. */
export const RATIO_STEPS = 1_000_000;

/**
 * True if the policy retreats.
 * @param round  rounds complete
 * @param own    six times the own expected hits in a round
 * @param enemy  six times the enemy's
 */
export function retreats(policy: RetreatPolicy, round: number, own: number, enemy: number): boolean {
  if (policy === 'never') return false;
  if ('afterRounds' in policy) return round >= policy.afterRounds;
  return own * RATIO_STEPS < Math.round(policy.whenWeaker * RATIO_STEPS) * enemy;
}
