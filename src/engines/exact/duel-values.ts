/** Expected payoffs of duels for all hit points, by one pass backwards over the states. */

/** Payoffs of the ends of a duel. */
export interface DuelEnds {
  readonly attacker: number;
  readonly defender: number;
  readonly mutual: number;
}

/** Computes the sums of all entries from an index on. */
function computeTails(damage: Float64Array): Float64Array {
  const tails = new Float64Array(damage.length + 1);
  for (let d = damage.length - 1; d >= 0; d--) tails[d] = (tails[d + 1] ?? 0) + (damage[d] ?? 0);
  return tails;
}

/** Sums payoffs after damage 1..most, weighted. @param at index before the damage, which is a step of `stride` */
function sumDamage(damage: Float64Array, most: number, payoffs: Float64Array, at: number, stride: number): number {
  let sum = 0;
  for (let x = 1; x <= most; x++) sum += (damage[x] ?? 0) * (payoffs[at - x * stride] ?? 0);
  return sum;
}

/**
 * Computes the expected payoff of a duel without a round limit, for all hit points up to a maximum. In each round both sides
 * deal independent damage at the same time; at least one of them can deal any.
 * @param forth probability of each damage of the attacker, from 0
 * @param back the same of the defender
 * @param hp maximum hit points of attacker and defender
 * @returns payoff with hit points a and d at index a * (maximum of the defender + 1) + d
 */
export function computeDuelValues(
  forth: Float64Array,
  back: Float64Array,
  [attackerHp, defenderHp]: readonly [attacker: number, defender: number],
  ends: DuelEnds,
): Float64Array {
  const width = defenderHp + 1;
  const values = new Float64Array((attackerHp + 1) * width);
  // Payoffs after the damage of the attacker, before that of the defender.
  const struck = new Float64Array((attackerHp + 1) * width);
  const [missForth, missBack] = [forth[0] ?? 0, back[0] ?? 0];
  const [forthTails, backTails] = [computeTails(forth), computeTails(back)];
  const getFatal = (tails: Float64Array, hp: number): number => tails[Math.min(hp, tails.length - 1)] ?? 0;
  values[0] = ends.mutual;
  for (let d = 1; d <= defenderHp; d++) {
    values[d] = ends.defender;
    const killed = getFatal(forthTails, d);
    struck[d] = killed * ends.mutual + (1 - killed) * ends.defender;
  }
  for (let a = 1; a <= attackerHp; a++) {
    const row = a * width;
    values[row] = ends.attacker;
    const fatal = getFatal(backTails, a);
    const mostBack = Math.min(a, back.length) - 1;
    for (let d = 1; d <= defenderHp; d++) {
      const state = row + d;
      // The attacker hits: the defender falls, or has less.
      const mostForth = Math.min(d, forth.length) - 1;
      const hit = getFatal(forthTails, d) * ends.attacker + sumDamage(forth, mostForth, values, state, 1);
      // The defender hits back.
      const answered = fatal * (struck[d] ?? 0) + sumDamage(back, mostBack, struck, state, width);
      const value = (missBack * hit + answered) / (1 - missForth * missBack);
      values[state] = value;
      struck[state] = missForth * value + hit;
    }
  }
  return values;
}
