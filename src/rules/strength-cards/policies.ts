/** Policies of losses: the unit that takes the next point of damage. */

export const LOSSES = ['kill-cheapest', 'save-strongest', 'spread'] as const;
export type CardLossesPolicy = (typeof LOSSES)[number];

/** Values of a unit for a policy: as printed, regardless of river and exhaustion. */
export interface LossTarget {
  /** Printed attack in an attacker's army, printed defense in a defender's. */
  readonly strength: number;
  /** Printed hit points. */
  readonly hp: number;
}

/** Sorts indices of units in the order in which a policy loses them; `spread` keeps the order of the list. */
export function sortByLossPolicy(policy: CardLossesPolicy, units: readonly LossTarget[]): number[] {
  const orders: Readonly<Record<CardLossesPolicy, (a: LossTarget, b: LossTarget) => number>> = {
    'kill-cheapest': (a, b) => a.hp - b.hp || a.strength - b.strength,
    'save-strongest': (a, b) => a.strength - b.strength || a.hp - b.hp,
    spread: () => 0,
  };
  return units
    .map((unit, index) => ({ unit, index }))
    .sort((a, b) => orders[policy](a.unit, b.unit) || a.index - b.index)
    .map(({ index }) => index);
}

/**
 * Chooses the index of the unit that takes the next point; at least one unit must be alive.
 * @param order result of `sortByLossPolicy`
 * @param hp remaining hit points
 */
export function chooseNextLoss(policy: CardLossesPolicy, order: readonly number[], hp: readonly number[]): number {
  const most = Math.max(...hp);
  const next = order.find((index) => (policy === 'spread' ? hp[index] === most : (hp[index] ?? 0) > 0));
  if (next === undefined) throw new Error('damage for units that are all gone');
  return next;
}
