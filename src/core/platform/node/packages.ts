/** Finds packages by the rules of Node. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import { moduleResolve } from 'import-meta-resolve';
import type { ImportReference, PackageInfo, ResolvedFile, ResolvedImport } from '../types.ts';

/** Conditions that select the entry of a package for an import. */
const CONDITIONS = new Set(['node', 'import', 'node-addons', 'module-sync']);
if (!('require_module' in process.features)) CONDITIONS.delete('module-sync');

/** Parses the package of a specifier; undefined for paths, `#name` and addresses. */
export function parsePackageName(specifier: string): string | undefined {
  return /^(?:@[^/\\%:]+\/)?[^@./\\#%:][^/\\%:]*(?=\/|$)/.exec(specifier)?.[0];
}

type PackageManifest = Readonly<Record<string, unknown>>;

/** Reads a package.json; undefined if there is no readable one. */
function readManifest(folder: URL): PackageManifest | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
    return typeof found === 'object' && found !== null ? (found as PackageManifest) : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the nearest package.json with such a field, in the folder of a file or above it. */
export function findNearestManifest(
  url: URL,
  field: string,
): { readonly folder: URL; readonly value: unknown } | undefined {
  for (let folder = new URL('.', url); ; folder = new URL('..', folder)) {
    const value = readManifest(folder)?.[field];
    if (value !== undefined) return { folder, value };
    if (folder.pathname.split('/').length <= 2 || folder.href === new URL('..', folder).href) return undefined;
  }
}

const resolveRealUrl = (url: URL): URL => pathToFileURL(realpathSync(url));

/** Reads the package of a folder. */
function readPackage(folder: URL): PackageInfo {
  const { name = 'a package', version = 'unknown' } = readManifest(folder) ?? {};
  return { label: `${String(name)}@${String(version)}`, root: new URL(`${resolveRealUrl(folder).href}/`) };
}

/** Finds the package of a file in `node_modules`. */
function findPackage(url: URL): PackageInfo | undefined {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(url.href) ?? [];
  return folder === undefined ? undefined : readPackage(new URL(folder));
}

/**
 * Creates the record of a module without an importer. Modules of warpool belong to no package: their hash is the same,
 * installed or not.
 */
export function createResolvedFile(url: URL): ResolvedFile {
  try {
    const owner = findPackage(url);
    return { url: resolveRealUrl(url), package: owner?.label.startsWith('warpool@') === true ? undefined : owner };
  } catch {
    return { url, package: undefined };
  }
}

/**
 * Resolves an import by the rules of Node; symbolic links are not followed yet. @throws Error if it cannot be resolved
 */
export function resolveSpecifier({ specifier, how }: ImportReference, from: URL): URL {
  if (how === 'require') return pathToFileURL(createRequire(from).resolve(specifier));
  const url = how === 'file' ? new URL(specifier, from) : moduleResolve(specifier, from, CONDITIONS, true);
  if (url.protocol === 'file:' && !statSync(url).isFile()) throw new Error('no regular file');
  return url;
}

/** Finds the package of a file that imports it by its own name. */
function findSelfPackage(url: URL): PackageInfo | undefined {
  const folder = findNearestManifest(url, 'name')?.folder;
  return findPackage(url) ?? (folder && readPackage(folder));
}

/** Resolves an import. */
export function resolveImport(imported: ImportReference, from: URL): ResolvedImport {
  const { specifier } = imported;
  if (isBuiltin(specifier)) return { name: specifier.replace(/^(?!node:)/, 'node:') };
  try {
    const url = resolveSpecifier(imported, from);
    if (url.protocol !== 'file:') return { name: specifier };
    const name = parsePackageName(specifier);
    const owner = name === undefined ? findPackage(url) : findSelfPackage(url);
    return name === 'warpool' && owner !== undefined
      ? { name: owner.label }
      : { url: resolveRealUrl(url), package: owner };
  } catch {
    return { name: specifier };
  }
}

/** Resolves a specifier to a file. @throws Error if there is no such package, or no such file in it */
export function resolvePackageFile(specifier: string, folder: string): string {
  const url = resolveSpecifier({ specifier, how: 'import' }, pathToFileURL(`${folder}/warpool.js`));
  if (url.protocol !== 'file:') throw new Error(`${specifier} is a built-in module of Node`);
  return url.href;
}
