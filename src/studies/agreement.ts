/** Whether what was played and the exact answer beside it can both be true. */
import { contradiction, toldContradiction } from '../answers/agreement.ts';
import type { Summary } from '../answers/summary.ts';
import { doubt, doubtText, opened } from '../rules/opened.ts';
import type { Scenario } from '../rules/system.ts';

/**
 * What is said where battles contradict the exact answer to their scenario: in what, and what to look for. Chance alone
 * does that for one outcome or metric in some 500 million.
 * @returns undefined where they agree
 */
export function disagreement(
  scenario: Scenario,
  played: Summary,
  exact: Summary | undefined,
  battles: number,
): string | undefined {
  const found = exact && contradiction(played, exact, battles);
  return (
    found && doubtText(opened(scenario), `exact and played contradict each other: ${toldContradiction(found, battles)}`)
  );
}

/** @throws RulesError if they do; RunError if the system is shipped */
export function checkAgreement(scenario: Scenario, played: Summary, exact: Summary | undefined, battles: number): void {
  const found = exact && contradiction(played, exact, battles);
  if (found === undefined) return;
  throw doubt(opened(scenario), `exact and played contradict each other: ${toldContradiction(found, battles)}`);
}
