/**
 * Bundles modules of src/ and workers/ with their imports from other packages, and lists these packages with their
 * licenses.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { filesUnder } from './files.js';

/**
 * Packages outside of bundles: packages that start threads from their own files or contain compiled code, which are
 * installed with warpool, and optional packages.
 */
const EXTERNAL = ['piscina', '@resvg/resvg-js', 'canvas', 'bullmq', 'ioredis'];

/** Optional packages, which package.json declares as optional peers. */
const OPTIONAL = ['@aws-sdk/client-s3'];

/** Folder of the third-party package of a module. @param {string} id */
export function packageOf(id) {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
  return folder;
}

/** Formats name, version and license of a package. @param {string} folder */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

/** Formats name, version and license of packages, by their folders. @param {Iterable<string>} folders */
export const noticesOf = (folders) =>
  [...folders]
    .sort()
    .map(notice)
    .join(`\n${'-'.repeat(80)}\n\n`);

/**
 * Escapes characters beyond ASCII: a single one would make V8 use two bytes per character, and Node.js decode the file
 * slowly.
 * @param {string} code
 */
const escaped = (code) =>
  code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Delays the body of string-width to its first use: its segmenter and the sets of emoji take 25 ms to create, and most
 * texts need neither.
 * @type {import('rolldown').Plugin}
 */
const lazyWidths = {
  name: 'lazy-widths',
  transform(code, id) {
    if (!/[/]string-width[/]index[.]js$/.test(id)) return undefined;
    const [, imports, body, rest] = /^((?:import [^\n]*\n)+)(.*)export default (function .*)$/s.exec(code) ?? [];
    if (imports === undefined) throw new Error(`${id} has changed`);
    return `${imports}const create = () => {${body}return ${rest}};\nlet measure;
export default (text) => (measure ??= create())(text);`;
  },
};

/**
 * Removes the conversion to JSON Schema from the schemas of zod: 17 kB of bundles that do not convert. Where it is
 * included, it enters itself.
 * @type {import('rolldown').Plugin}
 */
const separateJsonSchema = {
  name: 'separate-json-schema',
  transform(code, id) {
    const convert = 'core.globalConfig.toJSONSchema';
    if (/[/]zod[/]v4[/]core[/]json-schema-processors[.]js$/.test(id))
      return `import * as core from './core.js';\n${code}\n${convert} = toJSONSchema;`;
    if (!/[/]zod[/]v4[/]classic[/]schemas[.]js$/.test(id)) return undefined;
    return code
      .replaceAll(/^.*(?: processors from |inst\._zod\.processJSONSchema = |core\/to-json-schema\.js).*$/gm, '')
      .replace('createToJSONSchemaMethod(this, {})(params)', `${convert}(this, params)`)
      .replaceAll(
        /createStandardJSONSchemaMethod\(this, ("\w+")\)/g,
        (_, io) => `(given) => ${convert}(this, { ...given?.libraryOptions, target: given?.target, io: ${io} })`,
      );
  },
};

/** Adds a comment with the hash of the code, by which bin/code-cache.js finds compiled code. @param {string} code */
const prependHash = (code) => `//${createHash('sha256').update(code).digest('hex')}\n${code}`;

/**
 * Writes changed files and removes obsolete ones.
 * @param {string} target @param {Map<string, string>} files
 */
function writeAll(target, files) {
  for (const [name, content] of files) {
    const path = join(target, name);
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) continue;
    const draft = `${path}.${process.pid}.draft`;
    writeFileSync(draft, content);
    renameSync(draft, path);
  }
  for (const path of filesUnder(target)) if (!files.has(path.slice(target.length + 1))) rmSync(path);
}

/**
 * @typedef {object} Kind Target of a bundle.
 * @property {'node' | 'browser'} platform
 * @property {string[]} conditionNames conditions that resolve `#platform` imports
 * @property {string} target
 * @property {NonNullable<import('rolldown').OutputOptions['minify']>} minify only whitespace in code that other bundles include
 * @property {'cjs'} [format] default: modules
 */

/** @type {Kind} */
const BROWSER = {
  platform: 'browser',
  conditionNames: ['source', 'browser', 'import', 'default'],
  target: 'es2022',
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
};

/** @type {Kind} */
const NODE = {
  platform: 'node',
  conditionNames: ['source', 'node', 'import', 'default'],
  target: 'node20.19',
  minify: false,
};

/**
 * Replaces the content of a module.
 * @param {RegExp} id @param {string} code @returns {import('rolldown').Plugin}
 */
const replace = (id, code) => ({ name: 'replace', load: { filter: { id }, handler: () => code } });

/** Messages of zod in 50 languages would add 0.4 MB to every bundle with `z`. */
const ONE_LANGUAGE = replace(/\/zod\/v4\/locales\/index\.js$/, "export { default as en } from './en.js';");

/** Starts bundles for browsers without systems: their entry points register systems. */
const NO_SYSTEMS = {
  ...replace(/^no-systems$/, 'export const shippedSystems = [];'),
  resolveId: { filter: { id: /^\.\/shipped\.ts$/ }, handler: () => 'no-systems' },
};

/**
 * Loads the systems of the program from files of their own when they are used: their schemas take longer to create than
 * a short run.
 * @type {import('rolldown').Plugin}
 */
const lazySystems = {
  name: 'lazy-systems',
  transform(code, id) {
    if (!id.endsWith('/src/rules/shipped.ts')) return undefined;
    return code.replaceAll(
      /import \{ (\w+) \} from '\.\/([a-z-]+)\/index\.ts';/g,
      (_, name, system) => `const ${name} = new Proxy({ id: '${system}' }, {
  get: (own, key) => own[key] ?? require('../system-${system}.cjs').${name}[key],
});`,
    );
  },
};

/**
 * Code that is compiled at every start has no whitespace and comments. Names stay, for stack traces.
 * @type {Kind}
 */
const STARTED = { ...NODE, minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } } };

/** @type {Record<'node' | 'started' | 'cached' | 'measured' | 'browser' | 'thread', Kind>} */
const KINDS = {
  node: NODE,
  started: STARTED,
  // V8 caches the code of CommonJS modules only.
  cached: { ...STARTED, format: 'cjs' },
  // Minified, so that comments and names change nothing.
  measured: { ...NODE, minify: true },
  browser: BROWSER,
  thread: { ...BROWSER, minify: true },
};

/**
 * Bundles entries into a folder.
 * @param {string} target
 * @param {Record<string, string>} input
 * @param {NonNullable<import('rolldown').OutputOptions['codeSplitting']>} codeSplitting
 * @param {'node' | 'started' | 'cached' | 'measured' | 'browser' | 'thread'} [kind]
 */
export async function bundle(target, input, codeSplitting, kind = 'node') {
  const { platform, conditionNames, target: language, minify, format = 'esm' } = KINDS[kind];
  const extension = format === 'cjs' ? '.cjs' : '.js';
  const { output } = await build({
    input,
    platform,
    external: [...EXTERNAL, ...OPTIONAL, /\/system-[a-z-]+\.cjs$/],
    preserveEntrySignatures: kind === 'browser' ? 'allow-extension' : 'exports-only',
    tsconfig: 'tsconfig.json',
    // The same library as modules, so that only used parts are included, and none is loaded at run time.
    resolve: {
      alias: {
        yaml: resolve('node_modules/yaml/browser/dist/index.js'),
        // Without its optional package.
        'vega-canvas': resolve('node_modules/vega-canvas/build/vega-canvas.browser.js'),
      },
      conditionNames,
    },
    transform: { target: language },
    plugins: [
      ONE_LANGUAGE,
      lazyWidths,
      separateJsonSchema,
      ...(kind === 'browser' ? [NO_SYSTEMS] : kind === 'cached' ? [lazySystems] : []),
    ],
    write: false,
    onLog(level, log, tell) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      // Kernels that one entry includes are loaded later by another.
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') tell(level, log);
    },
    output: {
      format,
      minify,
      entryFileNames: `[name]${extension}`,
      chunkFileNames: `[name]${extension}`,
      codeSplitting,
    },
  });
  /** @type {Map<string, string>} */
  const files = new Map();
  /** @type {Set<string>} */
  const packages = new Set();
  for (const part of output) {
    if (part.type !== 'chunk') throw new Error(`${part.fileName} is not code`);
    // Figures are half of the program, and do not appear in stack traces of users.
    const short = part.name === 'pictures' ? minifySync(part.fileName, part.code, { module: true }).code : part.code;
    const code = escaped(short);
    files.set(
      part.fileName,
      format === 'cjs' ? prependHash(code.replaceAll(/\bimport\(/g, 'require("../../bin/import.cjs")(')) : code,
    );
    for (const id of part.moduleIds) {
      const folder = packageOf(id);
      if (folder !== undefined) packages.add(folder);
    }
  }
  files.set('THIRD-PARTY.txt', noticesOf(packages));
  writeAll(target, files);
}
