/** What the first answer needs over the wire: a table at every build, which fails where it is too much. */
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { rules } from './rules.ts';

/** Bytes, gzipped, of all that is loaded until the first answer is there. */
const FIRST_ANSWER = 192_000;

/** Of the editor, which is loaded after it. */
const EDITOR = 160_000;

type Bundle = Rolldown.OutputBundle;

const contentOf = (file: Bundle[string]): string | Uint8Array => (file.type === 'chunk' ? file.code : file.source);

const textOf = (file: Bundle[string] | undefined): string => {
  const content = file === undefined ? '' : contentOf(file);
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
};

/** Files that a file imports statically, or that a page links to. */
function importsOf(name: string, bundle: Bundle): string[] {
  const text = textOf(bundle[name]);
  const pattern = name.endsWith('.html') ? /(?:src|href)="\.\/([^"]+)"/g : /(?:from|import) ?["']([^"']+\.js)["']/g;
  const base = new URL(name, 'page:/');
  return [...text.matchAll(pattern)].map(([, path = '']) => new URL(path, base).pathname.slice(1));
}

/** A file and all that comes with it. */
function reached(names: readonly string[], bundle: Bundle): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name) || !(name in bundle)) return;
    found.add(name);
    for (const each of importsOf(name, bundle)) visit(each);
  };
  for (const name of names) visit(name);
  return found;
}

const sizeOf = (file: Bundle[string] | undefined): number =>
  file === undefined ? 0 : gzipSync(contentOf(file), { level: 9 }).length;

/** A chunk, or another file, with what the build adds to its name. */
const named = (name: string, ending = 'js'): RegExp => new RegExp(`^assets/${name}-[\\w-]{8}\\.${ending}$`);

/** Files that every first answer needs though they are loaded at run time. */
const NEEDED = [named('answer'), named('chain', 'wasm')];

/** The same of a question about a system: its rules, and what plays them. */
async function neededBySystem(): Promise<RegExp[][]> {
  const { systems, GAMES } = await rules();
  const compiler = [named('compile'), named('encode'), named('foresight'), named('(?:automaton|rounds)', 'wasm')];
  return [
    ...systems.map(({ id }) => [named(id), named(id, 'wasm')]),
    ...GAMES.map(({ id }) => [named(id), ...compiler]),
  ];
}

/** Of the files with such a name the largest. */
function largest(pattern: RegExp, bundle: Bundle, names: Iterable<string> = Object.keys(bundle)): string[] {
  const found = [...names].filter((name) => pattern.test(name));
  return found.toSorted((a, b) => sizeOf(bundle[b]) - sizeOf(bundle[a])).slice(0, 1);
}

/** Files that are named in some others: what these can load. Threads have files of the same names for themselves. */
function namedIn(names: Iterable<string>, bundle: Bundle): string[] {
  const texts = [...names].map((name) => textOf(bundle[name]));
  return Object.keys(bundle).filter((name) => texts.some((text) => text.includes(name.replace(/^.*\//, ''))));
}

/** All that is loaded until the first answer, of the system that needs most. @throws Error if there is no such file */
async function firstAnswer(bundle: Bundle): Promise<ReadonlySet<string>> {
  const begin = ['index.html', ...largest(named('worker'), bundle)];
  const candidates = namedIn(reached(begin, bundle), bundle);
  const questions = (await neededBySystem()).map((ofSystem) => {
    const files = [...NEEDED, ...ofSystem].map((pattern) => {
      const [file] = largest(pattern, bundle, candidates);
      if (file === undefined) throw new Error(`no file of the page is called ${pattern.source}`);
      return file;
    });
    return reached([...begin, ...files], bundle);
  });
  return questions.reduce((most, each) => (totalOf(each, bundle) > totalOf(most, bundle) ? each : most));
}

const totalOf = (names: Iterable<string>, bundle: Bundle): number =>
  [...names].reduce((sum, name) => sum + sizeOf(bundle[name]), 0);

const kB = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(7);

export function sizes(): Plugin {
  return {
    name: 'warpool-sizes',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const first = await firstAnswer(bundle);
        const rows = [...first]
          .map((name) => `${kB(sizeOf(bundle[name]))} kB  ${name}`)
          .toSorted()
          .toReversed();
        const total = totalOf(first, bundle);
        const text = [...reached(largest(named('text'), bundle), bundle)].filter((name) => !first.has(name));
        const editor = totalOf(text, bundle);
        const all = totalOf(Object.keys(bundle), bundle);
        const lines = [
          '',
          'first answer, gzipped:',
          ...rows,
          `${kB(total)} kB  of ${kB(FIRST_ANSWER).trim()} kB`,
          `${kB(editor)} kB  of ${kB(EDITOR).trim()} kB: the editor`,
          `${kB(all)} kB  all files`,
        ];
        this.info(lines.join('\n'));
        if (editor === 0 || editor > EDITOR) this.error('the editor is larger than its budget, or has another name');
        if (total > FIRST_ANSWER) {
          const over = `${kB(total).trim()} kB are more than the ${kB(FIRST_ANSWER).trim()} kB of FIRST_ANSWER in web/build/sizes.ts`;
          this.error(`${lines.join('\n')}\nwhat the page loads until its first answer is too large: ${over}`);
        }
      },
    },
  };
}
