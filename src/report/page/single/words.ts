/** Outcomes in words. */
import type { OutcomeSummary } from '../../../stats/summary.ts';
import { cleanText } from '../../clean.ts';
import { exactly } from '../../digits.ts';
import { intervalText, valueText } from '../../survey/quantity.ts';

/** Outcomes that do not bear the name of a winner. */
const PHRASES: Readonly<Record<string, string>> = {
  attacker: 'the attacker wins',
  defender: 'the defender wins',
  mutual: 'nobody is left',
  stalemate: 'there is no decision',
  none: 'nobody wins',
  retreat: 'the attacker retreats',
  coexist: 'several players stay',
  empty: 'nobody is left',
  'city-destroyed': 'the city falls',
  repelled: 'the city stands',
};

/** What an outcome means: `the attacker wins`; joined outcomes, those of several areas, stay as they are. */
export function phraseOf(outcome: string): string {
  if (Object.hasOwn(PHRASES, outcome)) return PHRASES[outcome] ?? outcome;
  return outcome.includes(' + ') ? `the areas end ${cleanText(outcome)}` : `${cleanText(outcome)} wins`;
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
