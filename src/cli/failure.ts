/** From an error to what people read and scripts get. */
import { CommanderError } from 'commander';
import { AbortError, BudgetError, InputError, ReaderGone, RulesError, RunError } from '../core/index.ts';
import { LateError } from '../core/platform/calls.ts';
import { messageOf, stackOf } from '../rules/index.ts';
import { cleanLines } from '../tell/index.ts';
import { LONGER } from './apart.ts';

/** 0 done, 1 the run failed, 2 bad input or usage, 130 or 143 interrupted. */
export interface Failure {
  readonly code: number;
  /** For standard error; empty if all has been said. */
  readonly message: string;
}

/** A command that has told all it had to tell and ends with this exit code. */
export class Ended extends Error {
  override readonly name = 'Ended';
  readonly code: number;

  constructor(code: number, message = '') {
    super(message);
    this.code = code;
  }
}

/** Ends a command that a signal stopped, once it has shown what it has. */
export function endIfStopped(signals: { code(): number | undefined }, message?: string): void {
  const code = signals.code();
  if (code !== undefined) throw new Ended(code, message);
}

/** The end of what a signal stopped before there was anything to show; other errors as they are. */
export function stopped(error: unknown, signals: { code(): number | undefined }): never {
  if (error instanceof RunError) endIfStopped(signals, `interrupted: ${error.message}`);
  throw error;
}

/** How a larger budget is asked for on the command line. */
const OPTION = (budget: number): string => `"--budget ${String(budget)}"`;

/**
 * The error of something beyond its budget; behind its message the budget that may be enough, where one is known, and
 * what can be done instead. Other errors as they are.
 */
export function advised(error: unknown, instead: string, option = OPTION): unknown {
  if (!(error instanceof BudgetError)) return error;
  const { message, suggested } = error;
  const larger = suggested === undefined ? '' : `${option(suggested)} may be enough; `;
  return new BudgetError(`${message}\n${larger}${instead}`, { suggested, cause: error });
}

/** What can be done instead of an exact answer that `--exact always` asks for. */
export const BATTLES_INSTEAD = 'battles can be played: leave "--exact always" out';

/** Does what may be beyond its budget; what can be done instead is then said behind the message. */
export function within<T>(act: () => T, instead: string): T {
  try {
    return act();
  } catch (error) {
    throw advised(error, instead);
  }
}

/** Options that messages of the library mention, as the command line calls them. */
const asFlags = (message: string): string => message.replaceAll(/\boption (systems|resume)\b/g, '--$1');

/** An error each of whose mistakes is told otherwise. */
export const retold = (error: InputError, change: (each: InputError) => InputError): InputError =>
  InputError.of(error.errors.map(change), error.more) ?? error;

/** Names options of the library in an error as the command line calls them. */
export const inFlags = (error: InputError): InputError =>
  retold(error, (each) => new InputError(each.place, asFlags(each.expected), asFlags(each.found), each));

function withTrace(error: unknown, message: string): string {
  const trace = process.env['WARPOOL_DEBUG'] ? stackOf(error) : '';
  return cleanLines(asFlags(trace === '' ? message : trace));
}

/** What to say of an error and which exit code it has. `WARPOOL_DEBUG=1` adds the stack trace. */
export function failed(error: unknown): Failure {
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : 2, message: '' };
  if (error instanceof Ended) return { code: error.code, message: cleanLines(error.message) };
  if (error instanceof AbortError && error.cause instanceof Ended)
    return { code: error.cause.code, message: `interrupted: ${error.message}` };
  if (error instanceof ReaderGone) return { code: 0, message: '' };
  if (error instanceof InputError) {
    return { code: 2, message: withTrace(error, error.message) };
  }
  const known = [RunError, BudgetError, RulesError].some((known) => error instanceof known);
  const text = messageOf(error);
  const told = error instanceof LateError ? `${text} ${LONGER}` : text;
  const advice = known ? told : `unexpected error: ${text} (WARPOOL_DEBUG=1 shows where)`;
  return { code: 1, message: withTrace(error, `warpool: ${advice}`) };
}
