/** The place at which a text is no JavaScript: browsers tell what is wrong with a module, and not where. */
import { parse } from 'acorn';
import { InputError } from '../../../src/core/index.ts';

interface LineLocation {
  readonly loc: { readonly line: number; readonly column: number };
}

const hasLocation = (error: unknown): error is Error & LineLocation => error instanceof SyntaxError && 'loc' in error;

/** @throws InputError with the place, `duel.js:12:8`, for a text that is no module */
export function checkSyntax(text: string, file: string): void {
  try {
    parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch (error) {
    if (!hasLocation(error)) throw error;
    const { line, column } = error.loc;
    const what = error.message.replace(/ \(\d+:\d+\)$/, '');
    const found = `${what.charAt(0).toLowerCase()}${what.slice(1)} (compile TypeScript first)`;
    throw new InputError(`${file}:${String(line)}:${String(column + 1)}`, 'JavaScript', found);
  }
}
