/** Imports of a module of a user, led to what this page has. */
import { type ImportSpecifier, ImportType, init, parse } from 'es-module-lexer';
import { InputError } from '../../../src/core/index.ts';
import { formatLineColumn } from '../../../src/rules/index.ts';

/** By specifier. */
export type Addresses = Readonly<Record<string, string>>;

/** `duel.js:12:8` */
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

/** Where an import leads; undefined if it stays as it is. @throws InputError if the page has nothing there */
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
  // As it is written: the lexer would read escapes by `eval`, which the policy of the worker forbids.
  const name = text.slice(s, e);
  if (Object.hasOwn(to, name)) return to[name];
  const isPackage = /^[a-z@][^:]*$/i.test(name);
  const why = isPackage ? ', a package (only the command line loads packages)' : '';
  throw new InputError(place, expected, `'${name.slice(0, 100)}'${why}`);
}

/**
 * The text of a module with other addresses in the place of what it imports; lines stay where they are.
 * @param file what messages call it
 * @param to   addresses without quotes, backslashes and line breaks
 * @throws InputError for a text that is no module, and for imports of anything else
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

/** Names of a namespace as exports of a module: some are words that only exports may be called. */
export function createExports(names: readonly string[], from: string): string {
  const lines = names.map(
    (name, n) => `const v${String(n)} = z[${JSON.stringify(name)}];\nexport { v${String(n)} as ${name} };\n`,
  );
  return `import { z } from ${JSON.stringify(from)};\nexport { z, z as default };\n${lines.join('')}`;
}
