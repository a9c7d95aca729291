/**
 * Writes the data that the Python package needs without Node.js to python/warpool/ready/: a manifest of each scenario in
 * scenarios/, examples/games/ and examples/systems/ in scenarios/, the kernels, and excluded.json, the reasons for
 * scenarios without a manifest. Also adds the functions that need Node.js (python-program.js), and copies the license. Part
 * of the build; nothing is committed.
 *
 *     node scripts/build-python.js [folder]
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { enterRoot, filesUnder } from './files.js';
import { writeProgram } from './python-program.js';

const SOURCES = ['scenarios', 'examples/games', 'examples/systems'];

/** Threads, because the compilation of some scenarios takes seconds. */
const THREADS = 2;

/** @param {string} path */
const compiled = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);

/** Loads a scenario with the system of its folder. @param {string} file */
async function load(file) {
  const { loadScenario } = await compiled('index.js');
  const [, id] = /^system: *(\S+)/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (dirname(file) !== 'examples/systems') return loadScenario(file);
  const { default: system } = await import(pathToFileURL(join(dirname(file), `${String(id)}.mjs`)).href);
  return loadScenario(file, { systems: [system] });
}

/**
 * Writes the manifest and the kernel of a scenario.
 * @param {string} file
 * @param {string} target
 * @returns {Promise<string | undefined>} the reason if there is no manifest
 */
async function writeScenario(file, target) {
  const { createEnvSpec, createManifest } = await compiled('environments.js');
  const { compileDecisionsSync } = await compiled('environments/decision-automaton/compile-decisions.js');
  const { hasKernel } = await compiled('environments/env-spec.js');
  const { getBoundScenario } = await compiled('rules/index.js');
  const scenario = await load(file);
  if (getBoundScenario(scenario).system.environment === undefined) return 'no player has decisions';
  const spec = createEnvSpec([{ scenario }]);
  const tables = hasKernel(spec) ? [] : compileDecisionsSync(spec);
  if (typeof tables === 'string') return tables;
  const { kernel, ...manifest } = createManifest(spec);
  const { base64, ...identity } = kernel;
  const path = join(target, 'scenarios', `${basename(file, '.yaml')}.json`);
  writeFileSync(path, `${JSON.stringify({ ...manifest, kernel: identity })}\n`);
  writeFileSync(join(target, 'kernels', `${identity.name}.wasm`), Buffer.from(base64, 'base64'));
  return undefined;
}

/** Writes some scenarios. @param {{ files: string[], target: string }} work @returns reasons by name of the scenario */
async function writeScenarios({ files, target }) {
  /** @type {Record<string, string>} */
  const excluded = {};
  for (const file of files) {
    const reason = await writeScenario(file, target);
    if (reason !== undefined) excluded[basename(file, '.yaml')] = reason;
  }
  return excluded;
}

async function writeAll() {
  const [, , folder] = process.argv;
  const target = folder === undefined ? 'python/warpool/ready' : resolve(folder);
  enterRoot();
  rmSync(target, { recursive: true, force: true });
  for (const part of ['scenarios', 'kernels']) mkdirSync(join(target, part), { recursive: true });
  const files = SOURCES.flatMap(filesUnder).filter((file) => file.endsWith('.yaml'));
  const parts = await Promise.all(
    Array.from({ length: THREADS }, (_, t) => {
      const work = { files: files.filter((_, f) => f % THREADS === t), target };
      return new Promise((done, fail) =>
        new Worker(new URL(import.meta.url), { workerData: work }).on('message', done).on('error', fail),
      );
    }),
  );
  const excluded = Object.entries(Object.assign({}, ...parts)).sort();
  writeFileSync(join(target, 'excluded.json'), `${JSON.stringify(Object.fromEntries(excluded), null, 2)}\n`);
  await writeProgram(target);
  // Packages contain their license.
  if (folder === undefined) copyFileSync('LICENSE', 'python/LICENSE');
  process.stdout.write(`${target}: ${String(files.length - excluded.length)} scenarios\n`);
  for (const [name, reason] of excluded) process.stdout.write(`${name} is not included: ${String(reason)}\n`);
}

if (isMainThread) await writeAll();
else parentPort?.postMessage(await writeScenarios(workerData));
