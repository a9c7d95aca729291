/**
 * Locates files of the package that are not modules of the library: kernels, scripts of threads, the package of the
 * pool.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RunError } from '../../errors.ts';
import { version } from '../../version.ts';

/** This module, or the bundle that contains it; CommonJS bundles of other packages do not know their location. */
const url = (import.meta.url as string | undefined) ?? pathToFileURL(join(process.cwd(), 'bundle.js')).href;

// Not imported, because webpack replaces the imported function.
const { createRequire } = process.getBuiltinModule('node:module');

const require = createRequire(url);

const PACKAGE_NEEDED =
  'a bundle needs the package warpool in node_modules next to or above it, see docs/how-to/browsers.md';

/** Finds the package.json of the installed package, for a bundle: the package of the bundle lacks these files. */
function findInstalledPackage(): string {
  let path: string;
  try {
    path = require.resolve('warpool/package.json');
  } catch (error) {
    throw new RunError(`${url} is not part of the package warpool: ${PACKAGE_NEEDED}`, { cause: error });
  }
  const { version: other } = require(path) as { readonly version: string };
  if (other !== version())
    throw new RunError(`${path} has version ${other}, the bundle has ${version()}: rebuild the bundle`);
  return path;
}

/** Folder of the package, for its own bundles; undefined for sources and bundles of other packages. */
const root = /^file:.*\/(?=dist\/(?:program|library|rpc|threads)\/[^/]+$)/.exec(url)?.[0];

/**
 * Finds the path of a file of the package. Node takes a millisecond to resolve a name.
 * @param name key in `imports` of package.json
 * @param relative location in the package
 * @param missing error message if the package has no such file
 */
function findPackageFile(name: string, relative: string, missing: string): string {
  const near = root === undefined ? '' : fileURLToPath(new URL(relative, root));
  if (existsSync(near)) return near;
  try {
    return require.resolve(name);
  } catch (error) {
    const path = join(findInstalledPackage(), '..', relative);
    if (existsSync(path)) return path;
    throw new RunError(missing, { cause: error });
  }
}

/** Finds the file of the package for paths such as `scenarios/...` and `examples/...` in manuals. */
export function findExampleFile(path: string): string | undefined {
  if (!/^(?:\.\/)?(?:scenarios|examples)\//.test(path)) return undefined;
  try {
    return require.resolve(`warpool/${path.replace(/^\.\//, '')}`);
  } catch {
    return undefined;
  }
}

/** Returns the path of the module of a game. @throws RunError if it is missing */
export function getGameFile(id: string): string {
  const file = `examples/games/${id}.mjs`;
  return findPackageFile(`warpool/${file}`, file, `the file ${file} of the package is missing`);
}

/** Returns the path of a kernel. @throws RunError if it is not built */
export function getKernelFile(build: string, name: string): string {
  const file = `${build}/${name}.wasm`;
  return findPackageFile(
    `#kernels/${file}`,
    `dist/kernels/${file}`,
    `the kernel of ${name} is not built; run "npm run build"`,
  );
}

/** Returns the path of a file in workers/. @throws RunError if it is not built */
export function getThreadFile(file: string): string {
  const missing = `the worker file ${file} is missing; is the package built and the task name correct?`;
  return findPackageFile(`#worker/${file}`, `dist/threads/${file}`, missing);
}

/** Loads Piscina, which starts threads from its own files: it cannot be part of a bundle. */
export function requirePiscina(): typeof import('piscina') {
  try {
    return require('piscina') as typeof import('piscina');
  } catch {
    return createRequire(findInstalledPackage())('piscina') as typeof import('piscina');
  }
}

function getFontFile(file: string): string {
  return findPackageFile(`#fonts/${file}`, `dist/fonts/${file}`, `the font ${file} is missing; is the package built?`);
}

/** Returns the files of the only font of figures: plain and bold. @throws RunError if they are not built */
export function getFontFiles(): readonly [plain: string, bold: string] {
  return [getFontFile('DejaVuSans.ttf'), getFontFile('DejaVuSans-Bold.ttf')];
}
