/** Policies of a scenario. */

export const SACRIFICES = ['pool-first', 'tokens-first'] as const;
export type Sacrifice = (typeof SACRIFICES)[number];

/** Losses of a player with ships or adjacent tokens in a round: one of them, or a token of the area. */
export const PAYMENTS = ['pool', 'token'] as const;
export type Payment = (typeof PAYMENTS)[number];

/** @param tokens tokens of the player in the area, at least 1 */
export function selectPayment(policy: Sacrifice, tokens: number): Payment {
  return policy === 'pool-first' || tokens === 1 ? 'pool' : 'token';
}

/** Order of attacks on the cities of an owner; a list names areas, and omitted cities follow. */
export const CITY_ORDERS = ['file', 'weakest-attack-first', 'strongest-attack-first'] as const;
export type CityOrder = (typeof CITY_ORDERS)[number] | readonly string[];

/** Decision of a victor about a card, or about tokens for the treasury. */
export const TAKINGS = ['take', 'leave'] as const;
export type Taking = (typeof TAKINGS)[number];

export function selectTaking(takes: boolean): Taking {
  return takes ? 'take' : 'leave';
}
