/** Errors about copies, told of what they are copies of. */
import { InputError, RunError } from '../../core/errors.ts';

/** A folder of this process, and where what lies in it comes from. */
export interface Copied {
  readonly folder: string;
  readonly url: string;
}

/** A text that names the origins in the place of the folders. */
export function retoldText(text: string, copies: readonly Copied[]): string {
  return copies.reduce((told, { folder, url }) => told.replaceAll(folder, url), text);
}

/** Does something with copies; errors that name them name their origins. */
export async function retold<T>(copies: readonly Copied[], act: () => Promise<T>): Promise<T> {
  const told = (text: string): string => retoldText(text, copies);
  try {
    return await act();
  } catch (error) {
    if (error instanceof InputError) throw new InputError(told(error.place), told(error.expected), told(error.found));
    throw error instanceof RunError ? new RunError(told(error.message), { cause: error }) : error;
  }
}
