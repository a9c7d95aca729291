/** What is done to whole sides at once: each is one change of the text. */
import { valueAt } from '../../src/rules/scenario/problem.ts';
import { type Edit, edited } from './edit.ts';
import { frontOf } from './front.ts';
import { refusedIn } from './front-joins.ts';
import { plainOf, treeOf } from './tree.ts';

const applied = (text: string, edits: readonly Edit[]): string => edits.reduce(edited, text);

/** What makes a field what another one was. */
function takes(path: Edit['path'], value: unknown, before: unknown): readonly Edit[] {
  if (JSON.stringify(value) === JSON.stringify(before)) return [];
  return [value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value }];
}

export interface Exchanged {
  readonly text: string;
  /** The fields that stay where they are: the other side cannot have what they say. */
  readonly stay: readonly string[];
}

/** The text with its two sides exchanged, as far as both can have the same fields with the same values. */
export function exchanged(text: string): Exchanged {
  const scenario = plainOf(treeOf(text).contents);
  const wasFine = refusedIn(text).length === 0;
  const stay: string[] = [];
  let swaps = frontOf(text).swaps;
  for (;;) {
    const edits = swaps.flatMap(([one, other]) => {
      const [a, b] = [valueAt(scenario, one), valueAt(scenario, other)];
      return [...takes(one, b, a), ...takes(other, a, b)];
    });
    const after = applied(text, edits);
    const refused = wasFine ? refusedIn(after) : [];
    const isRefused = (path: Edit['path']): boolean =>
      refused.some((place) => place === path.join('.') || place.startsWith(`${path.join('.')}.`));
    const kept = swaps.filter((pair) => pair.some(isRefused));
    if (kept.length === 0) return { text: refused.length > 0 ? text : after, stay };
    stay.push(...kept.map(([one]) => String(one.at(-1))));
    swaps = swaps.filter((pair) => !kept.includes(pair));
  }
}

/** The sides that could have units by types and have none: what is to be filled before there is a battle. */
export const emptyIn = (text: string): string[] =>
  frontOf(text)
    .sides.filter(({ counters }) => counters.length > 0 && counters.every((c) => c.kind === 'type' && c.value === 0))
    .map(({ name }) => name);

/** The text without units by types, and without the settings of a side that has such. @param side of one side; of all unless given */
export function cleared(text: string, side?: string): string {
  const sides = frontOf(text).sides.filter(({ id }) => side === undefined || id === side);
  const there = sides.flatMap(({ counters, more }) => {
    const types = counters.filter(({ kind }) => kind === 'type');
    const settings = more.filter(({ present, required, name }) => present && !required && name !== 'name');
    return [...types.filter(({ value }) => value > 0), ...(types.length > 0 ? settings : [])];
  });
  return applied(
    text,
    there.map(({ path }) => ({ kind: 'remove', path })),
  );
}
