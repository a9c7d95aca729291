/** Words of cubes from a bag: the scenario, and the state of a battle between two decisions. */

import { createStreamLayout } from '../../core/index.ts';
import { CUBES } from '../layout.ts';
import { each, head, i32, many, metrics, one, record, row } from '../struct.ts';
import { SIDES, STAGES } from './army.ts';

export { OUTCOMES, OVER, READY } from './army.ts';
export { EXTRA_DRAWS, REDRAWS } from './policies.ts';

/** The stages by act and side. */
export const STAGE: readonly string[] = STAGES.map(({ act, side }) => `${act}-${side}`);

/** Purpose of a draw. */
export const PURPOSE = { conversion: 1, draw: 2, redraw: 3, recovery: 4 } as const;

/**
 * Draws: one word for each color except the last. Additional cubes of the defender are a draw of that side; if cubes
 * are drawn one by one, the try is the number of previously drawn cubes.
 */
export const PLACES = createStreamLayout(
  { purpose: 1 + Math.max(...Object.values(PURPOSE)), side: 16, tries: 1024 },
  4,
);

export const METRICS = metrics({
  drawn: each([...SIDES, 'neutral']),
  losses: each(SIDES),
  types: many('<side>.<type>', 'types', 'losses'),
  conversions: each(SIDES),
  recoveries: each(SIDES),
  experience: each(SIDES),
  marks: one,
});

/** Decision points. */
export const POINTS = ['conversion', 'draw', 'extraDraw', 'redraw', 'removal', 'army', 'bonus'] as const;

/**
 * Pending decision of a battle, apart from draws: a unit to convert, an object of the attacker or of the defender to
 * remove, a bonus to choose.
 */
export const PENDING = ['nothing', 'unit', 'attacker', 'defender', 'bonus'] as const;

/** A side. Tables by their offsets. */
export const SIDE = head({
  courage: i32,
  troops: i32,
  slots: i32,
  structures: i32,
  /** Units by troop. */
  muster: i32,
  /** Objects in the order in which the enemy removes them, within their groups if these are sequential. */
  targets: i32,
  targetCount: i32,
  /** Its troops in the order in which the enemy converts them. */
  taken: i32,
  /** Tries, and cubes of a check. */
  conversions: i32,
  conversion: i32,
  recoveries: i32,
  recovery: i32,
  /** Twice the number of cubes that it may put back, plus 1 if it does so only if behind. */
  redraw: i32,
  /** 1 if its objects are in several zones: each hex with a destruction priority is one, and all others together. */
  mixed: i32,
  slotTable: i32,
  kinds: i32,
  /** Its armies in the order in which the enemy takes units from them. */
  prey: i32,
  preyCount: i32,
  /**
   * Cubes at which it stops if it draws one by one: of its color, of the enemy's, in all; more than there are if at
   * none.
   */
  untilOwn: i32,
  untilEnemy: i32,
  untilDrawn: i32,
});

export const HEAD = head({
  attackerCubes: i32,
  defenderCubes: i32,
  neutralCubes: i32,
  draw: i32,
  extraDraw: i32,
  discardFailed: i32,
  /** Marks on all structures. */
  marks: i32,
  /** 1 if cubes are drawn one by one. */
  byCube: i32,
  sides: row(SIDE, 2),
});

/** A troop, or one structure. */
export const TARGET = record({
  /** Number of its hex among those with a destruction priority, from 1; 0 for others. */
  zone: i32,
  group: i32,
  slot: i32,
  /** Damage that fells it. */
  need: i32,
  /** -1 for units. */
  marks: i32,
  kind: i32,
  /** Structures of its slot that fall before it. */
  before: i32,
});

/** Contents of a slot: a type, as its number on the side, and the number of its army, 0 for structures. */
export const SLOT = record({ kind: i32, army: i32 });

/** An army from which the enemy can take a unit, and cubes of the check. */
export const PREY = record({ army: i32, complexity: i32 });

/** Progress of a battle. */
export const COURSE = record({
  /** Index of the due stage. */
  stage: i32,
  tries: i32,
  /** One of `PENDING`. */
  pending: i32,
  /** Remaining damage. */
  damage: i32,
  /** The army that chooses a bonus, or from which a unit is converted, or 0. */
  army: i32,
});

/** State of a battle, followed by the states of both sides. */
export const BATTLE = head({
  course: COURSE,
  cubes: CUBES,
  marks: i32,
});

/** State of a side, followed by its slots. */
export const FORCE = record({
  conversions: i32,
  recoveries: i32,
  experience: i32,
  /** Destroyed units, and all destroyed objects. */
  unitsLost: i32,
  lost: i32,
  /** Units in the battle. */
  left: i32,
});

/** Remaining units of a slot, and destroyed objects. */
export const HOLDING = record({ units: i32, fallen: i32 });

/**
 * An observed structure, among the additions of an environment: initial count, and the number of structures that fall
 * before it.
 */
export const BUILDING = head({ side: i32, slot: i32, count: i32, before: i32 });

/**
 * Cubes before bonuses, maximum number to discard, and the number of the following choices of bonuses, among the
 * additions of an environment.
 */
export const PREPARED = head({ attacker: i32, defender: i32, neutral: i32, fabian: i32, choices: i32 });

/** The choice of a bonus of an army, followed by its options; `policy` is the one of the scenario. */
export const CHOICE = head({ side: i32, army: i32, options: i32, policy: i32 });

/** A bonus by the cubes that it adds. */
export const BONUS = head({ action: i32, own: i32, neutral: i32 });
