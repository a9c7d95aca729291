/** Several parts of one file, checked together: all that is wrong with them is told at once. */
import { InputError, InputErrors } from '../../core/errors.ts';

/** How many further errors are not told. */
const untold = (errors: readonly unknown[]): number =>
  errors.reduce<number>((sum, error) => sum + (error instanceof InputErrors ? error.more : 0), 0);

/** Input errors that are told together, each once. */
function distinct(errors: readonly unknown[]): InputError[] {
  const inputs = errors.flatMap((error) => {
    if (error instanceof InputErrors) return error.errors;
    if (error instanceof InputError) return [error];
    throw error;
  });
  return [...new Map(inputs.map((error) => [error.message, error])).values()];
}

/**
 * What all parts give.
 * @param sorted brings the errors into the order in which they are told; that of the parts unless given
 * @throws InputError, or InputErrors with those of all parts; other errors as they are
 */
export async function together<const T extends readonly (() => unknown)[]>(
  parts: T,
  sorted: (errors: InputError[]) => readonly InputError[] = (errors) => errors,
): Promise<{ -readonly [P in keyof T]: Awaited<ReturnType<T[P]>> }> {
  const results = await Promise.allSettled(parts.map(async (part) => await part()));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const errors = sorted(distinct(failures));
  const [only] = errors;
  const more = untold(failures);
  if (only !== undefined) throw errors.length + more === 1 ? only : new InputErrors(errors, more);
  const values = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  return values as { -readonly [P in keyof T]: Awaited<ReturnType<T[P]>> };
}
