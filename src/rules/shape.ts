/** What makes a value a system: asked of what modules of users export. */
import type { System } from './system.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a system has at the least. */
const NEEDED: Readonly<Record<'id' | 'title' | 'about' | 'schema' | 'model', (value: unknown) => boolean>> = {
  id: (value) => typeof value === 'string',
  title: (value) => typeof value === 'string',
  about: (value) => typeof value === 'string',
  schema: (value) => typeof value === 'object' && value !== null && 'safeParse' in value,
  model: (value) => typeof value === 'function',
};

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function lacking(value: Fields): string[] {
  return Object.entries(NEEDED).flatMap(([name, holds]) => (holds(value[name]) ? [] : [name]));
}

export function isSystem(value: unknown): value is System {
  return isObject(value) && lacking(value).length === 0;
}

/** What the exports of a module without a system are instead: the nearest to one, and what it lacks. */
export function describeSystem(exports: Fields): string {
  const names = Object.keys(exports);
  if (names.length === 0) return 'no exports';
  const near = names
    .map((name) => ({ name, value: exports[name] }))
    .filter((each): each is { name: string; value: Fields } => isObject(each.value))
    .map(({ name, value }) => ({ name, without: lacking(value) }))
    .sort((a, b) => a.without.length - b.without.length)[0];
  if (near === undefined || near.without.length === Object.keys(NEEDED).length) return names.join(', ');
  return `${near.name} without ${near.without.join(', ')}`;
}
