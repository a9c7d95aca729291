/** What is said of rules whose answers contradict each other. */
import { RulesError, RunError } from '../core/errors.ts';
import type { Opened } from './opened.ts';
import { toldRules } from './told.ts';

const LOOK_FOR =
  'The rules are not a function of state and door. Look for a key that forgets something, a variable that a step changes, ' +
  'a state that is changed instead of returned anew; "warpool conform" looks for the cause.';

const REPORT_IT = 'That is a fault of warpool, not of the scenario; please report it.';

/** A contradiction, and what to look for. */
export function doubtText({ isOwn }: Pick<Opened, 'isOwn'>, found: string): string {
  return `${found}. ${isOwn ? LOOK_FOR : REPORT_IT}`;
}

/** The error of a contradiction: a RulesError where the rules are a user's. */
export function doubt(open: Opened, found: string): unknown {
  const text = doubtText(open, found);
  return open.isOwn ? toldRules(new RulesError(text), open) : new RunError(`${open.system.id}: ${text}`);
}
