/** The space that a global study looks at: a range for each of some numeric fields. */
import { readAmount } from '../../core/chance/numerals.ts';
import { InputError, InputErrors } from '../../core/errors.ts';
import { numericField, withFields } from '../../rules/scenario/change.ts';
import type { Scenario } from '../../rules/system.ts';

/** A field and its range, both ends included. */
export interface FieldRange {
  readonly path: string;
  readonly min: number;
  readonly max: number;
  /** True if only whole numbers are meant. */
  readonly integer: boolean;
}

const RANGE = /^(?<path>[^=]+)=(?<min>.+?)\.\.(?<max>.+)$/;

function axisOf(scenario: Scenario, text: string, place: string): FieldRange {
  const { path = '', min: from, max: to } = RANGE.exec(text)?.groups ?? {};
  const [min = Number.NaN, max = Number.NaN] = [from, to].map((end = '') => readAmount(end)?.value);
  const shown = text === '' ? 'nothing' : `"${text}"`;
  if (!(min < max)) throw new InputError(place, 'path=least..greatest, such as attacker.hp=10..40', shown);
  const field = numericField(scenario, path, place);
  const limits = `${String(field.min)}..${String(field.max)}`;
  if (min < field.min || max > field.max) throw new InputError(`${place} ${path}`, `a range within ${limits}`, shown);
  if (field.integer && !(Number.isInteger(min) && Number.isInteger(max)))
    throw new InputError(`${place} ${path}`, 'whole numbers', shown);
  return { path, min, max, integer: field.integer };
}

/**
 * Reads a space.
 * @param ranges `attacker.hp=10..40`
 * @param place  what error messages call them
 * @throws InputError if a range cannot be read, is not one, or leaves what the field accepts, or a path comes twice
 */
export function spaceOf(scenario: Scenario, ranges: readonly string[], place = '--space'): FieldRange[] {
  if (ranges.length === 0) throw new InputError(place, 'path=least..greatest for one field or more', 'nothing');
  const axes = ranges.map((text) => axisOf(scenario, text, place));
  const twice = axes.find(({ path }, a) => axes.findIndex((other) => other.path === path) < a);
  if (twice !== undefined) throw new InputError(place, 'each field once', `"${twice.path}" twice`);
  return axes;
}

/** How many values the range has; undefined if they are not whole numbers. */
export const valuesOf = ({ min, max, integer }: FieldRange): number | undefined =>
  integer ? max - min + 1 : undefined;

/** A value with at most six decimals, which is what all fields take that are no whole numbers. */
export const decimal = (value: number): number => Number(value.toFixed(6));

/** The value at 0 <= x < 1 of a range; whole numbers have equal shares, others at most six decimals. */
export function valueIn(axis: FieldRange, x: number): number {
  const { min, max } = axis;
  return axis.integer ? min + Math.floor(x * (max - min + 1)) : decimal(min + x * (max - min));
}

/**
 * The scenario with these values on the axes.
 * @throws InputError that names the values, if together they are not acceptable
 */
export function scenarioAt(
  base: Scenario,
  axes: readonly FieldRange[],
  values: readonly number[],
  place = '--space',
): Scenario {
  const given = axes.map(({ path }, a) => [path, values[a] ?? 0] as const);
  const at = given.map(([path, value]) => `${path}=${String(value)}`).join(', ');
  try {
    return withFields(base, given, `${place} (${at})`);
  } catch (error) {
    if (error instanceof InputErrors && error.errors[0] !== undefined) throw error.errors[0];
    throw error;
  }
}
