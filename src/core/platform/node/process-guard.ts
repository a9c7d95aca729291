/** Prevents code of users from ending the process and from writing to standard output. */
import { Console } from 'node:console';
import { RulesError } from '../../errors.ts';

/** Receives stray errors while a module is loaded. */
let strayListener: ((error: unknown) => void) | undefined;

/** The original function of Node. */
let originalExit: typeof process.exit | undefined;

/** Ends the process, for warpool itself. Exit handlers of user code do not change the exit code. */
export function exitProcess(code: typeof process.exitCode = process.exitCode): never {
  process.on('exit', () => {
    process.exitCode = code;
  });
  return (originalExit ?? process.exit.bind(process))(code);
}

/**
 * Makes `process.exit` throw in this thread, and redirects `console.log` to standard error: standard output is only for
 * results.
 */
export function guardProcess(): void {
  if (originalExit !== undefined) return;
  const quit = process.exit.bind(process);
  originalExit = quit;
  process.exit = (code) => {
    // Node ends a thread with it after an uncaught error.
    if (/^[^\n]*\n[^\n]*\n.*\(node:internal\/main\//.test(new Error('exit').stack ?? '')) return quit(code);
    throw new RulesError(
      `process.exit(${code === undefined ? '' : String(code)}) was called: rules cannot end the program`,
    );
  };
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
}

/** Redirects stray errors to a listener until the returned function is called. */
export function listenForStrayErrors(listener: (error: unknown) => void): () => void {
  strayListener = listener;
  return () => {
    strayListener = undefined;
  };
}

/** Reports stray errors, except those of a module that is being loaded. */
export function reportStrayErrors(report: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    (strayListener ?? report)(error);
  });
}
