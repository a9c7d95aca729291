/**
 * Bundles the library for browsers into dist/browser/, one folder that every bundler can include. Kernels and the
 * script of threads are texts in modules, because some bundlers copy no other files.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle } from './bundle.js';
import { enterRoot } from './files.js';

enterRoot();

const TEXTS = 'dist/kernels/embedded';

/** Writes a module that exports a text. @param {string} name @param {string} text */
function embed(name, text) {
  writeFileSync(join(TEXTS, `${name}.js`), `export const text = ${JSON.stringify(text)};\n`);
}

mkdirSync(TEXTS, { recursive: true });
const kernels = readdirSync('dist/kernels/release').filter((file) => file.endsWith('.wasm'));
const names = kernels.map((file) => basename(file, '.wasm'));
for (const name of names) embed(name, readFileSync(`dist/kernels/release/${name}.wasm`, 'base64'));
const quoted = names.map((name) => JSON.stringify(name));
const loaders = names.map((name, n) => `  ${quoted[n]}: () => import('./${name}.js'),\n`);
writeFileSync(join(TEXTS, 'index.js'), `export const KERNELS = {\n${loaders.join('')}};\n`);
const imports = names.map((name, n) => `import { text as kernel${n} } from './${name}.js';\n`);
const all = quoted.map((name, n) => `  ${name}: kernel${n},\n`);
writeFileSync(join(TEXTS, 'all.js'), `${imports.join('')}\nexport const ALL = {\n${all.join('')}};\n`);

// Threads load no files, because a script that was created from text has no path.
await bundle('dist/browser-thread', { thread: 'workers/browser.ts' }, false, 'thread');
embed('thread', readFileSync('dist/browser-thread/thread.js', 'utf8'));

await bundle(
  'dist/browser',
  { index: 'src/browser.ts', environments: 'src/environments-browser.ts', system: 'src/system.ts' },
  { groups: [{ name: 'shared', minShareCount: 2 }] },
  'browser',
);
