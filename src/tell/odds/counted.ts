/** So many of something, in words. */
import { plain } from '../text/digits.ts';

/** Names of units that are their own plural. */
const MASS = /(?:infantry|artillery|cavalry|armour|armor|aircraft|s)$/;

/** `2 tanks`, `3 spearmen`, `4 infantry`, `1 army` of `armies` */
export function counted(amount: number, name: string): string {
  if (amount === 1) return `1 ${name.replace(/ies$/, 'y')}`;
  if (MASS.test(name)) return `${plain(amount)} ${name}`;
  if (name.endsWith('man')) return `${plain(amount)} ${name.slice(0, -3)}men`;
  return `${plain(amount)} ${/[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`}`;
}
