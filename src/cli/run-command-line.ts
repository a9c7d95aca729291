/** Command line, from arguments to exit code. */
import { CommandExit, createFailure } from './failure.ts';
import { createProgram } from './program.ts';

/** Other common ways to request the version. */
const VERSION = ['-v', 'version'];

/**
 * Runs the command line and prints errors on standard error.
 * @param given without the name of the program
 * @returns the exit code
 */
export async function runCommandLine(given: readonly string[]): Promise<number> {
  const args = given.length === 1 && VERSION.includes(given[0] ?? '') ? ['--version'] : given;
  try {
    await (await createProgram(args)).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const { code, message } = createFailure(error);
    let reported = message === '';
    if (process.env['GITHUB_ACTIONS'] === 'true' && !(error instanceof CommandExit)) {
      const { annotateFailure } = await import('./github.ts');
      reported = annotateFailure(error, message);
    }
    if (!reported) process.stderr.write(`${message}\n`);
    return code;
  }
}
