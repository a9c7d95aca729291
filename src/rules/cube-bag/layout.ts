/** Words of cubes from a bag: the scenario, and a battle between two decisions. */

import { createStreamLayout } from '../../core/index.ts';
import { CUBES } from '../layout.ts';
import { each, head, i32, many, metrics, one, record, row } from '../struct.ts';
import { SIDES, STAGES } from './army.ts';

export { OUTCOMES, OVER, READY } from './army.ts';
export { EXTRA_DRAWS, REDRAWS } from './policies.ts';

/** The stages by act and side. */
export const STAGE: readonly string[] = STAGES.map(({ act, side }) => `${act}-${side}`);

/** What cubes are drawn for. */
export const PURPOSE = { conversion: 1, draw: 2, redraw: 3, recovery: 4 } as const;

/**
 * Draws: a word for each colour but the last. The defender's further cubes are a draw of that side; of cubes drawn one by
 * one a try is the number of those that lie drawn before.
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
 * What is pending in a battle besides draws: a unit to convert, an object to remove of the attacker or of the defender, a
 * bonus to count.
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
  /** Its objects, in the order in which the enemy removes them, within groups where these come one after the other. */
  targets: i32,
  targetCount: i32,
  /** Its troops in the order in which the enemy converts them. */
  taken: i32,
  /** Tries, and cubes of a check. */
  conversions: i32,
  conversion: i32,
  recoveries: i32,
  recovery: i32,
  /** Twice the cubes that it may put back, and whether it does so only if behind. */
  redraw: i32,
  /** Whether its objects are in several zones: each hex that the destruction priority binds is one, and all that is open. */
  mixed: i32,
  slotTable: i32,
  kinds: i32,
  /** Its armies in the order in which the enemy takes units from them. */
  prey: i32,
  preyCount: i32,
  /** Cubes at which it stops if it draws one by one: of its colour, of the enemy's, in all; more than there are if at none. */
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
  /** Whether cubes are drawn one by one. */
  byCube: i32,
  sides: row(SIDE, 2),
});

/** A troop, or one structure. */
export const TARGET = record({
  /** Its hex among those that the destruction priority binds, from 1; 0 if it is open. */
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

/** What lies in a slot: a type, by its number among those of the side, and the number of its army, 0 for structures. */
export const SLOT = record({ kind: i32, army: i32 });

/** An army from which the enemy can take a unit, and cubes of the check. */
export const PREY = record({ army: i32, complexity: i32 });

/** How far a battle has come. */
export const COURSE = record({
  /** Index of the stage that is due. */
  stage: i32,
  tries: i32,
  /** One of `PENDING`. */
  pending: i32,
  /** What is left of the damage that is being placed. */
  damage: i32,
  /** The army that is to count a bonus, or from which a unit is to be converted, or 0. */
  army: i32,
});

/** A battle; behind it lie what both sides have and have done. */
export const BATTLE = head({
  course: COURSE,
  cubes: CUBES,
  marks: i32,
});

/** What a side has done and lost in a battle; behind it lie its slots. */
export const FORCE = record({
  conversions: i32,
  recoveries: i32,
  experience: i32,
  /** Units, and all objects, destroyed. */
  unitsLost: i32,
  lost: i32,
  /** Units in the battle. */
  left: i32,
});

/** Units of a slot in the battle, and objects destroyed. */
export const HOLDING = record({ units: i32, fallen: i32 });

/** A structure that is seen, among what an environment adds: how many there were, and how many fall before. */
export const BUILDING = head({ side: i32, slot: i32, count: i32, before: i32 });

/** Cubes before bonuses are counted, those to discard at most, and how many choices of a bonus follow, among what an environment adds. */
export const PREPARED = head({ attacker: i32, defender: i32, neutral: i32, fabian: i32, choices: i32 });

/** The choice of an army's bonus: its options follow, and one of them is what the scenario's policy counts. */
export const CHOICE = head({ side: i32, army: i32, options: i32, policy: i32 });

/** A bonus by the cubes that it adds. */
export const BONUS = head({ action: i32, own: i32, neutral: i32 });
