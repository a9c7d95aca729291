/**
 * Writes the part of the Python package that runs in Node.js: the program of dist/rpc with its threads, kernels and data,
 * and the Python modules of its functions and their results.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFunctions } from './python-functions.js';
import { createResults } from './python-results.js';

const FOLDERS = [
  'dist/rpc',
  'dist/threads',
  'dist/kernels/release',
  'dist/kernels/shared',
  'dist/fonts',
  'scenarios',
  'examples/games',
];

/**
 * Writes a package: imports of its program find kernels, threads and data by the names of package.json.
 * @param {string} target folder of the files of the build
 */
function writePackage(target) {
  const node = join(target, 'node');
  mkdirSync(node);
  const { name, version, type, engines, exports, imports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const included = {
    ...{ name, version, type, engines },
    exports: {
      './package.json': './package.json',
      './system': './dist/rpc/system.js',
      './scenarios/*': exports['./scenarios/*'],
      './examples/*': exports['./examples/*'],
    },
    imports: Object.fromEntries(
      ['#fonts/*', '#kernels/*', '#scenarios/*', '#worker/*'].map((key) => [key, imports[key]]),
    ),
  };
  writeFileSync(join(node, 'package.json'), JSON.stringify(included));
  for (const each of [...FOLDERS, 'node_modules/piscina'])
    cpSync(each, join(node, each), {
      recursive: true,
      filter: (path) => !/\.(map|d\.ts|md)$|\/(testing|benchmark|src|test|test-jest|docs|scripts)$/.test(path),
    });
}

/** @param {string} target */
async function writeModules(target) {
  const { FUNCTIONS } = await import(new URL('../dist/src/rpc/functions.js', import.meta.url).href);
  /** @param {string} output */
  const readSchema = (output) => JSON.parse(readFileSync(`dist/schemas/${output}.schema.json`, 'utf8'));
  writeFileSync(join(target, '__init__.py'), '"""Files of the build."""\n');
  writeFileSync(join(target, 'results.py'), createResults(FUNCTIONS, readSchema));
  writeFileSync(join(target, 'functions.py'), createFunctions(FUNCTIONS));
}

/** @param {string} target */
export async function writeProgram(target) {
  writePackage(target);
  await writeModules(target);
}
