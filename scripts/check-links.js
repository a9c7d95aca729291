/**
 * Checks a static site: reports broken links and anchors, and sources on other hosts.
 *
 *     node scripts/check-links.js dist/site [--base /warpool/]
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { crc32, inflateRawSync } from 'node:zlib';
import { filesUnder } from './files.js';

/** @typedef {{ readonly tag: string, readonly target: string }} Link */

/** @param {string} text of an attribute */
const plain = (text) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Attributes with link targets; tags of link previews have another one. */
const TARGET = /\s(?:href|src|poster)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const CONTENT = /\s(?:content)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const PICTURED = /\sproperty=["']og:(?:image|url)["']/i;

/** Lists the links and sources of a page. @param {string} html @returns {Link[]} */
function linksOf(html) {
  return [...html.matchAll(/<([a-z]+)\b((?:\s+[^\s=>"']+(?:=(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>/gi)].flatMap(
    ([, tag = '', attributes = '']) =>
      [...attributes.matchAll(PICTURED.test(attributes) ? CONTENT : TARGET)].map(([, double, single, bare]) => ({
        tag: tag.toLowerCase(),
        target: plain(double ?? single ?? bare ?? ''),
      })),
  );
}

/** Lists the sources of a style sheet. @param {string} css @returns {Link[]} */
function sourcesOf(css) {
  const found = css.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)\s]*))\s*\)|@import\s+["']([^"']+)["']/gi);
  return [...found].map(([, a, b, c, d]) => ({ tag: 'style', target: a ?? b ?? c ?? d ?? '' }));
}

/** True if a fragment is a link that the web app can open (src/report/link/link.ts). @param {string} fragment */
function isQuestion(fragment) {
  const [, content = '', sum = ''] = /^1\.([\w-]+)\.([\da-f]{8})$/.exec(fragment) ?? [];
  const packed = Buffer.from(content, 'base64url');
  if (content === '' || crc32(packed) !== Number.parseInt(sum, 16)) return false;
  return typeof JSON.parse(inflateRawSync(packed).toString()).text === 'string';
}

/** Lists the anchors of a page. @param {string} html */
function anchorsOf(html) {
  return new Set([...html.matchAll(/\s(?:id|name)=(?:"([^"]*)"|'([^']*)')/gi)].map(([, a, b]) => plain(a ?? b ?? '')));
}

/** File that a server sends for a path, from the root of the site. @param {string} site @param {string} path */
function fileAt(site, path) {
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  const full = join(site, file);
  return existsSync(full) && statSync(full).isFile() ? file : undefined;
}

/**
 * Path of a target, from the root of the site; undefined if it is outside of the base.
 * @param {string} file that has it @param {string} path @param {string} base
 */
function pathOf(file, path, base) {
  if (path === '') return file;
  if (!path.startsWith('/')) return posix.normalize(posix.join(posix.dirname(file), path)).replace(/^\.\/?/, '');
  return path.startsWith(base) ? path.slice(base.length) : undefined;
}

/**
 * @param {string} site the folder of the site @param {string} base the path below which it is served
 * @param {string} [url] the whole address at which it will be: what begins with it is looked up in the folder
 * @returns {{ pages: number, links: number, faults: string[] }} faults as `file: what: target`
 */
export function checkSite(site, base = '/', url = undefined) {
  const files = filesUnder(site).map((file) => posix.relative(site, file));
  /** @type {Map<string, Set<string>>} */
  const anchors = new Map();
  /** @param {string} file */
  const anchorsIn = (file) => {
    const known = anchors.get(file) ?? anchorsOf(readFileSync(join(site, file), 'utf8'));
    anchors.set(file, known);
    return known;
  };
  /** @param {string} file @param {Link} link */
  const faultOf = (file, { tag, target: written }) => {
    const target = url !== undefined && written.startsWith(url) ? base + written.slice(url.length) : written;
    if (/^(?:https?:)?\/\//i.test(target)) return tag === 'a' ? undefined : 'source on another machine';
    if (/^[a-z][a-z\d+.-]*:/i.test(target)) return undefined;
    const [address = '', anchor = ''] = target.split('#');
    const path = pathOf(file, decodeURIComponent(address.replace(/\?.*$/, '')), base);
    const found = path === undefined ? undefined : fileAt(site, path);
    if (found === undefined) return 'dead link';
    if (anchor === '' || !found.endsWith('.html')) return undefined;
    // The web app has its content in the fragment, not an anchor.
    if (found.startsWith('page/') && !found.startsWith('page/help/'))
      return isQuestion(anchor) ? undefined : 'no question of the page';
    return anchorsIn(found).has(decodeURIComponent(anchor)) ? undefined : 'dead anchor';
  };
  let links = 0;
  const faults = files.flatMap((file) => {
    if (!/\.(?:html|css)$/.test(file)) return [];
    const text = readFileSync(join(site, file), 'utf8');
    const found = file.endsWith('.css') ? sourcesOf(text) : linksOf(text);
    links += found.length;
    return found.flatMap((link) => {
      const fault = faultOf(file, link);
      return fault === undefined ? [] : [`${file}: ${fault}: ${link.target}`];
    });
  });
  return { pages: files.filter((file) => file.endsWith('.html')).length, links, faults: [...new Set(faults)] };
}

function main() {
  const { values, positionals } = parseArgs({
    options: { base: { type: 'string', default: '/' } },
    allowPositionals: true,
  });
  const [site = 'dist/site'] = positionals;
  const { pages, links, faults } = checkSite(site, values.base);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.stdout.write(`${pages} pages, ${links} links, ${faults.length} faults\n`);
  if (faults.length > 0 || pages === 0) process.exitCode = 1;
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) main();
