/** What code of a user may not do to the process that runs it: end it, or write into its answer. */
import { Console } from 'node:console';
import { RulesError } from '../../errors.ts';

/** Who is told of errors that nobody waits for, while a module is loaded. */
let strayListener: ((error: unknown) => void) | undefined;

/** The end of the process as Node has it. */
let originalExit: typeof process.exit | undefined;

/** Ends the process: for warpool itself. What code of a user does when the process ends changes no exit code. */
export function exitProcess(code: typeof process.exitCode = process.exitCode): never {
  process.on('exit', () => {
    process.exitCode = code;
  });
  return (originalExit ?? process.exit.bind(process))(code);
}

/**
 * From now on `process.exit` throws in this thread, and what is written by `console.log` goes to standard error: standard
 * output has answers alone.
 */
export function guardProcess(): void {
  if (originalExit !== undefined) return;
  const quit = process.exit.bind(process);
  originalExit = quit;
  process.exit = (code) => {
    // Node ends a thread by it that an uncaught error has reached.
    if (/^[^\n]*\n[^\n]*\n.*\(node:internal\/main\//.test(new Error('exit').stack ?? '')) return quit(code);
    throw new RulesError(
      `process.exit(${code === undefined ? '' : String(code)}) was called: rules cannot end the program`,
    );
  };
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
}

/** From now on errors that nobody waits for are told so, until the function that is returned is called. */
export function listenForStrayErrors(tell: (error: unknown) => void): () => void {
  strayListener = tell;
  return () => {
    strayListener = undefined;
  };
}

/** Has errors that nobody waits for told: those of a module that is loaded are its own. */
export function reportStrayErrors(tell: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    (strayListener ?? tell)(error);
  });
}
