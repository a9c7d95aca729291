/** Why a module cannot be loaded, with the file and the line of its author. */
import { commonJsCure, isLost, shownPlace, syntaxFault } from '#platform/faults';
import type { ReadFile } from './identity.ts';
import { isModule, lineAt } from './imports.ts';
import { frameOf, stackOf, thrownAt, thrownText } from './thrown.ts';

const nameOf = ({ url }: ReadFile): string => url.pathname;

/** An ES module that Node takes for CommonJS. */
async function confusion(files: readonly ReadFile[]): Promise<string | undefined> {
  for (const file of files) {
    const cure = commonJsCure(file.url);
    if (cure !== undefined && (await isModule(file.text)))
      return `an ES module that Node takes for CommonJS: ${decodeURIComponent(nameOf(file))}; ${cure}`;
  }
  return undefined;
}

/** The first import that leads nowhere. */
function lostImport(files: readonly ReadFile[]): string | undefined {
  for (const file of files)
    for (const each of file.imports)
      if (isLost(each, file.url)) return `${decodeURIComponent(nameOf(file))}:${lineAt(file.text, each.at)}`;
  return undefined;
}

/** Where the text of a file is no JavaScript: Node tells no place of it in the error. */
async function unparsed(error: unknown, files: readonly ReadFile[]): Promise<string | undefined> {
  if (!isSyntax(error) || frameOf(error) !== undefined) return undefined;
  return await syntaxFault(files.map(({ url }) => url));
}

const isSyntax = (error: unknown): boolean => error instanceof SyntaxError;

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Codes of errors of imports that lead nowhere. */
const LOST = /^ERR_(?:MODULE_NOT_FOUND|PACKAGE_|UNSUPPORTED_DIR|UNKNOWN_BUILTIN|INVALID_MODULE|INVALID_PACKAGE)/;

/**
 * What went wrong when a module was run.
 * @param files of the module, as they were read
 */
export async function blamed(error: unknown, files: readonly ReadFile[]): Promise<string> {
  if (isSyntax(error)) {
    const confused = await confusion(files);
    if (confused !== undefined) return confused;
  }
  const text = thrownText(error);
  const shown = shownPlace(stackOf(error)) ?? (await unparsed(error, files));
  if (shown !== undefined) return `${text} (${shown.replace('\n', ')\n')}`;
  const lost = LOST.test(codeOf(error)) ? lostImport(files) : undefined;
  return lost === undefined ? thrownAt(error) : `${text} (${lost})`;
}
