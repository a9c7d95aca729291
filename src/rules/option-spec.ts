/**
 * Options of commands and functions. Each is declared once, with range, default and description; types and checks of
 * the library, options of the command line with their help and completion, and fields of files are derived from it. An
 * option is plain data: `{ ...count(1, 256, 'threads'), default: 4 }`.
 */

import {
  checkList,
  checkText,
  describeFound,
  InputError,
  type NumberUnit,
  parseAmount,
  parseCount,
  parseSeed,
  pickNamedOptions,
  type SeedLike,
  suggestName,
} from '../core/index.ts';

/** An option as a field of a file. */
export type OptionField =
  | { readonly type: 'above 0'; readonly max: number }
  | { readonly type: 'integer' | 'count' | 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'half-width' }
  | { readonly type: 'flag' | 'text' };

/** An option with values of type `T`, as the command line parses them. */
export interface OptionSpec<T = unknown> {
  /** Description: its line in the help. */
  readonly about: string;
  /**
   * Placeholder of the value in the help: `<n>`, `[n]` if it is optional, `<name...>` for several; absent for a flag.
   */
  readonly value?: string;
  /** Parses a value of the command line. @param before previous value of a repeatable option */
  read(text: string, place: string, before?: T): T;
  /** Checks a value of the library. @throws InputError if it is out of range */
  check?(value: never, place: string): T;
  /** Possible words. */
  readonly words?: readonly string[];
  /** True if the option is repeatable. */
  readonly repeatable?: true;
  /** Default value, and its text in the help. */
  readonly default?: T;
  readonly shown?: string;
  readonly required?: true;
  /** Effective value of an option without a default. */
  readonly fallback?: T;
  /** Value if the option is used without one. */
  readonly preset?: string;
  /** Short form of the option, one letter. */
  readonly short?: string;
  /** Options that cannot be combined with it. */
  readonly conflicts?: readonly string[];
  /** Its field in files, with a description. */
  readonly field?: OptionField;
  readonly fieldAbout?: string;
}

/** An option whose values in the library have type `L`. */
export interface CheckedOptionSpec<T, L = T> extends OptionSpec<T> {
  check(value: L, place: string): T;
}

/** Options by name: `precisionFloor` is `--precision-floor` on the command line. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type ParsedOptionValue<S> = S extends { read(...args: never[]): infer T } ? T : never;
type OptionInput<S> = S extends { check(value: infer L, place: string): unknown } ? L : ParsedOptionValue<S>;
type DefinedOption = { readonly default: unknown } | { readonly required: true };
type DefinedOptionNames<S> = { [K in keyof S]: S[K] extends DefinedOption ? K : never }[keyof S];

/** Parsed options of a command. */
export type ParsedOptions<S> = { readonly [K in DefinedOptionNames<S>]: ParsedOptionValue<S[K]> } & {
  readonly [K in Exclude<keyof S, DefinedOptionNames<S>>]?: ParsedOptionValue<S[K]>;
};

/** Options of a function of the library: all are optional. */
export type RequestedOptions<S> = { readonly [K in keyof S]?: OptionInput<S[K]> | undefined };

/** Checked options with defaults. */
export type ResolvedOptions<S> = {
  readonly [K in keyof S]:
    | ParsedOptionValue<S[K]>
    | (S[K] extends DefinedOption | { readonly fallback: unknown } ? never : undefined);
};

/** Creates an option: a whole number, such as 1000, 1k, 1e3 or 1,000. */
export function count(min: number, max: number, about: string, unit = 'n'): CheckedOptionSpec<number, number | string> {
  const check = (value: number | string, place: string): number => parseCount(value, place, min, max);
  return { about, value: `<${unit}>`, read: check, check, field: { type: 'count', min, max } };
}

/** Creates an option: a seed, 0..2^64-1. */
export const seedOption = (about: string): CheckedOptionSpec<bigint, SeedLike> => ({
  ...{ about, value: '<n>', read: (text, place) => parseSeed(text, place), check: parseSeed },
  field: { type: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER },
});

/** Accepted numbers: their description, and a check. */
export interface AcceptedNumbers {
  readonly expected: string;
  readonly isAccepted: (value: number) => boolean;
  readonly units?: readonly NumberUnit[];
}

export function checkAccepted({ expected, isAccepted }: AcceptedNumbers, value: number, place: string): number {
  if (typeof (value as unknown) === 'number' && isAccepted(value)) return value;
  throw new InputError(place, expected, describeFound(value));
}

export function number(about: string, range: AcceptedNumbers): CheckedOptionSpec<number> {
  const { expected, isAccepted, units } = range;
  return {
    ...{ about, value: '<x>' },
    read: (text, place) => parseAmount(text, place, expected, isAccepted, units).value,
    check: (value, place) => checkAccepted(range, value, place),
  };
}

/** Creates an option: a number above 0; `10%` is 0.1. */
export const fractionAbove0 = (about: string): CheckedOptionSpec<number> => ({
  ...number(about, { expected: 'a number above 0', isAccepted: (value) => value > 0, units: ['%'] }),
  field: { type: 'above 0', max: 1e9 },
});

/** Parses one of several words. @param place name of the option in messages */
export function parseWord<W extends string>(value: string, words: readonly W[], place: string): W {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const hint = typeof (value as unknown) === 'string' ? suggestName(value, words) : '';
  throw new InputError(place, `one of ${words.join(', ')}`, `${describeFound(value)}${hint}`);
}

/** Creates an option with one of several words, which the help lists. */
export const word = <const W extends string>(about: string, words: readonly W[]): CheckedOptionSpec<W> => ({
  ...{
    about: `${about}: ${words.join(', ')}`,
    value: '<word>',
    words,
    read: (text, place) => parseWord(text, words, place),
    check: (value, place) => parseWord(value, words, place),
  },
});

/** Creates an option with one of several words; the first is the default. */
export const choice = <const W extends string>(about: string, words: readonly [W, ...W[]]) => ({
  ...word(about, words),
  default: words[0],
});

/** Adds an effective value that the help shows, although the option stays absent. */
export const withFallback = <T extends number, L>(setting: CheckedOptionSpec<T, L>, fallback: T) => ({
  ...{ ...setting, about: `${setting.about} (default: ${String(fallback)})`, fallback },
});

/** Creates an option with any text. @param value placeholder in the help */
export const text = (value: string, about: string): CheckedOptionSpec<string> => ({
  ...{ about, value: `<${value}>`, read: (given: string) => given, field: { type: 'text' as const } },
  check: (given, place) => checkText(place, given),
});

/** Creates a flag: true or absent. */
export const flag = (about: string): CheckedOptionSpec<boolean> => ({
  ...{ about, read: () => true, field: { type: 'flag' } },
  check(given, place) {
    if (typeof (given as unknown) === 'boolean') return given;
    throw new InputError(place, 'true or false', describeFound(given));
  },
});

/** Checks a list of texts. @throws InputError */
export function checkTexts(given: readonly string[], place: string): readonly string[] {
  checkList(place, 'a list of texts', given);
  return given;
}

/** Creates an option with several texts. @param value placeholder of each */
export const several = (value: string, about: string): CheckedOptionSpec<readonly string[]> => ({
  ...{
    about,
    value: `<${value}...>`,
    read: (given: string, _: string, before: readonly string[] = []) => [...before, given],
    check: checkTexts,
  },
});

/** Creates an option that is repeated for each text. */
export const repeated = (value: string, about: string): CheckedOptionSpec<readonly string[]> => ({
  ...several(value, about),
  ...{ value: `<${value}>`, repeatable: true },
});

/** Creates an option with texts that are separated by commas. */
export const list = (about: string): CheckedOptionSpec<readonly string[]> => ({
  ...{ about, value: '<list>', read: (given: string) => given.split(',').map((each) => each.trim()) },
  check: checkTexts,
});

/** Creates an option with some of several words, separated by commas. */
export function wordList<const W extends string>(about: string, words: readonly W[]): OptionSpec<readonly W[]> {
  const read = (given: string, place: string): W[] =>
    given.split(',').map((each) => {
      const found = words.find((known) => known === each);
      if (found !== undefined) return found;
      throw new InputError(place, `some of ${words.join(', ')}`, `"${each}"`);
    });
  return { about, value: '<list>', words, read };
}

/** Formats the name of an option of the command line: `--precision-floor`. */
export const formatOptionName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Picks the options of these specifications, in their order; omitted ones stay absent. */
export function pickOptions<S extends OptionSpecs>(settings: S, options: RequestedOptions<S>): RequestedOptions<S> {
  return pickNamedOptions<RequestedOptions<S>>(settings, options);
}

/**
 * Checks options and adds defaults.
 * @param place returns the name of an option in messages
 * @throws InputError if one is out of range
 */
export function resolveOptions<S extends OptionSpecs>(
  settings: S,
  options: RequestedOptions<S>,
  place = (name: string) => name,
) {
  const entries = Object.entries(settings).map(([name, setting]) => {
    const given: unknown = options[name];
    if (given === undefined) return [name, setting.default ?? setting.fallback];
    return [name, setting.check?.(given as never, place(name)) ?? given];
  });
  return Object.fromEntries(entries) as ResolvedOptions<S>;
}
