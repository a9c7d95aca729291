/** What a result came of. */

import { getBoundScenario, type Scenario } from '../rules/index.ts';
import { RULESET } from '../stats/index.ts';

/** The rules that a result came by: `attrition (Attrition), ruleset 4`. */
export function rulesText(scenario: Scenario): string {
  const { id, title } = getBoundScenario(scenario).system;
  return `${id} (${title}), ruleset ${RULESET}`;
}
