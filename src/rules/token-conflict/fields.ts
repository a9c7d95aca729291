import { z } from 'zod';
import { combatantName, flag, integer, oneOf, reject, requireDistinct, scenarioName } from '../fields.ts';
import { CITY_ORDERS, SACRIFICES } from './policies.ts';

/** Words that scenarios and outcomes share. */
export const BARBARIANS = 'barbarians';
export const PIRATES = 'pirates';

/** Outcomes of a city. */
export const CITY_FALLS = 'city-destroyed';
export const CITY_STANDS = 'repelled';

/** Separator between the outcomes of several areas. */
export const JOINT = ' + ';

// Number of tokens of a player: a number, a range or a weighted choice.

/** A number; a range [least, most] with equal probabilities; or relative weights by count. */
export type TokenCount = number | readonly number[] | Readonly<Record<string, number>>;

/** Maximum tokens of one player in one area. */
const TOKENS_MAX = 1000;

/** Distribution of a count: values[k], ascending, in proportion to weights[k] > 0. */
export interface CountDistribution {
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

/** Creates the distribution of a valid count. */
export function createCountDistribution(count: TokenCount): CountDistribution {
  if (typeof count === 'number') return { values: [count], weights: [1] };
  if (isRange(count)) {
    const [least = 0, most = least] = count;
    const values = Array.from({ length: most - least + 1 }, (_, k) => least + k);
    return { values, weights: values.map(() => 1) };
  }
  const likely = Object.entries(count)
    .map(([value, weight]) => ({ value: Number(value), weight }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => a.value - b.value);
  return { values: likely.map(({ value }) => value), weights: likely.map(({ weight }) => weight) };
}

function isRange(count: readonly number[] | Readonly<Record<string, number>>): count is readonly number[] {
  return Array.isArray(count);
}

/** Returns the greatest count of a distribution. */
export function getMaxCount({ values }: CountDistribution): number {
  return values.at(-1) ?? 0;
}

// Individual fields of a scenario.

const AREAS_MAX = 64;
export const ADVANCES = ['metalworking', 'engineering', 'navalWarfare', 'advancedMilitary', 'agriculture'] as const;

const CITY_OUTCOMES: readonly string[] = [CITY_FALLS, CITY_STANDS];

const ownerName = combatantName('Owner of the city: a player, or pirates.')
  .refine((name) => !CITY_OUTCOMES.includes(name), {
    error: `a name that is not one of the outcomes ${CITY_OUTCOMES.join(', ')}`,
  })
  .refine((name) => !name.includes(JOINT), { error: `a name without "${JOINT}", which joins outcomes` });

const playerName = ownerName.refine((name) => name !== PIRATES, {
  error: `a name other than ${PIRATES}, whose tokens belong to ${BARBARIANS}`,
});

const areaName = z
  .string()
  .regex(/^\S(.{0,62}\S)?$/u, 'a name of 1 to 64 characters without blanks at its ends')
  .meta({ description: 'Name of the area. It must be unique.' });

const tokens = (about: string) => integer(0, TOKENS_MAX, about);

const range = z
  .array(tokens('An end of the range.'))
  .length(2)
  .superRefine(([least = 0, most = 0], context) => {
    if (least <= most) return;
    reject(context, [], 'a range [least, most] with least <= most', `[${String(least)}, ${String(most)}]`);
  })
  .meta({ description: 'Range of counts with equal probability, from the first to the second.' });

const weighted = z
  .record(
    z.string().regex(/^(0|[1-9][0-9]{0,2}|1000)$/, `a number of tokens 0..${String(TOKENS_MAX)}`),
    z.number().min(0).max(1e9).meta({ description: 'Relative weight of this count.' }),
  )
  .refine((weights) => Object.values(weights).some((weight) => weight > 0), { error: 'at least one weight above 0' })
  .meta({ description: 'Relative weights by count.' });

const count = z
  .union([tokens('Number of tokens.'), range, weighted])
  .meta({ description: 'Tokens at the start: a number, a range [least, most], or weights by count.' });

const byArea = (about: string) =>
  z
    .record(areaName, tokens(about))
    .default({})
    .meta({ description: `${about} By the name of the area.` });

const area = z.strictObject({
  name: areaName,
  limit: tokens('Maximum number of tokens of different players in the area without a conflict.'),
  city: ownerName.optional(),
  tokens: z.record(playerName, count).default({}).meta({ description: 'Tokens at the start, by player.' }),
});

const cityOrder = z
  .union([z.enum(CITY_ORDERS), z.array(areaName).max(AREAS_MAX)])
  .default('file')
  .meta({
    description:
      'Order in which several cities of the player are attacked: the order of the file, the order of a list of ' +
      'areas (other areas follow), or by the number of attackers.',
  });

const player = z.strictObject({
  stock: integer(0, 100_000, 'Tokens that are not on the map.').default(0),
  rank: integer(0, 100_000, 'Cities of owners of low rank are attacked first; without a rank, last.').optional(),
  hand: integer(0, 100_000, 'Cards that a player who takes a city can draw from.').default(0),
  advances: z
    .array(z.enum(ADVANCES))
    .max(ADVANCES.length)
    .superRefine(requireDistinct('advances that are all different'))
    .default([])
    .meta({ description: 'Advances of the player.' }),
  ships: byArea('Ships next to the tokens. Used only with navalWarfare.'),
  adjacent: byArea('Tokens in adjacent areas that are not in the scenario. Used only with advancedMilitary.'),
  sacrifice: oneOf(
    SACRIFICES,
    'pool-first: ships and adjacent tokens are lost first. tokens-first: they are lost only in place of the last token.',
  ).default('pool-first'),
  cityOrder,
  takeCard: flag('True if the player draws a card after taking a city.').default(true),
  takeTreasury: flag('True if the player moves tokens from stock to treasury after taking a city.').default(true),
});

export const fields = z.strictObject({
  system: z.literal('token-conflict'),
  name: scenarioName,
  areas: z.array(area).min(1).max(AREAS_MAX).meta({ description: 'Areas. The outcome lists them in this order.' }),
  players: z.record(playerName, player).default({}).meta({
    description: 'Players and their resources. A player who is not listed has no advances, no stock and no cards.',
  }),
  needed: integer(1, TOKENS_MAX, 'Tokens that take a city, where Engineering does not count.').default(7),
  cityTokens: tokens('Tokens that a city becomes when it falls, where Engineering does not count.').default(6),
  engineeringCity: integer(6, 7, 'Tokens that a city of a holder of Engineering becomes.').default(7),
  treasury: tokens('Tokens that a player who takes a city can move from stock to treasury.').default(3),
  pirateSurvivors: oneOf(['stay', 'remove'], 'Treatment of the tokens of a pirate city that survive its fall.').default(
    'stay',
  ),
});

export type TokenConflict = z.output<typeof fields>;
export type PlayerFields = z.output<typeof player>;
