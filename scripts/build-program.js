/**
 * Bundles the command line into dist/program/: one file for each part that is loaded by itself instead of some three
 * hundred modules, which take Node longer to find than to run. Programs that import the library get the plain modules
 * of dist/src. What the bundle holds of other packages is named, with its licence, in THIRD-PARTY.txt beside it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { enterRoot, filesUnder } from './files.js';

enterRoot();

const TARGET = 'dist/program';

/** Those that start threads from files of their own, hold compiled code, or are large and loaded for pictures alone. */
const EXTERNAL = ['piscina', '@resvg/resvg-js', 'vega', 'vega-lite'];

/**
 * What every call of the program needs. All else that commands share is one file, not one for each set of commands that
 * share it.
 */
const FIRST =
  /\/node_modules\/commander\/|\/src\/(errors|chance\/(seed|stream)|report\/clean|version|cli\/(commands\/\w+|failure|interrupt|options(-\w+)?|program)|systems\/strength-cards\/payoff)\.ts$/;

/** The folder of the package that a module belongs to, if it is not our own. @param {string} id */
function packageOf(id) {
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

/** A source map without the sources of other packages, which would be most of it. @param {string | Uint8Array} map */
function withoutForeign(map) {
  const { sources, sourcesContent, ...rest } = JSON.parse(String(map));
  const kept = sources.map((/** @type {string} */ source, /** @type {number} */ s) =>
    source.includes('/node_modules/') ? null : sourcesContent[s],
  );
  return JSON.stringify({ ...rest, sources, sourcesContent: kept });
}

const { output } = await build({
  input: { main: 'src/cli/main.ts' },
  platform: 'node',
  external: EXTERNAL,
  tsconfig: 'tsconfig.json',
  // The same library as modules, of which only what is used comes along.
  resolve: { alias: { yaml: resolve('node_modules/yaml/browser/dist/index.js') } },
  transform: { target: 'node20.19' },
  write: false,
  output: {
    format: 'esm',
    sourcemap: true,
    chunkFileNames: '[name].js',
    codeSplitting: {
      groups: [
        { name: 'first', test: FIRST, priority: 1 },
        { name: 'shared', minShareCount: 2 },
      ],
    },
  },
});

/** @type {Map<string, string | Uint8Array>} */
const files = new Map();
/** @type {Set<string>} */
const packages = new Set();
for (const part of output) {
  files.set(part.fileName, part.type === 'chunk' ? part.code : withoutForeign(part.source));
  if (part.type !== 'chunk') continue;
  for (const id of part.moduleIds) {
    const folder = packageOf(id);
    if (folder !== undefined) packages.add(folder);
  }
}
files.set(
  'THIRD-PARTY.txt',
  [...packages]
    .sort()
    .map(notice)
    .join(`\n${'-'.repeat(80)}\n\n`),
);

mkdirSync(TARGET, { recursive: true });
for (const [name, content] of files) {
  const path = join(TARGET, name);
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) continue;
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}
for (const path of filesUnder(TARGET)) if (!files.has(path.slice(TARGET.length + 1))) rmSync(path);
