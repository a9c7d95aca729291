/** Outcomes in words. */
import type { OutcomeSummary } from '../../../stats/summary.ts';
import { isClause, outcomeText } from '../../survey/outcomes.ts';
import { intervalText, valueText } from '../../survey/quantity.ts';
import { exactly } from '../../text/digits.ts';

/** Sides that have no names of their own. */
const SIDES: ReadonlySet<string> = new Set(['attacker', 'defender']);

/** What an outcome means, as a sentence: `the attacker wins`. */
export function phraseOf(outcome: string): string {
  if (outcome === 'stalemate') return 'there is a stalemate';
  if (!isClause(outcome)) return `the areas end ${outcomeText(outcome)}`;
  return `${SIDES.has(outcome) ? 'the ' : ''}${outcomeText(outcome)}`;
}

/** How often an outcome came: `57.67 %`, in 1 000 of 1 000 battles `100 %`. */
export function shareText({ name, p, ci95 }: OutcomeSummary): string {
  return valueText({ kind: 'outcome', name }, ci95 === undefined ? { value: p } : { value: p, interval: ci95 });
}

/** `57.67 % of battles (95 % interval 57.57 .. 57.77 %; exactly 57.6476 %)` */
export function answerText(outcome: OutcomeSummary, exact: number | undefined): string {
  const { name, p, ci95 } = outcome;
  const known = exact === undefined ? [] : [`exactly ${exactly(100 * exact, 4)} %`];
  const interval = intervalText({ kind: 'outcome', name }, { value: p, ...(ci95 && { interval: ci95 }) });
  const sure = interval === '' ? [] : [`95 % interval ${interval}`];
  return `${shareText(outcome)} of battles (${[...sure, ...known].join('; ')})`;
}
