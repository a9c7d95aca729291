/**
 * What can go wrong, by who can mend it.
 *
 * A module of a user brings its own copy of these classes where the package is bundled, so that `instanceof` asks for a
 * mark that all copies share.
 */

/** Puts the mark of a class on what it makes, and has `instanceof` look for it; classes that extend it have no mark. */
function marked(made: { readonly name: string; readonly prototype: object }): void {
  const mark = Symbol.for(`warpool.${made.name}`);
  Object.defineProperty(made.prototype, mark, { value: true });
  Object.defineProperty(made, Symbol.hasInstance, {
    value(this: { readonly prototype: object }, value: unknown) {
      if (this !== made) return Object.prototype.isPrototypeOf.call(this.prototype, Object(value));
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}

/** Something the user gave is not acceptable. Exit code 2. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly place: string;
  readonly expected: string;
  readonly found: string;

  /**
   * @param place    where: `army.yaml:12:16 attacker.hp`, `--seed`
   * @param expected what would have been accepted
   * @param found    what was there
   */
  constructor(place: string, expected: string, found: string) {
    super(`${place}: expected ${expected}, found ${found}`);
    this.place = place;
    this.expected = expected;
    this.found = found;
  }
}

/** Several input errors of one file, a line each. */
export class InputErrors extends Error {
  override readonly name = 'InputErrors';
  readonly errors: readonly InputError[];
  /** How many further errors there are that are not told. */
  readonly more: number;

  /** @param more how many further errors there are that are not told */
  constructor(errors: readonly InputError[], more = 0) {
    const lines = errors.map(({ message }) => message);
    super([...lines, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('\n'));
    this.errors = errors;
    this.more = more;
  }
}

/** A run that was begun could not be finished. Exit code 1. */
export class RunError extends Error {
  override readonly name: string = 'RunError';
}

/** A signal stopped a call before it had a result. `cause` is the reason of the signal. Exit code 1. */
export class AbortError extends RunError {
  override readonly name = 'AbortError';

  /** @param signal that was aborted */
  constructor(message: string, signal: AbortSignal | undefined) {
    super(message, { cause: signal?.reason });
  }
}

/** Who was to read what is written has seen enough, as behind `| head`. */
export class ReaderGone extends RunError {}

/** An exact answer was asked for that is larger than the budget allows. Exit code 1. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  /** Steps of a larger budget that may be enough; undefined where no budget is. */
  readonly suggested: number | undefined;

  constructor(message: string, { suggested, cause }: { suggested?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause });
    this.suggested = suggested;
  }
}

/** The rules of a system of one's own failed, or did what rules must not do. Exit code 1. */
export class RulesError extends Error {
  override readonly name = 'RulesError';
}

/** The same state and the same draws have led to something else: the rules are no function of state and door. */
export function unsteady(): RulesError {
  return new RulesError(
    'from the same state, after the same draws, the rules asked for other draws than before: they depend on something ' +
      'else, such as a variable that a step changes. Keep all that a battle changes in its state; "warpool conform" looks ' +
      'for the cause',
  );
}

/** Classes that keep their class on the way between threads. */
const CLASSES = [InputError, InputErrors, RunError, AbortError, BudgetError, RulesError] as const;

for (const each of CLASSES) marked(each);

/** An error as plain data: structured clones of errors lose class and fields. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Its own fields, such as `suggested`. */
  readonly fields: object;
}

/** An error as it is sent to another thread. */
export function packError(error: unknown): ErrorData {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, fields: JSON.parse(JSON.stringify({ ...(error as object) })) as object };
}

/** The error that another thread has sent. */
export function unpackError({ name, message, stack, fields }: ErrorData): Error {
  const made = CLASSES.find((each) => each.name === name) ?? Error;
  const error = Object.assign(new Error(message), fields, { name, stack });
  return Object.setPrototypeOf(error, made.prototype) as Error;
}
