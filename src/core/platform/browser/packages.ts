/** Browsers have no packages: names lead where an import map says, which nobody can ask. */
import type { ImportReference, ResolvedFile, ResolvedImport } from '../types.ts';

/** A module that nobody imports. */
export const createResolvedFile = (url: URL): ResolvedFile => ({ url, package: undefined });

/** Where an import leads. */
export function resolveImport({ specifier, how }: ImportReference, from: URL): ResolvedImport {
  if (how === 'require' || !/^(?:\.{0,2}\/|[a-z][a-z\d+.-]*:\/\/)/i.test(specifier)) return { name: specifier };
  return { url: new URL(specifier, from), package: undefined };
}
