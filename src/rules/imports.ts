/** What the text of a module imports: read from the text, so that nothing of it is run. */

/** An import, as a module has it. */
export interface Import {
  /** What is imported: a path, the name of a package or of a module of Node. */
  readonly specifier: string;
  /** `require` looks for other endings and takes other entries of packages; a `file` is named beside the module. */
  readonly how: 'import' | 'require' | 'file';
  /** Where it stands in the text. */
  readonly at: number;
}

/** What a text without module syntax may require; and one that makes a `require` of its own. */
const REQUIRED = /\brequire\s*(?:\.\s*resolve\s*)?\(\s*(["'])([^"'\n\\]+)\1/g;

/** `new URL('./table.json', import.meta.url)`: how a module names a file beside it that it reads. */
const BESIDE = /\bnew\s+URL\s*\(\s*(["'])(\.{1,2}\/[^"'\n\\]+)\1\s*,\s*import\.meta\.url\b/g;

/** Imports of a text that the lexer does not take, such as TypeScript. */
const LIKELY = /\b(?:from|import)\s*\(?\s*(["'])([^"'\n\\]+)\1/g;

function matches(text: string, pattern: RegExp, how: Import['how']): Import[] {
  return [...text.matchAll(pattern)].map((match) => ({ specifier: match[2] ?? '', how, at: match.index }));
}

/** A specifier without its quotes and escapes; undefined for what is put together while it runs. */
function specifierOf(source: string): string | undefined {
  const [, quoted] = /^\s*["'`]([\s\S]*)["'`]\s*$/.exec(source) ?? [];
  const text = quoted ?? source;
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text.replaceAll('\\x', '\\u00').replaceAll("\\'", "'")}"`) as string;
  } catch {
    return undefined;
  }
}

/** Whether an import that runs has a text that is there: nothing else could be followed. */
const isFixed = (source: string): boolean => /^\s*(["'])(?:(?!\1)[^\\\n]|\\.)*\1\s*$/.test(source);

interface Parsed {
  readonly imports: readonly Import[];
  readonly isModule: boolean;
}

async function parsed(text: string): Promise<Parsed | undefined> {
  const { init, parse } = await import('es-module-lexer');
  await init;
  try {
    const [found, , , isModule] = parse(text);
    const imports = found.flatMap(({ d, s, e, ss }): Import[] => {
      const source = text.slice(s, e);
      // -2: import.meta; -1: an import that stands at the top; else one that runs, whose source has its quotes.
      if (d === -2 || (d > -1 && !isFixed(source))) return [];
      const specifier = specifierOf(source);
      return specifier === undefined ? [] : [{ specifier, how: 'import', at: ss }];
    });
    return { imports, isModule };
  } catch {
    return undefined;
  }
}

/** All that a text imports, requires, or names beside itself, in the order in which it stands there. */
export async function importsOf(text: string): Promise<Import[]> {
  const { imports, isModule } = (await parsed(text)) ?? { imports: matches(text, LIKELY, 'import'), isModule: true };
  const requires = !isModule || text.includes('createRequire') ? matches(text, REQUIRED, 'require') : [];
  return [...imports, ...requires, ...matches(text, BESIDE, 'file')].sort((a, b) => a.at - b.at);
}

/** `12:8`: line and column of a place in a text. */
export function lineAt(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n|[\n\r\u2028\u2029]/);
  return `${String(before.length)}:${String((before.at(-1) ?? '').length + 1)}`;
}

/** Whether a text is an ES module: it imports or exports. */
export async function isModule(text: string): Promise<boolean> {
  return (await parsed(text))?.isModule === true;
}
