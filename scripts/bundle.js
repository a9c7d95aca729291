/** Bundles modules of src/ and workers/ with all that they import from other packages, and names these with their licences. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { filesUnder } from './files.js';

/**
 * Those that start threads from files of their own, or hold compiled code: they are installed with the package. And those
 * that only some need, who install them.
 */
const EXTERNAL = ['piscina', '@resvg/resvg-js', 'canvas', 'bullmq', 'ioredis'];

/** Those that only some need, and install themselves: package.json has them as optional peers. */
const OPTIONAL = ['@aws-sdk/client-s3'];

/** The folder of the package that a module belongs to, if it is not our own. @param {string} id */
export function packageOf(id) {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
  return folder;
}

/** Name, version and licence of a package. @param {string} folder */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

/** Name, version and licence of packages, by their folders. @param {Iterable<string>} folders */
export const noticesOf = (folders) =>
  [...folders]
    .sort()
    .map(notice)
    .join(`\n${'-'.repeat(80)}\n\n`);

/**
 * A source map without the sources of other packages, which would be most of it; undefined if there are no others.
 * @param {string | Uint8Array} map
 */
function withoutForeign(map) {
  const { sources, sourcesContent, ...rest } = JSON.parse(String(map));
  if (sources.every((/** @type {string} */ source) => source.includes('/node_modules/'))) return undefined;
  const kept = sources.map((/** @type {string} */ source, /** @type {number} */ s) =>
    source.includes('/node_modules/') ? null : sourcesContent[s],
  );
  return JSON.stringify({ ...rest, sources, sourcesContent: kept });
}

/** One character beyond ASCII would have V8 keep all of a file in two bytes each, and Node decode it slowly. @param {string} code */
const escaped = (code) =>
  code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes what has changed, and takes away what is no longer there. @param {string} target @param {Map<string, string | Uint8Array>} files */
function writeAll(target, files) {
  mkdirSync(target, { recursive: true });
  for (const [name, content] of files) {
    const path = join(target, name);
    if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) continue;
    const draft = `${path}.${process.pid}.draft`;
    writeFileSync(draft, content);
    renameSync(draft, path);
  }
  for (const path of filesUnder(target)) if (!files.has(path.slice(target.length + 1))) rmSync(path);
}

/**
 * @typedef {object} Kind For whom a bundle is.
 * @property {'node' | 'browser'} platform
 * @property {string[]} conditionNames choose what `#platform` imports lead to
 * @property {string} target
 * @property {NonNullable<import('rolldown').OutputOptions['minify']>} minify what goes into other bundles is left readable
 * @property {boolean} sourcemap
 */

/** @type {Kind} */
const BROWSER = {
  platform: 'browser',
  conditionNames: ['source', 'browser', 'import', 'default'],
  target: 'es2022',
  minify: false,
  sourcemap: false,
};

/** @type {Kind} */
const NODE = {
  platform: 'node',
  conditionNames: ['source', 'node', 'import', 'default'],
  target: 'node20.19',
  minify: false,
  sourcemap: true,
};

/** @type {Record<'node' | 'started' | 'measured' | 'browser' | 'thread', Kind>} */
const KINDS = {
  node: NODE,
  // What is compiled at every start: without whitespace and comments. Names stay, for the stacks of errors.
  started: { ...NODE, minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } } },
  // Minified, so that a comment or a name changes nothing.
  measured: { ...NODE, minify: true, sourcemap: false },
  browser: BROWSER,
  thread: { ...BROWSER, minify: true },
};

/**
 * Bundles entries into a folder.
 * @param {string} target
 * @param {Record<string, string>} input
 * @param {NonNullable<import('rolldown').OutputOptions['codeSplitting']>} codeSplitting
 * @param {'node' | 'started' | 'measured' | 'browser' | 'thread'} [kind]
 */
export async function bundle(target, input, codeSplitting, kind = 'node') {
  const { platform, conditionNames, target: language, minify, sourcemap } = KINDS[kind];
  const { output } = await build({
    input,
    platform,
    external: [...EXTERNAL, ...OPTIONAL],
    tsconfig: 'tsconfig.json',
    // The same library as modules: of it only what is used comes along, and it asks for no module while it runs.
    resolve: {
      alias: { yaml: resolve('node_modules/yaml/browser/dist/index.js') },
      conditionNames,
    },
    transform: { target: language },
    write: false,
    onLog(level, log, tell) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      // Kernels that one entry has at once, another loads.
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') tell(level, log);
    },
    output: { format: 'esm', sourcemap, minify, chunkFileNames: '[name].js', codeSplitting },
  });
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map();
  /** @type {Set<string>} */
  const packages = new Set();
  for (const part of output) {
    const own = part.type === 'chunk' ? escaped(part.code) : withoutForeign(part.source);
    if (own !== undefined) files.set(part.fileName, own);
    if (part.type !== 'chunk') continue;
    for (const id of part.moduleIds) {
      const folder = packageOf(id);
      if (folder !== undefined) packages.add(folder);
    }
  }
  files.set('THIRD-PARTY.txt', noticesOf(packages));
  writeAll(target, files);
}
