/**
 * Declared fields. A declaration has range, default and meaning; the parser, the JSON Schema, the error messages, the
 * generators of the tests and `warpool systems` use it.
 */

import { z } from 'zod';
import { describeNumeral, parseWholeNumber } from '../core/index.ts';

/** Names of outcomes, which are reserved. */
export const RESERVED_NAMES: readonly string[] = ['mutual', 'none', 'stalemate', 'coexist', 'empty'];

/** Maximum of `maxRounds`: every draw of every round has its own stream position. */
export const ROUNDS_LIMIT = 100_000;

/** Creates an integer field with its closed range. */
export function integer(min: number, max: number, about: string): z.ZodInt {
  return z.int().check(z.gte(min), z.lte(max)).register(z.globalRegistry, { description: about });
}

/** Creates a field with one of several words. */
export function oneOf<const W extends readonly [string, ...string[]]>(words: W, about: string) {
  return z.enum(words).register(z.globalRegistry, { description: about });
}

/** Creates a boolean field. */
export function flag(about: string): z.ZodBoolean {
  return z.boolean().register(z.globalRegistry, { description: about });
}

/**
 * Creates the field of a name of a combatant, a party or a player, which becomes part of the names of outcomes and
 * metrics.
 */
export function combatantName(about: string) {
  return z
    .string()
    .regex(/^\S(.{0,62}\S)?$/u, 'a name of 1 to 64 characters without blanks at its ends')
    .refine((name) => !RESERVED_NAMES.includes(name), {
      error: `a name that is not one of the outcomes ${RESERVED_NAMES.join(', ')}`,
    })
    .meta({ description: about });
}

/** Label of a scenario, which does not affect results. */
export const scenarioName = z
  .string()
  .min(1)
  .max(120)
  .meta({ description: 'Label. It does not change results.' })
  .optional();

export const maxRounds = integer(
  1,
  ROUNDS_LIMIT,
  'Maximum number of rounds. A battle that is not over after them is a stalemate.',
).default(10_000);

/** NdS dice with N <= 8 and S <= 100. */
export const diceNotation = z
  .string()
  .regex(/^[1-8]d([2-9]|[1-9][0-9]|100)$/, 'dice as NdS with N 1..8 and S 2..100')
  .meta({ description: 'Dice of every roll, as NdS: N 1..8, S 2..100.' });

/** Parses text that `diceNotation` accepts. */
export function parseDice(notation: string): { count: number; sides: number } {
  const [count = 0, sides = 0] = notation.split('d').map(Number);
  return { count, sides };
}

/**
 * Rejects a scenario with inconsistent fields. For the `superRefine` of a schema.
 *
 * Every refinement describes accepted values and the found one: here as two arguments, in its own message as
 * `<expected>, found <found>`, or as `<expected>` if the value is sufficient.
 *
 * @param context of the refinement
 * @param path to the field that should be changed
 * @param expected description of accepted values: `a name that no other combatant has`
 * @param found description of the found value: `"Archers" again`; default: the value
 */
export function reject(
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
  path: readonly (string | number)[],
  expected: string,
  found?: string,
): void {
  context.addIssue({
    code: 'custom',
    path: [...path],
    message: found === undefined ? expected : `${expected}, found ${found}`,
    params: { expected, found },
  });
}

/** Creates a refinement that rejects lists with duplicates; the message shows the second one. */
export function requireDistinct(expected: string) {
  return (list: readonly string[], context: Pick<z.core.$RefinementCtx, 'addIssue'>): void => {
    const again = list.findIndex((each, i) => list.indexOf(each) < i);
    if (again >= 0) reject(context, [again], expected, `"${String(list[again])}" again`);
  };
}

type RawZodIssue = z.core.$ZodRawIssue;
type ZodIssueInput = Parameters<z.core.$RefinementCtx['addIssue']>[0];

/** Lists the paths of an issue: an unknown field has its own path, not the one of its mapping. */
function listIssuePaths({ code, path = [], ...issue }: RawZodIssue): PropertyKey[][] {
  const keys = code === 'unrecognized_keys' && 'keys' in issue ? (issue.keys as readonly string[]) : undefined;
  return keys === undefined ? [[...path]] : keys.map((key) => [...path, key]);
}

/** Returns true if one of two paths contains the other. */
const isOverlapping = (one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean =>
  one.every((step, s) => s >= other.length || other[s] === step);

/** Returns true if a check across fields can run: out of range numbers may make it run forever. */
const isHarmless = ({ code, input }: RawZodIssue): boolean =>
  code !== 'too_big' && code !== 'invalid_union' && (typeof input !== 'number' || Number.isFinite(input));

/**
 * Creates a check across fields, for `superRefine` with `ALWAYS`: zod skips such checks if a field is invalid, so that
 * users would see their mistakes in two rounds. Problems of invalid fields are omitted.
 */
export function checkAcrossFields<T>(check: (value: T, context: z.core.$RefinementCtx<T>) => void) {
  return (value: T, context: z.core.$RefinementCtx<T>): void => {
    const before = [...context.issues];
    if (before.length === 0) {
      check(value, context);
      return;
    }
    if (!before.every(isHarmless)) return;
    const wrong = before.flatMap(listIssuePaths);
    const found: RawZodIssue[] = [];
    try {
      check(value, { value, issues: before, addIssue: (issue) => void found.push(issue as RawZodIssue) });
    } catch {
      // The check may fail on invalid fields; its earlier findings remain valid.
    }
    for (const issue of found)
      if (!wrong.some((path) => isOverlapping(path, issue.path ?? []))) context.addIssue(issue as ZodIssueInput);
  };
}

/** Runs a check even if fields are invalid. */
export const ALWAYS = { when: () => true };

// Counts in files: a number, or a text as the command line reads it.

const TEXT = /^\d[\d,_ ]*(\.\d+)?(e\+?\d{1,2}| ?[kKMG])?$/i;

/** Creates an integer field with its closed range: 1000000, or a quoted text: 1M, "1,000,000", 1_000_000. */
export function countField(min: number, max: number, about: string) {
  const text = z
    .string()
    .regex(TEXT, 'a text such as 1M or 1,000,000')
    .transform((written, context) => {
      const whole = parseWholeNumber(written);
      if (whole !== undefined && whole >= BigInt(min) && whole <= BigInt(max)) return Number(whole);
      reject(context, [], `an integer ${String(min)}..${String(max)}`, describeNumeral(written));
      return z.NEVER;
    });
  return z.union([z.int().min(min).max(max), text]).meta({ description: about });
}
