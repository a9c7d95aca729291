import { z } from 'zod';
import {
  ALWAYS,
  checkAcrossFields,
  combatantName,
  diceNotation,
  flag,
  integer,
  maxRounds,
  oneOf,
  reject,
  scenarioName,
} from '../fields.ts';

const modifier = (about: string) => integer(-1000, 1000, about);
const modifierOrNone = (about: string) => modifier(about).nullable().meta({ description: about });
const tag = z.string().min(1).max(64);

export const COVERS = ['forest', 'stronghold', 'capital'] as const;
export type Cover = (typeof COVERS)[number];

/** Immune to most forms of shots only, so that there are forms that reach them: `bypassesCover: true`. */
const FORTIFIED: readonly Cover[] = ['stronghold', 'capital'];

function listCovers(given: boolean | readonly Cover[]): Cover[] {
  if (typeof given === 'boolean') return given ? [...FORTIFIED] : [];
  return COVERS.filter((cover) => given.includes(cover));
}

const bypassesCover = z
  .union([z.boolean(), z.array(z.enum(COVERS))])
  .default([])
  .transform(listCovers)
  .meta({ description: 'Covers that do not stop the shots of this unit; true: stronghold and capital.' });

const unitFields = {
  attack: modifierOrNone('Added to the attack roll; null: the unit cannot attack in direct combat.'),
  defense: modifier('Added to the defence roll.'),
  hp: integer(1, 100_000, 'Hit points at the start.').meta({ title: 'hit points' }),
  ranged: modifierOrNone('Added to the attack roll at range; null: the unit cannot shoot.').default(null),
  indirectDefense: modifier('Added to the defence roll against shots.').default(0),
  bypassesCover,
  tags: z.array(tag).default([]).meta({ description: 'Tags of the unit. Other units can have them as prey.' }),
  prey: z
    .array(tag)
    .default([])
    .meta({ description: 'Tags of units to which a hit of this unit deals additional damage.' }),
};

const side = (name: string) =>
  z.strictObject({ name: combatantName('Name of the side.').default(name), ...unitFields });

const combatant = z.strictObject({
  name: combatantName('Name of the combatant. It must be unique.'),
  party: combatantName('Combatants of one party do not attack each other.'),
  ...unitFields,
});

const shared = {
  system: z.literal('attrition'),
  name: scenarioName,
  dice: diceNotation.default('3d10'),
  preyDamage: integer(0, 1000, 'Additional damage of a hit on prey.').default(15),
};

const direct = z.strictObject({
  ...shared,
  mode: z.literal('direct'),
  attacker: side('Attacker'),
  defender: side('Defender'),
  maxRounds,
});

const indirect = z.strictObject({
  ...shared,
  mode: z.literal('indirect'),
  attacker: side('Attacker').extend({ attack: unitFields.attack.default(null) }),
  defender: side('Defender').extend({ attack: unitFields.attack.default(null) }),
  cover: oneOf(['none', ...COVERS], 'Cover of the target of the first shot.').default('none'),
  returnFire: flag('True if a defender that can shoot fires back at the same time.').default(true),
});

const mass = z.strictObject({
  ...shared,
  mode: z.literal('mass'),
  combatants: z.array(combatant).min(2).max(32).meta({ description: 'Combatants of two or more parties.' }),
  massDivisor: oneOf(
    ['n-1', 'n'],
    'Divisor of damage; n: combatants alive at the start of the round. The test of the rule text (mutual destruction much likelier than in direct combat) excludes n and does not prove n-1.',
  ).default('n-1'),
  massRounding: oneOf(
    ['floor', 'nearest'],
    'Rounding of divided damage: down, or to the nearest integer with halves up.',
  ).default('floor'),
  maxRounds,
});

export type Direct = z.output<typeof direct>;
export type Indirect = z.output<typeof indirect>;
export type Mass = z.output<typeof mass>;
export type Attrition = Direct | Indirect | Mass;
export type AttritionUnit = Direct['attacker'];

function checkSides(scenario: Direct | Indirect, context: z.core.$RefinementCtx<Attrition>): void {
  const { attacker, defender } = scenario;
  if (attacker.name === defender.name) {
    reject(context, ['defender', 'name'], "a name other than the attacker's", `"${defender.name}" twice`);
  }
  if (scenario.mode === 'indirect' && attacker.ranged === null) {
    reject(context, ['attacker', 'ranged'], 'an integer -1000..1000, because the attacker must shoot');
  }
}

function checkCombatants({ combatants }: Mass, context: z.core.$RefinementCtx<Attrition>): void {
  const names = combatants.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) {
      reject(context, ['combatants', index, 'name'], 'a name that no other combatant has', `"${name}" again`);
    }
  }
  if (new Set(combatants.map(({ party }) => party)).size < 2) {
    reject(context, ['combatants'], 'combatants of two or more parties', 'one party');
  }
}

export const schema = z.discriminatedUnion('mode', [direct, indirect, mass]).superRefine(
  checkAcrossFields((scenario, context) => {
    if (scenario.mode === 'mass') checkCombatants(scenario, context);
    else checkSides(scenario, context);
  }),
  ALWAYS,
);
