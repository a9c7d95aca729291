/**
 * The whole build: `npm run build`. Most steps keep one core busy, so what needs kernels and what needs TypeScript's
 * compiler run beside each other, and after them what needs both. A step whose inputs and outputs are as they were is
 * left out. Steps that are named as arguments are the only ones that are looked at; scripts/dev.js asks for some.
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
const COMPILED = ['dist/src', 'dist/workers', 'dist/bench'];

const asked = process.argv.slice(2);

let failed = false;

/** Runs a script of Node; nothing once one has failed, be it this one or not. @param {string[]} words */
async function run(...words) {
  if (failed) throw new Error('another step failed');
  const [code] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'exit');
  if (code === 0) return;
  failed = true;
  throw new Error(`${words.join(' ')} failed`);
}

/** A step, if it is among those that are asked for. @type {typeof step} */
const known = async (name, ...rest) => {
  if (asked.length === 0 || asked.includes(name)) await step(name, ...rest);
};

/** A step that is a script. @param {string} name @param {string[]} inputs @param {string[]} outputs */
const script = (name, inputs, outputs) =>
  known(name, [`scripts/build-${name}.js`, ...inputs], outputs, () => run(`scripts/build-${name}.js`));

async function bundles() {
  // It has a step for each kernel.
  await run('scripts/build-kernels.js');
  await script('fonts', [], ['dist/fonts']);
  await script('program', BUNDLED, ['dist/program', 'dist/library', 'dist/threads', 'dist/gate']);
  await script('browser', [...BUNDLED, KERNELS], ['dist/browser', 'dist/browser-thread', 'dist/kernels/embedded']);
  await known('page', [...SOURCES, ...PAGE, KERNELS], ['dist/page', 'dist/page-system', 'dist/page-system-hash'], () =>
    run('node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'),
  );
}

async function modules() {
  const inputs = [...SOURCES, 'bench', 'tsconfig.build.json', 'scripts/tidy-modules.js'];
  await known('modules', inputs, COMPILED, async (intact) => {
    // The compiler looks at sources only: it would not see what happened to that which it wrote.
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
  await script('python', ['dist/src', KERNELS, 'scenarios', 'LICENSE'], ['python/warpool/ready', 'python/LICENSE']);
} catch (error) {
  process.stderr.write(`build: ${String(error)}\n`);
  process.exitCode = 1;
}
