/** What can be at stake in the game of cards; a file of its own, for the help of the command line names them. */

export const PAYOFFS = ['win', 'hp-difference', 'capture'] as const;

/** What the attacker wants much and the defender little: victory, hit points left less the enemy's, or the area. */
export type Payoff = (typeof PAYOFFS)[number];
