/** Options of the command of a study, as texts. */
import { formatOptionName, type OptionSpecs, type ParsedOptions } from '../../../src/rules/option-spec.ts';

/** Texts of options by name; empty ones have their default. */
export type WrittenOptions = Readonly<Record<string, string>>;

const listOptions = (options: WrittenOptions): (readonly [name: string, text: string])[] =>
  Object.entries(options).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()] as const]));

/** Formats options for the command line. */
export const formatOptions = (options: WrittenOptions): string[] =>
  listOptions(options).flatMap(([name, text]) => [formatOptionName(name), text]);

/** @throws InputError if an option is out of range */
export const parseOptions = <S extends OptionSpecs>(specs: S, options: WrittenOptions): Partial<ParsedOptions<S>> =>
  Object.fromEntries(listOptions(options).map(([name, text]) => [name, specs[name]?.read(text, name)])) as Partial<
    ParsedOptions<S>
  >;
