import { z } from 'zod';
import { BAG_MAX } from '../../chance/bag.ts';
import { flag, integer, oneOf, RESERVED_NAMES, refuse, scenarioName } from '../fields.ts';
import { hostOf, SIDES, type Side } from './army.ts';
import { EXTRA_DRAWS, GROUP_WORDS, MILITARY, REDRAWS } from './policies.ts';
import {
  type AGAINST,
  CLASSES,
  isPrinted,
  KINDS,
  STRUCTURE_TYPES,
  STRUCTURES,
  unitTable,
  unitTypesOf,
} from './units.ts';

/** Types that a scenario can add. */
const ADDED_TYPES_MAX = 100;

/** Tries of conversion or recovery that a side can have. */
const TRIES_MAX = 100;

const DISTANCE_MAX = 20;

/** Words of lists that no unit type may be called. */
const TAKEN: readonly string[] = [...RESERVED_NAMES, ...GROUP_WORDS, MILITARY, ...STRUCTURE_TYPES];

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

const unitTypeName = z
  .string()
  .regex(NAME, 'a name of 1 to 63 letters, digits, - and _ that begins with a letter')
  .refine((name) => !TAKEN.includes(name), {
    error: `a name other than ${TAKEN.join(', ')}, which mean something else`,
  });

const bonus = z
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
  hp: integer(1, 100, 'Damage that fells one unit, all of it or none; 1 for an added type.').optional(),
  strength: integer(0, 100, 'Cubes of one unit; 1 for an added type.').optional(),
  bonus: bonus.optional(),
  courageVsStructures: flag('An army with such a unit active has courage 1 higher against structures.').optional(),
});

/** A mapping by unit type, those of the table by name. */
function byType<V extends z.ZodType>(value: (about: string) => V, about: string, description: string) {
  const printed = unitTable.map(({ name }) => [name, value(about).optional()]);
  return z
    .object(Object.fromEntries(printed) as Record<string, z.ZodOptional<V>>)
    .catchall(value(about))
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

const army = z.strictObject({
  units: byType((about) => integer(0, BAG_MAX, about), 'Units of this type.', 'How many units of each type.'),
  distance: integer(
    0,
    DISTANCE_MAX,
    'Distance to the target: 1 for an attacking army unless given, for a defending one the least of the attackers’.',
  ).optional(),
  active: byType(
    flag,
    'Whether units of this type are active.',
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

const list = (about: string) => z.array(z.string().regex(NAME)).max(200).meta({ description: about });

const tries = (what: string) => integer(0, TRIES_MAX, `Tries of ${what} that the side has.`).default(0);
const factors = (what: string) => integer(-100, 100, `Added to the complexity 2 of the side’s ${what}.`).default(0);

const side = {
  technologies,
  addDefense: flag('Inactive units of the side give neutral cubes.').default(true),
  conversions: tries('conversion'),
  conversionFactors: factors('conversions'),
  recoveries: tries('recovery'),
  recoveryFactors: factors('recoveries'),
  removal: list('Types, classes and structures of the enemy in the order in which the side removes them.').default([]),
  redraw: oneOf(
    REDRAWS,
    'When the side uses trainedArmy; if-behind: if it has drawn fewer cubes than the enemy.',
  ).default('always'),
};

const structure = z.strictObject({
  type: oneOf(STRUCTURE_TYPES as [(typeof STRUCTURE_TYPES)[number]], 'What it is.'),
  marks: integer(0, Math.max(...Object.values(STRUCTURES)), 'Damage from earlier.').default(0),
});

const cubeBag = z.strictObject({
  system: z.literal('cube-bag'),
  name: scenarioName,
  target: oneOf(['land', 'water'], 'The hex that is attacked; the attacker’s melee does not reach water.').default(
    'land',
  ),
  fortification: oneOf(
    ['none', 'palisade', 'wall', 'city', 'castle'],
    'What is besieged: melee and ranged bonuses of the attacker do not count.',
  ).default('none'),
  garrisonBonus: integer(0, BAG_MAX, 'Cubes of the defender’s colour that are added in a siege.').default(0),
  unitSet: oneOf(['seed', 'old'], 'The unit table; old: cavalrymen have +1 against infantry.').default('seed'),
  unitTypes: z
    .record(unitTypeName, unitType)
    .default({})
    .meta({ description: 'Overrides of the unit table, field by field, and types added to it.' }),
  failedCheckCubes: oneOf(['return', 'discard'], 'What becomes of the cubes of a failed check.').default('return'),
  priority: z
    .array(list('Types, classes and structures that are destroyed before those of later groups.'))
    .max(50)
    .default([['wall', 'palisade'], [MILITARY], ['peasant'], ['building'], ['city', 'castle']])
    .meta({
      description: 'Groups in which objects of a side with structures must be destroyed; what no group has is last.',
    }),
  attacker: z.strictObject({
    armies: z.array(army).min(1).max(8).meta({ description: 'One army, or several as a corps.' }),
    draw: z
      .union([z.literal('max'), integer(1, BAG_MAX, 'Cubes.')])
      .default('max')
      .meta({ description: 'Cubes that the attacker draws, his courage at most.' }),
    ...side,
  }),
  defender: z.strictObject({
    armies: z
      .array(army)
      .max(8)
      .meta({ description: 'One army, or several as a corps; none if structures stand alone.' }),
    structures: z.array(structure).max(50).default([]).meta({ description: 'Structures of the target.' }),
    extraDraw: oneOf(
      EXTRA_DRAWS,
      'Whether the defender draws on, up to his courage; if-behind: all if he has fewer cubes than the attacker.',
    ).default('none'),
    ...side,
  }),
});

export type CubeBag = z.output<typeof cubeBag>;

type Context = z.core.$RefinementCtx<CubeBag>;

/** Types must be complete. */
function checkTypes({ unitTypes, unitSet }: CubeBag, context: Context): void {
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
function checkWords(scenario: CubeBag, context: Context): void {
  const types = [...unitTypesOf(scenario.unitTypes, scenario.unitSet).keys(), ...Object.keys(scenario.unitTypes)];
  const known = [...new Set(types)];
  const objects = [...known, ...GROUP_WORDS, ...STRUCTURE_TYPES];
  for (const [group, names] of scenario.priority.entries()) {
    checkNames(names, [...objects, MILITARY], (index) => ['priority', group, index], context);
  }
  for (const of of SIDES) {
    checkNames(scenario[of].removal, objects, (index) => [of, 'removal', index], context);
    for (const [index, { units, active }] of scenario[of].armies.entries()) {
      for (const [field, named] of Object.entries({ units, active })) {
        const names = Object.keys(named);
        checkNames(names, known, (each) => [of, 'armies', index, field, names[each] ?? ''], context);
      }
    }
  }
}

/** A side needs something that can be lost. */
function checkPresence(scenario: CubeBag, of: Side, context: Context): void {
  const units = scenario[of].armies.flatMap((each) => Object.values(each.units));
  const structures = of === 'defender' ? scenario.defender.structures.length : 0;
  if (structures > 0 || units.some((count) => (count ?? 0) > 0)) return;
  refuse(context, [of, 'armies'], of === 'defender' ? 'at least one unit or structure' : 'at least one unit', 'none');
}

function checkMarks({ defender }: CubeBag, context: Context): void {
  for (const [index, { type, marks }] of defender.structures.entries()) {
    const most = STRUCTURES[type];
    if (marks <= most) continue;
    const expected = `an integer 0..${String(most)}, for a ${type} has ${String(most)} hp`;
    refuse(context, ['defender', 'structures', index, 'marks'], expected, String(marks));
  }
}

/** Draws are exact from bags of a limited size only. */
function checkSize(scenario: CubeBag, context: Context): void {
  const cubes = SIDES.map((each) => hostOf(scenario, each)).map(({ own, neutral }) => own + neutral);
  const [first = 0, second = 0] = cubes;
  if (first + second <= BAG_MAX) return;
  const path = [first >= second ? 'attacker' : 'defender', 'armies'];
  refuse(context, path, `sides that prepare at most ${String(BAG_MAX)} cubes in all`, String(first + second));
}

export const schema = cubeBag.superRefine((scenario, context) => {
  checkTypes(scenario, context);
  checkWords(scenario, context);
  checkMarks(scenario, context);
  checkSize(scenario, context);
  for (const of of SIDES) checkPresence(scenario, of, context);
});
