/** Clauses on winners and outcomes. */
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatOutcome, hasWinner, OUTCOME_SEPARATOR } from '../sweep-analysis/outcome-text.ts';
import { capitalize } from '../text/capitalize.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';

/** Singular names that look like plurals. */
const SINGULAR_NAMES: ReadonlySet<string> = new Set([
  'rhodes',
  'athens',
  'thebes',
  'delos',
  'lesbos',
  'samos',
  'wales',
]);

/** True for plural names: `Swordsmen`, `Levies`, but not `Cyprus`, `Fortress`. */
function isPlural(name: string): boolean {
  const last = name.toLowerCase().split(/\s/).at(-1) ?? '';
  if (SINGULAR_NAMES.has(last)) return false;
  return /(?:[^aious']s|[^n]os|men|folk|people)$/.test(last);
}

/** Side as the subject of a sentence. */
export interface SentenceSubject {
  /** `Swordsmen`, `the attacker` */
  readonly text: string;
  readonly plural: boolean;
}

export function createSubject({ id, name }: ScenarioSide): SentenceSubject {
  const shown = sanitizeXmlText(name);
  if (name === id && (id === 'attacker' || id === 'defender')) return { text: `the ${id}`, plural: false };
  return { text: capitalize(shown), plural: isPlural(shown) };
}

/** `wins` or `win` */
export const inflectVerb = ({ plural }: SentenceSubject, singular: string): string =>
  plural ? singular.replace(/s$/, '') : singular;

/** Finds the winner of an outcome, including outcomes without the name of a side, such as a city that falls. */
export function findWinner(outcome: string, sides: readonly ScenarioSide[]): ScenarioSide | undefined {
  if (outcome.includes(OUTCOME_SEPARATOR)) return undefined;
  return sides.find(({ id }) => id === outcome) ?? sides.find(({ also }) => also.includes(outcome));
}

/** True if an outcome has the name of its winner. */
export const isNamedAfterWinner = (outcome: string, winner: ScenarioSide | undefined): winner is ScenarioSide =>
  winner !== undefined && winner.id === outcome;

function formatUnwonOutcome(outcome: string, sides: readonly ScenarioSide[]): string {
  if (outcome === 'stalemate') return 'there is a stalemate';
  if (outcome === 'mutual' && sides.length > 2) return 'all sides fall';
  if (!hasWinner(outcome)) return formatOutcome(outcome);
  return sides.length === 0 ? formatOutcome(outcome) : `it ends “${sanitizeXmlText(outcome)}”`;
}

/** Formats an outcome as a clause: `Swordsmen win`, `both sides fall`. */
export function formatOutcomeClause(outcome: string, sides: readonly ScenarioSide[]): string {
  if (outcome.includes(OUTCOME_SEPARATOR)) {
    const parts = outcome.split(OUTCOME_SEPARATOR).map((part) => formatOutcomeClause(part, sides));
    return `outcomes of the areas: ${parts.join(', ')}`;
  }
  const winner = findWinner(outcome, sides);
  if (!isNamedAfterWinner(outcome, winner)) return formatUnwonOutcome(outcome, sides);
  const subject = createSubject(winner);
  return `${subject.text} ${inflectVerb(subject, 'wins')}`;
}

/** Formats an outcome as a label: `Swordsmen`, `Attacker`, `Both sides fall`. */
export function formatOutcomeLabel(outcome: string, sides: readonly ScenarioSide[]): string {
  const winner = findWinner(outcome, sides);
  if (isNamedAfterWinner(outcome, winner)) return capitalize(sanitizeXmlText(winner.name));
  if (outcome.includes(OUTCOME_SEPARATOR)) {
    const parts = outcome.split(OUTCOME_SEPARATOR).map((part) => formatOutcomeLabel(part, sides));
    const isOne = new Set(parts).size === 1;
    return isOne ? `${parts[0] ?? ''} in all ${String(parts.length)} areas` : parts.join(', ');
  }
  return capitalize(outcome === 'stalemate' ? outcome : formatUnwonOutcome(outcome, sides).replace(/^it stays /, ''));
}
