/** Measures the download size of the first answer at each build, and fails the build above the limit. */
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { loadRules } from './rules.ts';

/** Maximum gzipped bytes that are loaded until the first answer. */
const MAX_FIRST_ANSWER = 200_000;

/** Maximum gzipped bytes of the editor, which is loaded later. */
const MAX_EDITOR = 160_000;

type OutputBundle = Rolldown.OutputBundle;

const getContent = (file: OutputBundle[string]): string | Uint8Array =>
  file.type === 'chunk' ? file.code : file.source;

const getText = (file: OutputBundle[string] | undefined): string => {
  const content = file === undefined ? '' : getContent(file);
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
};

/** Lists files that a file imports statically, or that a page links to. */
function listImports(name: string, bundle: OutputBundle): string[] {
  const text = getText(bundle[name]);
  const pattern = name.endsWith('.html') ? /(?:src|href)="\.\/([^"]+)"/g : /(?:from|import) ?["']([^"']+\.js)["']/g;
  const base = new URL(name, 'page:/');
  return [...text.matchAll(pattern)].map(([, path = '']) => new URL(path, base).pathname.slice(1));
}

/** Collects files with all their static imports. */
function collectImported(names: readonly string[], bundle: OutputBundle): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name) || !(name in bundle)) return;
    found.add(name);
    for (const each of listImports(name, bundle)) visit(each);
  };
  for (const name of names) visit(name);
  return found;
}

const getGzippedSize = (file: OutputBundle[string] | undefined): number =>
  file === undefined ? 0 : gzipSync(getContent(file), { level: 9 }).length;

/** Creates the pattern of a chunk name, which the build extends by a hash. */
const createChunkPattern = (name: string, result = 'js'): RegExp =>
  new RegExp(`^assets/${name}-[\\w-]{8}\\.${result}$`);

/** Files that every first answer loads at run time. */
const NEEDED_CHUNKS = [createChunkPattern('answer'), createChunkPattern('chain', 'wasm')];

/** Lists the additional files per system: its rules and engine. */
async function listNeededBySystem(): Promise<RegExp[][]> {
  const { shippedSystems, GAMES } = await loadRules();
  const compiler = [
    createChunkPattern('compile'),
    createChunkPattern('encode-automaton'),
    createChunkPattern('cost-model'),
    createChunkPattern('(?:automaton|rounds)', 'wasm'),
  ];
  return [
    ...shippedSystems.map(({ id }) => [createChunkPattern(id), createChunkPattern(id, 'wasm')]),
    ...GAMES.map(({ id }) => [createChunkPattern(id), ...compiler]),
  ];
}

/** Finds the largest file with a name. */
function findLargest(pattern: RegExp, bundle: OutputBundle, names: Iterable<string> = Object.keys(bundle)): string[] {
  const found = [...names].filter((name) => pattern.test(name));
  return found.toSorted((a, b) => getGzippedSize(bundle[b]) - getGzippedSize(bundle[a])).slice(0, 1);
}

/** Finds files that other files name and can thus load. Threads have their own files of the same names. */
function findNamedFiles(names: Iterable<string>, bundle: OutputBundle): string[] {
  const texts = [...names].map((name) => getText(bundle[name]));
  return Object.keys(bundle).filter((name) => texts.some((text) => text.includes(name.replace(/^.*\//, ''))));
}

/**
 * Collects all files that are loaded until the first answer, for the system with the most bytes. @throws Error if a
 * file is missing
 */
async function collectFirstAnswer(bundle: OutputBundle): Promise<ReadonlySet<string>> {
  const begin = ['index.html', ...findLargest(createChunkPattern('worker'), bundle)];
  const candidates = findNamedFiles(collectImported(begin, bundle), bundle);
  const questions = (await listNeededBySystem()).map((ofSystem) => {
    const files = [...NEEDED_CHUNKS, ...ofSystem].map((pattern) => {
      const [file] = findLargest(pattern, bundle, candidates);
      if (file === undefined) throw new Error(`the page has no file ${pattern.source}`);
      return file;
    });
    return collectImported([...begin, ...files], bundle);
  });
  return questions.reduce((most, each) => (sumSizes(each, bundle) > sumSizes(most, bundle) ? each : most));
}

const sumSizes = (names: Iterable<string>, bundle: OutputBundle): number =>
  [...names].reduce((sum, name) => sum + getGzippedSize(bundle[name]), 0);

const formatKilobytes = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(7);

export function createSizesPlugin(): Plugin {
  return {
    name: 'warpool-sizes',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const first = await collectFirstAnswer(bundle);
        const rows = [...first]
          .map((name) => `${formatKilobytes(getGzippedSize(bundle[name]))} kB  ${name}`)
          .toSorted()
          .toReversed();
        const total = sumSizes(first, bundle);
        const text = [...collectImported(findLargest(createChunkPattern('text'), bundle), bundle)].filter(
          (name) => !first.has(name),
        );
        const editor = sumSizes(text, bundle);
        const all = sumSizes(Object.keys(bundle), bundle);
        const lines = [
          '',
          'first answer, gzipped:',
          ...rows,
          `${formatKilobytes(total)} kB  of ${formatKilobytes(MAX_FIRST_ANSWER).trim()} kB`,
          `${formatKilobytes(editor)} kB  of ${formatKilobytes(MAX_EDITOR).trim()} kB: the editor`,
          `${formatKilobytes(all)} kB  all files`,
        ];
        this.info(lines.join('\n'));
        if (editor === 0 || editor > MAX_EDITOR) this.error('the editor exceeds its budget, or has another file name');
        if (total > MAX_FIRST_ANSWER) {
          const over = `${formatKilobytes(total).trim()} kB exceed the ${formatKilobytes(MAX_FIRST_ANSWER).trim()} kB of MAX_FIRST_ANSWER in web/build/sizes.ts`;
          this.error(`${lines.join('\n')}\nthe page loads too much until its first answer: ${over}`);
        }
      },
    },
  };
}
