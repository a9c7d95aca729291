/** Outcomes in words. */

import type { OutcomeSummary } from '../../../answers/summary.ts';
import { SHARE, valueText } from '../../figure.ts';
import { isClause, outcomeText } from '../../survey/outcomes.ts';

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
