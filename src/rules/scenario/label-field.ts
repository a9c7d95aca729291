/** Returns labels of fields instead of their paths. */

import { getBoundScenario } from '../bound-scenario.ts';
import type { Scenario } from '../system.ts';
import { findDeclarations, getDeclaration, type SimpleDeclaration } from './declaration.ts';
import { getValueAt, type Path, splitPath } from './problem.ts';

/** Returns true for maps with free names and for lists: the names of their elements are sufficient labels. */
const hasNamedFields = (each: SimpleDeclaration): boolean =>
  each.kind === 'list' || (each.kind === 'group' && each.others !== undefined);

/** Converts `maxRounds` to `max rounds`. */
const splitCamelCase = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

function labelSteps(scenario: Scenario, path: Path): string[] {
  const last = path.at(-1) ?? '';
  const declared = findDeclarations(getDeclaration(getBoundScenario(scenario).system.schema), scenario, path);
  if (typeof last === 'number') {
    const name = getValueAt(scenario, [...path, 'name']);
    return [typeof name === 'string' ? name : `${String(path.at(-2))} ${String(last + 1)}`];
  }
  if (declared.some(hasNamedFields)) return [];
  const title = declared.find((each) => each.title !== undefined)?.title;
  const own = findDeclarations(
    getDeclaration(getBoundScenario(scenario).system.schema),
    scenario,
    path.slice(0, -1),
  ).some(hasNamedFields);
  return [title ?? (own ? last : splitCamelCase(last))];
}

/**
 * Labels a field by the declaration of its system: `attacker.units.rifleman` is `attacker’s rifleman`,
 * `combatants[0].hp` `Hunter’s hit points`, for a name that ends in s `Hunters’ hit points`. Undeclared fields keep
 * their path.
 */
export function labelField(scenario: Scenario, path: string): string {
  const steps = splitPath(path);
  const [first, ...others] = steps.flatMap((_, s) => labelSteps(scenario, steps.slice(0, s + 1)));
  if (first === undefined) return path;
  return others.length === 0 ? first : `${first}’${first.endsWith('s') ? '' : 's'} ${others.join(' ')}`;
}
