/** A call of the command line, from its arguments to its exit code. */
import { Ended, failed } from './failure.ts';
import { program } from './program.ts';

/**
 * Does what the arguments ask for; what goes wrong is told on standard error.
 * @param args without the name of the program
 * @returns the exit code
 */
export async function call(args: readonly string[]): Promise<number> {
  try {
    await (await program(args)).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const { code, message } = failed(error);
    if (message !== '') process.stderr.write(`${message}\n`);
    if (process.env['GITHUB_ACTIONS'] === 'true' && !(error instanceof Ended)) {
      const { annotateFailure } = await import('./github.ts');
      annotateFailure(error, message);
    }
    return code;
  }
}
