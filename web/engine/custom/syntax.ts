/** Finds syntax errors with their position, which browsers do not report for modules. */
import { parse } from 'acorn';
import { InputError } from '../../../src/core/index.ts';

interface LineLocation {
  readonly loc: { readonly line: number; readonly column: number };
}

const hasLocation = (error: unknown): error is Error & LineLocation => error instanceof SyntaxError && 'loc' in error;

/** Checks the syntax of a module. @throws InputError with the position, `duel.js:12:8` */
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
