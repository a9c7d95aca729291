/** Sets fields in the text of a scenario and leaves all else as it is written: comments, order, blank lines. */
import { parseDocument } from 'yaml';
import { parsePath } from '../../src/scenario/path.ts';

/** A value of a field, by its path: `attacker.hp`. */
export type Change = readonly [path: string, value: unknown];

/** @throws InputError if a path is none */
export function setFields(text: string, changes: readonly Change[]): string {
  const document = parseDocument(text);
  for (const [path, value] of changes) document.setIn(parsePath(path, path), value);
  return document.toString({ lineWidth: 0 });
}
