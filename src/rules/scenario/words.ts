/** What people read of a field in the place of its path. */

import { opened } from '../opened.ts';
import type { Scenario } from '../system.ts';
import { declaredAt, declaredIn, type Simple } from './declared.ts';
import { type Path, stepsOf, valueAt } from './problem.ts';

/** Holds fields by names of the scenario's own, or elements: what it holds says more than its name. */
const holds = (each: Simple): boolean => each.kind === 'list' || (each.kind === 'group' && each.others !== undefined);

/** `maxRounds` is `max rounds`. */
const spaced = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

function stepWords(scenario: Scenario, path: Path): string[] {
  const last = path.at(-1) ?? '';
  const declared = declaredAt(declaredIn(opened(scenario).system.schema), scenario, path);
  if (typeof last === 'number') {
    const name = valueAt(scenario, [...path, 'name']);
    return [typeof name === 'string' ? name : `${String(path.at(-2))} ${String(last + 1)}`];
  }
  if (declared.some(holds)) return [];
  const title = declared.find((each) => each.title !== undefined)?.title;
  const own = declaredAt(declaredIn(opened(scenario).system.schema), scenario, path.slice(0, -1)).some(holds);
  return [title ?? (own ? last : spaced(last))];
}

/**
 * A field in words, by what its system declares: `attacker.units.rifleman` is `attacker’s rifleman`, `combatants[0].hp`
 * `Hunter’s hit points`, of a name that ends in s `Hunters’ hit points`. What nothing is declared of keeps its path.
 */
export function fieldWords(scenario: Scenario, path: string): string {
  const steps = stepsOf(path);
  const [first, ...others] = steps.flatMap((_, s) => stepWords(scenario, steps.slice(0, s + 1)));
  if (first === undefined) return path;
  return others.length === 0 ? first : `${first}’${first.endsWith('s') ? '' : 's'} ${others.join(' ')}`;
}
