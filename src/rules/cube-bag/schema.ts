/** The fields of a scenario for cubes from a bag. */

import { z } from 'zod';
import { BAG_MAX } from '../../core/index.ts';
import { ALWAYS, checkAcrossFields, flag, integer, oneOf, RESERVED_NAMES, reject, scenarioName } from '../fields.ts';
import type { Side } from '../system.ts';
import { BONUSES, ENEMY, getPreparedCubes, SIDES } from './army.ts';
import { listBuildings } from './buildings.ts';
import { ADDED_STRUCTURES, DRAWING_MODES, EXTRA_DRAWS, GROUP_WORDS, MILITARY, REDRAWS } from './policies.ts';
import {
  type AGAINST,
  CLASSES,
  createStructureHp,
  createUnitTypes,
  describeOrigin,
  describeUnitType,
  isPrinted,
  KINDS,
  STRUCTURE_TYPES,
  unitTable,
} from './units.ts';

/** Maximum tries of conversion or recovery of a side. */
const TRIES_MAX = 100;

const DISTANCE_MAX = 20;

/** Maximum number of armies of a side. */
export const ARMIES_MAX = 8;

/** Words of lists that cannot be names of types. */
const RESERVED_TYPE_NAMES: readonly string[] = [
  ...new Set([...RESERVED_NAMES, ...GROUP_WORDS, MILITARY, ADDED_STRUCTURES, ...BONUSES]),
];

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

const named = z.string().regex(NAME, 'a name of 1 to 63 letters, digits, - and _ that begins with a letter');

/** Creates the schema of a new name of a type. */
const typeName = (taken: readonly string[]) =>
  named.refine((name) => !taken.includes(name), {
    error: `a name other than the reserved ${taken.join(', ')}`,
  });

const unitTypeName = typeName([...RESERVED_TYPE_NAMES, ...STRUCTURE_TYPES]);
const structureTypeName = typeName([...RESERVED_TYPE_NAMES, 'structure', ...unitTable.map(({ name }) => name)]);

/** Creates the field of hit points of one object. */
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
    description:
      'Cubes that the type adds to its army, once, by the objects of the enemy. Replaces all bonuses of the table.',
  });

const range = z
  .array(integer(0, DISTANCE_MAX, 'A distance.'))
  .length(2)
  .refine(([least = 0, most = 0]) => least <= most, { error: 'the lesser distance first' })
  .meta({ description: 'Smallest and largest distance at which the type is active.' });

const unitType = z.strictObject({
  class: oneOf(CLASSES, 'Class for the bonuses of the enemy. Required for added types.').optional(),
  kind: oneOf(KINDS, 'Kind of combat; a unit of kind none is never active. Required for added types.').optional(),
  range: range.optional(),
  hp: hp('Damage that destroys one unit; less damage has no effect. 1 for an added type.').optional(),
  strength: integer(0, 100, 'Number of cubes of one unit; 1 for an added type.').optional(),
  bonus: bonuses.optional(),
  courageVsStructures: flag(
    'True if an active unit of this type raises the courage of its army by 1 against structures.',
  ).optional(),
});

/**
 * Creates a mapping by unit type, with descriptions of the types of the table. @param ofPrinted additional description
 * of a type of the table
 */
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
  .meta({ description: 'Additional cubes of the side’s color.' });

const modifiers = z
  .strictObject({
    strength: integer(-BAG_MAX, BAG_MAX, 'Change of the number of cubes.').default(0),
    courage: integer(-BAG_MAX, BAG_MAX, 'Change of the courage.').default(0),
  })
  .prefault({})
  .meta({ description: 'Other changes of the strength and courage of the army.' });

const tries = (what: string) => integer(0, TRIES_MAX, `Number of attempts at ${what} of the side.`).default(0);
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
    'Number of units of each type.',
    (type) => `: ${describeUnitType(type)}; ${describeOrigin(type)}`,
  ),
  distance: integer(
    0,
    DISTANCE_MAX,
    'Distance to the target. Default: 1 for an attacking army; for a defending army the smallest distance of the attackers.',
  ).optional(),
  hex: hex('Name of the hex of the army. Default: the target hex with its fortification.').optional(),
  conversionFactors: factors(
    'Added to the complexity 2 of the enemy’s conversions of units of this army. Replaces the conversionFactors of the enemy.',
  ).optional(),
  bonus: word.default('active-first').meta({
    description:
      'Strength bonus that the army uses, of those that apply: active-first (the largest of an active unit; if no active unit has one, the largest), greatest, none, or the name of a type.',
  }),
  active: byType(
    flag,
    'True if units of this type are active',
    'Overrides, by type, whether units are active, regardless of range and water.',
  ).default({}),
  extras,
  modifiers,
});

const technologies = z
  .strictObject({
    fabian: integer(0, BAG_MAX, 'Number of cubes of each color that are discarded before the first draw.').default(0),
    trainedArmy: integer(0, BAG_MAX, 'Number of drawn cubes that the side may put back and draw again, once.').default(
      0,
    ),
    siegeTower: flag('True if the side has 1 more courage and ignores the destruction priority.').default(false),
  })
  .prefault({})
  .meta({ description: 'Technologies that the side uses in the battle.' });

const list = (about: string) => z.array(word).max(200).meta({ description: about });

const structure = z.strictObject({
  type: z
    .union([z.enum(STRUCTURE_TYPES), word])
    .meta({ description: 'Type of the structure, from the table or from structureTypes.' }),
  hp: hp('Hit points. Default: hit points of the type.').optional(),
  marks: integer(0, 100, 'Previous damage, at most the hit points.').default(0),
  hex: hex('Name of its hex, which must have an army of the side. Default: the target hex.').optional(),
});

const until = z
  .strictObject({
    own: integer(1, BAG_MAX, 'Number of drawn cubes of the side’s own color.').optional(),
    enemy: integer(1, BAG_MAX, 'Number of drawn cubes of the enemy’s color.').optional(),
    drawn: integer(1, BAG_MAX, 'Total number of drawn cubes.').optional(),
  })
  .meta({
    description:
      'Conditions that end the draw. It ends as soon as at least one number is reached; draws of the attacker count. At least one is required.',
    minProperties: 1,
  });

/** Conditions of a side that draws cube by cube. */
const conditions = z
  .strictObject({ until })
  .meta({ description: 'Draws until a condition holds. Requires drawing: cube-by-cube.' });

const side = {
  structures: z.array(structure).max(50).default([]).meta({
    description: 'Structures. A structure without a hex is on the same hex as the armies of the side without a hex.',
  }),
  technologies,
  corpsBonus: oneOf(
    ['sum', 'none'],
    'sum: each army of a corps adds its strength bonus; none: no army of a corps does. A single army always does.',
  ).default('sum'),
  addDefense: flag('True if inactive units of the side add neutral cubes.').default(true),
  conversions: tries('conversion'),
  conversionFactors: factors('Added to the complexity 2 of the side’s conversions.').default(0),
  convert: z
    .union([z.literal('easiest'), z.array(integer(1, ARMIES_MAX, 'The number of an army, from 1.')).max(ARMIES_MAX)])
    .default('easiest')
    .meta({
      description:
        'Order of the enemy’s armies in which the side tries to convert their units, if one of them has conversionFactors: lowest complexity first (easiest), or the order of a list. Repeated numbers in the list have no effect.',
    }),
  recoveries: tries('recovery'),
  recoveryFactors: factors('Added to the complexity 2 of the side’s recoveries.').default(0),
  removal: list('Types, classes and structures of the enemy in the order in which the side removes them.').default([]),
  redraw: oneOf(
    REDRAWS,
    'Use of trainedArmy; if-behind: only if the side has drawn fewer cubes than the enemy.',
  ).default('always'),
};

const cubeBag = z.strictObject({
  system: z.literal('cube-bag'),
  name: scenarioName,
  target: oneOf(['land', 'water'], 'Attacked hex. Melee units of the attacker cannot attack on water.').default('land'),
  fortification: oneOf(
    ['none', 'palisade', 'wall', 'city', 'castle'],
    'Besieged fortification. With one, melee and ranged bonuses of the attacker do not count against the garrison, and the destruction priority applies to the target hex.',
  ).default('none'),
  garrisonBonus: integer(0, BAG_MAX, 'Additional cubes of the defender’s color in a siege.').default(0),
  unitSet: oneOf(
    ['seed', 'old'],
    'Unit table. All values except the courage of projectile units are completed from outside the rule text. old: table of another edition, with +1 for cavalrymen against infantry.',
  ).default('seed'),
  unitTypes: z
    .record(unitTypeName, unitType)
    .default({})
    .meta({ description: 'Unit types that override fields of the unit table or are added to it.' }),
  drawing: oneOf(
    DRAWING_MODES,
    'number-first: a side chooses the number of cubes before it draws. cube-by-cube: it sees each cube before it draws the next or stops.',
  ).default('number-first'),
  structureTypes: z
    .record(structureTypeName, z.strictObject({ hp: hp('Damage that destroys one structure.') }))
    .default({})
    .meta({
      description:
        'Hit points of structures by type, and types added to the table: building 1, palisade 1, wall 2, city 3, castle 4. The values of wall and palisade are completed from outside the rule text.',
    }),
  failedCheckCubes: oneOf(['return', 'discard'], 'Treatment of the cubes of a failed check.').default('return'),
  priority: z
    .array(z.union([word, list('Types, classes and structures that are destroyed before the later groups.')]))
    .max(50)
    .default([['wall', 'palisade'], [MILITARY], ['peasant'], ['building'], ['city', 'castle', ADDED_STRUCTURES]])
    .meta({
      description:
        'Order in which objects on a hex must be destroyed, as groups; each group is a word or a list of words. Objects in no group are last. The order applies to hexes with structures and to the target hex with a fortification. The default order is completed from outside the rule text. military: every unit except peasants. added-structures: the types that structureTypes adds.',
    }),
  attacker: z.strictObject({
    armies: z.array(army).min(1).max(ARMIES_MAX).meta({ description: 'One army, or several as a corps.' }),
    draw: z
      .union([z.literal('max'), integer(1, BAG_MAX, 'Cubes.'), conditions])
      .default('max')
      .meta({ description: 'Number of cubes that the attacker draws, at least one and at most its courage.' }),
    ...side,
  }),
  defender: z.strictObject({
    armies: z
      .array(army)
      .max(ARMIES_MAX)
      .meta({ description: 'One army, or several as a corps. Empty if the defender has only structures.' }),
    extraDraw: z
      .union([z.enum(EXTRA_DRAWS), conditions])
      .default('none')
      .meta({
        description:
          'Additional draws of the defender, up to its courage; if-behind: all of them if it has fewer cubes than the attacker.',
      }),
    ...side,
  }),
});

/** Content of a file, completed by defaults. */
type CubeBagInput = z.output<typeof cubeBag>;

// Checks of a scenario that involve several fields.

/** Maximum number of added types. */
const ADDED_TYPES_MAX = 100;

type CubeBagContext = z.core.$RefinementCtx<CubeBagInput>;

/** Checks that added types are complete. */
function checkTypes({ unitTypes, unitSet }: CubeBagInput, context: CubeBagContext): void {
  const given = Object.entries(unitTypes);
  const added = given.filter(([name]) => !isPrinted(name));
  if (added.length > ADDED_TYPES_MAX) {
    reject(context, ['unitTypes'], `at most ${String(ADDED_TYPES_MAX)} added types`, String(added.length));
  }
  for (const [name, type] of added) {
    const missing = (['class', 'kind'] as const).filter((field) => type[field] === undefined);
    if (missing.length === 0) continue;
    const found = `no ${missing.join(' and no ')}`;
    reject(context, ['unitTypes', name], 'class and kind, because the unit table has no such type', found);
  }
  for (const [name] of given) {
    const type = createUnitTypes(unitTypes, unitSet).get(name);
    if (type === undefined || type.kind === 'none' || type.range.length > 0) continue;
    reject(context, ['unitTypes', name], `a range, which units of kind ${type.kind} require`, 'none');
  }
}

/** Checks the number of types of structures, and that no unit has their names. */
function checkStructureTypes({ structureTypes, unitTypes }: CubeBagInput, context: CubeBagContext): void {
  const names = Object.keys(structureTypes);
  const added = names.length - names.filter((name) => STRUCTURE_TYPES.includes(name as never)).length;
  if (added > ADDED_TYPES_MAX) {
    reject(context, ['structureTypes'], `at most ${String(ADDED_TYPES_MAX)} added types`, String(added));
  }
  for (const name of names.filter((each) => Object.hasOwn(unitTypes, each))) {
    reject(context, ['structureTypes', name], 'a name that no unit type has', `"${name}"`);
  }
}

type CubeBagPath = readonly (string | number)[];

/** Checks that all names are known. */
function checkNames(
  names: readonly string[],
  known: readonly string[],
  path: (index: number) => CubeBagPath,
  context: CubeBagContext,
) {
  for (const [index, name] of names.entries()) {
    if (!known.includes(name)) reject(context, path(index), `one of ${known.join(', ')}`, `"${name}"`);
  }
}

/** Checks that units and the words of lists exist. */
function checkWords(scenario: CubeBagInput, context: CubeBagContext): void {
  const types = [...createUnitTypes(scenario.unitTypes, scenario.unitSet).keys(), ...Object.keys(scenario.unitTypes)];
  const known = [...new Set(types)];
  const structures = [...createStructureHp(scenario.structureTypes).keys()];
  const objects = [...known, ...GROUP_WORDS, ...structures];
  for (const [group, words] of scenario.priority.entries()) {
    const isWord = typeof words === 'string';
    const path = (index: number): CubeBagPath => ['priority', group, ...(isWord ? [] : [index])];
    checkNames(isWord ? [words] : words, [...objects, MILITARY, ADDED_STRUCTURES], path, context);
  }
  for (const of of SIDES) {
    const built = scenario[of].structures.map(({ type }) => type);
    checkNames(built, structures, (index) => [of, 'structures', index, 'type'], context);
    checkNames(scenario[of].removal, objects, (index) => [of, 'removal', index], context);
    for (const [index, { units, active, bonus }] of scenario[of].armies.entries()) {
      checkNames([bonus], [...BONUSES, ...known], () => [of, 'armies', index, 'bonus'], context);
      for (const [field, named] of Object.entries({ units, active })) {
        const names = Object.keys(named);
        checkNames(names, known, (each) => [of, 'armies', index, field, names[each] ?? ''], context);
      }
    }
  }
}

/** Checks that an attacker has a unit, and a defender an object. */
function checkPresence(scenario: CubeBagInput, of: Side, context: CubeBagContext): void {
  const units = scenario[of].armies.flatMap((each) => Object.values(each.units));
  const structures = of === 'defender' ? scenario[of].structures.length : 0;
  if (structures > 0 || units.some((count) => (count ?? 0) > 0)) return;
  reject(context, [of, 'armies'], of === 'defender' ? 'at least one unit or structure' : 'at least one unit', 'none');
}

function checkMarks(scenario: CubeBagInput, of: Side, context: CubeBagContext): void {
  for (const [index, { type, marks, hp }] of listBuildings(
    scenario.structureTypes,
    scenario[of].structures,
  ).entries()) {
    if (hp === 0 || marks <= hp) continue;
    const expected = `an integer 0..${String(hp)}, because a ${type} has ${String(hp)} hp`;
    reject(context, [of, 'structures', index, 'marks'], expected, String(marks));
  }
}

/** Checks that structures are on a hex of an army of their side, or on the target hex. */
function checkHexes(scenario: CubeBagInput, of: Side, context: CubeBagContext): void {
  const hexes = new Set(scenario[of].armies.flatMap(({ hex }) => (hex === undefined ? [] : [hex])));
  for (const [index, { hex }] of scenario[of].structures.entries()) {
    if (hex === undefined || hexes.has(hex)) continue;
    const names = [...hexes].join(', ');
    const expected =
      hexes.size === 0 ? 'no hex, because no army of the side has one' : `a hex of an army of the side: ${names}`;
    reject(context, [of, 'structures', index, 'hex'], expected, `"${hex}"`);
  }
}

/** Checks that numbers are those of enemy armies. */
function checkConvert(scenario: CubeBagInput, of: Side, context: CubeBagContext): void {
  const { convert } = scenario[of];
  const armies = scenario[ENEMY[of]].armies.length;
  for (const [index, army] of convert === 'easiest' ? [] : convert.entries()) {
    if (army <= armies) continue;
    const expected =
      armies === 0 ? 'no army, because the enemy has none' : `the number of an enemy army, 1..${String(armies)}`;
    reject(context, [of, 'convert', index], expected, String(army));
  }
}

/** Draws are exact only from bags of limited size. Invalid fields have no size: "5" and 1 would add up to 51. */
function checkSize(scenario: CubeBagInput, context: CubeBagContext): void {
  if (context.issues.length > 0) return;
  const cubes = SIDES.map((each) => {
    const { own, neutral, choices } = getPreparedCubes(scenario, each);
    return choices.reduce(
      (all, { options }) => all + Math.max(...options.map((o) => o.own + o.neutral)),
      own + neutral,
    );
  });
  const [first = 0, second = 0] = cubes;
  if (first + second <= BAG_MAX) return;
  const path = [first >= second ? 'attacker' : 'defender', 'armies'];
  reject(context, path, `sides that prepare at most ${String(BAG_MAX)} cubes in total`, String(first + second));
}

/** Checks that conditions are used with cubes that are drawn one by one, and are not empty. */
function checkUntil({ drawing, attacker, defender }: CubeBagInput, context: CubeBagContext): void {
  const policies = [
    ['attacker', 'draw', attacker.draw],
    ['defender', 'extraDraw', defender.extraDraw],
  ] as const;
  for (const [of, field, policy] of policies) {
    if (typeof policy !== 'object') continue;
    const path = [of, field, 'until'];
    const isEmpty = Object.values(policy.until).every((count) => count === undefined);
    if (isEmpty) reject(context, path, 'at least one of own, enemy, drawn', 'none');
    // Other values have their own error.
    if (drawing !== 'number-first') continue;
    reject(context, path, 'drawing: cube-by-cube, because number-first has no conditions', drawing);
  }
}

function checkTogether(scenario: CubeBagInput, context: CubeBagContext): void {
  checkTypes(scenario, context);
  checkStructureTypes(scenario, context);
  checkWords(scenario, context);
  checkSize(scenario, context);
  checkUntil(scenario, context);
  for (const of of SIDES) {
    checkMarks(scenario, of, context);
    checkHexes(scenario, of, context);
    checkConvert(scenario, of, context);
    checkPresence(scenario, of, context);
  }
}

// Transforms the content of a file to a complete scenario.

export type CubeBag = Omit<CubeBagInput, 'priority'> & { priority: string[][] };

const isComplete = (written: CubeBagInput): written is CubeBag =>
  written.priority.every((group) => typeof group !== 'string');

/**
 * Completes a scenario. Words of the destruction priority become lists, so that equivalent files have equal scenarios.
 * Variants of a complete scenario stay the same object, for which the checks have computed the cubes.
 */
const completeScenario = (written: CubeBagInput): CubeBag => {
  if (isComplete(written)) return written;
  return { ...written, priority: written.priority.map((group) => (typeof group === 'string' ? [group] : group)) };
};

export const schema = cubeBag.superRefine(checkAcrossFields(checkTogether), ALWAYS).transform(completeScenario);
