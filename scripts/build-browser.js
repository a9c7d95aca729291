/**
 * Bundles the library for browsers into dist/browser/, one folder that every bundler can include. Kernels and the
 * script of threads are texts in modules, because some bundlers copy no other files.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle } from './bundle.js';
import { enterRoot } from './files.js';

enterRoot();

const TEXTS = 'dist/kernels/embedded';

/** Writes a module. @param {string} name @param {string} code */
const write = (name, code) => writeFileSync(join(TEXTS, `${name}.js`), code);

/** Writes a module that exports a text. @param {string} name @param {string} text */
const embed = (name, text) => write(name, `export const text = ${JSON.stringify(text)};\n`);

/** Writes a module that exports the kernels of other modules. @param {string} file @param {string[]} some */
function collect(file, some) {
  const imports = some.map((name, n) => `import { text as kernel${n} } from './${name}.js';\n`);
  const entries = some.map((name, n) => `  ${JSON.stringify(name)}: kernel${n},\n`);
  write(file, `${imports.join('')}\nexport const KERNELS = {\n${entries.join('')}};\n`);
}

/** Writes an entry point that registers a system. @param {string} id */
function writeEntry(id) {
  const name = id.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
  write(
    `system-${id}`,
    `import { registerKernels } from '../../../src/core/platform/browser/kernels.ts';
import { ${name} } from '../../../src/rules/${id}/index.ts';
import { registerSystem } from '../../../src/rules/shipped-registry.ts';
import { text } from './${id}.js';

registerKernels({ ${JSON.stringify(id)}: text });
registerSystem(${name});

export * from '../../../src/light.ts';
`,
  );
}

/**
 * Returns the file of a module in dist/browser/: bundlers remove unused files better than unused parts of files, so only
 * modules that are used together share one.
 * @param {string} id
 */
function fileOf(id) {
  const [, name] =
    /\/node_modules\/(zod\/.*)\.js$/.exec(id) ??
    /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ??
    /\/src\/(rules\/[a-z]+-[a-z]+|environments)\//.exec(id) ??
    /\/(?:src|embedded)\/(.*)\.[jt]s$/.exec(id) ??
    [];
  return name;
}

mkdirSync(TEXTS, { recursive: true });
const kernels = readdirSync('dist/kernels/release').filter((file) => file.endsWith('.wasm'));
const names = kernels.map((file) => basename(file, '.wasm'));
const systems = names.filter((name) => existsSync(`src/rules/${name}`));
for (const name of names) embed(name, readFileSync(`dist/kernels/release/${name}.wasm`, 'base64'));
write('index', 'export const KERNELS = {};\n');
collect('all', names);
collect(
  'common',
  // The entry point of environments registers their kernel.
  names.filter((name) => !systems.includes(name) && name !== 'decision-automaton'),
);
for (const id of systems) writeEntry(id);

// Threads load no files, because a script that was created from text has no path.
await bundle('dist/browser-thread', { thread: 'workers/browser.ts' }, false, 'thread');
embed('thread', readFileSync('dist/browser-thread/thread.js', 'utf8'));

await bundle(
  'dist/browser',
  {
    index: 'src/browser.ts',
    environments: 'src/environments-browser.ts',
    light: 'src/light.ts',
    system: 'src/system.ts',
    ...Object.fromEntries(systems.map((id) => [`systems/${id}`, `${TEXTS}/system-${id}.js`])),
  },
  { includeDependenciesRecursively: false, groups: [{ name: fileOf, debugName: 'files' }] },
  'browser',
);
