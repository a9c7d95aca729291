/** Commands that may run code of a user: it ends no command, and writes nothing into its answer. */
import { guard, watchStrays } from '#platform/guard';
import { thrownAt } from '../rules/index.ts';
import { cleanLines } from '../tell/index.ts';

/**
 * Does a command in this thread.
 * @param leave ends it at once with exit code 1: called after an error that nobody waited for
 * @returns the exit code; 1 if there was such an error
 */
export async function guarded(command: () => Promise<number> | number, leave: () => void): Promise<number> {
  guard();
  let strays = 0;
  watchStrays((error) => {
    if (strays++ === 0)
      process.stderr.write(`warpool: an error that nobody waited for: ${cleanLines(thrownAt(error))}\n`, leave);
  });
  const code = await command();
  // Node tells of rejected promises that nobody waited for at the end of a turn.
  await new Promise((resolve) => setImmediate(resolve));
  return strays > 0 ? 1 : code;
}
