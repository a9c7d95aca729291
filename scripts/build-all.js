/**
 * Builds everything: `npm run build`. Steps that need kernels and steps that need the TypeScript compiler run in
 * parallel, because most of them use one core; steps that need both run afterwards. Steps with unchanged inputs and
 * outputs are skipped. Arguments select single steps, as scripts/dev.js does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { enterRoot } from './files.js';
import { step } from './step.js';

enterRoot();

const KERNELS = 'dist/kernels/release';
const SOURCES = ['src', 'workers', 'tsconfig.json'];
const BUNDLED = [...SOURCES, 'scripts/bundle.js'];
const PAGE = ['web', 'scenarios', 'examples', 'scripts/bundle.js'];
const PYTHON = [
  ...[
    'dist/src',
    'dist/rpc',
    'dist/threads',
    'dist/types',
    'dist/schemas',
    'dist/fonts',
    KERNELS,
    'dist/kernels/shared',
  ],
  ...[
    'scenarios',
    'examples/games',
    'examples/systems',
    'scripts/build-python.js',
    'scripts/python-program.js',
    'scripts/python-functions.js',
    'scripts/python-results.js',
  ],
  'LICENSE',
];
const COMPILED = ['dist/src', 'dist/workers', 'dist/bench'];

const asked = process.argv.slice(2);

let failed = false;

/** Runs a Node.js script, unless an earlier one has failed. @param {string[]} words */
async function run(...words) {
  if (failed) throw new Error('another step failed');
  const [code] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'exit');
  if (code === 0) return;
  failed = true;
  throw new Error(`${words.join(' ')} failed`);
}

/** Runs a step if it is selected. @type {typeof step} */
const known = async (name, ...rest) => {
  if (asked.length === 0 || asked.includes(name)) await step(name, ...rest);
};

/** Runs a step that is a script. @param {string} name @param {string[]} inputs @param {string[]} outputs */
const script = (name, inputs, outputs) =>
  known(name, [`scripts/build-${name}.js`, ...inputs], outputs, () => run(`scripts/build-${name}.js`));

async function bundles() {
  // This script has a step for each kernel.
  await run('scripts/build-kernels.js');
  await script('fonts', [], ['dist/fonts']);
  await script('program', BUNDLED, ['dist/program', 'dist/library', 'dist/rpc', 'dist/threads', 'dist/gate']);
  await script('browser', [...BUNDLED, KERNELS], ['dist/browser', 'dist/browser-thread', 'dist/kernels/embedded']);
  await known('page', [...SOURCES, ...PAGE, KERNELS], ['dist/page', 'dist/page-system', 'dist/page-system-hash'], () =>
    run('node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'),
  );
}

async function modules() {
  const inputs = [...SOURCES, 'bench', 'tsconfig.build.json', 'scripts/tidy-modules.js'];
  await known('modules', inputs, COMPILED, async (intact) => {
    // The compiler checks only sources and would not detect changes of its output.
    if (!intact) rmSync('dist/.tsbuildinfo', { force: true });
    await run('scripts/tidy-modules.js');
    await run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  });
  await script('types', ['dist/src'], ['dist/types']);
}

try {
  await script('layouts', ['src'], ['assembly/generated']);
  const both = await Promise.allSettled([bundles(), modules()]);
  for (const each of both) if (each.status === 'rejected') throw each.reason;
  await script('schemas', ['dist/src', 'dist/library', 'examples/games'], ['dist/schemas']);
  await script('python', PYTHON, ['python/warpool/ready', 'python/LICENSE']);
} catch (error) {
  process.stderr.write(`build: ${String(error)}\n`);
  process.exitCode = 1;
}
