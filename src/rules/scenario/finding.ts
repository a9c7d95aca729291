/** Says in a few words what was found. */
import { quoted } from './problem.ts';

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function listed(value: readonly unknown[]): string {
  return value.length === 0 ? 'an empty list' : `a list of ${String(value.length)}`;
}

function composite(value: object): string {
  if (Array.isArray(value)) return listed(value);
  if (!isPlain(value)) return 'an object that is not a mapping';
  return Object.keys(value).length === 0 ? 'an empty mapping' : 'a mapping';
}

/**
 * @param value what was found
 * @param text  how the file writes it, if it is a scalar of a file
 */
export function describeFound(value: unknown, text?: string): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return quoted(value);
    case 'number':
    case 'bigint':
      return (text ?? String(value)).slice(0, 40);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return text === '' ? 'nothing' : 'null';
      return composite(value);
    default:
      return `a ${typeof value}`;
  }
}

/** True for what a mapping of a file becomes. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value);
}
