/** Returns labels of fields instead of their paths. */

import { getBoundScenario } from '../bound-scenario.ts';
import type { Scenario } from '../system.ts';
import { findDeclarations, getDeclaration, type SimpleDeclaration } from './declaration.ts';
import { getValueAt, type Path, splitPath } from './problem.ts';
import { listNumericFields, listTableFields } from './update-scenario.ts';

/** Returns true for maps with free names and for lists: the names of their elements are sufficient labels. */
const hasNamedFields = (each: SimpleDeclaration): boolean =>
  each.kind === 'list' || (each.kind === 'group' && each.others !== undefined);

/** Converts `maxRounds` to `max rounds`. */
const splitCamelCase = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Labels one step of a path; without a word if the next steps are sufficient. */
function labelStep(scenario: Scenario, path: Path, isLast: boolean): { word?: string; omitted?: string } {
  const last = path.at(-1) ?? '';
  if (typeof last === 'number') {
    const name = getValueAt(scenario, [...path, 'name']);
    const position = `${String(path.at(-2))} ${String(last + 1)}`;
    return typeof name === 'string' ? { word: name, omitted: position } : { word: position };
  }
  const schema = getDeclaration(getBoundScenario(scenario).system.schema);
  const declared = findDeclarations(schema, scenario, path);
  const own = findDeclarations(schema, scenario, path.slice(0, -1)).some(hasNamedFields) ? last : splitCamelCase(last);
  if (!isLast && declared.some(hasNamedFields)) return { omitted: own };
  const title = declared.find((each) => each.title !== undefined)?.title;
  return title === undefined ? { word: own } : { word: title, omitted: own };
}

/** Creates the label of a field, with the names on its path that the label omits. */
function createLabel(scenario: Scenario, path: string) {
  const steps = splitPath(path);
  const all = steps.map((_, s) => labelStep(scenario, steps.slice(0, s + 1), s === steps.length - 1));
  const [first = path, ...others] = all.flatMap(({ word }) => word ?? []);
  const text = others.length === 0 ? first : `${first}’${first.endsWith('s') ? '' : 's'} ${others.join(' ')}`;
  return { path, text, omitted: all.flatMap(({ omitted }) => omitted ?? []) };
}

/** Labels of all numeric fields. */
const labelsByScenario = new WeakMap<Scenario, readonly ReturnType<typeof createLabel>[]>();

/**
 * Labels a field by the declaration of its system: `attacker.units.rifleman` is `attacker’s rifleman`,
 * `combatants[0].hp` `Hunter’s hit points`, for a name that ends in s `Hunters’ hit points`. If several numeric fields
 * have the same label, adds the names that distinguish them: `Hunter’s hit points (combatants 1)`.
 */
export function labelField(scenario: Scenario, path: string): string {
  const { text, omitted } = createLabel(scenario, path);
  const fields = () => [...listNumericFields(scenario), ...listTableFields(scenario)];
  const all = labelsByScenario.get(scenario) ?? fields().map((field) => createLabel(scenario, field.path));
  labelsByScenario.set(scenario, all);
  const others = all.filter((each) => each.text === text && each.path !== path);
  const own = omitted.filter((name) => others.some((other) => !other.omitted.includes(name)));
  return own.length === 0 ? text : `${text} (${own.join(', ')})`;
}
