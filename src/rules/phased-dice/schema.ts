import { z } from 'zod';
import { POOL_CHUNK } from '../../core/index.ts';
import {
  ALWAYS,
  checkAcrossFields,
  integer,
  maxRounds,
  oneOf,
  RESERVED_NAMES,
  ROUNDS_LIMIT,
  reject,
  scenarioName,
} from '../fields.ts';
import type { Side } from '../system.ts';
import {
  type BattleMode,
  CLASSES,
  countWords,
  createUnitTypes,
  GROUND_CLASSES,
  getArmy,
  isPrinted,
  PHASES,
  unitTable,
} from './army.ts';
import { LOSSES, RATIO_STEPS } from './policies.ts';

/** Maximum number of random words of the roll of a side in one phase. */
const PHASE_WORDS = 1024;

/** Maximum number of added types. */
const ADDED_TYPES_MAX = 100;

const count = (about: string) => integer(0, 1000, about);

const unitTypeName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, 'a name of 1 to 63 letters, digits, - and _ that begins with a letter')
  .refine((name) => !RESERVED_NAMES.includes(name), {
    error: `a name that is not one of the outcomes ${RESERVED_NAMES.join(', ')}`,
  });

const unitType = z.strictObject({
  class: oneOf(CLASSES, 'Phase in which the unit fights. Required for added types.').optional(),
  era: integer(1, 20, 'Era, or the strength of an aircraft. Required for added types.').optional(),
  dice: integer(0, 100, 'Number of dice of one unit. Default: the era.').optional(),
  hits: integer(
    1,
    100,
    'Number of hits that destroy one unit; fewer hits have no effect. Default: the era.',
  ).optional(),
  bonus: integer(-20, 20, 'Bonus to the combat value of the class.').optional(),
});

/**
 * Creates a count for each type: types of the table that fight in the mode, and types that `unitTypes` allows in it.
 */
function units(mode: BattleMode) {
  const fighting = unitTable.filter((entry) => PHASES[mode].includes(entry.class));
  const printed = fighting.map(({ name, class: unitClass, era, bonus, placeholder }) => {
    const figures = `${unitClass}, era ${String(era)}, bonus ${String(bonus)}${placeholder ? ', which the rule text does not state' : ''}`;
    return [name, count(`Units of this type: ${figures}.`).optional()];
  });
  return z
    .object(Object.fromEntries(printed) as Record<string, z.ZodOptional<z.ZodInt>>)
    .catchall(count('Number of units of this type.'))
    .meta({ description: 'Number of units of each type; at least one unit in total.' });
}

const losses = oneOf(LOSSES, 'Unit that the owner removes first, of the units that can be destroyed.').default(
  'lowest-era',
);

const target = z
  .union([
    z.enum(['most-dice', 'most-expected-hits']),
    z
      .array(z.enum(GROUND_CLASSES))
      .max(3)
      .refine((classes) => new Set(classes).size === classes.length, { error: 'classes that are all different' }),
  ])
  .default('most-dice')
  .meta({
    description:
      'Class from which the enemy must take losses first. With a list: the first class in it that has units left.',
  });

const ratio = z
  .number()
  .min(0)
  .max(1000)
  .refine((value) => Math.round(value * RATIO_STEPS) / RATIO_STEPS === value, {
    error: 'a number 0..1000 with at most six decimals',
  })
  .meta({
    description:
      'The attacker retreats if its expected hits, divided by the defender’s expected hits, are below this ratio.',
  });

const retreat = z
  .union([
    z.literal('never'),
    z.strictObject({ afterRounds: integer(1, ROUNDS_LIMIT, 'Number of rounds after which the attacker retreats.') }),
    z.strictObject({ whenWeaker: ratio }),
  ])
  .default('never')
  .meta({
    description:
      'Condition for a retreat of the attacker at the end of a round. An attacker with only aircraft left retreats, unless this is never.',
  });

const retreatTo = oneOf(
  ['friendly', 'neutral', 'none'],
  'Possible destination of a retreat; with none, a retreating army is destroyed.',
).default('friendly');

const shared = {
  system: z.literal('phased-dice'),
  name: scenarioName,
  unitTypes: z
    .record(unitTypeName, unitType)
    .default({})
    .meta({ description: 'Unit types that override fields of the unit table or are added to it.' }),
  airStrength: oneOf(
    ['tier', 'literal'],
    'Meaning of the printed figures 2 to 5 of aircraft: combat values (tier), or strengths (literal), which gives the types of the table one era more.',
  ).default('tier'),
  airOnly: oneOf(
    ['defeated', 'stalemate'],
    'Result for a side that has only aircraft left and does not retreat, while the other side has other units.',
  ).default('defeated'),
  maxRounds,
};

const sides = (mode: BattleMode) => ({
  attacker: z.strictObject({ units: units(mode), target, losses, retreat, retreatTo }),
  defender: z.strictObject({ units: units(mode), target, losses }),
});

const ground = z.strictObject({
  ...shared,
  mode: z.literal('ground'),
  ...sides('ground'),
  site: oneOf(
    ['open', 'settlement', 'great-wall'],
    'Attacked site. It lowers the combat values of the attacker.',
  ).default('open'),
});

const fleet = z.strictObject({ ...shared, mode: z.literal('fleet'), ...sides('fleet') });

export type PhasedDice = z.output<typeof ground> | z.output<typeof fleet>;

type PhasedDiceContext = z.core.$RefinementCtx<PhasedDice>;

/** Checks that added types are complete. */
function checkTypes(scenario: PhasedDice, context: PhasedDiceContext): void {
  const given = Object.entries(scenario.unitTypes);
  const added = given.filter(([name]) => !isPrinted(name));
  if (added.length > ADDED_TYPES_MAX) {
    reject(context, ['unitTypes'], `at most ${String(ADDED_TYPES_MAX)} added types`, String(added.length));
  }
  for (const [name, type] of added) {
    const missing = (['class', 'era'] as const).filter((field) => type[field] === undefined);
    if (missing.length === 0) continue;
    reject(
      context,
      ['unitTypes', name],
      'class and era, because the unit table has no such type',
      `no ${missing.join(' and no ')}`,
    );
  }
}

/** Checks that units are known and have a phase to fight in. */
function checkUnits(scenario: PhasedDice, side: Side, context: PhasedDiceContext): void {
  const types = createUnitTypes(scenario.unitTypes, scenario.airStrength);
  const phases = PHASES[scenario.mode];
  for (const name of Object.keys(scenario[side].units)) {
    const type = types.get(name);
    const path = [side, 'units', name];
    if (type === undefined) {
      if (Object.hasOwn(scenario.unitTypes, name)) continue;
      const known = [...types.values()].filter((each) => phases.includes(each.class)).map((each) => each.name);
      reject(context, path, `one of the unit types ${known.join(', ')}`, `"${name}"`);
    } else if (!phases.includes(type.class)) {
      const expected = `a unit of a class that fights in mode ${scenario.mode}: ${phases.join(', ')}`;
      reject(context, path, expected, `"${name}" of class ${type.class}`);
    }
  }
}

/** Checks that a side has units, and that all their dice have stream positions. */
function checkSize(scenario: PhasedDice, side: Side, context: PhasedDiceContext): void {
  const path = [side, 'units'];
  const counts = Object.values(scenario[side].units);
  if (counts.every((each) => each === 0)) reject(context, path, 'at least one unit', 'none');
  for (const [phase, pools] of getArmy(scenario, side).pools.entries()) {
    const words = countWords(pools);
    if (words <= PHASE_WORDS) continue;
    const lots = `lots of ${String(POOL_CHUNK)} dice of one value`;
    reject(
      context,
      path,
      `an army that rolls at most ${String(PHASE_WORDS)} ${lots} in a phase`,
      `${String(words)} for ${PHASES[scenario.mode][phase] ?? ''}`,
    );
  }
}

export const schema = z.discriminatedUnion('mode', [ground, fleet]).superRefine(
  checkAcrossFields((scenario, context) => {
    checkTypes(scenario, context);
    for (const side of ['attacker', 'defender'] as const) {
      checkUnits(scenario, side, context);
      checkSize(scenario, side, context);
    }
  }),
  ALWAYS,
);
