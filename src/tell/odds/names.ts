/** Who wins and how a battle ends, as parts of sentences. */
import type { ShownSide } from '../sides.ts';
import { isWon, JOINT, outcomeText } from '../survey/outcomes.ts';
import { cleanText } from '../text/clean.ts';
import { sentence } from '../text/sentence.ts';

/** Names of one that look like names of many. */
const SINGLE: ReadonlySet<string> = new Set(['rhodes', 'athens', 'thebes', 'delos', 'lesbos', 'samos', 'wales']);

/** Whether a name is one of many: `Swordsmen`, `Levies`, but not `Cyprus`, `Fortress`. */
function isPlural(name: string): boolean {
  const last = name.toLowerCase().split(/\s/).at(-1) ?? '';
  if (SINGLE.has(last)) return false;
  return /(?:[^aious']s|[^n]os|men|folk|people)$/.test(last);
}

/** A side as the subject of a sentence. */
export interface Subject {
  /** `Swordsmen`, `the attacker` */
  readonly text: string;
  readonly plural: boolean;
}

export function subjectOf({ id, name }: ShownSide): Subject {
  const shown = cleanText(name);
  if (name === id && (id === 'attacker' || id === 'defender')) return { text: `the ${id}`, plural: false };
  return { text: sentence(shown), plural: isPlural(shown) };
}

/** `wins` or `win` */
export const verb = ({ plural }: Subject, singular: string): string => (plural ? singular.replace(/s$/, '') : singular);

/** The side that an outcome is a victory of; those that bear no side's name too, such as a city that falls. */
export function winnerOf(outcome: string, sides: readonly ShownSide[]): ShownSide | undefined {
  if (outcome.includes(JOINT)) return undefined;
  return sides.find(({ id }) => id === outcome) ?? sides.find(({ also }) => also.includes(outcome));
}

/** Whether an outcome is told by the name of its winner. */
export const isNamed = (outcome: string, winner: ShownSide | undefined): winner is ShownSide =>
  winner !== undefined && winner.id === outcome;

function unwonText(outcome: string, sides: readonly ShownSide[]): string {
  if (outcome === 'stalemate') return 'there is a stalemate';
  if (outcome === 'mutual' && sides.length > 2) return 'all sides fall';
  if (!isWon(outcome)) return outcomeText(outcome);
  return sides.length === 0 ? outcomeText(outcome) : `it ends “${cleanText(outcome)}”`;
}

/** What an outcome means, as a sentence: `Swordsmen win`, `both sides fall`. */
export function clauseOf(outcome: string, sides: readonly ShownSide[]): string {
  if (outcome.includes(JOINT)) {
    const parts = outcome.split(JOINT).map((part) => clauseOf(part, sides));
    return `the areas end so: ${parts.join(', ')}`;
  }
  const winner = winnerOf(outcome, sides);
  if (!isNamed(outcome, winner)) return unwonText(outcome, sides);
  const subject = subjectOf(winner);
  return `${subject.text} ${verb(subject, 'wins')}`;
}

/** What an outcome is called beside a number: `Swordsmen`, `Attacker`, `Both sides fall`. */
export function labelOf(outcome: string, sides: readonly ShownSide[]): string {
  const winner = winnerOf(outcome, sides);
  if (isNamed(outcome, winner)) return sentence(cleanText(winner.name));
  if (outcome.includes(JOINT)) {
    const parts = outcome.split(JOINT).map((part) => labelOf(part, sides));
    const isOne = new Set(parts).size === 1;
    return isOne ? `${parts[0] ?? ''} in all ${String(parts.length)} areas` : parts.join(', ');
  }
  return sentence(outcome === 'stalemate' ? outcome : unwonText(outcome, sides).replace(/^it stays /, ''));
}
