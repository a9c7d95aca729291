/** Packages, found as Node finds them. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import { moduleResolve } from 'import-meta-resolve';
import type { EntryFile, Followed, ImportLike, Package } from '../types.ts';

/** Which entries of a package an import takes. */
const CONDITIONS = new Set(['node', 'import', 'node-addons', 'module-sync']);
if (!('require_module' in process.features)) CONDITIONS.delete('module-sync');

/** The package that a specifier names; undefined for paths, `#name` and addresses. */
export function packageName(specifier: string): string | undefined {
  return /^(?:@[^/\\%:]+\/)?[^@./\\#%:][^/\\%:]*(?=\/|$)/.exec(specifier)?.[0];
}

type Fields = Readonly<Record<string, unknown>>;

/** A package.json; undefined if there is none that can be read. */
function manifestIn(folder: URL): Fields | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
    return typeof found === 'object' && found !== null ? (found as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** The nearest package.json with such a field, in the folder of a file or above it. */
export function nearest(url: URL, field: string): { readonly folder: URL; readonly value: unknown } | undefined {
  for (let folder = new URL('.', url); ; folder = new URL('..', folder)) {
    const value = manifestIn(folder)?.[field];
    if (value !== undefined) return { folder, value };
    if (folder.pathname.split('/').length <= 2 || folder.href === new URL('..', folder).href) return undefined;
  }
}

const real = (url: URL): URL => pathToFileURL(realpathSync(url));

/** The package whose folder this is. */
function packageIn(folder: URL): Package {
  const { name = 'a package', version = 'unknown' } = manifestIn(folder) ?? {};
  return { label: `${String(name)}@${String(version)}`, root: new URL(`${real(folder).href}/`) };
}

/** The package that a file in `node_modules` is of. */
function packageOf(url: URL): Package | undefined {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(url.href) ?? [];
  return folder === undefined ? undefined : packageIn(new URL(folder));
}

/** A module that nobody imports. Those of warpool itself are no package's: their hash is one, installed or not. */
export function entryOf(url: URL): EntryFile {
  try {
    const owner = packageOf(url);
    return { url: real(url), package: owner?.label.startsWith('warpool@') === true ? undefined : owner };
  } catch {
    return { url, package: undefined };
  }
}

/** Where an import leads by the rules of Node; links are not followed yet. @throws Error if nowhere */
export function resolved({ specifier, how }: ImportLike, from: URL): URL {
  if (how === 'require') return pathToFileURL(createRequire(from).resolve(specifier));
  const url = how === 'file' ? new URL(specifier, from) : moduleResolve(specifier, from, CONDITIONS, true);
  if (url.protocol === 'file:' && !statSync(url).isFile()) throw new Error('no regular file');
  return url;
}

/** The package of a file that was imported by the name of that package. */
function packageAround(url: URL): Package | undefined {
  const folder = nearest(url, 'name')?.folder;
  return packageOf(url) ?? (folder && packageIn(folder));
}

/** Where an import leads. */
export function follow(imported: ImportLike, from: URL): Followed {
  const { specifier } = imported;
  if (isBuiltin(specifier)) return { name: specifier.replace(/^(?!node:)/, 'node:') };
  try {
    const url = resolved(imported, from);
    if (url.protocol !== 'file:') return { name: specifier };
    const name = packageName(specifier);
    const owner = name === undefined ? packageOf(url) : packageAround(url);
    return name === 'warpool' && owner !== undefined ? { name: owner.label } : { url: real(url), package: owner };
  } catch {
    return { name: specifier };
  }
}

/** The file that a package has under a name. @throws Error if there is no such package, or no such file in it */
export function packageFile(specifier: string, folder: string): string {
  const url = resolved({ specifier, how: 'import' }, pathToFileURL(`${folder}/warpool.js`));
  if (url.protocol !== 'file:') throw new Error(`${specifier} is a module of Node`);
  return url.href;
}
