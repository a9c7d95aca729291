/**
 * Writes the declarations that the public modules need to dist/types/, so that projects can check them: their imports
 * are installed with the package, and typed arrays have names that all versions of TypeScript know.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { noticesOf } from './bundle.js';
import { enterRoot } from './files.js';

enterRoot();

const [FROM, TO] = ['dist/src', 'dist/types'];
const ZOD = 'node_modules/zod';
const ENTRIES = [
  'index.d.ts',
  'browser.d.ts',
  'environments.d.ts',
  'environments-browser.d.ts',
  'light.d.ts',
  'suite.d.ts',
  'system.d.ts',
  'testing.d.ts',
];

/** `Symbol.asyncDispose`, which @types/node 20 declares too, but not for projects without it. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

/** @param {string} text */
function plain(text) {
  return (
    text
      // TypeScript before 5.7 has no type arguments here.
      .replaceAll(/\b((?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array)<ArrayBuffer(?:Like)?>/g, '$1')
      // That streams can be handed to pure-rand concerns nobody outside.
      .replace(/^import type \{ RandomGenerator \} from 'pure-rand[^\n]*\n/m, '')
      .replaceAll(' implements RandomGenerator', '')
      // Imports without names declare nothing.
      .replaceAll(/^import '[^']*';\n/gm, '')
      .replaceAll(/^\/\/# sourceMappingURL.*$/gm, '')
  );
}

/** Names in braces, without `type`. @param {string} clause */
const namesIn = (clause) =>
  clause
    .split(',')
    .map((each) => each.replace(/\btype\b/, '').trim())
    .filter(Boolean);

/**
 * Files that declare the names of an entry point, by path of the entry point.
 * @type {Map<string, Map<string, string>>}
 */
const entries = new Map();

/** @param {string} entry */
function sourcesOf(entry) {
  const known = entries.get(entry);
  if (known !== undefined) return known;
  const text = readFileSync(join(FROM, entry), 'utf8');
  const lines = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm)];
  const sources = new Map(
    lines.flatMap(([, clause = '', from = '']) => namesIn(clause).map((name) => [name, join(dirname(entry), from)])),
  );
  entries.set(entry, sources);
  return sources;
}

/**
 * Imports names from the declaring files, because an entry point would add the declarations of its whole module.
 * @param {string} file @param {string} text
 */
const direct = (file, text) =>
  text
    .replaceAll(/import\("((?:\.\.\/)+\w+\/(?:index|node)\.ts)"\)\.(\w+)/g, (inline, from, name) => {
      const source = sourcesOf(join(dirname(file), from.replace(/ts$/, 'd.ts'))).get(name);
      return source === undefined ? inline : `import("${relative(dirname(file), source)}").${name}`;
    })
    .replaceAll(
      /^import (?:type )?\{([^}]*)\} from '((?:\.\.\/)+\w+\/(?:index|node)\.ts)';$/gm,
      (line, clause, from) => {
        const sources = sourcesOf(join(dirname(file), from.replace(/ts$/, 'd.ts')));
        if (sources.size === 0) return line;
        return namesIn(clause)
          .map(
            (name) =>
              `import { ${name} } from '${relative(dirname(file), sources.get(name.split(' ')[0] ?? '') ?? '')}';`,
          )
          .join('\n');
      },
    );

/** Lists the imports of a declaration. @param {string} text */
const importsOf = (text) =>
  [...text.matchAll(/(?:\bfrom\s+|import\(\s*)['"]([^'"]+)['"]/g)].map(([, name = '']) => name);

/** Removes comments, in which examples import the package itself. @param {string} text */
const code = (text) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '');

/** @type {Map<string, string>} */
const written = new Map();

/** @param {string} file */
function take(file) {
  if (written.has(file)) return;
  const text = direct(file, plain(readFileSync(join(FROM, file), 'utf8')));
  written.set(file, ENTRIES.includes(file) ? DISPOSABLE + text : text);
  for (const name of importsOf(code(text))) {
    if (name.startsWith('.')) take(join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')));
    else if (name !== 'zod') throw new Error(`${file} uses ${name}, which is not part of the package`);
  }
}

/** Copies the declarations of zod, which is part of every bundle: the whole package would be larger than warpool. */
function copyZod() {
  for (const folder of ['classic', 'core'])
    for (const file of readdirSync(`${ZOD}/v4/${folder}`).filter((name) => name.endsWith('.d.ts')))
      written.set(`zod/${folder}/${file}`, readFileSync(`${ZOD}/v4/${folder}/${file}`, 'utf8'));
  written.set('zod/locales/en.d.ts', readFileSync(`${ZOD}/v4/locales/en.d.ts`, 'utf8'));
  written.set('zod/locales/index.d.ts', "export { default as en } from './en.js';\n");
  written.set('zod/index.d.ts', readFileSync(`${ZOD}/index.d.ts`, 'utf8').replaceAll('./v4/', './'));
  written.set('THIRD-PARTY.txt', noticesOf([ZOD]));
}

for (const entry of ENTRIES) take(entry);
copyZod();
rmSync(TO, { recursive: true, force: true });
for (const [file, text] of written) {
  mkdirSync(dirname(join(TO, file)), { recursive: true });
  const zod = relative(dirname(file), 'zod/index.js').replace(/^zod/, './zod');
  writeFileSync(
    join(TO, file),
    text
      .replaceAll(/(?<=from )'zod'(?=;)/g, `'${zod}'`)
      .replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'),
  );
}
