/** Converts errors to messages and exit codes. */
import { CommanderError } from 'commander';
import { AbortError, BudgetError, InputError, OutputClosedError, RulesError, RunError } from '../core/index.ts';
import { RulesTimeoutError } from '../core/platform/rules-call.ts';
import { sanitizeLines } from '../report/index.ts';
import { getErrorMessage, getStack } from '../rules/index.ts';
import { RULE_LIMIT_HINT } from './command-thread-host.ts';

/** 0 done, 1 the run failed, 2 bad input or usage, 130 or 143 interrupted. */
export interface Failure {
  readonly code: number;
  /** For standard error; empty if nothing remains to print. */
  readonly message: string;
}

/** Ends a command that has printed everything, with this exit code. */
export class CommandExit extends Error {
  override readonly name = 'Ended';
  readonly code: number;

  constructor(code: number, message = '') {
    super(message);
    this.code = code;
  }
}

/** Ends a command after a signal, once it has printed its results. */
export function endIfStopped(signals: { getExitCode(): number | undefined }, message?: string): void {
  const code = signals.getExitCode();
  if (code !== undefined) throw new CommandExit(code, message);
}

/** Advice to continue work with a folder. */
export const RESUME_ADVICE = '; add --resume to continue';

/**
 * Converts the error of work that a signal stopped before any result; other errors are unchanged.
 * @param next how to continue
 */
export function toStopError(error: unknown, signals: { getExitCode(): number | undefined }, next = ''): never {
  if (error instanceof RunError) endIfStopped(signals, `interrupted: ${error.message}${next}`);
  throw error;
}

/** Formats a larger budget as an option of the command line. */
const formatBudgetOption = (budget: number): string => `"--budget ${String(budget)}"`;

/** Adds advice to a budget error: a sufficient budget, if known, and an alternative. Other errors are unchanged. */
export function addBudgetAdvice(error: unknown, instead: string, option = formatBudgetOption): unknown {
  if (!(error instanceof BudgetError)) return error;
  const { message, suggested } = error;
  const larger = suggested === undefined ? '' : `${option(suggested)} may be enough; `;
  return new BudgetError(`${message}\n${larger}${instead}`, { suggested, cause: error });
}

/** Alternative to the exact answer that `--exact always` requires. */
export const BATTLES_INSTEAD = 'to simulate instead, omit "--exact always"';

/** Runs work with a budget, and adds advice to its error. */
export function runWithBudgetAdvice<T>(act: () => T, instead: string): T {
  try {
    return act();
  } catch (error) {
    throw addBudgetAdvice(error, instead);
  }
}

/** Replaces library options in messages by command-line options. */
const renameOptionsInText = (message: string): string => message.replaceAll(/\boption (systems|resume)\b/g, '--$1');

/** Applies a change to each error in an InputError. */
export const mapInputErrors = (error: InputError, change: (each: InputError) => InputError): InputError =>
  InputError.of(error.errors.map(change), error.more) ?? error;

/** Adds the file of a scenario to errors about its system. */
export function addFileToErrors<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw mapInputErrors(error, (each) =>
      each.place === 'system'
        ? new InputError(`${file}: system`, each.expected, each.found, { code: each.code, file })
        : each,
    );
  }
}

/** Replaces library options in an error by command-line options. */
export const renameLibraryOptions = (error: InputError): InputError =>
  mapInputErrors(
    error,
    (each) => new InputError(each.place, renameOptionsInText(each.expected), renameOptionsInText(each.found), each),
  );

function addTrace(error: unknown, message: string): string {
  const trace = process.env['WARPOOL_DEBUG'] ? getStack(error) : '';
  return sanitizeLines(renameOptionsInText(trace === '' ? message : trace));
}

/** Returns message and exit code of an error. `WARPOOL_DEBUG=1` adds the stack trace. */
export function createFailure(error: unknown): Failure {
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : 2, message: '' };
  if (error instanceof CommandExit) return { code: error.code, message: sanitizeLines(error.message) };
  if (error instanceof AbortError && error.cause instanceof CommandExit)
    return { code: error.cause.code, message: `interrupted: ${error.message}` };
  if (error instanceof OutputClosedError) return { code: 0, message: '' };
  if (error instanceof InputError) {
    return { code: 2, message: addTrace(error, error.message) };
  }
  const known = [RunError, BudgetError, RulesError].some((known) => error instanceof known);
  const text = getErrorMessage(error);
  const reported = error instanceof RulesTimeoutError ? `${text} ${RULE_LIMIT_HINT}` : text;
  const advice = known ? reported : `unexpected error: ${text} (WARPOOL_DEBUG=1 shows where)`;
  return { code: 1, message: addTrace(error, `warpool: ${advice}`) };
}
