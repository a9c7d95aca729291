/** What the policies that a scenario can name decide. */

export const SACRIFICES = ['pool-first', 'tokens-first'] as const;
export type Sacrifice = (typeof SACRIFICES)[number];

/** What a player with ships or adjacent tokens gives up in a round: one of them, or a token of the area. */
export const PAYMENTS = ['pool', 'token'] as const;
export type Payment = (typeof PAYMENTS)[number];

/** @param tokens that the player has in the area, at least 1 */
export function selectPayment(policy: Sacrifice, tokens: number): Payment {
  return policy === 'pool-first' || tokens === 1 ? 'pool' : 'token';
}

/** In what order an owner's cities are attacked; a list names areas, and cities that it leaves out follow. */
export const CITY_ORDERS = ['file', 'weakest-attack-first', 'strongest-attack-first'] as const;
export type CityOrder = (typeof CITY_ORDERS)[number] | readonly string[];

/** What a victor does with a card, or with tokens for the treasury. */
export const TAKINGS = ['take', 'leave'] as const;
export type Taking = (typeof TAKINGS)[number];

export function selectTaking(takes: boolean): Taking {
  return takes ? 'take' : 'leave';
}
