/**
 * Error classes, grouped by who can fix the cause.
 *
 * A bundled user module has its own copy of these classes; `instanceof` therefore checks a mark that all copies share.
 */

import { type FilePosition, type Path, readPath, splitPlace } from './path.ts';

/** Marks the instances of a class, and makes `instanceof` check the mark; subclasses have no marks. */
function markClass(made: { readonly name: string; readonly prototype: object }): void {
  const mark = Symbol.for(`warpool.${made.name}`);
  Object.defineProperty(made.prototype, mark, { value: true });
  Object.defineProperty(made, Symbol.hasInstance, {
    value(this: { readonly prototype: object }, value: unknown) {
      if (this !== made) return Object.prototype.isPrototypeOf.call(this.prototype, Object(value));
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}

/** Stable codes of errors. docs/reference/errors.md explains each. */
export type ErrorCode =
  | 'invalid-value'
  | 'missing-value'
  | 'unknown-name'
  | 'unreadable-file'
  | 'invalid-syntax'
  | 'run-failed'
  | 'aborted'
  | 'budget-exceeded'
  | 'rules-failed'
  | 'script-mismatch';

/** An error as plain data: JSON and structured clones preserve it. */
export interface ErrorJson {
  readonly name: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Base class of all errors that warpool throws intentionally. */
export abstract class WarpoolError extends Error {
  /** Stable code for programs. */
  abstract readonly code: ErrorCode;

  /** Returns the error as plain data, for `reviveError`. */
  toJSON(): ErrorJson {
    const { name, code, message } = this;
    return { ...(this as object), name, code, message };
  }
}

/** Position of an invalid value: in a file, or the `source` of a text, if known. */
export interface InputPosition extends Partial<FilePosition> {
  /** Path to the value, or the option; empty for the whole argument or file. */
  readonly path?: Path;
}

/** Parses a position such as `army.yaml:12:16 attacker.hp`. */
function parsePosition(place: string): InputPosition {
  const { field, ...position } = splitPlace(place);
  const isField = /^(?!-)(?:[^\s"/\\:]|"(?:[^"\\]|\\.)*")+$/.test(field);
  return { ...position, path: (isField ? readPath(field) : undefined) ?? [] };
}

/** An invalid value of the caller. Exit code 2. */
export class InputError extends WarpoolError {
  override readonly name = 'InputError';
  readonly code: ErrorCode;
  /**
   * File, line and column, as far as there are any, and the field, option or argument: `army.yaml:12:16 attacker.hp`.
   */
  readonly place: string;
  /** Description of accepted values: `an integer 1..100000`. */
  readonly expected: string;
  /**
   * What was there, in words: `0`, `"ten"`, `nothing`, `an unknown field (did you mean hp?)`; empty for a condition between
   * options, where `place` and `expected` are the sentence: `--html` and `cannot be combined with --shard`.
   */
  readonly found: string;
  readonly path: Path = [];
  declare readonly file?: string;
  declare readonly line?: number;
  declare readonly column?: number;
  /** Number of further errors that are not listed in `errors`. */
  readonly more: number = 0;
  readonly #errors: readonly InputError[] | undefined;

  /**
   * @param place position of the value: `army.yaml:12:16 attacker.hp`, `seed`
   * @param expected description of accepted values
   * @param found description of the found value
   * @param position exact position, if `place` has none; and the code
   * @param all errors that are reported together, of which this is the first; and the number of further ones
   */
  constructor(
    place: string,
    expected: string,
    found: string,
    { code, path, file, line, column }: InputPosition & { readonly code?: ErrorCode | undefined } = {},
    all?: { readonly errors: readonly InputError[]; readonly more: number },
  ) {
    const message = found === '' ? `${place} ${expected}` : `${place}: expected ${expected}, found ${found}`;
    const lines = all?.errors.map((each) => each.message) ?? [message];
    super([...lines, ...(all !== undefined && all.more > 0 ? [`and ${String(all.more)} more`] : [])].join('\n'));
    this.code = code ?? (found === 'nothing' ? 'missing-value' : 'invalid-value');
    this.place = place;
    this.expected = expected;
    this.found = found;
    const given = Object.entries({ path, file, line, column }).filter(([, value]) => value !== undefined);
    Object.assign(this, file === undefined ? parsePosition(place) : {}, Object.fromEntries(given));
    this.#errors = all?.errors;
    this.more = all?.more ?? 0;
  }

  /** All errors that are reported together, in the order of the text; for a single error, a list with that error. */
  get errors(): readonly InputError[] {
    return this.#errors ?? [this];
  }

  /** @returns one error for several, whose fields are those of the first; undefined if there are none */
  static of(errors: readonly InputError[], more = 0): InputError | undefined {
    const [first] = errors;
    if (first === undefined || errors.length + more === 1) return first;
    return new InputError(first.place, first.expected, first.found, first, { errors, more });
  }

  override toJSON(): ErrorJson {
    const all = this.#errors?.map((each) => each.toJSON());
    return { ...super.toJSON(), ...(all !== undefined && { errors: all }) };
  }
}

/** Creates the error for two options that exclude each other. */
export const createConflictError = (option: string, other: string): InputError =>
  new InputError(option, `cannot be combined with ${other}`, '');

/** Creates the error for an option that needs another one. */
export const createRequirementError = (option: string, required: string): InputError =>
  new InputError(option, `requires ${required}`, '', { code: 'missing-value' });

/** A run that was started could not be finished. Exit code 1. */
export class RunError extends WarpoolError {
  override readonly name: string = 'RunError';
  readonly code: ErrorCode = 'run-failed';
}

/** A signal stopped a call before it had a result. `cause` is the reason of the signal. Exit code 1. */
export class AbortError extends RunError {
  override readonly name = 'AbortError';
  override readonly code = 'aborted';

  /** @param signal that was aborted */
  constructor(message: string, signal?: AbortSignal) {
    super(message, { cause: signal?.reason });
  }
}

/** The reader of the output has closed it, as `| head` does. */
export class OutputClosedError extends RunError {}

interface BudgetErrorOptions {
  readonly suggested?: number | undefined;
  readonly least?: number | undefined;
  readonly cause?: unknown;
}

/** An exact answer exceeds its budget. Exit code 1. */
export class BudgetError extends WarpoolError {
  override readonly name = 'BudgetError';
  readonly code = 'budget-exceeded';
  /** A larger budget that may suffice; undefined if none is known. */
  readonly suggested: number | undefined;
  /** Lower bound of the budget that suffices, if `suggested` has a margin above it. */
  readonly least: number | undefined;

  constructor(message: string, { suggested, least, cause }: BudgetErrorOptions = {}) {
    super(message, { cause });
    this.suggested = suggested;
    this.least = least;
  }
}

/** Error of the rules of a custom system. Exit code 1. */
export class RulesError extends WarpoolError {
  override readonly name = 'RulesError';
  readonly code = 'rules-failed';
}

/** A script does not fit the rules: another roll, an impossible value, missing or unused entries. */
export class ScriptError extends WarpoolError {
  override readonly name = 'ScriptError';
  readonly code = 'script-mismatch';
}

/**
 * Recreates an error from plain data, because errors lose class and fields between threads.
 * @param json result of `toJSON` of an error of warpool
 */
export function reviveError(json: ErrorJson): WarpoolError {
  if (typeof (json as Partial<ErrorJson> | null | undefined)?.message !== 'string')
    throw new InputError('json', 'what toJSON of an error returns', 'another value');
  const {
    name,
    message,
    place = '',
    expected = '',
    found = '',
    errors,
    more = 0,
    ...fields
  } = json as ErrorJson &
    Partial<Record<'place' | 'expected' | 'found', string>> & { errors?: readonly ErrorJson[]; more?: number };
  if (name === 'InputError') {
    const all = errors && { errors: errors.map(reviveError).filter((each) => each instanceof InputError), more };
    return new InputError(place, expected, found, fields, all);
  }
  const known = [AbortError, BudgetError, RulesError, ScriptError].find((each) => each.name === name) ?? RunError;
  return Object.assign(new known(message), fields, { name });
}

/** Creates the error of rules that depend on more than state and chance. */
export function createNondeterminismError(): RulesError {
  return new RulesError(
    'in the same state, after the same draws, the rules made other draws than before: they depend on something ' +
      'else, such as a variable that a step changes. Keep all that changes in the state; "warpool conform" looks ' +
      'for the cause',
  );
}

for (const each of [WarpoolError, InputError, RunError, AbortError, BudgetError, RulesError, ScriptError])
  markClass(each);

/** An error as plain data, with its stack; without a code for other errors than those of warpool. */
export type ErrorData = Pick<ErrorJson, 'name' | 'message'> & Partial<ErrorJson>;

/** Packs an error for another thread. */
export function packError(error: unknown): ErrorData {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return error instanceof WarpoolError ? { ...error.toJSON(), stack } : { name, message, stack };
}

/** Unpacks an error of another thread. */
export function unpackError({ name, message, code, ...fields }: ErrorData): Error {
  if (code !== undefined) return reviveError({ ...fields, name, message, code });
  return Object.assign(new Error(message), fields, { name });
}
