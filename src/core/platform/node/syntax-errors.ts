/** Locates the syntax error of a module that Node does not load. */
import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportReference } from '../types.ts';
import { findNearestManifest, parsePackageName, resolveSpecifier } from './packages.ts';

/** Time limit of Node for parsing a file, in milliseconds. */
const CHECK_MS = 10_000;

/** Returns the output of `node --check` for a file. */
function runSyntaxCheck(path: string): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', path], { env, timeout: CHECK_MS }, (_error, _stdout, stderr) => {
      resolve(stderr);
    });
  });
}

/** Lines that Node prints before the name of an error: `duel.js:3`, the source line, and a mark below it. */
const SHOWN_POSITION = /^(?:file:\/\/)?(\/[^\n]*:\d+|[A-Za-z]:\\[^\n]*:\d+)\n([\s\S]*?\^+)\s*\n/m;

/** Extracts the position of an error from a text: its line, and the source at this line. */
export function findShownPosition(text: string): string | undefined {
  const [, place, excerpt] = SHOWN_POSITION.exec(text) ?? [];
  return place === undefined ? undefined : `${place}\n${excerpt ?? ''}`;
}

/** Finds the first file with a syntax error: its line, and the source at this line. */
export async function findSyntaxError(urls: readonly URL[]): Promise<string | undefined> {
  for (const url of urls) {
    const found = findShownPosition(await runSyntaxCheck(fileURLToPath(url)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Explains why Node does not load a file as an ES module, and how to fix that. */
export function adviseCommonJs(url: URL): string | undefined {
  const path = fileURLToPath(url);
  const result = extname(path);
  const renamed = path.replace(/\.[^./\\]*$/, result.endsWith('ts') ? '.mts' : '.mjs').replace(/^.*[/\\]/, '');
  if (result === '.cjs' || result === '.cts') return `name it ${renamed}`;
  const type = findNearestManifest(url, 'type');
  if (!['.js', '.ts'].includes(result) || type?.value !== 'commonjs') return undefined;
  return `name it ${renamed}, or write "type": "module" in ${fileURLToPath(new URL('package.json', type.folder))}`;
}

/** Returns true if an import cannot be resolved. */
export function isMissingImport(imported: ImportReference, from: URL): boolean {
  if (imported.how !== 'import' || /^[a-z]+:/.test(imported.specifier)) return false;
  try {
    resolveSpecifier(imported, from);
    return false;
  } catch {
    return parsePackageName(imported.specifier) !== undefined || /^[./#]/.test(imported.specifier);
  }
}
