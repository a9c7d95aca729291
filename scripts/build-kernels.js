/**
 * Compiles assembly/{systems,engines}/<id>.ts to dist/kernels/{release,debug}/<id>.wasm, those with environments also to
 * dist/kernels/shared/<id>.wasm, and assembly/testing/<name>.ts, which is not part of the package, to
 * dist/kernels/{release,debug}/testing/<name>.wasm. Each one is a separate step: a kernel is compiled again only if one
 * of its inputs has changed.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { enterRoot, filesUnder } from './files.js';
import { step } from './step.js';

enterRoot();

const BUILDS = ['release', 'debug'];

/** Systems for threads with shared memory: these import it, so that there can be many instances. */
const SHARED = 'shared';
const sources = filesUnder('assembly').filter((file) => file.endsWith('.ts'));
const core = sources.filter(
  (file) =>
    /^assembly\/(core|environments)\//.test(file) ||
    (file.startsWith('assembly/generated/') && !sources.includes(file.replace('/generated/', '/systems/'))),
);

/** Folder of a kernel of several files, and its layout. @param {string} name */
const parts = (name) =>
  sources.filter((file) => file.startsWith(`assembly/${name}/`) || file === `assembly/generated/${name}.ts`);

/** @type {{ source: string, target: string, build: string, madeOf: string[] }[]} */
const kernels = sources.flatMap((source) =>
  [...BUILDS, SHARED].flatMap((build) => {
    const name = basename(source, '.ts');
    if (build === SHARED && dirname(source) !== 'assembly/systems' && name !== 'decision-automaton') return [];
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

/** Writes a file atomically, because others may read it. @param {string} path @param {string | Uint8Array} content */
function write(path, content) {
  const draft = `${path}.${process.pid}.draft`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, content);
  renameSync(draft, path);
}

/** Import path of the system in kernels that simulate decision by decision. */
const GAME = 'assembly/environments/game.ts';

/**
 * Reads a source of a kernel. The game kernel imports the system of the kernel.
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
async function compile({ source, target, build }) {
  // Loading takes a second, which is not needed without changes.
  const { main } = await import('assemblyscript/asc');
  const options = ['--config', 'asconfig.json', '--target', build, '--outFile', target];
  const { error, stderr } = await main([source, ...options], {
    readFile: reading(basename(source, '.ts')),
    writeFile: write,
  });
  if (error) {
    process.stderr.write(`${stderr.toString()}${source} (${build}): ${error.message}\n`);
    process.exit(1);
  }
}

const wanted = new Set(kernels.flatMap(({ target }) => [target, `${target}.map`]));
for (const file of [...BUILDS, SHARED].flatMap((build) => filesUnder(`dist/kernels/${build}`)))
  if (!wanted.has(file) && !file.endsWith('.draft')) rmSync(file);
for (const kernel of kernels) {
  const { target, madeOf } = kernel;
  const inputs = ['asconfig.json', 'scripts/build-kernels.js', ...madeOf];
  await step(target.slice('dist/'.length), inputs, [target, `${target}.map`], () => compile(kernel));
}
