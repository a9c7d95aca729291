/** What people read of a field in the place of its path. */

import { getBoundScenario } from '../bound-scenario.ts';
import type { Scenario } from '../system.ts';
import { findDeclarations, getDeclaration, type SimpleDeclaration } from './declaration.ts';
import { getValueAt, type Path, splitPath } from './problem.ts';

/** Holds fields by names of the scenario's own, or elements: what it holds says more than its name. */
const hasNamedFields = (each: SimpleDeclaration): boolean =>
  each.kind === 'list' || (each.kind === 'group' && each.others !== undefined);

/** `maxRounds` is `max rounds`. */
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
 * A field in words, by what its system declares: `attacker.units.rifleman` is `attacker’s rifleman`, `combatants[0].hp`
 * `Hunter’s hit points`, of a name that ends in s `Hunters’ hit points`. What nothing is declared of keeps its path.
 */
export function labelField(scenario: Scenario, path: string): string {
  const steps = splitPath(path);
  const [first, ...others] = steps.flatMap((_, s) => labelSteps(scenario, steps.slice(0, s + 1)));
  if (first === undefined) return path;
  return others.length === 0 ? first : `${first}’${first.endsWith('s') ? '' : 's'} ${others.join(' ')}`;
}
