/** Balance problems: fields of one or several scenarios, and targets that they must meet together. */

import { InputError } from '../../core/index.ts';
import { getNumericField, type NumericField, type Scenario, setFields } from '../../rules/index.ts';
import type { ProblemTarget } from './target.ts';

/** A scenario of a balance problem. */
export interface ProblemScenario {
  /** Name in targets. */
  readonly name: string;
  readonly scenario: Scenario;
}

/** Path of a field in one scenario, by the index of the scenario. */
export type ScenarioPath = readonly [scenario: number, path: string];

/** Field of a balance problem: one number that one or several scenarios share. */
export interface ProblemField {
  readonly name: string;
  readonly paths: readonly ScenarioPath[];
  /** Least value. */
  readonly low: number;
  readonly step: number;
  /** Number of values. */
  readonly count: number;
  /** End of the range if it is no value of the field, because the step does not divide the range. */
  readonly unreachedHigh?: number;
  /** Value from which changes are counted; undefined if there is none in the request and the scenarios. */
  readonly current: number | undefined;
  /** Cost of one unit. */
  readonly cost: number;
  /** True if every term of a target always rises, or always falls, with the field. */
  readonly monotone: boolean;
}

/** A balance problem. */
export interface BalanceProblem {
  /** Label of the problem, or its file. */
  readonly name: string;
  readonly scenarios: readonly ProblemScenario[];
  readonly fields: readonly ProblemField[];
  readonly targets: readonly ProblemTarget[];
}

/** Setting of all fields: the index of the value of each field. */
export type FieldIndices = readonly number[];

/** Significant digits of values, which removes rounding errors of multiples of a step. */
const DIGITS = 12;

/** Computes the value of a field at an index. */
export const getFieldValue = ({ low, step }: ProblemField, index: number): number =>
  Number((low + index * step).toPrecision(DIGITS));

/** Computes the distance from the current value in steps. */
export const countFieldSteps = (field: ProblemField, index: number): number => {
  const { current, step } = field;
  if (current === undefined) return 0;
  return Number((Math.abs(getFieldValue(field, index) - current) / step).toPrecision(DIGITS));
};

/** Counts all settings. */
export const countSettings = ({ fields }: BalanceProblem): number =>
  fields.reduce((product, { count }) => product * count, 1);

/** Cost and size of the change of a setting. */
export interface SettingCosts {
  /** Sum over the fields of cost times value. */
  readonly cost: number;
  /** Sum of the steps of all fields from their current values. */
  readonly steps: number;
  /** Greatest number of steps of a field. */
  readonly greatestStep: number;
}

/** Computes cost and size of the change of a setting. */
export function computeSettingCosts({ fields }: BalanceProblem, indices: FieldIndices): SettingCosts {
  let [cost, steps, greatestStep] = [0, 0, 0];
  for (const [f, field] of fields.entries()) {
    const index = indices[f] ?? 0;
    const change = countFieldSteps(field, index);
    cost += field.cost * getFieldValue(field, index);
    steps += change;
    greatestStep = Math.max(greatestStep, change);
  }
  return { cost: Number(cost.toPrecision(DIGITS)), steps, greatestStep };
}

/** Sorts by cost, then by steps, greatest step, and values of the fields. */
export function compareCosts(
  a: SettingCosts & { readonly indices: FieldIndices },
  b: SettingCosts & { readonly indices: FieldIndices },
): number {
  const order = a.cost - b.cost || a.steps - b.steps || a.greatestStep - b.greatestStep;
  return order || a.indices.reduce((sum, index, f) => sum || index - (b.indices[f] ?? 0), 0);
}

/** Fields of a scenario: indices into the fields of the problem. */
export const listScenarioFields = ({ fields }: BalanceProblem, scenario: number): number[] =>
  fields.flatMap(({ paths }, f) => (paths.some(([s]) => s === scenario) ? [f] : []));

/** Sets the values of fields in a scenario. @throws InputError if the scenario does not allow them */
function setValues(
  { scenarios, fields }: BalanceProblem,
  scenario: number,
  getValue: (field: ProblemField, f: number) => number | undefined,
): Scenario | undefined {
  const changes = fields.flatMap((field, f) => {
    const value = getValue(field, f);
    return value === undefined
      ? []
      : field.paths.flatMap(([s, path]) => (s === scenario ? [[path, value] as const] : []));
  });
  const original = scenarios[scenario]?.scenario;
  return original && setFields(original, changes, 'fields');
}

/** Applies the current values of the fields to a scenario. @throws InputError if the scenario does not allow them */
export const applyCurrentValues = (problem: BalanceProblem, scenario: number): Scenario | undefined =>
  setValues(problem, scenario, ({ current }) => current);

/** Applies a setting to a scenario; undefined if the scenario does not allow it. */
export function applySetting(problem: BalanceProblem, scenario: number, indices: FieldIndices): Scenario | undefined {
  try {
    return setValues(problem, scenario, (field, f) => getFieldValue(field, indices[f] ?? 0));
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Maximum number of fields of a problem. */
export const PROBLEM_FIELDS_MAX = 12;

/** Maximum number of values of a field. */
const FIELD_VALUES_MAX = 10_000;

/** Written properties of a field. */
export interface FieldRequest {
  readonly name: string;
  readonly paths: readonly ScenarioPath[];
  readonly range: readonly [low: number, high: number];
  readonly step: number | undefined;
  readonly current: number | undefined;
  readonly cost: number;
  readonly monotone: boolean;
}

/** Rounding error of the number of steps in a range. */
const ROUNDING = 1e-9;

/** Checks that numeric fields allow a range and a current value. @throws InputError */
function checkValues(
  numbers: readonly NumericField[],
  [low, high]: FieldRequest['range'],
  current: number | undefined,
  locate: (property: string) => string,
): void {
  const isInteger = numbers.some(({ integer }) => integer);
  const [least, greatest] = [Math.max(...numbers.map(({ min }) => min)), Math.min(...numbers.map(({ max }) => max))];
  const limits = `${isInteger ? 'integers' : 'numbers'} within ${String(least)}..${String(greatest)}`;
  const isAllowed = (value: number): boolean =>
    value >= least && value <= greatest && (!isInteger || Number.isInteger(value));
  if (!(low <= high && isAllowed(low) && isAllowed(high)))
    throw new InputError(locate('range'), `a range of ${limits}`, `${String(low)}..${String(high)}`);
  if (current !== undefined && !isAllowed(current))
    throw new InputError(locate('current'), `one of the ${limits}`, String(current));
}

/**
 * Creates a field.
 * @param locate returns the place of a property in error messages
 * @throws InputError if a scenario has no such number, or the range or the current value exceeds the declared range
 */
export function createProblemField(
  scenarios: readonly ProblemScenario[],
  { range: [low, high], step: requested, current, ...field }: FieldRequest,
  locate: (property: string) => string,
): ProblemField {
  const numbers = field.paths.map(([s, path]) => {
    const scenario = scenarios[s]?.scenario;
    if (scenario === undefined) throw new InputError(locate('paths'), 'a scenario of the problem', String(s));
    return getNumericField(scenario, path, locate('path'));
  });
  const isInteger = numbers.some(({ integer }) => integer);
  checkValues(numbers, [low, high], current, locate);
  if (requested === undefined && !isInteger)
    throw new InputError(locate('step'), 'a step, because the field is not an integer', 'nothing');
  const step = requested ?? 1;
  if (isInteger && !Number.isInteger(step)) throw new InputError(locate('step'), 'an integer', String(step));
  const count = Math.floor((high - low) / step + ROUNDING) + 1;
  if (count > FIELD_VALUES_MAX)
    throw new InputError(
      locate('step'),
      `a step with at most ${String(FIELD_VALUES_MAX)} values`,
      `${String(count)} values`,
    );
  const present = [...new Set(numbers.flatMap(({ value }) => (value === undefined ? [] : [value])))];
  if (current === undefined && present.length > 1)
    throw new InputError(
      locate('current'),
      'a current value, because the scenarios have different ones',
      present.join(', '),
    );
  const created = { ...field, low, step, count, current: current ?? present[0] };
  return getFieldValue(created, count - 1) < high ? { ...created, unreachedHigh: high } : created;
}
