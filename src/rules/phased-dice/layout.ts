/** Words of phased dice: the scenario, a battle between two decisions, and additions of an environment. */
import { createStreamLayout, POOL_CHUNK, UNBOUNDED } from '../../core/index.ts';
import { each, head, i32, many, metrics, one, record, row } from '../struct.ts';
import { SIDES } from './army.ts';

export { OUTCOMES, RATIO_STEPS } from './policies.ts';

/** Maximum number of phases of a round. */
export const PHASES_MAX = 4;

/** Draws: a side rolls in a phase, a word for each `POOL_CHUNK` dice or part of it. */
export const PLACES = createStreamLayout({ round: UNBOUNDED, phase: PHASES_MAX, side: SIDES.length }, 2 ** 10);

/** Units left: of each side, and by type, the attacker's first. */
export const METRICS = metrics({ rounds: one, left: each(SIDES), types: many('<side>.<type>', 'types', 'left') });

/** Combat values with tables; dice of value 6 always hit. */
export const TABLED_VALUES = 5;

/** Decision points. */
export const POINTS = ['target', 'losses', 'retreat'] as const;

/**
 * Next event of a battle: both roll, a side names a class, a side loses a unit, the attacker stays or leaves, nothing.
 */
export const DUE = [
  'rolls',
  'attacker-names',
  'defender-names',
  'attacker-loses',
  'defender-loses',
  'leaves',
  'over',
] as const;

/** A side. Tables by their offsets. */
export const SIDE = head({
  troops: i32,
  forceBytes: i32,
  /** The force at the start. */
  force: i32,
  troopTable: i32,
  poolValues: i32,
  /** The first pool of each phase, and the end of them all. */
  pools: row(i32, PHASES_MAX + 1),
  /** Troops of each phase, and all except aircraft, in the order of their losses. */
  groups: row(i32, PHASES_MAX),
  ground: i32,
  /** 1 if the enemy compares classes before it names one, and their phases in the order of the comparison. */
  weighed: i32,
  named: row(i32, 3),
});

export const HEAD = head({
  phases: i32,
  maxRounds: i32,
  airStalemate: i32,
  /** Round of the retreat or 0; ratio in steps, or 0. */
  retreatAfter: i32,
  retreatRatio: i32,
  noWayOut: i32,
  /** 1 if attackers with only aircraft retreat. */
  goesHome: i32,
  sides: row(SIDE, 2),
  /** A table for each value and number of dice. */
  hits: row(i32, TABLED_VALUES * POOL_CHUNK),
});

export const TROOP = record({
  dice: i32,
  hits: i32,
  weight: i32,
  /** Value as a target. */
  worth: i32,
  phase: i32,
  /** Bytes of a force before the dice of its pool, or 0. */
  pool: i32,
});

/** Remaining forces of a side, followed by its units by troop, then its dice by pool. */
export const FORCE = record({
  reserve: i32,
  /** Units, dice and weight of all troops except aircraft. */
  units: i32,
  dice: i32,
  weight: i32,
  /** Dice of aircraft at the start. */
  airDice: i32,
  byPhase: row(i32, PHASES_MAX),
});

/** State of a battle, followed by the forces. */
export const COURSE = record({
  /** Started rounds. */
  round: i32,
  /** -1 between two rounds. */
  phase: i32,
  /** One of `DUE`. */
  stage: i32,
  /** Hits that each side still has to place, including its reserve. */
  hits: row(i32, 2),
  /** The class that each side has named in this phase, by its phase, or 0. */
  named: row(i32, 2),
  /** 1: the first units have taken all possible hits, now all ground units are hit. */
  further: i32,
  /** Outcome of a finished battle. */
  outcome: i32,
});

/**
 * Additions of an environment: the action of staying, before the one of retreating; followed by those of losses, by
 * troop of both sides.
 */
export const EXTRA = head({ stay: i32 });
