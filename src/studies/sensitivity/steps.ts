/** Which fields a study of single steps moves, and how far. */
import { parseAmount } from '../../core/chance/numerals.ts';
import { InputError, InputErrors } from '../../core/errors.ts';
import { didYouMean } from '../../core/names.ts';
import { type NumericField, numericField, numericFields, withFields } from '../../rules/scenario/change.ts';
import type { Scenario } from '../../rules/system.ts';
import { decimal } from './space.ts';

/** A step that can be taken. */
export interface FieldStep {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly scenario: Scenario;
}

/** A step that cannot. */
export interface Skipped {
  readonly path: string;
  /** Absent if there is no step at all. */
  readonly to?: number;
  readonly why: string;
}

/** A field with its value. */
export interface Moved {
  readonly path: string;
  readonly value: number;
  /** By how much it moves; undefined if nobody says. */
  readonly step: number | undefined;
}

/** A field with a number: the value it starts with, or the size of its steps. */
const FIELD = /^(?<path>[^=]+)=(?<start>.+)$/;

function startIn(text: string, place: string): [path: string, value: number] {
  const { path = '', start } = FIELD.exec(text)?.groups ?? {};
  if (start === undefined)
    throw new InputError(place, 'path=number, such as attacker.attack=1', text === '' ? 'nothing' : `"${text}"`);
  return [path, parseAmount(start, `${place} ${path}`, 'a number', () => true).value];
}

/**
 * The scenario with the start values that fields were named with.
 * @throws InputError or InputErrors if they are not acceptable
 */
export function started(scenario: Scenario, fields: readonly string[], place = '--fields'): Scenario {
  const values = fields.filter((text) => text.includes('=')).map((text) => startIn(text, place));
  for (const [path] of values) numericField(scenario, path, place);
  return values.length === 0 ? scenario : withFields(scenario, values, place);
}

/** The fields that a text names. */
function named(scenario: Scenario, text: string, known: readonly NumericField[], place: string): NumericField[] {
  const path = text.replace(/=.*$/, '');
  const below = known.filter((field) => field.path.startsWith(`${path}.`) || field.path.startsWith(`${path}[`));
  if (below.length > 0) return below;
  const own = known.filter((field) => field.path === path);
  if (own.length > 0) return own;
  const field = numericField(scenario, path, place);
  throw new InputError(`${place} ${path}`, 'a field that the scenario has, or path=value', `"${field.path}"`);
}

/** By how much a field moves unless said otherwise: whole numbers by 1, others by a share of their value. */
const usual = ({ integer, value = 0 }: NumericField, percent: number): number | undefined => {
  if (integer) return 1;
  return value === 0 ? undefined : (Math.abs(value) * percent) / 100;
};

/**
 * The fields that move.
 * @param scenario complete, with start values
 * @param fields   paths, or parts of the scenario; all its numeric fields if there are none
 * @param steps    `path=size`: steps other than the usual ones
 * @param percent  the usual step of fields that are not whole numbers
 * @throws InputError if there is no such field or a step is no step
 */
export function movedFields(
  scenario: Scenario,
  fields: readonly string[],
  steps: readonly string[],
  percent: number,
): Moved[] {
  const known = numericFields(scenario);
  const chosen = fields.length === 0 ? known : fields.flatMap((text) => named(scenario, text, known, '--fields'));
  const sizes = new Map(steps.map((text) => startIn(text, '--step')));
  const paths = known.map(({ path }) => path);
  for (const [path, size] of sizes) {
    const field = known.find((each) => each.path === path);
    const found = `"${path}"${didYouMean(path, paths)}`;
    if (field === undefined) throw new InputError('--step', 'a numeric field of the scenario', found);
    if (size > 0 && (!field.integer || Number.isInteger(size))) continue;
    throw new InputError(`--step ${path}`, field.integer ? 'a whole number above 0' : 'a number above 0', String(size));
  }
  return [...new Map(chosen.map((field) => [field.path, field])).values()].map((field) => ({
    path: field.path,
    value: field.value ?? 0,
    step: sizes.get(field.path) ?? usual(field, percent),
  }));
}

/** What a message of the schema says after its place. */
const reason = (message: string): string => message.split('\n')[0]?.replace(/^.*?: (?=expected )/, '') ?? message;

/** One step of a field, if the scenario that it leads to is acceptable. */
function step(base: Scenario, { path, value }: Moved, to: number): FieldStep | Skipped {
  try {
    return { path, from: value, to, scenario: withFields(base, [[path, to]], path) };
  } catch (error) {
    if (error instanceof InputError || error instanceof InputErrors) return { path, to, why: reason(error.message) };
    throw error;
  }
}

/** Both steps of a field, down and up. */
export function stepsOf(base: Scenario, field: Moved): readonly (FieldStep | Skipped)[] {
  const { path, value, step: size } = field;
  if (size === undefined) return [{ path, why: 'a share of 0 is 0: give its step' }];
  return [value - size, value + size].map((to) => step(base, field, decimal(to)));
}
