/** What differs between two sweep files. */
import { isMapping, type Path, pathOf } from '../../rules/scenario/problem.ts';

export interface Change {
  /** `axes[0].values`, or empty for the whole. */
  readonly path: string;
  /** As JSON; undefined where there is nothing. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function inside(before: unknown, after: unknown): (string | number)[] | undefined {
  if (isMapping(before) && isMapping(after)) return [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const lists = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  return lists ? [...before.keys()] : undefined;
}

const at = (value: unknown, step: string | number): unknown => (value as Record<string | number, unknown>)[step];

/** The least parts that differ, in the order of `before`. */
export function changesBetween(before: unknown, after: unknown, path: Path = []): Change[] {
  const [was, is] = [JSON.stringify(before), JSON.stringify(after)] as (string | undefined)[];
  if (was === is) return [];
  const steps = inside(before, after);
  if (steps === undefined) return [{ path: pathOf(path), before: was, after: is }];
  return steps.flatMap((step) => changesBetween(at(before, step), at(after, step), [...path, step]));
}

/** Changes that are told. */
const TOLD = 8;

/** Changes for a message. @param asked where what was asked for stands */
export function toldChanges(changes: readonly Change[], asked: string): string {
  const shown = changes.slice(0, TOLD).map(({ path, before = 'nothing', after = 'nothing' }) => {
    const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
    return `  ${path}: ${cut(before)} in the store, ${cut(after)} ${asked}`;
  });
  const more = changes.length - shown.length;
  return [...shown, ...(more > 0 ? [`  and ${String(more)} more`] : [])].join('\n');
}
