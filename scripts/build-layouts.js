/**
 * Writes the declarations of src/<folder>/layout.ts and src/rules/<id>/layout.ts for kernels and for C programs, to
 * {assembly,bench/native}/generated/<folder or id>, and the declarations of environments for Python. They are not
 * committed.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { build } from 'rolldown';
import { enterRoot, filesUnder } from './files.js';

enterRoot();

const ENTRY = 'declarations';

const sources = filesUnder('src').filter((file) => basename(file) === 'layout.ts');
const module = [
  `export { writeAssemblyScript, writeCHeader, writePython } from ${JSON.stringify(resolve('src/rules/declaration-writers.ts'))};`,
  ...sources.map((file, k) => `export * as layout${k} from ${JSON.stringify(resolve(file))};`),
].join('\n');

const { output } = await build({
  input: ENTRY,
  platform: 'node',
  resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
  plugins: [
    {
      name: ENTRY,
      resolveId: (id) => (id === ENTRY ? id : null),
      load: (id) => (id === ENTRY ? module : null),
    },
  ],
  write: false,
});
const { writeAssemblyScript, writeCHeader, writePython, ...layouts } = await import(
  `data:text/javascript,${encodeURIComponent(output[0].code)}`
);

/** @param {string} file @param {string} text */
function write(file, text) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/**
 * Writes one file for each layout to a folder.
 * @param {string} target @param {(source: string, k: number) => string} textOf @param {string} suffix
 */
function fill(target, suffix, textOf) {
  mkdirSync(target, { recursive: true });
  const wanted = new Map(
    sources.map((source, k) => [`${target}/${basename(dirname(source))}${suffix}`, textOf(source, k)]),
  );
  for (const [file, text] of wanted) write(file, text);
  for (const file of filesUnder(target)) if (!wanted.has(file)) rmSync(file);
}

/** @param {string} source */
const note = (source) => `Written by scripts/build-layouts.js from ${source}.`;

fill(
  'assembly/generated',
  '.ts',
  (source, k) => `/** ${note(source)} */\n\n${writeAssemblyScript(layouts[`layout${k}`])}`,
);
fill('bench/native/generated', '.h', (source, k) => `/* ${note(source)} */\n${writeCHeader(layouts[`layout${k}`])}`);

const forPython = ['src/environments/layout.ts', 'src/environments/decision-automaton/layout.ts'];
const words = forPython.map((source) => writePython(layouts[`layout${sources.indexOf(source)}`]));
write('python/warpool/words.py', `"""${note(forPython.join(' and '))}"""\n\n${words.join('\n\n')}`);
