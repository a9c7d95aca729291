/** What the first answer needs over the wire: a table at every build, which fails where it is too much. */
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Bytes, gzipped, of all that is loaded until the first answer is there. */
const FIRST_ANSWER = 222_000;

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

/** Files that the first answer needs though they are loaded at run time; of those of a line the largest. */
const NEEDED = [
  /^assets\/answer-[\w-]+\.js$/,
  /^assets\/worker-[\w-]+\.js$/,
  /^assets\/chain-[\w-]+\.wasm$/,
  /^assets\/(attrition|cube-bag|phased-dice|strength-cards|token-conflict)-[\w-]+\.wasm$/,
];

function largest(pattern: RegExp, bundle: Bundle): string[] {
  const names = Object.keys(bundle).filter((name) => pattern.test(name));
  return names.toSorted((a, b) => sizeOf(bundle[b]) - sizeOf(bundle[a])).slice(0, 1);
}

const kB = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(7);

export function sizes(): Plugin {
  return {
    name: 'warpool-sizes',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const named = NEEDED.flatMap((pattern) => largest(pattern, bundle));
        const first = reached(['index.html', ...named], bundle);
        const rows = [...first]
          .map((name) => `${kB(sizeOf(bundle[name]))} kB  ${name}`)
          .toSorted()
          .toReversed();
        const total = [...first].reduce((sum, name) => sum + sizeOf(bundle[name]), 0);
        const editor = largest(/^assets\/text-[\w-]+\.js$/, bundle).reduce(
          (sum, name) => sum + sizeOf(bundle[name]),
          0,
        );
        const all = Object.values(bundle).reduce((sum, file) => sum + sizeOf(file), 0);
        const lines = [
          '',
          'first answer, gzipped:',
          ...rows,
          `${kB(total)} kB  of ${kB(FIRST_ANSWER).trim()} kB`,
          `${kB(editor)} kB  of ${kB(EDITOR).trim()} kB: the editor`,
          `${kB(all)} kB  all files`,
        ];
        this.info(lines.join('\n'));
        if (named.length < NEEDED.length) this.error('the chunks of the first answer have other names');
        if (editor === 0 || editor > EDITOR) this.error('the editor is larger than its budget, or has another name');
        if (total > FIRST_ANSWER) {
          const over = `${kB(total).trim()} kB are more than the ${kB(FIRST_ANSWER).trim()} kB of FIRST_ANSWER in web/build/sizes.ts`;
          this.error(`${lines.join('\n')}\nwhat the page loads until its first answer is too large: ${over}`);
        }
      },
    },
  };
}
