/**
 * Loads CommonJS modules with V8's code cache. `module.enableCompileCache` of Node 22 does not shorten these commands,
 * and Node 20 lacks it.
 */
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

/** Modules of Node that short commands import but do not use, and that take a millisecond each to load. */
const RARE = /^node:(assert|child_process|crypto|net|timers\/promises|tls)$/;

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
function createCachedLoader(folder, cache) {
  const requirePackage = createRequire(join(folder, 'main.cjs'));
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
    const source = readFileSync(path, 'latin1');
    // V8 compares only the length of the source; the build writes its hash into the first line.
    const entry = `${name}-${/^\/\/(\w+)/.exec(source)?.[1] ?? ''}`;
    const script = new Script(`(function (exports, require, module, __filename) {${source}\n})`, {
      filename: pathToFileURL(path).href,
      cachedData: readCache(join(cache, entry)),
    });
    if (script.cachedDataRejected !== false) uncached.set(entry, script);
    const require = (/** @type {string} */ id) => {
      if (id.startsWith('./')) return load(id.slice(2));
      return RARE.test(id) ? new Proxy({}, { get: (_, key) => requirePackage(id)[key] }) : requirePackage(id);
    };
    script.runInThisContext()(module.exports, require, module, path);
    return module.exports;
  };
}

module.exports = { createCachedLoader };
