/** Build steps that are skipped without changes. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesUnder } from './files.js';

/** Folder of the stamps, outside of the build output, so that packages do not contain them. */
const STAMPS = 'dist/.stamps';

/** Inputs of every step, in addition to the version of Node.js. */
const ALWAYS = ['package-lock.json', 'package.json', 'scripts/step.js', 'scripts/files.js'];

/**
 * Hashes the content, because file times are unreliable after a checkout or copy.
 * @param {readonly string[]} paths files and folders
 */
function hashOf(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths) {
    const files = existsSync(path) && statSync(path).isFile() ? [path] : filesUnder(path);
    hash.update(`\n${path}: ${files.length} files\n`);
    for (const file of files) {
      const content = readFileSync(file);
      hash.update(`${file} ${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
}

/**
 * Runs a step, unless its outputs are unchanged and were made from the same inputs. If `make` throws, the step runs
 * again next time.
 * @param {string} name unique name; the stamp is a file with this name
 * @param {readonly string[]} inputs files and folders
 * @param {readonly string[]} outputs files and folders that no other step writes
 * @param {(intact: boolean) => unknown} make called with true if the outputs are unchanged since the last run
 */
export async function step(name, inputs, outputs, make) {
  const stamp = join(STAMPS, `${name}.txt`);
  const [before, left] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : [];
  const now = hashOf([...ALWAYS, ...inputs]);
  const intact = left === hashOf(outputs);
  if (intact && before === now) return;
  rmSync(stamp, { force: true });
  const start = performance.now();
  await make(intact);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${now}\n${hashOf(outputs)}\n`);
  process.stdout.write(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}
