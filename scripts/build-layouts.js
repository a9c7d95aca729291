/** Writes the declarations of src/<folder>/layout.ts and src/systems/<id>/layout.ts for kernels: assembly/generated/<folder or id>.ts. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { build } from 'rolldown';
import { enterRoot, filesUnder } from './files.js';

enterRoot();

const TARGET = 'assembly/generated';
const ENTRY = 'declarations';

const sources = filesUnder('src').filter((file) => basename(file) === 'layout.ts');
const module = [
  `export { assemblyOf } from ${JSON.stringify(resolve('src/systems/assembly.ts'))};`,
  ...sources.map((file, k) => `export * as layout${k} from ${JSON.stringify(resolve(file))};`),
].join('\n');

const { output } = await build({
  input: ENTRY,
  platform: 'node',
  plugins: [
    {
      name: ENTRY,
      resolveId: (id) => (id === ENTRY ? id : null),
      load: (id) => (id === ENTRY ? module : null),
    },
  ],
  write: false,
});
const { assemblyOf, ...layouts } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);

/** @param {string} file @param {string} text */
function write(file, text) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

mkdirSync(TARGET, { recursive: true });
const wanted = new Map(
  sources.map((source, k) => {
    const text = `/** Written by scripts/build-layouts.js from ${source}. */\n\n${assemblyOf(layouts[`layout${k}`])}`;
    return [`${TARGET}/${basename(dirname(source))}.ts`, text];
  }),
);
for (const [file, text] of wanted) write(file, text);
for (const file of filesUnder(TARGET)) if (!wanted.has(file)) rmSync(file);
