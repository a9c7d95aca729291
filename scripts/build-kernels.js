/**
 * Compiles assembly/{systems,engines}/<id>.ts to dist/kernels/{release,debug}/<id>.wasm, systems to
 * dist/kernels/shared/<id>.wasm too, and assembly/testing/<name>.ts, which
 * is never shipped, to dist/kernels/{release,debug}/testing/<name>.wasm. A kernel is compiled again only if something
 * that it is made of has changed; that is told by content, since times of files lie after a checkout or a copy.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { main, version } from 'assemblyscript/asc';
import { enterRoot, filesUnder } from './files.js';

enterRoot();

const BUILDS = ['release', 'debug'];

/** Systems once more, for threads that share a memory: these import it, so that instances can be many. */
const SHARED = 'shared';
const sources = filesUnder('assembly').filter((file) => file.endsWith('.ts'));
const core = sources.filter(
  (file) =>
    /^assembly\/(core|rollout)\//.test(file) ||
    (file.startsWith('assembly/generated/') && !sources.includes(file.replace('/generated/', '/systems/'))),
);

/** Where a kernel is too long for one file, and its layout. @param {string} name */
const parts = (name) =>
  sources.filter((file) => file.startsWith(`assembly/${name}/`) || file === `assembly/generated/${name}.ts`);

/** @type {{ source: string, target: string, build: string, madeOf: string[] }[]} */
const kernels = sources.flatMap((source) =>
  [...BUILDS, SHARED].flatMap((build) => {
    const name = basename(source, '.ts');
    if (build === SHARED && dirname(source) !== 'assembly/systems') return [];
    switch (dirname(source)) {
      case 'assembly/systems':
      case 'assembly/engines':
        return [
          { source, build, target: `dist/kernels/${build}/${name}.wasm`, madeOf: [...core, ...parts(name), source] },
        ];
      case 'assembly/testing':
        return [{ source, build, target: `dist/kernels/${build}/testing/${name}.wasm`, madeOf: sources }];
      default:
        return [];
    }
  }),
);

/** Stamps lie apart from the kernels, so that packages hold kernels only. @param {string} target */
const stampOf = (target) => target.replace('dist/kernels/', 'dist/.stamps/').replace('.wasm', '');

/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash('sha256').update(`asc ${version}\n`);
  for (const file of ['asconfig.json', 'scripts/build-kernels.js', ...files]) {
    const text = readFileSync(file);
    hash.update(`${file} ${text.length}\n`).update(text);
  }
  return hash.digest('hex');
}

/** Never leaves half a file where someone may be reading. @param {string} path @param {string | Uint8Array} content */
function write(path, content) {
  const draft = `${path}.${process.pid}.draft`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, content);
  renameSync(draft, path);
}

/** Where kernels import the system whose battles they play decision by decision. */
const GAME = 'assembly/rollout/game.ts';

/**
 * Reads a source for a kernel; that of the game names the kernel's system.
 * @param {string} system
 * @returns {(path: string, folder: string) => string | null}
 */
const reading = (system) => (path, folder) => {
  const file = join(folder, path);
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  return path === GAME ? text.replace('../attrition/', `../${system}/`) : text;
};

/** @param {typeof kernels[number]} kernel */
async function compile({ source, target, build, madeOf }) {
  const hash = hashOf(madeOf);
  const stamp = stampOf(target);
  if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  const options = ['--config', 'asconfig.json', '--target', build, '--outFile', target];
  const { error, stderr } = await main([source, ...options], {
    readFile: reading(basename(source, '.ts')),
    writeFile: write,
  });
  if (error) {
    process.stderr.write(`${stderr.toString()}${source} (${build}): ${error.message}\n`);
    process.exit(1);
  }
  write(stamp, hash);
}

const wanted = new Set(kernels.flatMap(({ target }) => [target, `${target}.map`]));
for (const file of filesUnder('dist/kernels')) if (!wanted.has(file) && !file.endsWith('.draft')) rmSync(file);
for (const kernel of kernels) await compile(kernel);
