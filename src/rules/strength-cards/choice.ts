/** What a side plays, and what that is worth. */
import type { Lot } from '../../core/chance/door.ts';
import type { Force } from './forces.ts';

export interface Choice {
  /** Index of its card; -1 before it is played. */
  readonly card: number;
  /** For each air token that was decided, whether it is played. */
  readonly air: readonly boolean[];
}

/** What a side's cards and tokens add to its lead over the enemy, in half points. */
export function gainOf({ cards, tokens }: Force, { card, air }: Choice): number {
  const played = cards[card];
  const lead = played === undefined ? 0 : played.strength - played.enemyStrength;
  return tokens.reduce((sum, { strength }, t) => (air[t] === true ? sum + strength : sum), lead);
}

const NO_DICE: Lot = [];

/** The dice that a side rolls: its card's, its units', those of each token, whose place stays empty if it is held. */
export function lotsOf({ cards, lot, tokens }: Force, { card, air }: Choice): Lot[] {
  return [cards[card]?.dice ?? NO_DICE, lot, ...tokens.map(({ dice }, t) => (air[t] === true ? dice : NO_DICE))];
}
