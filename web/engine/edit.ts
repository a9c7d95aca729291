/** Changes single fields in a text and leaves all else of it as it is: comments, order, blanks. */
import { isMap, isScalar } from 'yaml';
import { InputError } from '../../src/core/errors.ts';
import { type Path, pathOf, withField } from '../../src/rules/scenario/problem.ts';
import { type Splice, spliceFor, without } from './splice.ts';
import { plainOf, treeOf } from './tree.ts';
import type { Style } from './written.ts';

/** A change of one field: another value, none, or one more in a list. */
export type Edit =
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'append'; readonly path: Path; readonly value: unknown };

/** An edit that appends is one that sets what is behind the last. */
function whole(scenario: unknown, edit: Edit): Edit {
  if (edit.kind !== 'append') return edit;
  const list = edit.path.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    scenario,
  );
  return { kind: 'set', path: [...edit.path, Array.isArray(list) ? list.length : 0], value: edit.value };
}

/** What a value is once a field of it is set; unlike in other changes a list may grow. */
function grown(value: unknown, path: Path, field: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return field;
  if (typeof step === 'number') {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    return list.toSpliced(step, 1, grown(list[step], rest, field));
  }
  return withField(
    value,
    [step],
    grown((value as Record<string, unknown> | null | undefined)?.[step], rest, field),
    'form',
  );
}

function expectedOf(scenario: unknown, { kind, path, ...edit }: Edit): unknown {
  return kind === 'remove' ? without(scenario, path) : grown(scenario, path, 'value' in edit ? edit.value : undefined);
}

/** True of a text whose names and texts are in quotes. */
function styleOf(contents: unknown): Style {
  const key = isMap(contents) && contents.flow === true ? contents.items[0]?.key : undefined;
  return { json: isScalar(key) && key.type === 'QUOTE_DOUBLE' };
}

function holds(text: string, expected: unknown): boolean {
  const tree = treeOf(text);
  return tree.errors.length === 0 && JSON.stringify(plainOf(tree.contents)) === JSON.stringify(expected);
}

const apply = (text: string, { from, to, insert }: Splice): string => text.slice(0, from) + insert + text.slice(to);

/** The text as the library writes it again: comments and order are kept, blanks are not. */
function rewritten(text: string, edit: Edit): string {
  const tree = treeOf(text);
  if (edit.kind === 'remove') tree.deleteIn(edit.path);
  else tree.setIn(edit.path, tree.createNode(edit.value));
  return tree.toString({ lineWidth: 0 });
}

/** What a way of changing the text has made, if it says what it should. */
function attempt(way: () => string, expected: unknown): string | undefined {
  try {
    const changed = way();
    return holds(changed, expected) ? changed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The text with one field changed.
 * @throws InputError if the text cannot be read, or the field cannot be changed by itself: it is part of an alias
 */
export function edited(text: string, edit: Edit): string {
  const tree = treeOf(text);
  if (tree.errors.length > 0) throw new InputError('scenario', 'valid YAML', 'a text that cannot be read');
  const scenario = plainOf(tree.contents) ?? {};
  const change = whole(scenario, edit);
  const expected = expectedOf(scenario, change);
  const ways = [
    () => apply(text, spliceFor(text, tree, change, styleOf(tree.contents))),
    () => rewritten(text, change),
  ];
  for (const way of ways) {
    const changed = attempt(way, expected);
    if (changed !== undefined) return changed;
  }
  throw new InputError(pathOf(edit.path), 'a field that can be changed by itself', 'one that other fields share');
}
