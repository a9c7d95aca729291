/** Splits a question into attacker and defender. */
import { FILLERS } from './vocabulary.ts';

type VerbKind = 'attack' | 'defend' | 'neutral';

/** Verbs that separate the sides; the attacker follows a verb of defense. */
const VERBS: readonly (readonly [VerbKind, RegExp])[] = [
  [
    'defend',
    /\b(?:attacked|assaulted|invaded|charged|besieged|hit|beaten|killed|taken) by\b|\b(?:hold|stand|defend|survive|withstand|resist|repel|stop)s?\b(?: out\b| up\b| off\b)?/g,
  ],
  ['attack', /\b(?:attack|assault|charge|take|invade)s?\b|\b(?:assault|invad|charg)ing\b/g],
  [
    'neutral',
    /\b(?:against|versus|vs?|into|(?:face|beat|defeat|kill|fight)s?|(?:fac|beat|defeat|kill|fight)ing)\b|[-=]*>+|→|⚔/g,
  ],
];

/** Side names, which separate the sides without a verb: "8 attackers, 5 defenders". */
const ROLES: typeof VERBS = [
  ['attack', /\battack(?:ing|ers?)\b/g],
  ['defend', /\bdefend(?:ing|ers?)\b/g],
];

interface Separator {
  readonly kind: VerbKind;
  readonly start: number;
  readonly end: number;
}

const isIdle = (text: string): boolean =>
  text.split(/[\s,;&]+/).every((word) => word === '' || word === 'a' || word === 'an' || FILLERS.has(word));

/** Finds separators; joins adjacent ones: "hold against", "survive an attack by". */
function findSeparators(text: string, patterns: typeof VERBS): Separator[] {
  const all = patterns
    .flatMap(([kind, pattern]) =>
      [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ kind, start: index, end: index + length })),
    )
    .toSorted((a, b) => a.start - b.start);
  const merged: Separator[] = [];
  for (const next of all) {
    const last = merged.at(-1);
    if (last === undefined || !isIdle(text.slice(last.end, next.start))) merged.push(next);
    else merged.splice(-1, 1, { ...last, kind: last.kind === 'neutral' ? next.kind : last.kind, end: next.end });
  }
  return merged;
}

export const hasVerb = (text: string): boolean => findSeparators(text, VERBS).length > 0;

interface SplitQuestion {
  readonly lead: VerbKind | undefined;
  readonly before: string;
  readonly first: Separator;
  readonly second: Separator | undefined;
  readonly after: string;
}

/** Splits a text at its first separator that has words on both sides. */
function splitAtSeparator(text: string, all: Separator[]): SplitQuestion | undefined {
  let [lead, from, to]: [VerbKind | undefined, number, number] = [undefined, 0, text.length];
  // "attack with 8 against 5", and "8 attack, 5 defend"
  for (; all.length > 1 && isIdle(text.slice(0, all[0]?.start)); all.shift())
    [lead, from] = [all[0]?.kind, all[0]?.end ?? 0];
  for (; all.length > 1 && isIdle(text.slice(all.at(-1)?.end, to)); all.pop()) to = all.at(-1)?.start ?? to;
  const [first, second] = all;
  if (first === undefined) return undefined;
  const [before, after] = [text.slice(from, first.start), text.slice(first.end, to)];
  // "should I attack 5 infantry with 6"
  const [what = '', by] = after.split(/\bwith\b(.*)/s);
  const parts = by !== undefined && isIdle(before) ? { before: by, after: what } : { before, after };
  return { lead: lead === 'neutral' ? undefined : lead, first, second, ...parts };
}

const namesDefender = (before: string, after: string): boolean =>
  /\bdefend(?:ing|ers?)\b/.test(before) || /\battack(?:ing|ers?)\b/.test(after);

interface QuestionSides {
  readonly attacker: string;
  readonly defender: string;
}

/** Splits a question into its sides. @returns undefined without two sides, a sentence if there are more */
export function splitSides(text: string): QuestionSides | string | undefined {
  const verbs = findSeparators(text, VERBS);
  const byRole = verbs.length === 0;
  const parted = splitAtSeparator(text, byRole ? findSeparators(text, ROLES) : verbs);
  if (parted === undefined) return undefined;
  const { lead, before, first, second, after } = parted;
  if (second !== undefined && !byRole)
    return `A battle has two sides: “${text.slice(second.start, second.end).trim()}” begins a third one.`;
  const isNeutral = first.kind === 'neutral';
  // "if they attack, can 5 hold against 4": the attacker is ambiguous.
  if (lead !== undefined && !isNeutral && !byRole && lead !== first.kind) return undefined;
  const named = isNeutral && namesDefender(before, after) ? 'defend' : first.kind;
  return (lead ?? named) === 'defend' ? { attacker: after, defender: before } : { attacker: before, defender: after };
}
