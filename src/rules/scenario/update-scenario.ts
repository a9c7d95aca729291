/** Changes single fields of a scenario, named by their path. */

import { parse } from 'yaml';
import { describeFound, InputError, readPath, suggestName } from '../../core/index.ts';
import { getBoundScenario } from '../bound-scenario.ts';
import type { ScenarioOfSystem } from '../shipped-registry.ts';
import type { Scenario } from '../system.ts';
import { checkScenario } from './check-scenario.ts';
import {
  type DeclaredValue,
  findDeclarations,
  getDeclaration,
  listDeclaredValues,
  type NumberDeclaration,
  type SimpleDeclaration,
} from './declaration.ts';
import { formatPath, getValueAt, isMapping, PATH_EXPECTED, parsePath, setField } from './problem.ts';

/** Parses a value in YAML. */
function readValue(text: string, place: string): unknown {
  try {
    return parse(text, { logLevel: 'error' }) as unknown;
  } catch {
    throw new InputError(place, 'a value in YAML', `"${text.slice(0, 80)}"`);
  }
}

/** Values of fields by path. */
export type FieldValues = readonly (readonly [path: string, value: unknown])[];

/**
 * Returns the scenario with other values in some fields, checked as a whole.
 * @param place name of the changes in error messages
 * @throws the errors of `setFields`
 */
export function updateFieldsChecked(scenario: Scenario, values: FieldValues, place: string): Scenario {
  let value: unknown = scenario;
  for (const [path, field] of values) value = setField(value, parsePath(path, place), field, place);
  const { registry, prices } = getBoundScenario(scenario);
  return checkScenario({ value, spot: undefined, problems: [], place: () => place, registry, prices });
}

/**
 * Returns a copy of a scenario with other values in some fields.
 * @param values by the paths of fields: `{ 'attacker.hp': 12, massDivisor: 'n' }`; missing mappings are created, and
 *   undefined removes a field
 * @throws InputError if a path is invalid or exceeds a list, or the changed scenario is invalid
 */
export function updateScenario<Id extends string>(
  scenario: Scenario & { readonly system: Id },
  values: Readonly<Record<string, unknown>>,
): ScenarioOfSystem<Id> {
  if (!isMapping(values))
    throw new InputError('values', "an object such as { 'attacker.hp': 12 }", describeFound(values), { path: [] });
  const wrong = Object.keys(values).find((path) => readPath(path) === undefined);
  if (wrong !== undefined) throw new InputError('values', PATH_EXPECTED, JSON.stringify(wrong), { path: [wrong] });
  return updateFieldsChecked(scenario, Object.entries(values), '') as ScenarioOfSystem<Id>;
}

/** Parses changes of fields in the notation of the command line. */
function parseChanges(changes: readonly string[], place: string): FieldValues {
  return changes.map((change): [string, unknown] => {
    const at = change.indexOf('=');
    if (at < 1) throw new InputError(place, 'path=value', change === '' ? 'nothing' : `"${change}"`);
    const path = change.slice(0, at).trim();
    return [path, readValue(change.slice(at + 1), `${place} ${path}`)];
  });
}

/**
 * Returns a copy of a scenario with other values in some fields, in the notation of the command line.
 * @param changes `path=value`, with the value in YAML: `massDivisor=n`, `attacker.hp=12`
 * @param place name of the changes in error messages
 * @throws InputError if a change cannot be parsed, or the changed scenario is invalid
 */
export const applyChanges = (scenario: Scenario, changes: readonly string[], place = '--set'): Scenario =>
  updateFieldsChecked(scenario, parseChanges(changes, place), place);

/** Changes fields like `applyChanges`, and loads the policy files that are named: `policies.attacker=policy.json`. */
export async function applyChangesOfFiles(scenario: Scenario, changes: readonly string[], place = '--set') {
  const { loadPolicySource } = await import('./load-policies.ts');
  const values = parseChanges(changes, place).map(
    async ([path, value]): Promise<[string, unknown]> => [
      path,
      path.startsWith('policies.') ? await loadPolicySource(path, value, '') : value,
    ],
  );
  return updateFieldsChecked(scenario, await Promise.all(values), place);
}

// Numeric fields of a scenario, for sweeps, searches and steps.

export interface NumericField {
  /** `attacker.hp`, `combatants[0].attack`. */
  readonly path: string;
  /** Value in the scenario; undefined if there is none, or it is not a number. */
  readonly value: number | undefined;
  /** True if only whole numbers are allowed. */
  readonly integer: boolean;
  /** The declared range; the ends may be infinite. Relations between fields can make it narrower. */
  readonly min: number;
  readonly max: number;
}

/** Lists the number declarations of a declaration. */
function listNumberDeclarations(declared: SimpleDeclaration): Pick<NumberDeclaration, 'whole' | 'low' | 'high'>[] {
  if (declared.kind === 'number') return [declared];
  const values: readonly number[] =
    declared.kind === 'choice' ? declared.of.filter((value) => typeof value === 'number') : [];
  if (values.length === 0) return [];
  return [{ whole: values.every(Number.isInteger), low: Math.min(...values), high: Math.max(...values) }];
}

function createNumericField({ path, value, declared }: Omit<DeclaredValue, 'named'>): NumericField | undefined {
  const numeric = declared.flatMap(listNumberDeclarations);
  if (numeric.length === 0) return undefined;
  return {
    path: formatPath(path),
    value: typeof value === 'number' ? value : undefined,
    integer: numeric.every(({ whole }) => whole),
    min: Math.min(...numeric.map(({ low = Number.NEGATIVE_INFINITY }) => low)),
    max: Math.max(...numeric.map(({ high = Number.POSITIVE_INFINITY }) => high)),
  };
}

const getScenarioDeclaration = (scenario: Scenario) => getDeclaration(getBoundScenario(scenario).system.schema);

/** Lists the numeric fields of a complete scenario, including defaults, in the order of its fields. */
export function listNumericFields(scenario: Scenario): NumericField[] {
  const places = listDeclaredValues(getScenarioDeclaration(scenario), scenario).filter(
    ({ value }) => typeof value === 'number',
  );
  return places.flatMap((each) => createNumericField(each) ?? []);
}

function readTableValues(scenario: Scenario): ReadonlyMap<string, number> {
  return new Map(getBoundScenario(scenario).system.tabled?.values(scenario));
}

/** Lists numeric fields of the units in the scenario that are from tables of the system. */
export function listTableFields(scenario: Scenario): NumericField[] {
  return Array.from(readTableValues(scenario).keys(), (path) => getNumericField(scenario, path, path));
}

/**
 * Returns the numeric field at a path; the scenario need not have it if it is declared.
 * @param place name of the path in error messages
 * @throws InputError if the field is not numeric, or a list on the path has no such element
 */
export function getNumericField(scenario: Scenario, path: string, place: string): NumericField {
  const steps = parsePath(path, place);
  const declared = findDeclarations(getScenarioDeclaration(scenario), scenario, steps);
  const value = getValueAt(scenario, steps) ?? readTableValues(scenario).get(formatPath(steps));
  const field = createNumericField({ path: steps, value, declared });
  if (field !== undefined) setField(scenario, steps, field.value, place);
  if (field !== undefined) return field;
  const known = listNumericFields(scenario).map((each) => each.path);
  throw new InputError(place, `a numeric field: ${known.join(', ')}`, `"${path}"${suggestName(path, known)}`);
}
