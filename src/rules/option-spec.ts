/**
 * Settings: what a question can be asked with. Each is declared once, with its range, its default and what it is for; types
 * and checks of the library's options, options of the command line with their help and completion, and fields of files
 * follow from it. A setting is plain data: `{ ...count(1, 256, 'threads'), default: 4 }`.
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

/** What a setting is as a field of a file. */
export type OptionField =
  | { readonly type: 'above 0'; readonly max: number }
  | { readonly type: 'integer' | 'count' | 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'half-width' }
  | { readonly type: 'flag' | 'text' };

/** A setting whose values are `T`, once the command line has read them. */
export interface OptionSpec<T = unknown> {
  /** What it is for: its line of the help. */
  readonly about: string;
  /** What stands for the value in the help: `<n>`, `[n]` of one that may be left out, `<name...>` of several; a flag has none. */
  readonly value?: string;
  /** Reads a value of the command line. @param before what was read before, where several may be given */
  read(text: string, place: string, before?: T): T;
  /** Reads a value of the library. @throws InputError if it is out of range */
  check?(value: never, place: string): T;
  /** The words among which its values are. */
  readonly words?: readonly string[];
  /** Whether the option may be repeated. */
  readonly repeatable?: true;
  /** The value of one that is not given, and how the help tells it. */
  readonly default?: T;
  readonly shown?: string;
  readonly required?: true;
  /** What it is where it matters, though it counts as not given unless it is. */
  readonly fallback?: T;
  /** The value of one that is given without a value. */
  readonly preset?: string;
  /** The option of one letter beside the long one. */
  readonly short?: string;
  /** Settings that cannot stand beside it. */
  readonly conflicts?: readonly string[];
  /** What it is in files, and what they say of it. */
  readonly field?: OptionField;
  readonly told?: string;
}

/** A setting whose values the library takes as `L`. */
export interface CheckedOptionSpec<T, L = T> extends OptionSpec<T> {
  check(value: L, place: string): T;
}

/** Settings by their names: `precisionFloor` is `--precision-floor` on the command line. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type ParsedOptionValue<S> = S extends { read(...args: never[]): infer T } ? T : never;
type OptionInput<S> = S extends { check(value: infer L, place: string): unknown } ? L : ParsedOptionValue<S>;
type DefinedOption = { readonly default: unknown } | { readonly required: true };
type DefinedOptionNames<S> = { [K in keyof S]: S[K] extends DefinedOption ? K : never }[keyof S];

/** What a command is given by settings. */
export type ParsedOptions<S> = { readonly [K in DefinedOptionNames<S>]: ParsedOptionValue<S[K]> } & {
  readonly [K in Exclude<keyof S, DefinedOptionNames<S>>]?: ParsedOptionValue<S[K]>;
};

/** What a function of the library takes by settings: all may be left out. */
export type RequestedOptions<S> = { readonly [K in keyof S]?: OptionInput<S[K]> | undefined };

/** What was asked with settings, once it is checked. */
export type ResolvedOptions<S> = {
  readonly [K in keyof S]:
    | ParsedOptionValue<S[K]>
    | (S[K] extends DefinedOption | { readonly fallback: unknown } ? never : undefined);
};

/** A whole number: 1000, 1k, 1e3, 1,000. */
export function count(min: number, max: number, about: string, unit = 'n'): CheckedOptionSpec<number, number | string> {
  const check = (value: number | string, place: string): number => parseCount(value, place, min, max);
  return { about, value: `<${unit}>`, read: check, check, field: { type: 'count', min, max } };
}

/** A seed, 0..2^64-1. */
export const seedOption = (about: string): CheckedOptionSpec<bigint, SeedLike> => ({
  ...{ about, value: '<n>', read: (text, place) => parseSeed(text, place), check: parseSeed },
  field: { type: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER },
});

/** What numbers are accepted: in words, and whether one is. */
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

/** A number above 0; `10%` is 0.1. */
export const fractionAbove0 = (about: string): CheckedOptionSpec<number> => ({
  ...number(about, { expected: 'a number above 0', isAccepted: (value) => value > 0, units: ['%'] }),
  field: { type: 'above 0', max: 1e9 },
});

/** Reads one of some words. @param place what the message calls it */
export function parseWord<W extends string>(value: string, words: readonly W[], place: string): W {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const hint = typeof (value as unknown) === 'string' ? suggestName(value, words) : '';
  throw new InputError(place, `one of ${words.join(', ')}`, `${describeFound(value)}${hint}`);
}

/** One of some words, which the help tells too. */
export const word = <const W extends string>(about: string, words: readonly W[]): CheckedOptionSpec<W> => ({
  ...{
    about: `${about}: ${words.join(', ')}`,
    value: '<word>',
    words,
    read: (text, place) => parseWord(text, words, place),
    check: (value, place) => parseWord(value, words, place),
  },
});

/** One of some words; the first is the default. */
export const choice = <const W extends string>(about: string, words: readonly [W, ...W[]]) => ({
  ...word(about, words),
  default: words[0],
});

/** One that counts as not given unless it is; the help tells what it is then. */
export const withFallback = <T extends number, L>(setting: CheckedOptionSpec<T, L>, fallback: T) => ({
  ...{ ...setting, about: `${setting.about} (default: ${String(fallback)})`, fallback },
});

/** Text as it is. @param value what stands for it in the help */
export const text = (value: string, about: string): CheckedOptionSpec<string> => ({
  ...{ about, value: `<${value}>`, read: (given: string) => given, field: { type: 'text' as const } },
  check: (given, place) => checkText(place, given),
});

/** Yes, or not given. */
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

/** Several texts behind one option. @param value what stands for each */
export const several = (value: string, about: string): CheckedOptionSpec<readonly string[]> => ({
  ...{
    about,
    value: `<${value}...>`,
    read: (given: string, _: string, before: readonly string[] = []) => [...before, given],
    check: checkTexts,
  },
});

/** An option that is given once for each text. */
export const repeated = (value: string, about: string): CheckedOptionSpec<readonly string[]> => ({
  ...several(value, about),
  ...{ value: `<${value}>`, repeatable: true },
});

/** Texts that are joined by commas. */
export const list = (about: string): CheckedOptionSpec<readonly string[]> => ({
  ...{ about, value: '<list>', read: (given: string) => given.split(',').map((each) => each.trim()) },
  check: checkTexts,
});

/** Some of some words, joined by commas. */
export function wordList<const W extends string>(about: string, words: readonly W[]): OptionSpec<readonly W[]> {
  const read = (given: string, place: string): W[] =>
    given.split(',').map((each) => {
      const found = words.find((known) => known === each);
      if (found !== undefined) return found;
      throw new InputError(place, `some of ${words.join(', ')}`, `"${each}"`);
    });
  return { about, value: '<list>', words, read };
}

/** The setting as an option of the command line: `--precision-floor`. */
export const formatOptionName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The options that are among these settings, in their order; those that are not given are not there. */
export function pickOptions<S extends OptionSpecs>(settings: S, options: RequestedOptions<S>): RequestedOptions<S> {
  return pickNamedOptions<RequestedOptions<S>>(settings, options);
}

/**
 * The settings of a question, checked; those that are not given are what they are by default.
 * @param place what messages call a setting
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
