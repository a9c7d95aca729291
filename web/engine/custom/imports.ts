/** Rewrites the imports of a custom module to addresses of this page. */
import { type ImportSpecifier, ImportType, init, parse } from 'es-module-lexer';
import { InputError } from '../../../src/core/index.ts';
import { formatLineColumn } from '../../../src/rules/index.ts';

/** Addresses by specifier. */
export type Addresses = Readonly<Record<string, string>>;

/** Formats a position: `duel.js:12:8`. */
const formatPlace = (text: string, at: number, file: string): string => `${file}:${formatLineColumn(text, at)}`;

function parseImports(text: string, file: string): readonly ImportSpecifier[] {
  try {
    const [imports, , , hasModuleSyntax] = parse(text, file);
    if (!hasModuleSyntax) throw new InputError(file, 'a module that exports a system', 'neither import nor export');
    return imports;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { idx } = error as { readonly idx?: number };
    throw new InputError(formatPlace(text, idx ?? 0, file), 'JavaScript', 'a syntax error (compile TypeScript first)');
  }
}

/** Resolves an import; undefined if it stays as it is. @throws InputError if the page does not provide it */
function resolveImport(
  { t: type, s, e, ss }: ImportSpecifier,
  text: string,
  file: string,
  to: Addresses,
): string | undefined {
  if (type === ImportType.ImportMeta) return undefined;
  const known = Object.keys(to);
  const expected = `only imports of ${known.map((each) => `'${each}'`).join(' or ')} (bundle all else into this file)`;
  const place = formatPlace(text, ss, file);
  if (type !== ImportType.Static)
    throw new InputError(place, expected, 'a dynamic import or an import of another kind');
  // The raw text: the lexer would decode escapes by `eval`, which the policy of the worker forbids.
  const name = text.slice(s, e);
  if (Object.hasOwn(to, name)) return to[name];
  const isPackage = /^[a-z@][^:]*$/i.test(name);
  const why = isPackage ? ', a package (only the command line loads packages)' : '';
  throw new InputError(place, expected, `'${name.slice(0, 100)}'${why}`);
}

/**
 * Rewrites the imports of a module; line numbers do not change.
 * @param file file name in messages
 * @param to addresses without quotes, backslashes and line breaks
 * @throws InputError for a text that is not a module, and for other imports
 */
export async function rewriteImports(text: string, file: string, to: Addresses): Promise<string> {
  await init;
  const parts: string[] = [];
  let at = 0;
  for (const specifier of parseImports(text, file)) {
    const address = resolveImport(specifier, text, file, to);
    if (address === undefined) continue;
    parts.push(text.slice(at, specifier.s), address);
    at = specifier.e;
  }
  return [...parts, text.slice(at)].join('');
}

/** Creates a module that exports the names of a namespace, including reserved words. */
export function createExports(names: readonly string[], from: string): string {
  const lines = names.map(
    (name, n) => `const v${String(n)} = z[${JSON.stringify(name)}];\nexport { v${String(n)} as ${name} };\n`,
  );
  return `import { z } from ${JSON.stringify(from)};\nexport { z, z as default };\n${lines.join('')}`;
}
