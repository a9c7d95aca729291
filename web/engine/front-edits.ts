/** What is done to whole sides at once: each is one change of the text. */
import { valueAt } from '../../src/rules/scenario/problem.ts';
import { type Edit, edited } from './edit.ts';
import { frontOf } from './front.ts';
import { plainOf, treeOf } from './tree.ts';

const applied = (text: string, edits: readonly Edit[]): string => edits.reduce(edited, text);

/** What makes a field what another one was. */
function takes(path: Edit['path'], value: unknown, before: unknown): readonly Edit[] {
  if (JSON.stringify(value) === JSON.stringify(before)) return [];
  return [value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value }];
}

/** The text with its two sides exchanged, as far as both can have the same fields. */
export function exchanged(text: string): string {
  const scenario = plainOf(treeOf(text).contents);
  const edits = frontOf(text).swaps.flatMap(([one, other]) => {
    const [a, b] = [valueAt(scenario, one), valueAt(scenario, other)];
    return [...takes(one, b, a), ...takes(other, a, b)];
  });
  return applied(text, edits);
}

/** The text without units by types. @param side of one side; of all unless given */
export function cleared(text: string, side?: string): string {
  const sides = frontOf(text).sides.filter(({ id }) => side === undefined || id === side);
  const there = sides.flatMap(({ counters }) => counters.filter(({ kind, value }) => kind === 'type' && value > 0));
  return applied(
    text,
    there.map(({ path }) => ({ kind: 'remove', path })),
  );
}
