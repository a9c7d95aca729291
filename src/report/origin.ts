/** Origin of results. */

import { getBoundScenario, type Scenario } from '../rules/index.ts';
import { RULESET } from '../stats/index.ts';

/** Formats the rules of a result: `attrition (Attrition), ruleset 4`. */
export function formatRules(scenario: Scenario): string {
  const { id, title } = getBoundScenario(scenario).system;
  return `${id} (${title}), ruleset ${RULESET}`;
}
