/**
 * Collects Markdown files of the project in a folder for VitePress. Files keep their paths, so that relative links
 * work; a linked file that is not a page becomes a page that shows it.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { fenced } from './markdown.js';
import { renderNotebook } from './notebooks.js';

/** Folder of the pages, from the root of the project. */
export const PAGES = 'dist/site-source';

const PICTURES = ['.gif', '.jpg', '.png', '.svg', '.webp'];

const LANGUAGES = new Map(
  Object.entries({ '.yaml': 'yaml', '.js': 'js', '.ts': 'ts', '.py': 'python', '.sh': 'sh', '.json': 'json' }),
);

/** @param {string} file its path below the folder of the pages @param {string} text */
export function writePage(file, text) {
  const path = join(PAGES, file);
  if (existsSync(path)) throw new Error(`duplicate page ${file}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Path of the page of a file of the project. @param {string} file */
export function pageOf(file) {
  // The site has its own home page.
  if (file === 'README.md') return 'overview.md';
  if (file.endsWith('.ipynb')) return file.replace(/ipynb$/, 'md');
  if (file.endsWith('.md')) return file.replace(/(^|\/)README\.md$/, '$1index.md');
  if (/^(?:scenarios|examples)\//.test(file)) return file.replace(/\.[^./]+$/, '.md');
  return `${file}.md`;
}

/** Creates a block with the content of a file. @param {string} file */
export const shown = (file) => fenced(readFileSync(file, 'utf8'), LANGUAGES.get(extname(file)) ?? 'txt');

/** Code in Markdown, which is not changed. */
const CODE = /(^(`{3,})[^\n]*\n[\s\S]*?^\2`*$|`+[^`\n]+`+)/gm;

/**
 * Changes the targets of links and images, but not code.
 * @param {string} text @param {(target: string) => string} change
 */
export function withLinks(text, change) {
  /** @param {string} part */
  const changed = (part) => part.replaceAll(/\]\(([^()\s]+)\)/g, (_, target) => `](${change(target)})`);
  let end = 0;
  const parts = [...text.matchAll(CODE)].map((match) => {
    const before = changed(text.slice(end, match.index));
    end = match.index + match[0].length;
    return before + match[0];
  });
  return parts.join('') + changed(text.slice(end));
}

/**
 * Converts the target of a link for the site.
 * @param {string} file file with the link @param {string} target
 * @param {(file: string) => void} wanted called with every linked file of the project
 */
export function moved(file, target, wanted) {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const linked = posix.normalize(posix.join(posix.dirname(file), path));
  if (linked.startsWith('../')) throw new Error(`${file}: ${target} leads out of the project`);
  wanted(linked);
  if (PICTURES.includes(extname(linked))) return target;
  const page = posix.relative(posix.dirname(pageOf(file)), pageOf(linked));
  return anchor === undefined ? page : `${page}#${anchor}`;
}

/** Adds a linked file that is not listed: images are copied, other files are shown. @param {string} file */
function takeAlong(file) {
  const path = join(PAGES, file);
  if (!PICTURES.includes(extname(file))) {
    writePage(pageOf(file), `# ${posix.basename(file)}\n\n${shown(file)}`);
  } else if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(file, path);
  }
}

/**
 * Writes the pages of files, and of files that they link; for a notebook, also its figures.
 * @param {readonly string[]} files @param {ReadonlySet<string>} made files with generated pages
 */
export function gather(files, made) {
  const known = new Set([...files, ...made]);
  /** @type {Set<string>} */
  const others = new Set();
  for (const file of files) {
    const content = readFileSync(file, 'utf8');
    const { markdown, figures } = file.endsWith('.ipynb')
      ? renderNotebook(file, content)
      : { markdown: content, figures: new Map() };
    for (const [path, figure] of figures) {
      known.add(path);
      writePage(path, figure);
    }
    const text = withLinks(markdown, (target) =>
      moved(file, target, (linked) => known.has(linked) || others.add(linked)),
    );
    writePage(pageOf(file), text);
  }
  for (const file of others) takeAlong(file);
}
