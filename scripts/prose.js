/**
 * Prose of Markdown files, and marks of private idiom in it.
 *
 *     node scripts/prose.js 100 1     # prints 100 random sentences of the manuals with their files, by seed 1
 *     node scripts/prose.js           # prints marks per 1 000 words of each manual
 */
import { readdirSync, readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { enterRoot } from './files.js';

/** Paths of the manuals from the root of the project. */
export function manuals() {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return ['README.md', 'CONTRIBUTING.md', 'python/README.md', ...docs.sort().map((name) => `docs/${name}`)];
}

/**
 * Extracts paragraphs and list items as plain text, without code blocks, tables and headings.
 * @param {string} markdown
 */
export function paragraphs(markdown) {
  const found = [];
  let open = '';
  for (const token of new MarkdownIt().parse(markdown.replaceAll(/<!--.*?-->/gs, ''), {})) {
    if (token.type === 'paragraph_open' || token.type === 'heading_open' || token.type === 'th_open') open = token.type;
    if (token.type === 'td_open') open = token.type;
    if (token.type !== 'inline' || open !== 'paragraph_open') continue;
    found.push((token.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join(''));
  }
  return found;
}

/** @param {string} text */
export const wordsIn = (text) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,-]*/gu)?.length ?? 0;

/** @param {string} markdown */
export const sentences = (markdown) =>
  paragraphs(markdown).flatMap((text) =>
    text.split(/(?<=[.!?:]["”)]?)\s+(?=[\p{Lu}"“(`-])/u).filter((each) => wordsIn(each) > 2),
  );

/** Words and constructions of private idiom. The word list of CONTRIBUTING has replacements. */
export const IDIOMS = [
  /\bwhat(?:ever)? (?:is|are|was|were|has|have|had|a|an|the|it|they|came|comes|can|one|no|all)\b/gi,
  /\b(?:that|those) of\b/gi,
  /\b(?:stands?|stood|lies|lay)\b/gi,
  /\b(?:tells?|told|telling)\b/gi,
  /\basked\b/gi,
  /\b(?:refused|refuses|refusal)\b/gi,
  /\b(?:\w+ alone)\b/gi,
  /\bbeside\b/gi,
  /\bunless (?:given|said)\b/gi,
  /\b(?:so|as) many\b/gi,
  /\b(?:goes|go|gone|going) on\b/gi,
  /\b(?:whoever|who(?:se)? (?:plays|decides|has|wants|knows|reads))\b/gi,
  /\b(?:played|plays)\b/gi,
  /\blaws?\b/gi,
  /\b(?:of one's own|of your own|of its own)\b/gi,
  /\b(?:comes? of|came of|is had|are had|is come)\b/gi,
  /\b(?:tally|tallies|endings?|percent points|unseen)\b/gi,
];

/** @param {string} text */
export const idiomsIn = (text) => IDIOMS.reduce((sum, idiom) => sum + (text.match(idiom)?.length ?? 0), 0);

/** Marks of idiom per 1 000 words. @param {string} markdown */
export function idiomRate(markdown) {
  const text = paragraphs(markdown).join('\n');
  return (1000 * idiomsIn(text)) / Math.max(1, wordsIn(text));
}

/** @param {number} count @param {number} seed */
function sample(count, seed) {
  const all = manuals().flatMap((file) => sentences(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`));
  const rng = xoroshiro128plus(seed);
  return Array.from(
    { length: Math.min(count, all.length) },
    () => all.splice(uniformInt(rng, 0, all.length - 1), 1)[0],
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  enterRoot();
  const [, , count, seed = '1'] = argv;
  const lines =
    count === undefined
      ? manuals().map((file) => `${idiomRate(readFileSync(file, 'utf8')).toFixed(1).padStart(5)} ${file}`)
      : sample(Number(count), Number(seed));
  process.stdout.write(`${lines.join('\n')}\n`);
}
