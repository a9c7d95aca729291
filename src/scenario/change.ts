/** Changes single fields of a scenario, named by their path. */
import { parse } from 'yaml';
import { InputError } from '../errors.ts';
import type { Scenario } from '../systems/system.ts';
import { check } from './check.ts';

/** `attacker.units.knight`, `structures[1].marks` as ['attacker', 'units', 'knight'], ['structures', 1, 'marks']. */
function stepsOf(path: string): (string | number)[] {
  const names = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return names.map((name) => (/^\d+$/.test(name) ? Number(name) : name));
}

/** A copy of `value` in which the field at `steps` is `field`; mappings on the way are made where there are none. */
function withField(value: unknown, steps: readonly (string | number)[], field: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return field;
  if (Array.isArray(value))
    return value.map((item, i) => (i === step ? withField(item, rest, field) : (item as unknown)));
  const mapping = typeof value === 'object' && value !== null ? value : {};
  return { ...mapping, [step]: withField((mapping as Record<string, unknown>)[step], rest, field) };
}

/** A value as it would stand in a YAML file. */
function readValue(text: string, place: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    throw new InputError(place, 'a value in YAML', `"${text}"`);
  }
}

/**
 * The scenario with other values in some fields.
 * @param changes `path=value`, the value as it would stand in a YAML file: `massDivisor=n`, `attacker.hp=12`
 * @param place   what error messages call the changes
 * @throws InputError or InputErrors if a change cannot be read, or the changed scenario is not acceptable
 */
export function changeScenario(scenario: Scenario, changes: readonly string[], place = '--set'): Scenario {
  let changed: unknown = scenario;
  for (const change of changes) {
    const at = change.indexOf('=');
    if (at < 1) throw new InputError(place, 'path=value', change === '' ? 'nothing' : `"${change}"`);
    changed = withField(changed, stepsOf(change.slice(0, at)), readValue(change.slice(at + 1), place));
  }
  return check({ value: changed, spot: undefined, problems: [], place: () => place });
}
