/** Words of token conflict: the scenario, a battle between two decisions, and additions of an environment. */

import { createStreamLayout } from '../../core/index.ts';
import { head, i32, many, metrics, one, record } from '../struct.ts';

/** Decision points. */
export const POINTS = ['sacrifice', 'takeCard', 'takeTreasury', 'cityOrder'] as const;

/** Actions before those that name the next city. */
export const ACTIONS = ['give:pool', 'give:token', 'take', 'leave'] as const;

/** Current stage: a task before its start, a conflict, a round, a decision of the victor over a city. */
export const STAGES = ['idle', 'fight', 'round', 'card', 'treasury'] as const;

/** Tables by offset. Draws follow the head. */
export const HEAD = head({
  players: i32,
  areas: i32,
  contingents: i32,
  draws: i32,
  attacks: i32,
  removesPirates: i32,
  treasury: i32,
  playerTable: i32,
  contingentTable: i32,
  areaTable: i32,
  attackTable: i32,
  /** Tokens, ships and adjacent tokens by contingent, stock and hand by player. */
  start: i32,
});

/** A random count: its stream position, and tables of quantiles and counts. */
export const DRAW = head({ contingent: i32, place: i32, quantiles: i32, counts: i32 });

export const PLAYER = record({
  barbarian: i32,
  takesCard: i32,
  takesTreasury: i32,
  /** Order of the cities of the player: 0 by preference, 1 the weakest attack first, -1 the strongest. */
  order: i32,
});

export const CONTINGENT = record({
  player: i32,
  metalworking: i32,
  poolFirst: i32,
  /** Tokens that are needed against the city, and tokens that it becomes. */
  need: i32,
  becomes: i32,
  /** Contribution to the outcome if only this contingent is left in an area without a city. */
  result: i32,
});

export const AREA = record({
  /** Its contingents: the first, and the end of them. */
  first: i32,
  end: i32,
  limit: i32,
  /** The contingent of the city's owner, or -1. */
  owner: i32,
  pirate: i32,
  /** Contribution to the outcome: several are left, or the city falls; nobody is left, or the city remains. */
  result: i32,
  otherResult: i32,
});

/** An attack in the order of the file, and the entry of the order with the same number. */
export const SIEGE = record({
  area: i32,
  /** The player whose city it is, or -1 for pirates. */
  owner: i32,
  preference: i32,
  /** The attacked area of this entry, -1 if it depends on the battle. */
  next: i32,
  /** 1 if the owner has a later entry, and cities of others are attacked before it. */
  waits: i32,
});

/** State of a battle, followed by columns. Only `rounds` is used if battles are simulated without interruption. */
export const PROGRESS = record({
  /** The area of the current conflict; from the number of areas on, the attack. */
  task: i32,
  /** One of `STAGES`. */
  stage: i32,
  /** The contingent that has taken the city, else 0. */
  engaged: i32,
  rounds: i32,
  /** Number of drawn counts. */
  drawn: i32,
  /** The rank of the current group in a round, else 0. */
  rank: i32,
  /** The first contingent of the area that may still have to choose, else 0. */
  next: i32,
  /** The current attack, else 0. */
  attack: i32,
});

/**
 * Additions of an environment: numbers of readings and of cities to choose from, followed by the number of each player
 * among those with decisions, the words to read, and the selectable attacks.
 */
export const EXTRA = head({ readings: i32, choices: i32 });

/** Draws: a word for each count, by areas and players in the order of the file. */
export const PLACES = createStreamLayout({ count: 2 ** 16 }, 1);

const byPlayer = many('<player>', 'players');

export const METRICS = metrics({
  rounds: one,
  left: byPlayer,
  lost: byPlayer,
  pool: byPlayer,
  cards: byPlayer,
  treasury: byPlayer,
});
