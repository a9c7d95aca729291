/**
 * Bundles the command line into dist/program/, the library into dist/library/, functions for other languages into
 * dist/rpc/ and the code of threads into dist/threads/: one file for each part that is loaded separately, instead of about three hundred modules, which take
 * Node.js longer to find than to run. The measured code of the gate goes into dist/gate/. THIRD-PARTY.txt lists
 * packages in a bundle, with their licenses.
 */
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { bundle } from './bundle.js';
import { enterRoot } from './files.js';

enterRoot();

/**
 * Modules that every call of the program needs. All other modules that commands share are one file, not one for each
 * set of commands.
 */
const FIRST =
  /\/node_modules\/commander\/|\/src\/(core\/(errors|limits|version|chance\/stream|platform\/(rules-call|node\/(process-guard|heartbeat)))|rules\/(number-options|option-spec)|report\/text\/sanitize|cli\/(command-thread-host|run-command-line|command|failure|find-config|run-guarded|help|interrupt|options|program|terminal))\.ts$/;

/**
 * Modules of the shortest calls are one file with all their imports; further shared modules of longer calls are
 * another. Systems, which are loaded from files of their own, use `layout`.
 */
const SHORT = /\/src\/(cli\/(run|exact|replay|find|check)|rules\/layout)\.ts$/;

/** Modules of figures, which are large and only used by reports. */
const PICTURES = /\/node_modules\/(vega|d3|topojson)[^/]*\//;

const SYSTEMS = readdirSync('src/rules').filter((name) => existsSync(`src/rules/${name}/layout.ts`));

await bundle(
  'dist/program',
  {
    main: 'src/cli/main.ts',
    'command-thread': 'src/cli/command-thread.ts',
    ...Object.fromEntries(SYSTEMS.map((id) => [`system-${id}`, `src/rules/${id}/index.ts`])),
  },
  {
    groups: [
      { name: 'first', test: FIRST, priority: 2 },
      { name: 'pictures', test: PICTURES, priority: 1 },
      { name: 'short', test: SHORT, priority: 1 },
      { name: 'shared', minShareCount: 2 },
    ],
  },
  'cached',
);
rmSync('dist/cache', { recursive: true, force: true });

const shared = { groups: [{ name: 'shared', minShareCount: 2 }] };

await bundle(
  'dist/library',
  {
    index: 'src/index.ts',
    environments: 'src/environments.ts',
    suite: 'src/suite.ts',
    system: 'src/system.ts',
    testing: 'src/testing.ts',
  },
  shared,
  'started',
);

// Functions for other languages. Custom systems import `system`, which shares their classes.
await bundle(
  'dist/rpc',
  { main: 'src/rpc/main.ts', system: 'src/system.ts' },
  {
    groups: [
      { name: 'pictures', test: PICTURES, priority: 1 },
      { name: 'shared', minShareCount: 2 },
    ],
  },
  'started',
);

// Threads for browsers are part of dist/browser and of the web app.
const threads = readdirSync('workers').filter((file) => /^(?!browser|face)[a-z]+[.]ts$/.test(file));
await bundle(
  'dist/threads',
  Object.fromEntries(threads.map((file) => [basename(file, '.ts'), `workers/${file}`])),
  true,
  'started',
);
// One file, whose bytes show whether the program that opens kernels has changed.
await bundle('dist/gate', { player: 'bench/gate/player.ts' }, false, 'measured');

copyFileSync('workers/thread.cjs', 'dist/threads/thread.cjs');
