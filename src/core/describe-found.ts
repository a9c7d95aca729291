/** Describes invalid values in messages. */

/** Quotes a string, cut at 40 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}

/** Returns true for a plain object, such as a parsed mapping. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describeComposite(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${String(value.length)}`;
  if (!isPlainObject(value)) return 'an object that is not a mapping';
  return Object.keys(value).length === 0 ? 'an empty mapping' : 'a mapping';
}

/**
 * Describes a found value: `"ten"`, `an empty list`, `nothing`.
 * @param value the found value
 * @param text notation in the file, if it is a scalar of a file
 */
export function describeFound(value: unknown, text?: string): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return quote(value);
    case 'number':
    case 'bigint':
      return (text ?? String(value)).slice(0, 40);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return text === '' ? 'nothing' : 'null';
      return describeComposite(value);
    default:
      return `a ${typeof value}`;
  }
}
