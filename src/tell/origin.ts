/** What a result came of. */
import { RULESET } from '../answers/index.ts';
import { opened, type Scenario } from '../rules/index.ts';

/** The rules that a result came by: `attrition (Attrition), ruleset 4`. */
export function rulesText(scenario: Scenario): string {
  const { id, title } = opened(scenario).system;
  return `${id} (${title}), ruleset ${RULESET}`;
}
