/** Numbers with nouns. */
import { formatNumber } from '../text/number-format.ts';

/** Nouns with an unchanged plural. */
const PLURAL_PATTERN = /(?:infantry|artillery|cavalry|armour|armor|aircraft|s)$/;

/** `2 tanks`, `3 spearmen`, `4 infantry`, `1 army` of `armies` */
export function formatCountedNoun(amount: number, name: string): string {
  if (amount === 1) return `1 ${name.replace(/ies$/, 'y')}`;
  if (PLURAL_PATTERN.test(name)) return `${formatNumber(amount)} ${name}`;
  if (name.endsWith('man')) return `${formatNumber(amount)} ${name.slice(0, -3)}men`;
  return `${formatNumber(amount)} ${/[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`}`;
}
