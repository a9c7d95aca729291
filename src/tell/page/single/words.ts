/** Outcomes in words. */

import type { OutcomeSummary, Summary } from '../../../answers/summary.ts';
import { intervalText, percent, SHARE, valueText } from '../../figure.ts';
import { isClause, outcomeText } from '../../survey/outcomes.ts';
import { exactly, grouped } from '../../text/digits.ts';
import { sentence } from '../../text/sentence.ts';

/** Sides that have no names of their own. */
const SIDES: ReadonlySet<string> = new Set(['attacker', 'defender']);

/** What an outcome means, as a sentence: `the attacker wins`. */
export function phraseOf(outcome: string): string {
  if (outcome === 'stalemate') return 'there is a stalemate';
  if (!isClause(outcome)) return `the areas end ${outcomeText(outcome)}`;
  return `${SIDES.has(outcome) ? 'the ' : ''}${outcomeText(outcome)}`;
}

/** How often an outcome came: `57.67 %`, in 1 000 of 1 000 battles `100 %`. */
export function shareText({ p, ci95 }: OutcomeSummary): string {
  return valueText(SHARE, { value: p, interval: ci95 });
}

/** `57.67 % of battles (95 % interval 57.57 .. 57.77 %; exactly 57.6476 %)` */
function answerText(outcome: OutcomeSummary, exact: number | undefined): string {
  const { p, ci95 } = outcome;
  const known = exact === undefined ? [] : [`exactly ${percent(exactly, exact, 4)}`];
  const interval = intervalText(SHARE, { value: p, interval: ci95 });
  const sure = interval === '' ? [] : [`95 % interval ${interval}`];
  const how = [...sure, ...known];
  return `${shareText(outcome)} of battles${how.length === 0 ? '' : ` (${how.join('; ')})`}`;
}

/** Outcomes that an answer names. */
const NAMED = 4;

/**
 * What a run says first: how its commonest outcome does, and the next ones; nothing of a run without battles.
 * @param exact the exact answer, if there is one
 */
export function answerLines({ outcomes }: Summary, exact: Summary | undefined): string[] {
  const known = new Map(exact?.outcomes.map(({ name, p }) => [name, p]));
  const came = outcomes.filter(({ p }) => p > 0).toSorted((a, b) => b.p - a.p);
  const [first, ...others] = came;
  if (first === undefined) return [];
  const rest = others.slice(0, NAMED - 1).map((outcome) => `${phraseOf(outcome.name)} in ${shareText(outcome)}`);
  const more = came.length - 1 - rest.length;
  const ends = [...rest, ...(more > 0 ? [`${grouped(more)} other outcomes came more rarely`] : [])];
  const lead = `${sentence(phraseOf(first.name))} in ${answerText(first, known.get(first.name))}.`;
  return ends.length === 0 ? [lead] : [lead, `${sentence(ends.join(', '))}.`];
}
