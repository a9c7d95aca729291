/** Declarations of a layout.ts as Python: words that the package in python/ reads and writes. */
import { type LanguageWriter, pascal, upper, writtenBy } from './declared.ts';

/** A class of numbers, of which no object is made. */
function classInPython(name: string, about: string, numbers: readonly (readonly [string, number])[]): string {
  const lines = numbers.map(([each, value]) => `    ${upper(each)} = ${String(value)}\n`);
  return `\nclass ${pascal(name)}:\n    """${about}"""\n\n${lines.join('')}\n`;
}

const PYTHON: LanguageWriter = {
  struct: (name, { at, size }) =>
    classInPython(name, 'Words by their numbers, and how many there are.', [...Object.entries(at), ['SIZE', size]]),
  list: (name, names) => `${name} = (\n${names.map((each) => `    "${each}",\n`).join('')})\n`,
  names: (name, members) => classInPython(name, 'Numbers by their names.', members),
  number: (name, value) => `${name} = ${String(value)}\n`,
  // Battles are played by kernels alone.
  numbers: () => '',
  places: () => '',
  metrics: () => '',
};

/** The exports of a module of declarations for Python; functions, lists of numbers and the like are left out. */
export function pythonOf(declarations: Readonly<Record<string, unknown>>): string {
  return `${writtenBy(PYTHON, declarations)
    .replaceAll(/\n{4,}/g, '\n\n\n')
    .trim()}\n`;
}
