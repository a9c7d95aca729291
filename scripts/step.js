/** Steps of the build that are left out where nothing has changed. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesUnder } from './files.js';

/** Apart from what is built, so that packages hold none. */
const STAMPS = 'dist/.stamps';

/** What every step depends on, beside the version of Node. */
const ALWAYS = ['package-lock.json', 'package.json', 'scripts/step.js', 'scripts/files.js'];

/** Told by content, since times of files lie after a checkout or a copy. @param {readonly string[]} paths files and folders */
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
 * Makes outputs, unless they are there as this step left them, made from the same inputs. Where `make` throws, the step
 * is done anew the next time.
 * @param {string} name its own among all steps: the stamp lies in a file of this name
 * @param {readonly string[]} inputs files and folders
 * @param {readonly string[]} outputs files and folders that no other step writes to
 * @param {(intact: boolean) => unknown} make told whether the outputs are as this step left them
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
