/** What the field is about that stands at a place of a text. */

import { type Path, pathOf } from '../../src/rules/scenario/problem.ts';
import { acceptedBy, defaultOf, fieldAt } from './schemas.ts';
import { childrenOf, endOf, nodeAt, plainOf, startOf, treeOf } from './tree.ts';

export interface Hint {
  readonly from: number;
  readonly to: number;
  /** `attacker.hp` */
  readonly path: string;
  readonly accepts: string;
  readonly default?: string | undefined;
  readonly about: string;
}

interface Place {
  readonly path: Path;
  readonly from: number;
  readonly to: number;
}

const around = (node: unknown, at: number): boolean => startOf(node) <= at && at <= endOf(node) && endOf(node) > -1;

/** The name or the value, without inner ones, at an offset. */
function placeIn(node: unknown, at: number, path: Path): Place | undefined {
  for (const { step, key, value } of childrenOf(node)) {
    const here = [...path, step];
    if (around(key, at)) return { path: here, from: startOf(key), to: endOf(key) };
    if (!around(value, at)) continue;
    const deeper = placeIn(value, at, here);
    if (deeper !== undefined) return deeper;
    return childrenOf(value).length > 0 ? undefined : { path: here, from: startOf(value), to: endOf(value) };
  }
  return undefined;
}

export function hintAt(text: string, offset: number): Hint | undefined {
  const tree = treeOf(text);
  const place = placeIn(nodeAt(tree, []), offset, []);
  if (place === undefined) return undefined;
  const { path, from, to } = place;
  const field = fieldAt(plainOf(tree.contents), path);
  if (field === undefined) return undefined;
  return { from, to, path: pathOf(path), accepts: acceptedBy(field), default: defaultOf(field), about: field.about };
}
