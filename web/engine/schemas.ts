/** What the declaration of a system says of a place in its scenarios. */

import {
  alternatives,
  type Declared,
  declaredAt,
  declaredIn,
  likeliest,
  type Simple,
  within,
} from '../../src/rules/scenario/declared.ts';
import { isMapping, type Path } from '../../src/rules/scenario/problem.ts';
import { accepts, countOf } from '../../src/tell/fields.ts';
import { registry } from './registry.ts';

/** What a scenario says first of all. */
export function systemField(): Declared {
  return { kind: 'choice', of: registry().names, about: 'The rules that are played by.' };
}

/** The declaration that holds for a scenario, whatever else is wrong with it. */
export function declarationOf(scenario: unknown): Declared {
  const name = isMapping(scenario) ? scenario['system'] : undefined;
  const system = registry().all.find(({ id }) => id === name);
  if (system !== undefined) return declaredIn(system.schema);
  // Of a text that names no system the names are all that can be said.
  const fields = new Map([['system', systemField()]]);
  return { kind: 'group', about: '', fields, required: ['system'], others: undefined, names: undefined };
}

/** What may stand at a path of a scenario: declarations without alternatives of their own. */
export function declaredFor(scenario: unknown, path: Path): readonly Simple[] {
  return declaredAt(declarationOf(scenario), scenario, path, likeliest);
}

/** The declaration of a field, with its alternatives; that of the first mode which has it. */
export function fieldAt(scenario: unknown, path: Path): Declared | undefined {
  const step = path.at(-1);
  if (step === undefined) return declarationOf(scenario);
  return declaredFor(scenario, path.slice(0, -1))
    .map((each) => within(each, step))
    .find((found) => found !== undefined);
}

/** True of a list whose elements can be groups of fields. */
export const isDeep = (declared: Simple): boolean =>
  declared.kind === 'list' &&
  declared.items !== undefined &&
  alternatives(declared.items).some(({ kind }) => kind === 'group');

/** What a field accepts, in a few words. */
export function acceptedBy(declared: Declared): string {
  const words = alternatives(declared).map((each) => {
    if (each.kind === 'group') return 'fields by name';
    return each.kind === 'list' && isDeep(each) ? `list of${countOf(each)} groups` : accepts(each);
  });
  return [...new Set(words)].join(' | ');
}

/** A default as a file would have it; undefined if there is none. */
export function defaultOf({ default: given }: Declared): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string') return given;
  if (typeof given === 'object' && given !== null && Object.keys(given).length === 0) return 'none';
  return JSON.stringify(given).replaceAll(/[,:]/g, '$& ').replaceAll('"', '');
}
