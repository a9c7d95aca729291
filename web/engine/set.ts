/** Sets fields in the text of a scenario and leaves all else as it is written: comments, order, blank lines. */
import { parsePath } from '../../src/rules/scenario/problem.ts';
import { edited } from './edit.ts';

/** A value of a field, by its path: `attacker.hp`. */
export type Change = readonly [path: string, value: unknown];

/** @throws InputError if a path is none, or a field cannot be changed by itself */
export function setFields(text: string, changes: readonly Change[]): string {
  return changes.reduce((now, [path, value]) => edited(now, { kind: 'set', path: parsePath(path, path), value }), text);
}
