/** What outcomes are called in sentences: most are named after who wins, some say how it ended. */
import { cleanText } from '../text/clean.ts';

/** Outcomes that no side wins, in words. */
const UNWON: ReadonlyMap<string, string> = new Map([
  ['mutual', 'both sides fall'],
  ['stalemate', 'stalemate'],
  ['none', 'no side falls'],
  ['retreat', 'a side retreats'],
  ['undecided', 'it stays undecided'],
  ['withdrawn', 'a side withdraws'],
  ['coexist', 'players coexist'],
  ['empty', 'nobody is left'],
  ['city-destroyed', 'the city falls'],
  ['repelled', 'the city stands'],
  ['retreated', 'a side retreats'],
  ['abandoned', 'a side gives way'],
  ['held', 'both sides hold'],
  ['standoff', 'neither side can hit the other'],
]);

/** What joins the outcomes of several areas. */
export const JOINT = ' + ';

/** An outcome in words: `attacker wins`, `both sides fall`; joined outcomes by their names. */
export function outcomeText(name: string): string {
  return UNWON.get(name) ?? (name.includes(JOINT) ? cleanText(name) : `${cleanText(name)} wins`);
}

/** Whether the words for it are a sentence. */
export function isClause(name: string): boolean {
  return name !== 'stalemate' && !name.includes(JOINT);
}

/** Whether a side wins with this outcome. */
export function isWon(name: string): boolean {
  return !UNWON.has(name) && !name.includes(JOINT);
}
