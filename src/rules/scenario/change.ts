/** Changes single fields of a scenario, named by their path. */
import { parse } from 'yaml';
import { InputError } from '../../core/errors.ts';
import { opened } from '../opened.ts';
import type { Scenario } from '../system.ts';
import { check } from './check.ts';
import { parsePath, withField } from './path.ts';

/** A value as it would stand in a YAML file. */
function readValue(text: string, place: string): unknown {
  try {
    return parse(text, { logLevel: 'error' }) as unknown;
  } catch {
    throw new InputError(place, 'a value in YAML', `"${text.slice(0, 80)}"`);
  }
}

/**
 * The scenario with other values in some fields.
 * @param values by path; mappings on the way are made where there are none
 * @param place  what error messages call the changes
 * @throws InputError or InputErrors if a path is none or leads beyond the end of a list, or the changed scenario is not
 * acceptable
 */
export function withFields(
  scenario: Scenario,
  values: Iterable<readonly [path: string, value: unknown]>,
  place: string,
): Scenario {
  let changed: unknown = scenario;
  for (const [path, value] of values) changed = withField(changed, parsePath(path, place), value, place);
  const { registry } = opened(scenario);
  return check({ value: changed, spot: undefined, problems: [], place: () => place, registry });
}

/**
 * The scenario with other values in some fields.
 * @param changes `path=value`, the value as it would stand in a YAML file: `massDivisor=n`, `attacker.hp=12`
 * @param place   what error messages call the changes
 * @throws InputError or InputErrors if a change cannot be read, or the changed scenario is not acceptable
 */
export function changeScenario(scenario: Scenario, changes: readonly string[], place = '--set'): Scenario {
  const values = changes.map((change): [string, unknown] => {
    const at = change.indexOf('=');
    if (at < 1) throw new InputError(place, 'path=value', change === '' ? 'nothing' : `"${change}"`);
    const path = change.slice(0, at).trim();
    return [path, readValue(change.slice(at + 1), `${place} ${path}`)];
  });
  return withFields(scenario, values, place);
}
