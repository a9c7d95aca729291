/** Browsers have no packages: names lead where an import map says, which nobody can ask. */
import type { EntryFile, Followed, ImportLike } from '../types.ts';

/** A module that nobody imports. */
export const entryOf = (url: URL): EntryFile => ({ url, package: undefined });

/** Where an import leads. */
export function follow({ specifier, how }: ImportLike, from: URL): Followed {
  if (how === 'require' || !/^(?:\.{0,2}\/|[a-z][a-z\d+.-]*:\/\/)/i.test(specifier)) return { name: specifier };
  return { url: new URL(specifier, from), package: undefined };
}
