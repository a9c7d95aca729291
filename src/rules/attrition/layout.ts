/** Words of attrition: the scenario, and the state of a battle between two rounds. */

import { createStreamLayout, UNBOUNDED } from '../../core/index.ts';
import { each, head, i32, many, metrics, one, record } from '../struct.ts';

/** The first word of a scenario is its mode. */
export const MODES = ['direct', 'indirect', 'mass'] as const;

/** Direct combat and the indirect exchange. */
export const TERMS = record({
  mode: i32,
  attackerHp: i32,
  defenderHp: i32,
  /** Added to the difference of the rolls of the attacker's blow, and additional damage on prey. */
  forth: i32,
  forthPrey: i32,
  /** The same for the defender's blow. */
  back: i32,
  backPrey: i32,
  rounds: i32,
  /** Offset of the table of differences. */
  differences: i32,
  /**
   * Offsets of the distributions of damage without prey: the number of values, then probabilities of 0.. in doubles.
   */
  forthLaw: i32,
  backLaw: i32,
});

/** Mass combat. Tables by their offsets. */
export const MASS = head({
  mode: i32,
  combatants: i32,
  parties: i32,
  /** Subtracted from the number of survivors before damage is divided by it. */
  lessOne: i32,
  maxRounds: i32,
  /** Maximum difference of rolls of the dice, and the minimum of them. */
  reach: i32,
  least: i32,
  dice: i32,
  units: i32,
  prey: i32,
  /** 1 if damage is rounded to the nearest integer. */
  nearest: i32,
  /** Distribution of the sums of the dice. */
  law: i32,
});

/** A combatant of a mass battle. */
export const UNIT = record({ hp: i32, party: i32, armed: i32, attack: i32, defense: i32 });

/** A duel: hit points left, which may be below 0. */
export const FIGHT = record({ rounds: i32, attacker: i32, defender: i32 });

/** Draws of a duel: a word for both blows of a round, its lower half for the attacker's. */
export const PLACES = createStreamLayout({ round: UNBOUNDED }, 1);
export const BLOWS = { attacker: 0, defender: 1 } as const;

/** Draws of a mass battle: two rolls of each combatant in a round. */
export const MASS_PLACES = createStreamLayout({ round: UNBOUNDED, combatant: 'combatants' }, 2, {
  defence: 0,
  attack: 1,
});

export const METRICS = metrics({ rounds: one, hp: each(['attacker', 'defender']) });

export const MASS_METRICS = metrics({
  rounds: one,
  hp: many('<combatant>', 'combatants'),
  survivors: many('<party>', 'parties'),
});
