/**
 * A complete set of dice, units, cards and air tokens. The source prints no figures, so all of them are invented: for
 * experiments, not as evidence about any printed game.
 */

import { z } from 'zod';
import { DICE_SET_MAX, type Faces } from '../../core/index.ts';
import { ALWAYS, checkAcrossFields, combatantName, flag, integer, oneOf, reject, scenarioName } from '../fields.ts';
import type { Side } from '../system.ts';
import { LOSSES } from './policies.ts';

export interface SampleUnit {
  readonly attack: number;
  readonly defense: number;
  readonly hp: number;
  /** Name of its die. */
  readonly die: string;
}

export interface SampleToken {
  readonly strength: number;
  /** Names of its dice. */
  readonly dice: readonly string[];
}

export interface SampleCard extends SampleToken {
  readonly enemyStrength: number;
  readonly hpSymbols: number;
}

/** Part of every description of the sample set. */
export const INVENTED = 'All figures of the sample set are invented; the source prints none.';

/** Weak to strong: no face of a die is lower than the same face of the previous die. */
export const sampleDice: Readonly<Record<string, Faces>> = {
  'sample-1': [0, 0, 0, 0, 0, 1],
  'sample-2': [0, 0, 0, 0, 1, 1],
  'sample-3': [0, 0, 0, 1, 1, 1],
  'sample-4': [0, 0, 1, 1, 1, 1],
  'sample-5': [0, 0, 1, 1, 1, 2],
  'sample-6': [0, 1, 1, 1, 2, 2],
  'sample-7': [0, 1, 1, 2, 2, 3],
  'sample-8': [1, 1, 2, 2, 3, 3],
};

const sampleUnit = (attack: number, defense: number, hp: number, die: number): SampleUnit => ({
  attack,
  defense,
  hp,
  die: `sample-${String(die)}`,
});

/** Six kinds of three levels. */
export const sampleUnits: Readonly<Record<string, SampleUnit>> = {
  'infantry-1': sampleUnit(1, 2, 1, 2),
  'infantry-2': sampleUnit(2, 3, 2, 3),
  'infantry-3': sampleUnit(3, 4, 3, 4),
  'motorised-1': sampleUnit(2, 2, 1, 3),
  'motorised-2': sampleUnit(3, 2, 2, 4),
  'motorised-3': sampleUnit(4, 3, 2, 5),
  'armour-1': sampleUnit(3, 2, 2, 5),
  'armour-2': sampleUnit(4, 3, 2, 6),
  'armour-3': sampleUnit(5, 4, 3, 7),
  'artillery-1': sampleUnit(2, 1, 1, 4),
  'artillery-2': sampleUnit(3, 1, 1, 5),
  'artillery-3': sampleUnit(4, 2, 1, 6),
  'garrison-1': sampleUnit(0, 2, 2, 1),
  'garrison-2': sampleUnit(1, 3, 3, 2),
  'garrison-3': sampleUnit(1, 5, 4, 3),
  'fleet-1': sampleUnit(2, 2, 2, 4),
  'fleet-2': sampleUnit(3, 4, 3, 6),
  'fleet-3': sampleUnit(5, 5, 4, 8),
};

const sampleCard = (strength: number, enemyStrength: number, hpSymbols: number, ...dice: number[]): SampleCard => ({
  strength,
  enemyStrength,
  hpSymbols,
  dice: dice.map((die) => `sample-${String(die)}`),
});

/** A deck of twelve. */
export const sampleCards: Readonly<Record<string, SampleCard>> = {
  advance: sampleCard(2, 0, 0),
  assault: sampleCard(3, 0, 0, 4),
  breakthrough: sampleCard(4, 0, 0, 2, 2),
  'all-out-attack': sampleCard(5, 1, 0, 5),
  probe: sampleCard(1, 0, 1),
  barrage: sampleCard(0, 0, 0, 6, 3),
  encirclement: sampleCard(2, -1, 0, 1),
  ambush: sampleCard(1, -2, 0, 2),
  feint: sampleCard(0, -3, 0),
  'dig-in': sampleCard(2, 0, 2),
  counterattack: sampleCard(3, 0, 1),
  'field-hospital': sampleCard(0, 0, 3),
};

export const sampleTokens: Readonly<Record<string, SampleToken>> = {
  fighter: { strength: 1, dice: ['sample-1'] },
  bomber: { strength: 1, dice: ['sample-5'] },
  'ground-attack': { strength: 2, dice: ['sample-3'] },
};

const UNITS_MAX = 32;
const TOKENS_MAX = 16;
const CARDS_MAX = 64;
const DICE_MAX = 16;

const WEIGHT_MAX = 1_000_000;

/** Absorbers of damage. */
export const ABSORBERS = ['symbols', 'fortification', 'units'] as const;
export type Absorber = (typeof ABSORBERS)[number];

/** Maximum number of entries in an order of absorbers. */
const PLACES_MAX = 16;

/** Maximum points of a limit. */
const LIMIT_MAX = 1_000_000;

const strength = (about: string) => integer(-1000, 1000, about);
const weight = (max: number, about: string) => z.number().min(0).max(max).meta({ description: about });
const dieName = z
  .string()
  .regex(/^\S(.{0,62}\S)?$/u, 'a name of 1 to 64 characters without blanks at its ends')
  .meta({ description: 'Name of a die of `dice` or of the sample set.' });
const unitDice = z.union([dieName, z.array(dieName).max(DICE_MAX)]).optional();
const label = combatantName('Name. Default: the name in the sample set.').optional();

/** Creates a field for the names of a part of the sample set, with its figures in the description. */
function fromSample(what: string, set: Readonly<Record<string, object>>) {
  const shown = Object.entries(set).map(([name, figures]) => {
    const fields = Object.entries(figures)
      .filter(([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0))
      .map(([field, value]) => `${field} ${Array.isArray(value) ? value.join(' + ') : String(value)}`);
    return `${name} (${fields.join(', ')})`;
  });
  const [first = '', ...others] = Object.keys(set);
  const about = `${what} of the sample set, with defaults for the other fields. ${INVENTED} ${shown.join('; ')}.`;
  return oneOf([first, ...others], about).optional();
}

const figures = {
  sample: fromSample('A unit', sampleUnits),
  name: label,
  attack: strength('Strength when attacking, or supporting an attack.').optional(),
  defense: strength('Strength when defending, or supporting a defence.').optional(),
  acrossRiver: flag(
    'True if the unit attacks, or supports either side, across a river; an open river halves its strength.',
  ).default(false),
  exhausted: flag('True if the unit adds no strength and rolls no dice. It can still take damage.').default(false),
};

const unit = z.strictObject({
  ...figures,
  hp: integer(1, 1000, 'Hit points; the unit is lost at 0.').meta({ title: 'hit points' }).optional(),
  die: unitDice.meta({
    description: 'Name of its die, or list of the names of its dice. All are rolled; with an empty list, none.',
  }),
});

const support = z.strictObject({
  ...figures,
  hp: integer(1, 1000, 'Ignored: support takes no damage.').optional(),
  die: unitDice.meta({ description: 'Ignored: support rolls no dice.' }),
});

const diceNames = z
  .array(dieName)
  .max(DICE_MAX)
  .optional()
  .meta({ description: 'Names of dice that are rolled in addition to the dice of the units.' });

const card = z.strictObject({
  sample: fromSample('A card', sampleCards),
  name: label,
  strength: strength('Added to the own strength. Default: 0.').optional(),
  enemyStrength: strength('Added to the enemy’s strength, usually a penalty. Default: 0.').optional(),
  dice: diceNames,
  hpSymbols: integer(0, 1000, 'Points of damage that the card absorbs. Default: 0.').optional(),
  weight: weight(
    WEIGHT_MAX,
    'Relative weight of the card. The probability is the weight divided by the sum of all weights.',
  ).default(1),
});

const token = z.strictObject({
  sample: fromSample('An air token', sampleTokens),
  name: label,
  strength: strength('Added to the own strength. Default: 0.').optional(),
  dice: diceNames,
  weight: weight(1, 'Probability that the token is used.').default(1),
});

const limit = integer(1, LIMIT_MAX, 'Maximum points of damage at this place.');

/** An entry in the order of absorbers, with or without a limit. */
const place = z.union([
  z.enum(ABSORBERS),
  z.strictObject({ symbols: limit }),
  z.strictObject({ fortification: limit }),
  z.strictObject({ units: limit }),
]);

/** Reads the absorber of an entry, and its maximum points. */
export function readAbsorberEntry(given: z.output<typeof place>): { readonly by: Absorber; readonly most: number } {
  if (typeof given === 'string') return { by: given, most: Number.POSITIVE_INFINITY };
  const [by = 'units', most = 0] = (Object.entries(given) as [Absorber, number][])[0] ?? [];
  return { by, most };
}

/** Completes an order with all possible absorbers, and with the units without a limit at the end. */
function completeOrder(order: readonly z.output<typeof place>[], context: Parameters<typeof reject>[0]): void {
  const places = order.map(readAbsorberEntry);
  const missing = ABSORBERS.find((each) => !places.some(({ by }) => by === each));
  if (missing !== undefined) reject(context, [], `each of ${ABSORBERS.join(', ')}`, `no ${missing}`);
  else if (!places.some(({ by, most }) => by === 'units' && most === Number.POSITIVE_INFINITY))
    reject(context, [], 'a place of units without a limit', 'none');
}

const absorb = (about: string) =>
  z
    .array(place)
    .min(ABSORBERS.length)
    .max(PLACES_MAX)
    .superRefine((order, context) => {
      completeOrder(order, context);
    })
    .meta({
      description: `${about} An entry with a limit, such as { fortification: 1 }, takes at most this number of points.`,
    });

const side = {
  units: z.array(unit).min(1).max(UNITS_MAX).meta({ description: 'Units in the area.' }),
  support: z
    .array(support)
    .max(UNITS_MAX)
    .default([])
    .meta({ description: 'Units that add their strength from other areas. They roll no dice and take no damage.' }),
  orderBonus: strength('Strength that the order gives.').default(0),
  hand: z.array(card).max(CARDS_MAX).default([]).meta({ description: 'Cards in the hand. One of them is used.' }),
  noCard: weight(WEIGHT_MAX, 'Relative weight of using no card from the hand.').default(0),
  airTokens: z
    .array(token)
    .max(TOKENS_MAX)
    .default([])
    .meta({ description: 'Air support. It is not available at sea or in mud.' }),
  absorb: absorb('Order in which the side’s damage is absorbed. Default: the order of the scenario.').optional(),
  losses: oneOf(LOSSES, 'Unit that takes the next point of damage.').default('kill-cheapest'),
};

const NOWHERE = 'With none, its surviving units are eliminated.';

const faces = z
  .array(integer(0, 100, 'Points of damage.'))
  .length(6)
  .meta({ description: 'Values of the six faces.' });

const shape = z.strictObject({
  system: z.literal('strength-cards'),
  name: scenarioName,
  theatre: oneOf(['land', 'naval'], 'At sea there is no air support.').default('land'),
  weather: oneOf(['clear', 'mud', 'snow'], 'In mud there is no air support; snow changes nothing here.').default(
    'clear',
  ),
  river: oneOf(['none', 'open', 'frozen'], 'An open river halves what attacks or supports across it.').default('none'),
  initiative: oneOf(['attacker', 'defender'], 'Winner if both sides are equally strong.').default('defender'),
  absorb: absorb('Order in which damage is absorbed. Only the defender has a fortification.').default([...ABSORBERS]),
  dice: z
    .record(dieName, faces)
    .default({})
    .meta({
      description:
        'Dice by name. They are added to, or replace, the dice of the sample set (' +
        Object.entries(sampleDice)
          .map(([name, shown]) => `${name}: ${shown.join(' ')}`)
          .join('; ') +
        `). ${INVENTED}`,
    }),
  attacker: z.strictObject({
    ...side,
    retreatTo: oneOf(['origin', 'none'], `Retreat of a defeated attacker. ${NOWHERE}`).default('origin'),
  }),
  defender: z.strictObject({
    ...side,
    fortification: integer(0, 1000, 'Number of levels. Each adds 1 strength and absorbs 1 damage.').default(0),
    retreatTo: oneOf(['friendly', 'none'], `Retreat of a defeated defender. ${NOWHERE}`).default('friendly'),
    portFleets: integer(0, 1000, 'Number of fleets in the port. They are destroyed if the area is captured.').default(
      0,
    ),
  }),
});

export type StrengthCards = z.output<typeof shape>;
export type UnitEntry = StrengthCards['attacker']['units'][number];
export type CardEntry = StrengthCards['attacker']['hand'][number];
export type TokenEntry = StrengthCards['attacker']['airTokens'][number];

type StrengthCardsContext = z.core.$RefinementCtx<StrengthCards>;
type StrengthCardsPath = readonly (string | number)[];

/** Lists the dice of a unit, one for each entry. */
export function listDieNames(die: UnitEntry['die']): readonly string[] {
  return typeof die === 'string' ? [die] : (die ?? []);
}

/** Checks that a unit has the required values, its own or those of the sample set. */
function checkFigures(
  entry: UnitEntry,
  needed: readonly (keyof UnitEntry)[],
  path: StrengthCardsPath,
  context: StrengthCardsContext,
): void {
  if (entry.sample !== undefined) return;
  for (const field of needed) {
    if (entry[field] !== undefined) continue;
    const kind =
      field === 'die' ? 'the name of a die, or a list of names' : `an integer ${field === 'hp' ? '1' : '-1000'}..1000`;
    reject(context, [...path, field], `${kind}, because the unit is not in the sample set`, 'nothing');
  }
}

/** Rejects more dice than a dice set can have. */
function checkCount(units: readonly UnitEntry[], path: StrengthCardsPath, context: StrengthCardsContext): void {
  const rolling = units.filter(({ exhausted }) => !exhausted);
  const dice = rolling.reduce((sum, { die }) => sum + (die === undefined ? 1 : listDieNames(die).length), 0);
  if (dice <= DICE_SET_MAX) return;
  reject(context, path, `units that roll at most ${String(DICE_SET_MAX)} dice together`, `${String(dice)} dice`);
}

function checkSide(scenario: StrengthCards, of: Side, context: StrengthCardsContext): void {
  const known = [...new Set([...Object.keys(scenario.dice), ...Object.keys(sampleDice)])];
  const checkDie = (die: string, path: StrengthCardsPath): void => {
    if (!known.includes(die)) reject(context, path, `one of the dice ${known.join(', ')}`, `"${die}"`);
  };
  const checkDice = (die: UnitEntry['die'], path: StrengthCardsPath): void => {
    if (typeof die === 'string') checkDie(die, path);
    else for (const [d, name] of (die ?? []).entries()) checkDie(name, [...path, d]);
  };
  const { units, support: supporters, hand, noCard, airTokens } = scenario[of];
  for (const [u, entry] of units.entries()) {
    checkFigures(entry, ['attack', 'defense', 'hp', 'die'], [of, 'units', u], context);
    checkDice(entry.die, [of, 'units', u, 'die']);
  }
  checkCount(units, [of, 'units'], context);
  for (const [u, entry] of supporters.entries()) {
    checkFigures(entry, ['attack', 'defense'], [of, 'support', u], context);
    checkDice(entry.die, [of, 'support', u, 'die']);
  }
  for (const [field, entries] of [['hand', hand] as const, ['airTokens', airTokens] as const]) {
    for (const [e, { dice }] of entries.entries()) checkDice(dice, [of, field, e, 'dice']);
  }
  if (hand.length > 0 && noCard === 0 && hand.every((entry) => entry.weight === 0)) {
    reject(context, [of, 'hand'], 'a card with a weight above 0, or noCard above 0', 'none');
  }
}

export const schema = shape.superRefine(
  checkAcrossFields((scenario, context) => {
    checkSide(scenario, 'attacker', context);
    checkSide(scenario, 'defender', context);
  }),
  ALWAYS,
);
