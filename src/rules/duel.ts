/** Duels: battles of two units whose distributions of damage do not depend on hit points. */

/** Damage of a blow. */
export interface DuelBlow {
  /** Equal for equal damage. */
  readonly key: string;
  /** Probability of each damage, from 0. */
  readonly damage: Float64Array;
}

/** Two units that strike each other until one falls. */
export interface Duel {
  /** Blows of the attacker and of the defender. */
  readonly blows: readonly [forth: DuelBlow, back: DuelBlow];
  readonly hp: readonly [attacker: number, defender: number];
}

/** A unit of a duel. */
export interface DuelUnit {
  readonly name: string;
}

/** Scenario of a duel. */
export interface DuelScenario {
  readonly attacker: DuelUnit;
  readonly defender: DuelUnit;
  readonly maxRounds: number;
}
