/** The fields of a scenario that can be changed one by one: numbers within their ranges, and choices of words. */
import { parse } from 'yaml';
import { schemasAt, valueAt, wordsOf } from '../../src/scenario/expectation.ts';
import { isMapping } from '../../src/scenario/finding.ts';
import { type JsonSchema, wordedSchema } from '../../src/scenario/json-schema.ts';
import { numericFields } from '../../src/scenario/numeric.ts';
import { pathOf, stepsOf } from '../../src/scenario/path.ts';
import type { Path } from '../../src/scenario/problem.ts';
import { opened } from '../../src/systems/opened.ts';
import type { Scenario } from '../../src/systems/system.ts';
import { scenarioOf } from './check.ts';

interface Common {
  readonly path: string;
  /** False if it is a default that the text does not have. */
  readonly written: boolean;
}

/** A field with a number. */
export interface NumberField extends Common {
  readonly kind: 'number';
  readonly value: number;
  readonly integer: boolean;
  /** The declared range; an end that there is not is undefined. */
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** A field with one of some words, or with true or false. */
export interface WordField extends Common {
  readonly kind: 'word';
  readonly value: string | boolean;
  readonly words: readonly (string | boolean)[];
}

export type Settable = NumberField | WordField;

const finite = (end: number): number | undefined =>
  Number.isFinite(end) && Math.abs(end) < Number.MAX_SAFE_INTEGER ? end : undefined;

/** Whether a path is written in a text. */
type Written = (path: string) => boolean;

function writtenIn(text: string): Written {
  const raw: unknown = parse(text, { logLevel: 'silent' });
  return (path) => valueAt(raw, stepsOf(path)) !== undefined;
}

function numbers(scenario: Scenario, written: Written): NumberField[] {
  return numericFields(scenario).map(({ path, value = 0, integer, min, max }) => ({
    kind: 'number',
    path,
    written: written(path),
    value,
    integer,
    min: finite(min),
    max: finite(max),
  }));
}

/** Places of texts and of true and false, below a place. */
function leaves(value: unknown, at: Path): Path[] {
  if (typeof value === 'string' || typeof value === 'boolean') return [at];
  if (Array.isArray(value)) return value.flatMap((each, e) => leaves(each, [...at, e]));
  return isMapping(value) ? Object.entries(value).flatMap(([name, each]) => leaves(each, [...at, name])) : [];
}

function wordsAt(schema: JsonSchema, scenario: Scenario, at: Path, value: unknown): WordField['words'] {
  if (typeof value === 'boolean') return [true, false];
  return wordsOf(schemasAt(schema, scenario, at));
}

function choices(scenario: Scenario, written: Written): WordField[] {
  const schema = wordedSchema(opened(scenario).system.schema);
  return leaves(scenario, []).flatMap((at) => {
    const value = valueAt(scenario, at);
    const words = wordsAt(schema, scenario, at, value);
    const path = pathOf(at);
    if (path === 'system' || words.length < 2) return [];
    return [{ kind: 'word', path, written: written(path), value: value as string | boolean, words }];
  });
}

export const settable = {
  /** What is written first, numbers before words, otherwise in the order of the scenario. @throws InputError, InputErrors for the text */
  settable(text: string): Settable[] {
    const scenario = scenarioOf(text);
    const written = writtenIn(text);
    const all = [...numbers(scenario, written), ...choices(scenario, written)];
    return [...all.filter((field) => field.written), ...all.filter((field) => !field.written)];
  },
};
