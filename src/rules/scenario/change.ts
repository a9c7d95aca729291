/** Changes single fields of a scenario, named by their path. */

import { parse } from 'yaml';
import { describeFound, didYouMean, InputError, readPath } from '../../core/index.ts';
import { opened } from '../opened.ts';
import type { Scenario } from '../system.ts';
import { check } from './check.ts';
import { declaredAt, declaredIn, type Numeric, type Place, placesIn, type Simple } from './declared.ts';
import { A_PATH, isMapping, parsePath, pathOf, valueAt, withField } from './problem.ts';

/** A value as it would stand in a YAML file. */
function readValue(text: string, place: string): unknown {
  try {
    return parse(text, { logLevel: 'error' }) as unknown;
  } catch {
    throw new InputError(place, 'a value in YAML', `"${text.slice(0, 80)}"`);
  }
}

/** Values of fields, by their paths. */
export type FieldValues = readonly (readonly [path: string, value: unknown])[];

/**
 * The scenario with other values in some fields, checked as a whole.
 * @param place what error messages call the changes
 * @throws as `withFields` does
 */
export function withFieldsChecked(scenario: Scenario, values: FieldValues, place: string): Scenario {
  let value: unknown = scenario;
  for (const [path, field] of values) value = withField(value, parsePath(path, place), field, place);
  const { registry, prices } = opened(scenario);
  return check({ value, spot: undefined, problems: [], place: () => place, registry, prices });
}

/**
 * Returns a copy of a scenario in which some fields have other values.
 * @param values by the paths of fields: `{ 'attacker.hp': 12, massDivisor: 'n' }`; mappings on the way are made where there
 *               are none, and undefined removes a field
 * @throws InputError if a path is none or leads beyond the end of a list, or the changed scenario is not acceptable
 */
export function updateScenario(scenario: Scenario, values: Readonly<Record<string, unknown>>): Scenario {
  if (!isMapping(values))
    throw new InputError('values', "an object such as { 'attacker.hp': 12 }", describeFound(values), { path: [] });
  const wrong = Object.keys(values).find((path) => readPath(path) === undefined);
  if (wrong !== undefined) throw new InputError('values', A_PATH, JSON.stringify(wrong), { path: [wrong] });
  return withFieldsChecked(scenario, Object.entries(values), '');
}

/**
 * Returns a copy of a scenario in which some fields have other values, as the command line has them.
 * @param changes `path=value`, the value as it would stand in a YAML file: `massDivisor=n`, `attacker.hp=12`
 * @param place   what error messages call the changes
 * @throws InputError if a change cannot be read, or the changed scenario is not acceptable
 */
export function applyChanges(scenario: Scenario, changes: readonly string[], place = '--set'): Scenario {
  const values = changes.map((change): [string, unknown] => {
    const at = change.indexOf('=');
    if (at < 1) throw new InputError(place, 'path=value', change === '' ? 'nothing' : `"${change}"`);
    const path = change.slice(0, at).trim();
    return [path, readValue(change.slice(at + 1), `${place} ${path}`)];
  });
  return withFieldsChecked(scenario, values, place);
}

// The numeric fields of a scenario: what can be swept, searched and varied step by step.

export interface NumericField {
  /** `attacker.hp`, `combatants[0].attack`. */
  readonly path: string;
  /** What the scenario has there; undefined where it has nothing, or no number. */
  readonly value: number | undefined;
  /** True if only whole numbers can stand there. */
  readonly integer: boolean;
  /** The declared range; the ends may be infinite. Ties between fields can make it narrower. */
  readonly min: number;
  readonly max: number;
}

/** What a declaration says of numbers, if it takes any. */
function numbersOf(declared: Simple): Pick<Numeric, 'whole' | 'low' | 'high'>[] {
  if (declared.kind === 'number') return [declared];
  const values: readonly number[] =
    declared.kind === 'choice' ? declared.of.filter((value) => typeof value === 'number') : [];
  if (values.length === 0) return [];
  return [{ whole: values.every(Number.isInteger), low: Math.min(...values), high: Math.max(...values) }];
}

function numericAt({ path, value, declared }: Omit<Place, 'named'>): NumericField | undefined {
  const numeric = declared.flatMap(numbersOf);
  if (numeric.length === 0) return undefined;
  return {
    path: pathOf(path),
    value: typeof value === 'number' ? value : undefined,
    integer: numeric.every(({ whole }) => whole),
    min: Math.min(...numeric.map(({ low = Number.NEGATIVE_INFINITY }) => low)),
    max: Math.max(...numeric.map(({ high = Number.POSITIVE_INFINITY }) => high)),
  };
}

const declarationOf = (scenario: Scenario) => declaredIn(opened(scenario).system.schema);

/** Every numeric field that a complete scenario has, defaults too, in the order of its fields. */
export function numericFields(scenario: Scenario): NumericField[] {
  const places = placesIn(declarationOf(scenario), scenario).filter(({ value }) => typeof value === 'number');
  return places.flatMap((each) => numericAt(each) ?? []);
}

function tabledValues(scenario: Scenario): ReadonlyMap<string, number> {
  return new Map(opened(scenario).system.tabled?.values(scenario));
}

/** Numeric fields that are figures of what is in play, by tables of the system. */
export function tabledFields(scenario: Scenario): NumericField[] {
  return Array.from(tabledValues(scenario).keys(), (path) => numericField(scenario, path, path));
}

/**
 * The numeric field at a path; the scenario need not have it, if its system knows it.
 * @param place what error messages call the path
 * @throws InputError if no number can stand there, or a list on the way has no such element
 */
export function numericField(scenario: Scenario, path: string, place: string): NumericField {
  const steps = parsePath(path, place);
  const declared = declaredAt(declarationOf(scenario), scenario, steps);
  const value = valueAt(scenario, steps) ?? tabledValues(scenario).get(pathOf(steps));
  const field = numericAt({ path: steps, value, declared });
  if (field !== undefined) withField(scenario, steps, field.value, place);
  if (field !== undefined) return field;
  const known = numericFields(scenario).map((each) => each.path);
  throw new InputError(place, `a numeric field: ${known.join(', ')}`, `"${path}"${didYouMean(path, known)}`);
}
