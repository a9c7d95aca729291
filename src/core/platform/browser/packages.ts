/** Browsers have no packages: an import map resolves names, and cannot be queried. */
import type { ImportReference, ResolvedFile, ResolvedImport } from '../types.ts';

/** Creates the record of a module without an importer. */
export const createResolvedFile = (url: URL): ResolvedFile => ({ url, package: undefined });

/** Resolves an import. */
export function resolveImport({ specifier, how }: ImportReference, from: URL): ResolvedImport {
  if (how === 'require' || !/^(?:\.{0,2}\/|[a-z][a-z\d+.-]*:\/\/)/i.test(specifier)) return { name: specifier };
  return { url: new URL(specifier, from), package: undefined };
}
