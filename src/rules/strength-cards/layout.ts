/** Words of strength and cards: the scenario, a battle between two decisions, and additions of an environment. */

import { createStreamLayout } from '../../core/index.ts';
import { each, head, i32, metrics, one, record, row, u32 } from '../struct.ts';

export { ABSORBERS } from './schema.ts';

/** Decision points. */
export const POINTS = ['card', 'air', 'losses'] as const;

/** Use of an air token. */
export const FATES = ['held', 'played', 'drawn'] as const;

/** A side. Tables by their offsets. */
export const FORCE = head({
  /** The only card with a weight, or -1; the table for drawing a card. */
  onlyCard: i32,
  cardDraw: i32,
  cards: i32,
  tokenCount: i32,
  tokens: i32,
  /** The dice of its units. */
  lot: i32,
  units: i32,
  /** Hit points in the order of the losses policy, and all of them. */
  hp: i32,
  health: i32,
  /** 1 if losses are spread. */
  spread: i32,
  /** Number of entries in the order of absorbers, and their table. */
  absorberCount: i32,
  absorbers: i32,
  /** 1 if its survivors cannot retreat. */
  nowhere: i32,
});

export const HEAD = head({
  /** Lead of the attacker before cards and tokens, in half points. */
  ahead: i32,
  initiative: i32,
  fortification: i32,
  portFleets: i32,
  sides: row(FORCE, 2),
});

export const CARD = record({
  /** Half points that it adds to the lead of its side. */
  lead: i32,
  symbols: i32,
  dice: i32,
});

/** An entry in the order of absorbers. */
export const ABSORBER = record({
  /** A number of `ABSORBERS`. */
  by: i32,
  /** Maximum points that it absorbs. */
  most: i32,
});

export const TOKEN = record({
  /** In half points. */
  strength: i32,
  dice: i32,
  /** One of `FATES`. */
  fate: i32,
  /** The least word with which it is used. */
  threshold: u32,
});

/** State of a battle, followed by a `PLAY` of each side and their hit points, in the order of the losses policies. */
export const PROGRESS = record({
  /** Cards come first, then tokens, then the dice; then the defender takes damage, then the attacker. */
  stage: i32,
  /** Points that the units of a side still have to take. */
  points: i32,
});

export const PLAY = record({
  /** Index of its card, and a bit for each used air token. */
  card: i32,
  air: u32,
  /** Lead in half points and symbols by cards and tokens; damage rolled. */
  lead: i32,
  symbols: i32,
  damage: i32,
  /** Absorbed damage, and the lost levels of fortification. */
  absorbed: i32,
  levels: i32,
  /** Remaining hit points, and units with hit points. */
  hp: i32,
  alive: i32,
});

/** A side in the additions of an environment. */
export const EXTRA_SIDE = head({
  cards: i32,
  /** First features of cards and tokens. */
  cardsAt: i32,
  tokensAt: i32,
  /** First words of the actions of its cards, and of its units: an action and a feature each. */
  cardTable: i32,
  unitTable: i32,
});

export const EXTRA = head({
  /** Action of using a token; the next one is holding it. */
  play: i32,
  /** Strength before cards and tokens, in half points. */
  strength: row(i32, 2),
  sides: row(EXTRA_SIDE, 2),
});

/** A unit in the additions of an environment. */
export const EXTRA_UNIT = head({ action: i32, feature: i32 });

const SIDES = ['attacker', 'defender'];

/** Draws of a side: its card, its air tokens one by one, and its dice by sets. */
export const PLACES = createStreamLayout({ side: SIDES.length }, 256, { card: 0, token: 32, damage: 64 });

/** Dice sets of a side, one word each: of its card and of its units, then of each token. */
export const LOTS = { card: 0, units: 1, token: 2 } as const;

export const METRICS = metrics({
  margin: one,
  damage: each(SIDES),
  absorbed: each(SIDES),
  lost: each(SIDES),
  eliminated: one,
  hp: each(SIDES),
  captured: one,
  fortification: one,
  portFleetsLost: one,
});
