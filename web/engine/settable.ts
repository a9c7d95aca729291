/** The fields of a scenario that can be changed one by one: numbers within their ranges, and choices of words. */
import { parse } from 'yaml';
import {
  declaredIn,
  numericFields,
  opened,
  pathOf,
  placesIn,
  type Scenario,
  stepsOf,
  valueAt,
  wordsOf,
} from '../../src/rules/index.ts';
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

function choices(scenario: Scenario, written: Written): WordField[] {
  return placesIn(declaredIn(opened(scenario).system.schema), scenario).flatMap(({ path: at, value, declared }) => {
    if (typeof value !== 'string' && typeof value !== 'boolean') return [];
    const words = typeof value === 'boolean' ? [true, false] : wordsOf(declared);
    const path = pathOf(at);
    if (path === 'system' || words.length < 2) return [];
    return [{ kind: 'word', path, written: written(path), value, words }];
  });
}

export const settable = {
  /** What is written first, numbers before words, otherwise in the order of the scenario. @throws InputError for the text */
  settable(text: string): Settable[] {
    const scenario = scenarioOf(text);
    const written = writtenIn(text);
    const all = [...numbers(scenario, written), ...choices(scenario, written)];
    return [...all.filter((field) => field.written), ...all.filter((field) => !field.written)];
  },
};
