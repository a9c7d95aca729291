/**
 * Loads CommonJS modules with V8's code cache. `module.enableCompileCache` of Node 22 does not shorten these commands,
 * and Node 20 lacks it.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/** @param {string} path */
function readCache(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Stores the compiled functions of scripts, if the folder can be written.
 * @param {string} folder @param {ReadonlyMap<string, Script>} scripts by the names of their files
 */
function writeCache(folder, scripts) {
  try {
    // Nobody else may write code that this user runs.
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    for (const [name, script] of scripts) {
      const draft = join(folder, `${process.pid}.draft`);
      writeFileSync(draft, script.createCachedData(), { mode: 0o644 });
      renameSync(draft, join(folder, name));
    }
  } catch {
    // Commands work without a cache.
  }
}

/**
 * Creates a function that loads the modules of a folder by their names, and writes the cache at the end of the process.
 * @param {string} folder
 * @param {string} cache folder of the cache of one command: it contains only functions that were called
 */
export function createCachedLoader(folder, cache) {
  /** @type {Map<string, { exports: unknown }>} */
  const modules = new Map();
  /** @type {Map<string, Script>} */
  const uncached = new Map();
  process.once('exit', () => {
    if (uncached.size > 0) writeCache(cache, uncached);
  });
  return function load(/** @type {string} */ name) {
    const module = modules.get(name) ?? { exports: {} };
    if (modules.has(name)) return module.exports;
    modules.set(name, module);
    const path = join(folder, name);
    const source = readFileSync(path);
    // V8 compares only the length of the source.
    const entry = `${name}-${createHash('sha256').update(source).digest('hex').slice(0, 16)}`;
    const code = `(function (exports, require, module, __filename) {${source.toString('latin1')}\n})`;
    const script = new Script(code, {
      filename: pathToFileURL(path).href,
      cachedData: readCache(join(cache, entry)),
    });
    if (script.cachedDataRejected !== false) uncached.set(entry, script);
    const requirePackage = createRequire(path);
    const require = (/** @type {string} */ id) => (id.startsWith('./') ? load(id.slice(2)) : requirePackage(id));
    script.runInThisContext()(module.exports, require, module, path);
    return module.exports;
  };
}
