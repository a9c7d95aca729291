/** Values as a file would have them. */
import { isMapping } from '../../src/rules/scenario/problem.ts';
import { plainOf, treeOf } from './tree.ts';

export interface Style {
  /** As JSON has it: names and texts in quotes. */
  readonly json: boolean;
}

const YAML: Style = { json: false };

const PLAIN = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ .+/()-]*[\p{L}\p{N}_.+/()-])?$/u;

/** True of a text that YAML reads as itself, in flow collections too. */
function plain(text: string): boolean {
  return PLAIN.test(text) && plainOf(treeOf(text).contents) === text;
}

export function textOf(text: string, { json }: Style): string {
  return !json && plain(text) ? text : JSON.stringify(text);
}

/** In one line: `{ name: Red, hp: 30 }`. */
export function flowOf(value: unknown, style: Style): string {
  const inner = (each: unknown): string => flowOf(each, style);
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
  if (isMapping(value)) {
    const fields = Object.entries(value).map(([name, field]) => `${textOf(name, style)}: ${inner(field)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return typeof value === 'string' ? textOf(value, style) : JSON.stringify(value ?? null);
}

/** Characters of a line that is still easy to read. */
const WIDTH = 100;

function linesOf(name: string, value: unknown, margin: string): string[] {
  const line = `${margin}${textOf(name, YAML)}: ${flowOf(value, YAML)}`;
  if (line.length <= WIDTH || typeof value !== 'object' || value === null) return [line];
  const head = `${margin}${textOf(name, YAML)}:`;
  const deeper = `${margin}  `;
  if (Array.isArray(value)) return [head, ...value.map((item) => `${deeper}- ${flowOf(item, YAML)}`)];
  return [head, ...Object.entries(value).flatMap(([inner, field]) => linesOf(inner, field, deeper))];
}

/** A scenario as a file: a line for each field, groups that are short in one line. */
export function fileOf(scenario: object): string {
  const lines = Object.entries(scenario).flatMap(([name, field]) => linesOf(name, field, ''));
  return `${lines.join('\n')}\n`;
}
