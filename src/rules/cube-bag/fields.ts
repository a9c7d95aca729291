/** The fields of a scenario for cubes from a bag. */
import { z } from 'zod';
import { BAG_MAX } from '../../core/chance/bag.ts';
import { flag, integer, oneOf, RESERVED_NAMES, scenarioName } from '../fields.ts';
import { BONUSES } from './bonus.ts';
import { ADDED_STRUCTURES, DRAWINGS, EXTRA_DRAWS, GROUP_WORDS, MILITARY, REDRAWS } from './policies.ts';
import { type AGAINST, CLASSES, figuresOf, KINDS, originOf, STRUCTURE_TYPES, unitTable } from './units.ts';

/** Tries of conversion or recovery that a side can have. */
const TRIES_MAX = 100;

const DISTANCE_MAX = 20;

/** Armies that a side can have. */
export const ARMIES_MAX = 8;

/** Words of lists that no type may be called. */
const TAKEN: readonly string[] = [
  ...new Set([...RESERVED_NAMES, ...GROUP_WORDS, MILITARY, ADDED_STRUCTURES, ...BONUSES]),
];

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

const named = z.string().regex(NAME, 'a name of 1 to 63 letters, digits, - and _ that begins with a letter');

/** The name of a type, which must not be taken by anything else. */
const typeName = (taken: readonly string[]) =>
  named.refine((name) => !taken.includes(name), {
    error: `a name other than ${taken.join(', ')}, which mean something else`,
  });

const unitTypeName = typeName([...TAKEN, ...STRUCTURE_TYPES]);
const structureTypeName = typeName([...TAKEN, 'structure', ...unitTable.map(({ name }) => name)]);

/** Hit points of one object. */
const hp = (about: string) => integer(1, 100, about);

const bonuses = z
  .strictObject({
    infantry: integer(0, 100, 'Against an enemy with infantry.').optional(),
    cavalry: integer(0, 100, 'Against an enemy with cavalry.').optional(),
    siege: integer(0, 100, 'Against an enemy with siege engines.').optional(),
    vessel: integer(0, 100, 'Against an enemy with vessels.').optional(),
    structures: integer(0, 100, 'Against an enemy with structures.').optional(),
  } satisfies Record<(typeof AGAINST)[number], z.ZodOptional<z.ZodInt>>)
  .meta({
    description: 'Cubes that the type gives its army, once, against what the enemy has; replaces all of the table’s.',
  });

const range = z
  .array(integer(0, DISTANCE_MAX, 'A distance.'))
  .length(2)
  .refine(([least = 0, most = 0]) => least <= most, { error: 'the lesser distance first' })
  .meta({ description: 'Least and greatest distance at which the type is active.' });

const unitType = z.strictObject({
  class: oneOf(CLASSES, 'What bonuses of the enemy count against; an added type must say it.').optional(),
  kind: oneOf(KINDS, 'How it fights; none is never active. An added type must say it.').optional(),
  range: range.optional(),
  hp: hp('Damage that fells one unit, all of it or none; 1 for an added type.').optional(),
  strength: integer(0, 100, 'Cubes of one unit; 1 for an added type.').optional(),
  bonus: bonuses.optional(),
  courageVsStructures: flag('An army with such a unit active has courage 1 higher against structures.').optional(),
});

/** A mapping by unit type, those of the table by name. @param ofPrinted what is said of a type of the table besides */
function byType<V extends z.ZodType>(
  value: (about: string) => V,
  about: string,
  description: string,
  ofPrinted = (_: (typeof unitTable)[number]): string => '',
) {
  const printed = unitTable.map((type) => [type.name, value(`${about}${ofPrinted(type)}.`).optional()]);
  return z
    .object(Object.fromEntries(printed) as Record<string, z.ZodOptional<V>>)
    .catchall(value(`${about}.`))
    .meta({ description });
}

const extras = z
  .strictObject({
    action: integer(0, BAG_MAX, 'Action cubes.').default(0),
    experience: integer(0, BAG_MAX, 'Experience cubes.').default(0),
  })
  .prefault({})
  .meta({ description: 'Cubes of the side’s colour that are added.' });

const modifiers = z
  .strictObject({
    strength: integer(-BAG_MAX, BAG_MAX, 'Cubes more or less.').default(0),
    courage: integer(-BAG_MAX, BAG_MAX, 'Courage more or less.').default(0),
  })
  .prefault({})
  .meta({ description: 'What else changes strength and courage of the army.' });

const tries = (what: string) => integer(0, TRIES_MAX, `Tries of ${what} that the side has.`).default(0);
const factors = (about: string) => integer(-100, 100, about);

const word = z.string().regex(NAME);
const hex = (about: string) =>
  z
    .string()
    .regex(/^\S(.{0,62}\S)?$/u, 'a name of 1 to 64 characters without blanks at its ends')
    .meta({ description: about });

const army = z.strictObject({
  units: byType(
    (about) => integer(0, BAG_MAX, about),
    'Units of this type',
    'How many units of each type.',
    (type) => `: ${figuresOf(type)}; ${originOf(type)}`,
  ),
  distance: integer(
    0,
    DISTANCE_MAX,
    'Distance to the target: 1 for an attacking army unless given, for a defending one the least of the attackers’.',
  ).optional(),
  hex: hex('Name of the hex on which it stands, unless that is the target hex with its fortification.').optional(),
  conversionFactors: factors(
    'Added to the complexity 2 of the enemy’s conversions of units of this army, in the place of the enemy’s own.',
  ).optional(),
  bonus: word.default('active-first').meta({
    description:
      'The strength bonus that the army counts, of those that apply: active-first (the greatest of an active unit; if no active unit has one, the greatest), greatest, none, or the name of a type.',
  }),
  active: byType(
    flag,
    'Whether units of this type are active',
    'Says of a type that it is active, or not, whatever range and water say.',
  ).default({}),
  extras,
  modifiers,
});

const technologies = z
  .strictObject({
    fabian: integer(0, BAG_MAX, 'Cubes of each colour that are discarded before anything is drawn.').default(0),
    trainedArmy: integer(0, BAG_MAX, 'Drawn cubes that the side may put back once and draw anew.').default(0),
    siegeTower: flag('Courage 1 higher, and the side ignores the destruction priority.').default(false),
  })
  .prefault({})
  .meta({ description: 'Technologies that the side uses in the battle.' });

const list = (about: string) => z.array(word).max(200).meta({ description: about });

const structure = z.strictObject({
  type: z
    .union([z.enum(STRUCTURE_TYPES), word])
    .meta({ description: 'What it is: a structure of the table, or of structureTypes.' }),
  hp: hp('Its hit points, in the place of those of its type.').optional(),
  marks: integer(0, 100, 'Damage from earlier, at most its hit points.').default(0),
  hex: hex('Hex of an army of the side on which it stands; the target hex unless given.').optional(),
});

const until = z
  .strictObject({
    own: integer(1, BAG_MAX, 'Drawn cubes of the side’s own colour.').optional(),
    enemy: integer(1, BAG_MAX, 'Drawn cubes of the enemy’s colour.').optional(),
    drawn: integer(1, BAG_MAX, 'Drawn cubes in all.').optional(),
  })
  .meta({
    description:
      'Stops as soon as so many cubes or more are drawn, the attacker’s draws included; one at least must be given.',
    minProperties: 1,
  });

/** What a side that draws cube by cube may name besides. */
const conditions = z
  .strictObject({ until })
  .meta({ description: 'Draws on until a condition holds; with drawing: cube-by-cube.' });

const side = {
  structures: z
    .array(structure)
    .max(50)
    .default([])
    .meta({ description: 'Structures; those without a hex stand with the armies of the side that have none.' }),
  technologies,
  corpsBonus: oneOf(
    ['sum', 'none'],
    'Whether each army of a corps gives its strength bonus; a single army always does.',
  ).default('sum'),
  addDefense: flag('Inactive units of the side give neutral cubes.').default(true),
  conversions: tries('conversion'),
  conversionFactors: factors('Added to the complexity 2 of the side’s conversions.').default(0),
  convert: z
    .union([z.literal('easiest'), z.array(integer(1, ARMIES_MAX, 'The number of an army, from 1.')).max(ARMIES_MAX)])
    .default('easiest')
    .meta({
      description:
        'The enemy’s armies in the order in which the side tries to convert units of theirs, if one of them has conversionFactors: those of least complexity first, or by a list.',
    }),
  recoveries: tries('recovery'),
  recoveryFactors: factors('Added to the complexity 2 of the side’s recoveries.').default(0),
  removal: list('Types, classes and structures of the enemy in the order in which the side removes them.').default([]),
  redraw: oneOf(
    REDRAWS,
    'When the side uses trainedArmy; if-behind: if it has drawn fewer cubes than the enemy.',
  ).default('always'),
};

export const cubeBag = z.strictObject({
  system: z.literal('cube-bag'),
  name: scenarioName,
  target: oneOf(['land', 'water'], 'The hex that is attacked; melee units of the attacker do not reach water.').default(
    'land',
  ),
  fortification: oneOf(
    ['none', 'palisade', 'wall', 'city', 'castle'],
    'What is besieged: melee and ranged bonuses of the attacker do not count against the garrison.',
  ).default('none'),
  garrisonBonus: integer(0, BAG_MAX, 'Cubes of the defender’s colour that are added in a siege.').default(0),
  unitSet: oneOf(
    ['seed', 'old'],
    'The unit table, all of which is completed from outside the rule text but the bonus of spearmen and the courage of projectile units; old: that of another edition, with +1 for cavalrymen against infantry.',
  ).default('seed'),
  unitTypes: z
    .record(unitTypeName, unitType)
    .default({})
    .meta({ description: 'Overrides of the unit table, field by field, and types added to it.' }),
  drawing: oneOf(
    DRAWINGS,
    'Whether a side that draws names the number of cubes first, or looks at each cube before it goes on or stops.',
  ).default('number-first'),
  structureTypes: z
    .record(structureTypeName, z.strictObject({ hp: hp('Damage that destroys one structure.') }))
    .default({})
    .meta({ description: 'Hit points of structures by type, and types added to the table.' }),
  failedCheckCubes: oneOf(['return', 'discard'], 'What becomes of the cubes of a failed check.').default('return'),
  priority: z
    .array(z.union([word, list('Types, classes and structures that are destroyed before those of later groups.')]))
    .max(50)
    .default([['wall', 'palisade'], [MILITARY], ['peasant'], ['building'], ['city', 'castle', ADDED_STRUCTURES]])
    .meta({
      description:
        'Groups in which objects on a hex with structures must be destroyed, each a word or a list of words; what no group has is last. added-structures: types of structures that structureTypes adds.',
    }),
  attacker: z.strictObject({
    armies: z.array(army).min(1).max(ARMIES_MAX).meta({ description: 'One army, or several as a corps.' }),
    draw: z
      .union([z.literal('max'), integer(1, BAG_MAX, 'Cubes.'), conditions])
      .default('max')
      .meta({ description: 'Cubes that the attacker draws, at least one and at most its courage.' }),
    ...side,
  }),
  defender: z.strictObject({
    armies: z
      .array(army)
      .max(ARMIES_MAX)
      .meta({ description: 'One army, or several as a corps; none if structures stand alone.' }),
    extraDraw: z
      .union([z.enum(EXTRA_DRAWS), conditions])
      .default('none')
      .meta({
        description:
          'Whether the defender draws on, up to its courage; if-behind: all if it has fewer cubes than the attacker.',
      }),
    ...side,
  }),
});

/** What a file holds, complete with all defaults. */
export type Written = z.output<typeof cubeBag>;
