/** The numeric fields of a scenario: what can be swept, searched and varied step by step. */
import { InputError } from '../errors.ts';
import { opened } from '../systems/opened.ts';
import { didYouMean } from '../systems/suggest.ts';
import type { Scenario } from '../systems/system.ts';
import { schemasAt, valueAt } from './expectation.ts';
import { type JsonSchema, wordedSchema } from './json-schema.ts';
import { numbersIn, parsePath, pathOf, withField } from './path.ts';
import type { Path } from './problem.ts';

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

const isNumeric = ({ type }: JsonSchema): boolean => type === 'integer' || type === 'number';

function fieldAt(scenario: Scenario, steps: Path): NumericField | undefined {
  const schema = wordedSchema(opened(scenario).system.schema);
  const numeric = schemasAt(schema, scenario, steps).filter(isNumeric);
  if (numeric.length === 0) return undefined;
  const value = valueAt(scenario, steps);
  return {
    path: pathOf(steps),
    value: typeof value === 'number' ? value : undefined,
    integer: numeric.every(({ type }) => type === 'integer'),
    min: Math.min(...numeric.map(({ minimum = Number.NEGATIVE_INFINITY }) => minimum)),
    max: Math.max(...numeric.map(({ maximum = Number.POSITIVE_INFINITY }) => maximum)),
  };
}

/** Every numeric field that a complete scenario has, defaults too, in the order of its fields. */
export function numericFields(scenario: Scenario): NumericField[] {
  return numbersIn(scenario).flatMap((steps) => fieldAt(scenario, steps) ?? []);
}

/**
 * The numeric field at a path; the scenario need not have it, if its system knows it.
 * @param place what error messages call the path
 * @throws InputError if no number can stand there, or a list on the way has no such element
 */
export function numericField(scenario: Scenario, path: string, place: string): NumericField {
  const steps = parsePath(path, place);
  const field = fieldAt(scenario, steps);
  if (field !== undefined) withField(scenario, steps, field.value, place);
  if (field !== undefined) return field;
  const known = numericFields(scenario).map((each) => each.path);
  throw new InputError(place, `a numeric field: ${known.join(', ')}`, `"${path}"${didYouMean(path, known)}`);
}
