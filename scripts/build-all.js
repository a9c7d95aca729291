/**
 * The whole build: `npm run build`. Most steps keep one core busy, so what needs kernels and what needs TypeScript's
 * compiler run beside each other, and after them what needs both.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { enterRoot } from './files.js';

enterRoot();

const TSC = 'node_modules/typescript/bin/tsc';
const VITE = 'node_modules/vite/bin/vite.js';

const FIRST = [['scripts/build-layouts.js']];
const BUNDLES = [
  ['scripts/build-kernels.js'],
  ['scripts/build-fonts.js'],
  ['scripts/build-program.js'],
  ['scripts/build-browser.js'],
  [VITE, 'build', 'web', '--logLevel', 'warn'],
];
const MODULES = [['scripts/tidy-modules.js'], [TSC, '-p', 'tsconfig.build.json'], ['scripts/build-types.js']];
const LAST = [['scripts/build-schemas.js'], ['scripts/build-python.js']];

let failed = false;

/** One step after the other; none more once a step has failed, be it one of these or not. @param {string[][]} steps */
async function run(steps) {
  for (const step of steps) {
    if (failed) return;
    const [code] = await once(spawn(process.execPath, step, { stdio: 'inherit' }), 'exit');
    if (code === 0) continue;
    failed = true;
    process.stderr.write(`build: ${step.join(' ')} failed\n`);
  }
}

await run(FIRST);
await Promise.all([run(BUNDLES), run(MODULES)]);
await run(LAST);
if (failed) process.exitCode = 1;
