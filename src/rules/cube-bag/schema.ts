/** The fields of a scenario for cubes from a bag. */

import { z } from 'zod';
import { BAG_MAX } from '../../core/index.ts';
import { ALWAYS, across, flag, integer, oneOf, RESERVED_NAMES, refuse, scenarioName } from '../fields.ts';
import type { Side } from '../system.ts';
import { BONUSES, buildingsOf, ENEMY, hostOf, SIDES } from './army.ts';
import { ADDED_STRUCTURES, DRAWINGS, EXTRA_DRAWS, GROUP_WORDS, MILITARY, REDRAWS } from './policies.ts';
import {
  type AGAINST,
  CLASSES,
  figuresOf,
  isPrinted,
  KINDS,
  originOf,
  STRUCTURE_TYPES,
  structureHpOf,
  unitTable,
  unitTypesOf,
} from './units.ts';

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
        'The enemy’s armies in the order in which the side tries to convert units of theirs, if one of them has conversionFactors: those of least complexity first, or by a list, in which a repeated number has no further effect.',
    }),
  recoveries: tries('recovery'),
  recoveryFactors: factors('Added to the complexity 2 of the side’s recoveries.').default(0),
  removal: list('Types, classes and structures of the enemy in the order in which the side removes them.').default([]),
  redraw: oneOf(
    REDRAWS,
    'When the side uses trainedArmy; if-behind: if it has drawn fewer cubes than the enemy.',
  ).default('always'),
};

const cubeBag = z.strictObject({
  system: z.literal('cube-bag'),
  name: scenarioName,
  target: oneOf(['land', 'water'], 'The hex that is attacked; melee units of the attacker do not reach water.').default(
    'land',
  ),
  fortification: oneOf(
    ['none', 'palisade', 'wall', 'city', 'castle'],
    'What is besieged: melee and ranged bonuses of the attacker do not count against the garrison, and the destruction priority binds the target hex.',
  ).default('none'),
  garrisonBonus: integer(0, BAG_MAX, 'Cubes of the defender’s colour that are added in a siege.').default(0),
  unitSet: oneOf(
    ['seed', 'old'],
    'The unit table, all of which is completed from outside the rule text but the courage of projectile units; old: that of another edition, with +1 for cavalrymen against infantry.',
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
    .meta({
      description:
        'Hit points of structures by type, and types added to the table: building 1, palisade 1, wall 2, city 3, castle 4. Those of wall and palisade are completed from outside the rule text.',
    }),
  failedCheckCubes: oneOf(['return', 'discard'], 'What becomes of the cubes of a failed check.').default('return'),
  priority: z
    .array(z.union([word, list('Types, classes and structures that are destroyed before those of later groups.')]))
    .max(50)
    .default([['wall', 'palisade'], [MILITARY], ['peasant'], ['building'], ['city', 'castle', ADDED_STRUCTURES]])
    .meta({
      description:
        'Groups in which objects on a bound hex must be destroyed, each a word or a list of words; what no group has is last. Hexes with structures are bound, and the target hex with a fortification. The default order is completed from outside the rule text. military: every unit but peasants. added-structures: the types that structureTypes adds.',
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
type Written = z.output<typeof cubeBag>;

// What a scenario must hold beyond what each of its fields says.

/** Types that a scenario can add. */
const ADDED_TYPES_MAX = 100;

type Context = z.core.$RefinementCtx<Written>;

/** Types must be complete. */
function checkTypes({ unitTypes, unitSet }: Written, context: Context): void {
  const given = Object.entries(unitTypes);
  const added = given.filter(([name]) => !isPrinted(name));
  if (added.length > ADDED_TYPES_MAX) {
    refuse(context, ['unitTypes'], `at most ${String(ADDED_TYPES_MAX)} added types`, String(added.length));
  }
  for (const [name, type] of added) {
    const missing = (['class', 'kind'] as const).filter((field) => type[field] === undefined);
    if (missing.length === 0) continue;
    const found = `no ${missing.join(' and no ')}`;
    refuse(context, ['unitTypes', name], 'class and kind, for the unit table has no such type', found);
  }
  for (const [name] of given) {
    const type = unitTypesOf(unitTypes, unitSet).get(name);
    if (type === undefined || type.kind === 'none' || type.range.length > 0) continue;
    refuse(context, ['unitTypes', name], `a range, for units of kind ${type.kind} need one`, 'none');
  }
}

/** Types of structures are few, and called as no unit is. */
function checkStructureTypes({ structureTypes, unitTypes }: Written, context: Context): void {
  const names = Object.keys(structureTypes);
  const added = names.length - names.filter((name) => STRUCTURE_TYPES.includes(name as never)).length;
  if (added > ADDED_TYPES_MAX) {
    refuse(context, ['structureTypes'], `at most ${String(ADDED_TYPES_MAX)} added types`, String(added));
  }
  for (const name of names.filter((each) => Object.hasOwn(unitTypes, each))) {
    refuse(context, ['structureTypes', name], 'a name that no unit type has', `"${name}"`);
  }
}

type Path = readonly (string | number)[];

/** Every name must be one of those known. */
function checkNames(
  names: readonly string[],
  known: readonly string[],
  path: (index: number) => Path,
  context: Context,
) {
  for (const [index, name] of names.entries()) {
    if (!known.includes(name)) refuse(context, path(index), `one of ${known.join(', ')}`, `"${name}"`);
  }
}

/** Units must be known, and so must be what lists name. */
function checkWords(scenario: Written, context: Context): void {
  const types = [...unitTypesOf(scenario.unitTypes, scenario.unitSet).keys(), ...Object.keys(scenario.unitTypes)];
  const known = [...new Set(types)];
  const structures = [...structureHpOf(scenario.structureTypes).keys()];
  const objects = [...known, ...GROUP_WORDS, ...structures];
  for (const [group, words] of scenario.priority.entries()) {
    const isWord = typeof words === 'string';
    const path = (index: number): Path => ['priority', group, ...(isWord ? [] : [index])];
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

/** An attacker needs a unit, a defender something that can be lost. */
function checkPresence(scenario: Written, of: Side, context: Context): void {
  const units = scenario[of].armies.flatMap((each) => Object.values(each.units));
  const structures = of === 'defender' ? scenario[of].structures.length : 0;
  if (structures > 0 || units.some((count) => (count ?? 0) > 0)) return;
  refuse(context, [of, 'armies'], of === 'defender' ? 'at least one unit or structure' : 'at least one unit', 'none');
}

function checkMarks(scenario: Written, of: Side, context: Context): void {
  for (const [index, { type, marks, hp }] of buildingsOf(scenario.structureTypes, scenario[of].structures).entries()) {
    if (hp === 0 || marks <= hp) continue;
    const expected = `an integer 0..${String(hp)}, for a ${type} has ${String(hp)} hp`;
    refuse(context, [of, 'structures', index, 'marks'], expected, String(marks));
  }
}

/** Structures stand where an army of their side does, or on the target hex. */
function checkHexes(scenario: Written, of: Side, context: Context): void {
  const hexes = new Set(scenario[of].armies.flatMap(({ hex }) => (hex === undefined ? [] : [hex])));
  for (const [index, { hex }] of scenario[of].structures.entries()) {
    if (hex === undefined || hexes.has(hex)) continue;
    const names = [...hexes].join(', ');
    const expected =
      hexes.size === 0 ? 'no hex, for no army of the side has one' : `a hex of an army of the side: ${names}`;
    refuse(context, [of, 'structures', index, 'hex'], expected, `"${hex}"`);
  }
}

/** Numbers must be those of the enemy's armies. */
function checkConvert(scenario: Written, of: Side, context: Context): void {
  const { convert } = scenario[of];
  const armies = scenario[ENEMY[of]].armies.length;
  for (const [index, army] of convert === 'easiest' ? [] : convert.entries()) {
    if (army <= armies) continue;
    const expected =
      armies === 0 ? 'no army, for the enemy has none' : `the number of an enemy army, 1..${String(armies)}`;
    refuse(context, [of, 'convert', index], expected, String(army));
  }
}

/** Draws are exact from bags of a limited size only. Fields that are wrong have no size: "5" and 1 would add up to 51. */
function checkSize(scenario: Written, context: Context): void {
  if (context.issues.length > 0) return;
  const cubes = SIDES.map((each) => {
    const { own, neutral, choices } = hostOf(scenario, each);
    return choices.reduce(
      (all, { options }) => all + Math.max(...options.map((o) => o.own + o.neutral)),
      own + neutral,
    );
  });
  const [first = 0, second = 0] = cubes;
  if (first + second <= BAG_MAX) return;
  const path = [first >= second ? 'attacker' : 'defender', 'armies'];
  refuse(context, path, `sides that prepare at most ${String(BAG_MAX)} cubes in all`, String(first + second));
}

/** A condition needs cubes that are drawn one by one, and something to wait for. */
function checkUntil({ drawing, attacker, defender }: Written, context: Context): void {
  const policies = [
    ['attacker', 'draw', attacker.draw],
    ['defender', 'extraDraw', defender.extraDraw],
  ] as const;
  for (const [of, field, policy] of policies) {
    if (typeof policy !== 'object') continue;
    const path = [of, field, 'until'];
    const isEmpty = Object.values(policy.until).every((count) => count === undefined);
    if (isEmpty) refuse(context, path, 'one at least of own, enemy, drawn', 'none');
    // What is neither is refused at its own place.
    if (drawing !== 'number-first') continue;
    refuse(context, path, 'drawing: cube-by-cube, for a number that is named first knows no conditions', drawing);
  }
}

function checkTogether(scenario: Written, context: Context): void {
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

// From what a file holds to a complete scenario.

/** A word of the destruction priority is a list of one: however a file has it, the complete scenario is the same. */
const completed = (written: Written) => ({
  ...written,
  priority: written.priority.map((group) => (typeof group === 'string' ? [group] : group)),
});

export type CubeBag = ReturnType<typeof completed>;

export const schema = cubeBag.superRefine(across(checkTogether), ALWAYS).transform(completed);
