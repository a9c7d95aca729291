/**
 * Bundles the command line into dist/program/, the library into dist/library/ and what threads run into dist/threads/:
 * one file for each part that is loaded by itself instead of some three hundred modules, which take Node longer to find
 * than to run. What the gate measures goes into dist/gate/. What a bundle holds of other packages is named, with its licence, in THIRD-PARTY.txt beside it.
 */
import { copyFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { bundle } from './bundle.js';
import { enterRoot } from './files.js';

enterRoot();

/**
 * What every call of the program needs. All else that commands share is one file, not one for each set of commands that
 * share it.
 */
const FIRST =
  /\/node_modules\/commander\/|\/src\/(core\/(errors|limits|version|chance\/stream|platform\/(rules-call|node\/(process-guard|heartbeat)))|rules\/(number-options|option-spec)|report\/text\/sanitize|cli\/(command-thread-host|run-command-line|command|failure|find-config|run-guarded|help|interrupt|options|program|terminal))\.ts$/;

/** The shortest calls. They, and all that they import, are one file; what longer ones share beyond that is another. */
const SHORT = /\/src\/cli\/(run|exact|replay|find)\.ts$/;

/** Pictures: large, and for reports alone. */
const PICTURES = /\/node_modules\/(vega|d3|topojson)[^/]*\//;

await bundle(
  'dist/program',
  { main: 'src/cli/main.ts', 'command-thread': 'src/cli/command-thread.ts' },
  {
    groups: [
      { name: 'first', test: FIRST, priority: 2 },
      { name: 'pictures', test: PICTURES, priority: 1 },
      { name: 'short', test: SHORT, priority: 1 },
      { name: 'shared', minShareCount: 2 },
    ],
  },
  'started',
);

const shared = { groups: [{ name: 'shared', minShareCount: 2 }] };

await bundle(
  'dist/library',
  {
    index: 'src/index.ts',
    environments: 'src/environments.ts',
    system: 'src/system.ts',
    testing: 'src/testing.ts',
  },
  shared,
);

// Threads of browsers are a part of dist/browser and of the web app.
const threads = readdirSync('workers').filter((file) => /^(?!browser|face)[a-z]+[.]ts$/.test(file));
await bundle(
  'dist/threads',
  Object.fromEntries(threads.map((file) => [basename(file, '.ts'), `workers/${file}`])),
  true,
  'started',
);
// One file: its bytes say whether the program that opens kernels is another one.
await bundle('dist/gate', { player: 'bench/gate/player.ts' }, false, 'measured');

copyFileSync('workers/thread.cjs', 'dist/threads/thread.cjs');
