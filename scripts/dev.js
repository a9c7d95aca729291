/**
 * `npm run dev`: serves the web app with hot reload. After every change of a kernel or of src, it builds kernels and
 * the bundles of the command line and of threads again, so that `npx warpool` is up to date too. Options: port and
 * host, such as `npm run dev -- --port 8080`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { enterRoot } from './files.js';

enterRoot();

const WATCHED = ['assembly', 'src', 'workers'];

/** Steps of build-all.js; kernels have their own steps. */
const STEPS = ['layouts', 'fonts', 'program'];

/** Delay in milliseconds, because editors write several files at once. */
const SETTLE = 100;

const { values } = parseArgs({ options: { port: { type: 'string' }, host: { type: 'string' } } });

/** Builds, and prints errors. Returns true on success. */
async function build() {
  const [code] = await once(spawn(process.execPath, ['scripts/build-all.js', ...STEPS], { stdio: 'inherit' }), 'exit');
  return code === 0;
}

if (!(await build())) process.exit(1);
const { port, host } = values;
const server = await createServer({
  root: 'web',
  server: { ...(port && { port: Number(port) }), ...(host && { host }) },
});
await server.listen();
server.printUrls();

let building = false;
let changed = false;

async function rebuild() {
  changed = true;
  if (building) return;
  building = true;
  while (changed) {
    changed = false;
    await new Promise((resolve) => setTimeout(resolve, SETTLE));
    // Modules reload automatically, but kernels are no modules.
    if (await build()) server.ws.send({ type: 'full-reload' });
  }
  building = false;
}

for (const folder of WATCHED)
  watch(folder, { recursive: true }, (_, file) => {
    if (file?.endsWith('.ts') && !file.startsWith('generated')) void rebuild();
  });
