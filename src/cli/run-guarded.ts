/** Guard of commands that run user code, which must not end them or write to standard output. */
import { guardProcess, reportStrayErrors } from '#platform/process-guard';
import { sanitizeLines } from '../report/index.ts';
import { describeThrownAt } from '../rules/index.ts';

/**
 * Runs a command in this thread.
 * @param leave ends it at once with exit code 1: called after an unhandled error
 * @returns the exit code; 1 after such an error
 */
export async function runGuarded(command: () => Promise<number> | number, leave: () => void): Promise<number> {
  guardProcess();
  let strays = 0;
  reportStrayErrors((error) => {
    if (strays++ === 0)
      process.stderr.write(`warpool: unhandled error: ${sanitizeLines(describeThrownAt(error))}\n`, leave);
  });
  const code = await command();
  // Node reports unhandled rejections at the end of a turn.
  await new Promise((resolve) => setImmediate(resolve));
  return strays > 0 ? 1 : code;
}
