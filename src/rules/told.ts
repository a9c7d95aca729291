/** Errors of the rules of users, told with the system, the scenario and the line of their author. */
import { BudgetError, InputError, InputErrors, RulesError, RunError } from '../core/errors.ts';
import type { SystemModule } from './registry.ts';
import type { Scenario } from './system.ts';
import { stackOf, thrownText } from './thrown.ts';

/** Whose rules they are. */
interface Whose {
  readonly system: { readonly id: string };
  readonly scenario: Scenario;
  readonly module: SystemModule | undefined;
  readonly isOwn: boolean;
}

/** Errors that say nothing of the rules. */
const OWN_ERRORS = [BudgetError, InputError, InputErrors, RunError];

/** Errors that were told. */
const told = new WeakSet<Error>();

/** The first line of a stack that lies in the code of the author. */
function lineOf(error: unknown, url: string | undefined): string {
  if (url === undefined) return '';
  const path = url.replace(/^file:\/\//, '');
  const line = stackOf(error)
    .split('\n')
    .find((each) => each.includes(path));
  const [place] = /[^/\s(]+:\d+:\d+/.exec(line ?? '') ?? [];
  return place === undefined ? '' : ` at ${place}`;
}

/**
 * An error of the rules, told with the system and the scenario; others as they are.
 * @param battle what to play again: ` in battle 17 of seed 42`
 */
export function toldRules(error: unknown, { system, module, scenario, isOwn }: Whose, battle = ''): unknown {
  if (!isOwn || OWN_ERRORS.some((known) => error instanceof known) || told.has(error as Error)) return error;
  const name = scenario.name === undefined ? '' : ` (scenario "${scenario.name}")`;
  const message = `${system.id}: ${thrownText(error)}${lineOf(error, module?.url)}${battle}${name}`;
  const whole = new RulesError(message, { cause: error });
  told.add(whole);
  return whole;
}

/** Throws an error of the rules as `toldRules` tells it. */
export function tellRules(open: Whose): (error: unknown) => never {
  return (error) => {
    throw toldRules(error, open);
  };
}
