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
  /\/node_modules\/commander\/|\/src\/(core\/(errors|limits|version|chance\/(seed|stream)|platform\/(calls|node\/(guard|pulse)))|rules\/(amount|setting|thrown)|tell\/text\/clean|cli\/(apart|call|command|failure|find-config|guarded|help|interrupt|options|program|terminal))\.ts$/;

/** The shortest calls. They, and all that they import, are one file; what longer ones share beyond that is another. */
const SHORT = /\/src\/cli\/(run|exact|replay|find)\.ts$/;

/** Pictures: large, and for reports alone. */
const PICTURES = /\/node_modules\/(vega|d3|topojson)[^/]*\//;

await bundle(
  'dist/program',
  { main: 'src/cli/main.ts', 'apart-thread': 'src/cli/apart-thread.ts' },
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
    rollout: 'src/rollout.ts',
    system: 'src/system.ts',
    testing: 'src/testing.ts',
  },
  shared,
);

const threads = readdirSync('workers').filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
await bundle(
  'dist/threads',
  Object.fromEntries(threads.map((file) => [basename(file, '.ts'), `workers/${file}`])),
  true,
  'started',
);
// One file: its bytes say whether the program that opens kernels is another one.
await bundle('dist/gate', { player: 'bench/gate/player.ts' }, false, 'measured');

copyFileSync('workers/thread.cjs', 'dist/threads/thread.cjs');
