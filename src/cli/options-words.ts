/** What options take: one of some words, which the help and completion tell too; one value, or several. */
import { type Command, Option } from 'commander';
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/names.ts';

const known = new WeakMap<Option, readonly string[]>();

/** The words that an option takes; undefined if it takes something else. */
export const wordsOf = (option: Option): readonly string[] | undefined => known.get(option);

/** Remembers the words that an option takes. */
export function withWords(option: Option, words: readonly string[]): Option {
  known.set(option, words);
  return option;
}

/** Reads one of some words. @param place what the message calls it */
export function parseWord(value: string, words: readonly string[], place: string): string {
  if (words.includes(value)) return value;
  throw new InputError(place, `one of ${words.join(', ')}`, `"${value}"${didYouMean(value, words)}`);
}

/** An option that takes one of some words. */
export function word(name: string, about: string, words: readonly string[]): Option {
  const option = new Option(`--${name} <word>`, `${about}: ${words.join(', ')}`);
  return withWords(
    option.argParser((value: string) => parseWord(value, words, `--${name}`)),
    words,
  );
}

/** An option that takes one of some words; the first is the default. */
export function choice(name: string, about: string, words: readonly [string, ...string[]]): Option {
  return word(name, about, words).default(words[0]);
}

const several = new WeakSet<Option>();

/** An option that may be given several times. @param read what its value becomes, with what was read before */
export function repeatable<T>(option: Option, read: (value: string, before: T | undefined) => T): Option {
  several.add(option);
  return option.argParser(read);
}

/** Refuses a second value of every option of a command that takes one: the first would be ignored without a word. */
export function refuseTwice(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || option.variadic || several.has(option)) continue;
    let given = false;
    command.on(`option:${option.name()}`, () => {
      if (given) throw new InputError(option.long ?? option.flags, 'to be given once', 'it given twice');
      given = true;
    });
  }
}

/** Shells that commands can be completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];
