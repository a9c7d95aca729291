/** Parsers of typed text, with the rules of library and command line. */
import { InputError, MAX_BATTLES } from '../../../src/core/index.ts';
import { count, number, type OptionSpec, seedOption } from '../../../src/rules/option-spec.ts';

/** Parser of typed text. */
export type TextParser<T> = Pick<OptionSpec<T>, 'read'>;

/** Parses a text; returns its value or an error message. */
function tryRead<T>(setting: TextParser<T>, text: string): { readonly value: T } | { readonly wrong: string } {
  try {
    return { value: setting.read(text, '') };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { wrong: `expected ${error.expected}, found ${error.found}` };
  }
}

/** Parses a text; undefined if it is invalid. */
export function readText<T>(setting: TextParser<T>, text: string): T | undefined {
  const found = tryRead(setting, text);
  return 'value' in found ? found.value : undefined;
}

/** Returns the error of a text; undefined if it is valid. */
export function findTextError(setting: TextParser<unknown>, text: string): string | undefined {
  const found = tryRead(setting, text);
  return 'wrong' in found ? found.wrong : undefined;
}

/** Creates a parser of battle counts: 1000000, 1M, 1e6 or 1,000,000. */
export const createBattleCountParser = (least: number, most: number): TextParser<number> => count(least, most, '');

/** Parser of a battle index. */
export const battleIndexParser: TextParser<number> = count(0, MAX_BATTLES - 1, '');

export const seedParser: TextParser<bigint> = seedOption('');

/** Creates a parser of half-widths of probability intervals, `least`..0.25: 0.001, or 0.1pp in percentage points. */
export function createHalfWidthParser(least: number): TextParser<number> {
  const isFitting = (value: number): boolean => value >= least && value <= 0.25;
  return number('', {
    expected: `a number ${String(least)}..0.25, or points such as 0.1pp`,
    isAccepted: isFitting,
    units: ['pp'],
  });
}

/** Creates a parser of numbers in a range. @param expected description of the range */
export function createNumberParser(min: number, max: number, expected: string, integer = false): TextParser<number> {
  return number('', {
    expected,
    isAccepted: (value) => value >= min && value <= max && (!integer || Number.isInteger(value)),
  });
}
