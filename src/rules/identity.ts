/** Lists the imports of a module from its text, without running it. */

import { createSha256 } from '#platform/hash';
import { loadModuleBytes } from '#platform/modules';
import { createResolvedFile, resolveImport } from '#platform/packages';
import { adviseCommonJs, findShownPosition, findSyntaxError, isMissingImport } from '#platform/syntax-errors';
import { InputError } from '../core/index.ts';
import type { PackageInfo } from '../core/platform/types.ts';
import type { SystemModule } from './registry.ts';
import { describeThrown, describeThrownAt, findAuthorFrame, getStack } from './rules-guard.ts';

/** An import of a module. */
interface ModuleImport {
  /** Import target: a path, or the name of a package or of a module of Node. */
  readonly specifier: string;
  /** `require` resolves other extensions and entries of packages; a `file` is relative to the module. */
  readonly how: 'import' | 'require' | 'file';
  /** Position in the text. */
  readonly at: number;
}

/** Calls of `require` in a text without module syntax, and in one that creates a `require`. */
const REQUIRED = /\brequire\s*(?:\.\s*resolve\s*)?\(\s*(["'])([^"'\n\\]+)\1/g;

/** `new URL('./table.json', import.meta.url)`: reference to a file that a module reads. */
const URL_REFERENCE = /\bnew\s+URL\s*\(\s*(["'])(\.{1,2}\/[^"'\n\\]+)\1\s*,\s*import\.meta\.url\b/g;

/** Imports of a text that the lexer does not support, such as TypeScript. */
const LIKELY_IMPORT = /\b(?:from|import)\s*\(?\s*(["'])([^"'\n\\]+)\1/g;

function matchImports(text: string, pattern: RegExp, how: ModuleImport['how']): ModuleImport[] {
  return [...text.matchAll(pattern)].map((match) => ({ specifier: match[2] ?? '', how, at: match.index }));
}

/** Parses a specifier in quotes; undefined if it is computed. */
function parseSpecifier(source: string): string | undefined {
  const [, quoted] = /^\s*["'`]([\s\S]*)["'`]\s*$/.exec(source) ?? [];
  const text = quoted ?? source;
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text.replaceAll('\\x', '\\u00').replaceAll("\\'", "'")}"`) as string;
  } catch {
    return undefined;
  }
}

/** Returns true if the specifier of a dynamic import is constant: others cannot be followed. */
const isFixed = (source: string): boolean => /^\s*(["'])(?:(?!\1)[^\\\n]|\\.)*\1\s*$/.test(source);

interface ParsedModule {
  readonly imports: readonly ModuleImport[];
  readonly isModule: boolean;
}

async function parseModule(text: string): Promise<ParsedModule | undefined> {
  const { init, parse } = await import('es-module-lexer');
  await init;
  try {
    const [found, , , isModule] = parse(text);
    const imports = found.flatMap(({ d, s, e, ss }): ModuleImport[] => {
      const source = text.slice(s, e);
      // -2: import.meta; -1: a static import; else a dynamic one, whose source has its quotes.
      if (d === -2 || (d > -1 && !isFixed(source))) return [];
      const specifier = parseSpecifier(source);
      return specifier === undefined ? [] : [{ specifier, how: 'import', at: ss }];
    });
    return { imports, isModule };
  } catch {
    return undefined;
  }
}

/** Lists all imports, `require` calls and file references of a text, in their order. */
export async function listImports(text: string): Promise<ModuleImport[]> {
  const { imports, isModule } = (await parseModule(text)) ?? {
    imports: matchImports(text, LIKELY_IMPORT, 'import'),
    isModule: true,
  };
  const requires = !isModule || text.includes('createRequire') ? matchImports(text, REQUIRED, 'require') : [];
  return [...imports, ...requires, ...matchImports(text, URL_REFERENCE, 'file')].sort((a, b) => a.at - b.at);
}

/** Formats `12:8`: line and column of a position in a text. */
export function formatLineColumn(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n|[\n\r\u2028\u2029]/);
  return `${String(before.length)}:${String((before.at(-1) ?? '').length + 1)}`;
}

/** Returns true if a text is an ES module: it imports or exports. */
async function isModule(text: string): Promise<boolean> {
  return (await parseModule(text))?.isModule === true;
}

// Computes the identity of rules: a hash of all files of a module.

/** Maximum number of files of the modules of a system, including packages. */
const FILES_MAX = 5000;

/** Maximum number of bytes of all files. */
const BYTES_MAX = 2 ** 26;

const hashBytes = (bytes: string | Uint8Array): string => createSha256().update(bytes).hex();

/** Creates a line of the hashed text. */
const createHashLine = (...parts: readonly string[]): string => `${JSON.stringify(parts)}\n`;

/** Creates the line of a named dependency: a module of Node, warpool with its version, or a missing file. */
export const createNameLine = (name: string): string => createHashLine('name', name);

/**
 * Combines the hash of a system.
 * @param own the module and its own files, in the order of discovery
 * @param rest packages and names, in any order
 */
const combineHash = (own: readonly string[], rest: readonly string[]): string =>
  hashBytes([...own, ...[...new Set(rest)].sort()].join(''));

const createFileLine = (bytes: Uint8Array): string => createHashLine('file', hashBytes(bytes));

/** Removes the byte order mark that some editors add. */
function stripByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

const CODE = /\.[cm]?[jt]s$|\/[^./]*$/;

/** A file that is to be read. */
interface PendingFile {
  readonly url: URL;
  /** Package of the file, if it belongs to one. */
  readonly package: PackageInfo | undefined;
}

/** A file that was read. */
interface ModuleSource extends PendingFile {
  readonly text: string;
  readonly imports: readonly ModuleImport[];
}

/** A module with all that it imports. */
export interface ModuleIdentity extends SystemModule {
  /** All files that were read, the module first. */
  readonly files: readonly ModuleSource[];
  /** Hashed lines in addition to the own files: packages and names. */
  readonly rest: readonly string[];
}

/** Follows all imports of a module. */
class ImportWalk {
  readonly #files: ModuleSource[] = [];
  readonly #own: string[] = [];
  readonly #packages = new Map<string, Set<string>>();
  readonly #names: string[] = [];
  readonly #seen = new Set<string>();
  readonly #waiting: PendingFile[] = [];
  readonly #place: string;
  #bytes = 0;

  constructor(first: PendingFile, place: string) {
    this.#place = place;
    this.#addFile(first);
    const { url, package: owner } = first;
    if (owner !== undefined) this.#own.push(createHashLine('entry', owner.label, getPathInPackage(owner, url)));
  }

  /** @throws InputError if there are too many files, or too many bytes */
  async run(): Promise<Pick<ModuleIdentity, 'hash' | 'files' | 'rest'>> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#read(next);
    const packages = [...this.#packages].map(([label, files]) =>
      createHashLine('package', label, hashBytes([...files].sort().join(''))),
    );
    const rest = [...packages, ...this.#names];
    return { hash: combineHash(this.#own, rest), files: this.#files, rest };
  }

  #addFile(file: PendingFile): void {
    if (this.#seen.has(file.url.href)) return;
    this.#seen.add(file.url.href);
    this.#waiting.push(file);
    if (this.#seen.size > FILES_MAX) this.#reject(`${String(FILES_MAX)} files`, file);
  }

  async #read(file: PendingFile): Promise<void> {
    const { url, package: owner } = file;
    const found = await loadModuleBytes(url, BYTES_MAX - this.#bytes);
    // Running the module reports missing files.
    if (found === undefined) return;
    if (found === 'larger') this.#reject(`${String(BYTES_MAX)} bytes`, file);
    const bytes = stripByteOrderMark(found);
    this.#bytes += bytes.length;
    if (owner === undefined) this.#own.push(createFileLine(bytes));
    else this.#getFiles(owner).add(createHashLine(getPathInPackage(owner, url), hashBytes(bytes)));
    const text = CODE.test(url.pathname) ? new TextDecoder().decode(bytes) : '';
    const imports = await listImports(text);
    this.#files.push({ ...file, text, imports });
    for (const each of imports) this.#follow(each, file);
  }

  #follow(imported: ModuleImport, { url: from, package: owner }: PendingFile): void {
    const to = resolveImport(imported, from);
    if (to.url === undefined) this.#names.push(createNameLine(to.name));
    else this.#addFile({ url: to.url, package: to.package ?? owner });
  }

  #getFiles({ label }: PackageInfo): Set<string> {
    const files = this.#packages.get(label) ?? new Set();
    this.#packages.set(label, files);
    return files;
  }

  #reject(most: string, { url, package: owner }: PendingFile): never {
    const last = owner?.label ?? url.href;
    throw new InputError(this.#place, `a system whose modules have at most ${most}`, `more: the last ones of ${last}`);
  }
}

/** Returns the path of a file in its package. */
function getPathInPackage({ root }: PackageInfo, { href }: URL): string {
  return href.startsWith(root.href) ? href.slice(root.href.length) : new URL(href).pathname.replace(/^.*\//, '../');
}

/**
 * Identifies a module by its file, all files that it imports, requires or references, including those of packages, and
 * the names of modules of Node; warpool counts with its version. The module is not run. Its location does not matter.
 * @param url a file URL
 * @param place name of the module in messages
 * @throws InputError if it has too many files or bytes
 */
export async function identifyModule(url: string, place: string): Promise<ModuleIdentity> {
  const first = createResolvedFile(new URL(url));
  return { url, ...(first.package && { package: first.package.label }), ...(await new ImportWalk(first, place).run()) };
}

/** Computes the SHA-256 of a module and of all its imports, in hexadecimal. */
export async function hashModule(url: string, place = url): Promise<string> {
  return (await identifyModule(url, place)).hash;
}

/**
 * Computes the hash of a module of one file, equal to the one of the file.
 * @param lines allowed imports, each with its line of the hash
 */
export async function hashModuleText(text: string, lines: Readonly<Record<string, string>> = {}): Promise<string> {
  const imports = await listImports(text);
  const rest = imports.map(
    ({ specifier }) => (Object.hasOwn(lines, specifier) ? lines[specifier] : undefined) ?? createNameLine(specifier),
  );
  return combineHash([createFileLine(new TextEncoder().encode(text))], rest);
}

// Explains why a module cannot be loaded, with the file and the line of its author.

const getFileName = ({ url }: ModuleSource): string => url.pathname;

/** Finds an ES module that Node loads as CommonJS. */
async function findModuleTypeError(files: readonly ModuleSource[]): Promise<string | undefined> {
  for (const file of files) {
    const cure = adviseCommonJs(file.url);
    if (cure !== undefined && (await isModule(file.text)))
      return `an ES module that Node loads as CommonJS: ${decodeURIComponent(getFileName(file))}; ${cure}`;
  }
  return undefined;
}

/** Finds the first import that cannot be resolved. */
function findMissingImport(files: readonly ModuleSource[]): string | undefined {
  for (const file of files)
    for (const each of file.imports)
      if (isMissingImport(each, file.url))
        return `${decodeURIComponent(getFileName(file))}:${formatLineColumn(file.text, each.at)}`;
  return undefined;
}

/** Locates a syntax error: the error of Node has no position. */
async function findSyntaxErrorText(error: unknown, files: readonly ModuleSource[]): Promise<string | undefined> {
  if (!isSyntaxError(error) || findAuthorFrame(error) !== undefined) return undefined;
  return await findSyntaxError(files.map(({ url }) => url));
}

const isSyntaxError = (error: unknown): boolean => error instanceof SyntaxError;

const getErrorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Error codes of imports that cannot be resolved. */
const MISSING_IMPORT_CODE =
  /^ERR_(?:MODULE_NOT_FOUND|PACKAGE_|UNSUPPORTED_DIR|UNKNOWN_BUILTIN|INVALID_MODULE|INVALID_PACKAGE)/;

/**
 * Explains the error of a module that was run.
 * @param files source files of the module
 */
export async function explainLoadError(error: unknown, files: readonly ModuleSource[]): Promise<string> {
  if (isSyntaxError(error)) {
    const confused = await findModuleTypeError(files);
    if (confused !== undefined) return confused;
  }
  const text = describeThrown(error);
  const shown = findShownPosition(getStack(error)) ?? (await findSyntaxErrorText(error, files));
  if (shown !== undefined) return `${text} (${shown.replace('\n', ')\n')}`;
  const lost = MISSING_IMPORT_CODE.test(getErrorCode(error)) ? findMissingImport(files) : undefined;
  return lost === undefined ? describeThrownAt(error) : `${text} (${lost})`;
}
