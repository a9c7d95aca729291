/** Fields of a scenario that can be changed individually: numbers in their ranges, and choices of words. */
import { parse } from 'yaml';
import {
  formatPath,
  getBoundScenario,
  getDeclaration,
  getValueAt,
  labelField,
  listDeclaredValues,
  listNumericFields,
  listWords,
  type Scenario,
  splitPath,
} from '../../../src/rules/index.ts';
import { parseScenarioText } from './check.ts';

interface SettableBase {
  readonly path: string;
  /** Label by the declaration of the system: `attacker’s hit points`. */
  readonly label: string;
  /** False for a default that the text does not have. */
  readonly written: boolean;
}

/** Numeric field. */
export interface NumberField extends SettableBase {
  readonly kind: 'number';
  readonly value: number;
  readonly integer: boolean;
  /** Declared range; undefined without a limit. */
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Field with a choice of words, or with true and false. */
export interface WordField extends SettableBase {
  readonly kind: 'word';
  readonly value: string | boolean;
  readonly words: readonly (string | boolean)[];
}

export type Settable = NumberField | WordField;

const toFiniteBound = (end: number): number | undefined =>
  Number.isFinite(end) && Math.abs(end) < Number.MAX_SAFE_INTEGER ? end : undefined;

/** Test whether a text has a path. */
type WrittenTest = (path: string) => boolean;

function createWrittenTest(text: string): WrittenTest {
  const raw: unknown = parse(text, { logLevel: 'silent' });
  return (path) => getValueAt(raw, splitPath(path)) !== undefined;
}

function listNumberFields(scenario: Scenario, written: WrittenTest): NumberField[] {
  return listNumericFields(scenario).map(({ path, value = 0, integer, min, max }) => ({
    kind: 'number',
    path,
    label: labelField(scenario, path),
    written: written(path),
    value,
    integer,
    min: toFiniteBound(min),
    max: toFiniteBound(max),
  }));
}

function listWordFields(scenario: Scenario, written: WrittenTest): WordField[] {
  return listDeclaredValues(getDeclaration(getBoundScenario(scenario).system.schema), scenario).flatMap(
    ({ path: at, value, declared }) => {
      if (typeof value !== 'string' && typeof value !== 'boolean') return [];
      const words = typeof value === 'boolean' ? [true, false] : listWords(declared);
      const path = formatPath(at);
      if (path === 'system' || words.length < 2) return [];
      return [{ kind: 'word', path, label: labelField(scenario, path), written: written(path), value, words }];
    },
  );
}

export const settable = {
  /**
   * Lists the fields: those in the text first, numbers before words, else in the order of the scenario. @throws
   * InputError for the text
   */
  settable(text: string): Settable[] {
    const scenario = parseScenarioText(text);
    const written = createWrittenTest(text);
    const all = [...listNumberFields(scenario, written), ...listWordFields(scenario, written)];
    return [...all.filter((field) => field.written), ...all.filter((field) => !field.written)];
  },
};
