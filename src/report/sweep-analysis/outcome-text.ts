/** What outcomes are called in sentences: most are named after who wins, some say how it ended. */
import { sanitizeXmlText } from '../text/sanitize.ts';

/** Outcomes that no side wins, in words. */
const UNWON_OUTCOMES: ReadonlyMap<string, string> = new Map([
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
export const OUTCOME_SEPARATOR = ' + ';

/** An outcome in words: `attacker wins`, `both sides fall`; joined outcomes by their names. */
export function formatOutcome(name: string): string {
  return (
    UNWON_OUTCOMES.get(name) ??
    (name.includes(OUTCOME_SEPARATOR) ? sanitizeXmlText(name) : `${sanitizeXmlText(name)} wins`)
  );
}

/** Whether the words for it are a sentence. */
export function isClause(name: string): boolean {
  return name !== 'stalemate' && !name.includes(OUTCOME_SEPARATOR);
}

/** Whether a side wins with this outcome. */
export function hasWinner(name: string): boolean {
  return !UNWON_OUTCOMES.has(name) && !name.includes(OUTCOME_SEPARATOR);
}
