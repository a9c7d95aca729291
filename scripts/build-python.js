/**
 * Copies the data that the Python package needs without Node.js from dist/ to python/warpool/ready/: a manifest of each
 * scenario in scenarios/, the kernel of each system, and the license. Part of the build; nothing is committed.
 *
 *     node scripts/build-python.js [folder]
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { enterRoot } from './files.js';

const [, , folder] = process.argv;
const target = folder === undefined ? 'python/warpool/ready' : resolve(folder);
enterRoot();

/** @param {string} path */
const compiled = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);

const { loadScenario } = await compiled('index.js');
const { createEnvSpec, createManifest } = await compiled('environments.js');

rmSync(target, { recursive: true, force: true });
for (const part of ['scenarios', 'kernels']) mkdirSync(join(target, part), { recursive: true });

const files = readdirSync('scenarios').filter((file) => file.endsWith('.yaml'));
for (const file of files) {
  const scenario = await loadScenario(`scenarios/${file}`);
  const { kernel, ...manifest } = createManifest(createEnvSpec([{ scenario }]));
  const { base64, ...identity } = kernel;
  const path = join(target, 'scenarios', `${basename(file, '.yaml')}.json`);
  writeFileSync(path, `${JSON.stringify({ ...manifest, kernel: identity })}\n`);
  writeFileSync(join(target, 'kernels', `${manifest.system}.wasm`), Buffer.from(base64, 'base64'));
}
// Packages contain their license.
if (folder === undefined) copyFileSync('LICENSE', 'python/LICENSE');
process.stdout.write(`${target}: ${String(files.length)} scenarios\n`);
