/** What is typed into forms, read by the settings that library and command line declare. */
import { InputError, MAX_BATTLES } from '../../../src/core/index.ts';
import { count, number, type OptionSpec, seedOption } from '../../../src/rules/option-spec.ts';

/** What reads a text that was typed. */
export type TextParser<T> = Pick<OptionSpec<T>, 'read'>;

/** The value of a text, or what is wrong with it. */
function tryRead<T>(setting: TextParser<T>, text: string): { readonly value: T } | { readonly wrong: string } {
  try {
    return { value: setting.read(text, '') };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { wrong: `expected ${error.expected}, found ${error.found}` };
  }
}

/** The value that a text is; undefined if it is none that is accepted. */
export function readText<T>(setting: TextParser<T>, text: string): T | undefined {
  const found = tryRead(setting, text);
  return 'value' in found ? found.value : undefined;
}

/** What is wrong with a text; undefined if nothing is. */
export function findTextError(setting: TextParser<unknown>, text: string): string | undefined {
  const found = tryRead(setting, text);
  return 'wrong' in found ? found.wrong : undefined;
}

/** How many battles: 1000000, 1M, 1e6 or 1,000,000. */
export const createBattleCountParser = (least: number, most: number): TextParser<number> => count(least, most, '');

/** The number of a battle of a run. */
export const battleIndexParser: TextParser<number> = count(0, MAX_BATTLES - 1, '');

export const seedParser: TextParser<bigint> = seedOption('');

/** Half-widths of intervals of probabilities, from `least` to 0.25: 0.001, or 0.1pp in percentage points. */
export function createHalfWidthParser(least: number): TextParser<number> {
  const fits = (value: number): boolean => value >= least && value <= 0.25;
  return number('', {
    expected: `a number ${String(least)}..0.25, or points such as 0.1pp`,
    isAccepted: fits,
    units: ['pp'],
  });
}

/** A number within bounds. @param expected it, in words */
export function createNumberParser(min: number, max: number, expected: string, integer = false): TextParser<number> {
  return number('', {
    expected,
    isAccepted: (value) => value >= min && value <= max && (!integer || Number.isInteger(value)),
  });
}
