/** Part of the rules of tests/custom-system/my-duel.js: what a blow does. */

/** On the better part of a die: 4, 5 or 6. */
export const DAMAGE = [0, 0, 0, 1, 1, 1];
