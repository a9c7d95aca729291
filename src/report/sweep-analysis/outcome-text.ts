/** Texts of outcomes: most outcomes are the name of the winner, some describe the result. */
import { sanitizeXmlText } from '../text/sanitize.ts';

/** Texts of outcomes without a winner. */
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

/** Separator of the outcomes of several areas. */
export const OUTCOME_SEPARATOR = ' + ';

/** Formats an outcome: `attacker wins`, `both sides fall`; joint outcomes by their names. */
export function formatOutcome(name: string): string {
  return (
    UNWON_OUTCOMES.get(name) ??
    (name.includes(OUTCOME_SEPARATOR) ? sanitizeXmlText(name) : `${sanitizeXmlText(name)} wins`)
  );
}

/** True if the text of an outcome is a clause. */
export function isClause(name: string): boolean {
  return name !== 'stalemate' && !name.includes(OUTCOME_SEPARATOR);
}

/** True if a side wins with this outcome. */
export function hasWinner(name: string): boolean {
  return !UNWON_OUTCOMES.has(name) && !name.includes(OUTCOME_SEPARATOR);
}
