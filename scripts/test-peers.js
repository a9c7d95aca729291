/**
 * Runs the tests that need third-party Python packages: `npm run test:peers`. Installs the packages into a virtual
 * environment (several gigabytes) and writes the results to docs/reference/tested-packages.md.
 *
 *     node scripts/test-peers.js [--venv <folder>] [--only <name>]...   # default of --venv: dist/.peers
 *
 * With --only, the other rows of the page do not change. Needs a build.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { env, exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { enterRoot } from './files.js';

const PAGE = 'docs/reference/tested-packages.md';
const MARK = '<!-- results -->';

/** Milliseconds after which a check has failed. */
const LIMIT = 900_000;

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {readonly string[]} packages from PyPI, the first ones with their versions on the page
 * @property {string} about description of the test
 * @property {readonly string[]} command `python` and `npx` run in the virtual environment
 * @property {string} [folder] working folder
 */

/** @param {...string} names modules and classes in python/tests */
const unittest = (...names) => ['python', '-m', 'unittest', '-v', ...names.map((name) => `tests.${name}`)];

/** @type {readonly Check[]} */
const CHECKS = [
  {
    name: 'gymnasium',
    packages: ['gymnasium'],
    about: 'environment checker, wrappers, vector environments, ids',
    folder: 'python',
    command: unittest('test_gym'),
  },
  {
    name: 'pettingzoo',
    packages: ['pettingzoo', 'gymnasium'],
    about: 'API, seed and parallel tests of PettingZoo, ids',
    folder: 'python',
    command: unittest('test_pettingzoo'),
  },
  {
    name: 'stable-baselines3',
    packages: ['stable-baselines3', 'sb3-contrib', 'torch', 'gymnasium'],
    about: '`WarpoolVecEnv` against `WarpoolVectorEnv`; training of MaskablePPO',
    folder: 'python',
    command: unittest('test_interop.StableBaselines3'),
  },
  {
    name: 'torchrl',
    packages: ['torchrl', 'torch', 'gymnasium', 'pettingzoo'],
    about: 'specifications and rollouts of `GymWrapper` and `PettingZooWrapper`',
    folder: 'python',
    command: unittest('test_interop.TorchRL'),
  },
  {
    name: 'supersuit',
    packages: ['supersuit', 'pettingzoo', 'gymnasium'],
    about: 'vector environment of `WarpoolParallel`',
    folder: 'python',
    command: unittest('test_interop.SuperSuit'),
  },
  {
    name: 'ppo',
    packages: ['torch', 'gymnasium'],
    about: 'PPO in one file, in the style of CleanRL (`examples/ppo.py`)',
    command: ['python', 'examples/ppo.py', '--scenario', 'phased-dice-broadside', '--steps', '65536', '--envs', '64'],
  },
  {
    name: 'self-play',
    packages: ['numpy'],
    about: 'self-play of two players with `opponents` (`examples/self-play-arrays.py`)',
    command: [
      'python',
      'examples/self-play-arrays.py',
      '--reward',
      'hp',
      '--batches',
      '16',
      '--out',
      'dist/.self-play',
    ],
  },
  {
    name: 'cluster',
    packages: ['distributed', 'ray', 'snakemake', 'submitit', 'mpi4py', 'openmpi'],
    about: 'sweeps of `examples/cluster` with the bytes of one machine',
    folder: 'python',
    command: unittest('test_engines'),
  },
  {
    name: 'notebooks',
    packages: ['nbclient', 'ipykernel', 'matplotlib', 'pandas', 'pyarrow', 'SALib', 'optuna'],
    about: 'execution of the notebooks in `docs/notebooks`, with equal outputs',
    folder: 'python',
    command: ['python', 'execute_notebooks.py', '--check'],
  },
  {
    name: 'open_spiel',
    packages: ['open_spiel', 'nashpy', 'cvxpy', 'ecos'],
    about: 'values of exported games in OpenSpiel and nashpy',
    command: ['npx', 'vitest', 'run', 'tests/environments/solvers.test.ts'],
  },
  {
    name: 'stormpy',
    packages: ['stormpy'],
    about: 'values of exported chains in Storm',
    command: ['npx', 'vitest', 'run', 'tests/exact/storm.test.ts'],
  },
  {
    name: 'duckdb',
    packages: ['duckdb', 'pandas', 'pyarrow'],
    about: 'recipes for stores of sweeps',
    command: ['npx', 'vitest', 'run', 'tests/store/recipes.test.ts'],
  },
  {
    name: 'mypy',
    packages: ['mypy', 'gymnasium', 'pettingzoo', 'stable-baselines3'],
    about: '`mypy --strict` of the package',
    command: ['python', '-m', 'mypy', '--strict', 'warpool'],
    folder: 'python',
  },
  {
    name: 'ruff',
    packages: ['ruff'],
    about: 'style of the package and its tests',
    folder: 'python',
    command: ['python', '-m', 'ruff', 'check', '.'],
  },
];

/** Packages of all checks. */
const ALWAYS = ['numpy', 'wasmtime'];

/** Creates a virtual environment. @param {string} folder @returns the folder of its programs */
function createEnvironment(folder) {
  const programs = join(folder, 'bin');
  if (existsSync(programs)) return programs;
  const { status } = spawnSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${folder}: expected a virtual environment, found an error of python3 -m venv`);
  return programs;
}

/**
 * Runs a check.
 * @param {Check} check
 * @param {string} programs
 * @returns {string[]} cells of its row: name, versions, description, result and seconds
 */
function runCheck({ name, packages, about, command: [program = '', ...args], folder = '.' }, programs) {
  const python = join(programs, 'python');
  const paths = {
    PATH: `${programs}${delimiter}${env['PATH'] ?? ''}`,
    PYTHONPATH: [resolve('python'), resolve('python/tests')].join(delimiter),
  };
  const settings = { ...env, ...paths, PYTHONDONTWRITEBYTECODE: '1' };
  const installed = spawnSync(python, ['-m', 'pip', 'install', '--quiet', ...ALWAYS, ...packages], {
    encoding: 'utf8',
  });
  const versions = packages.map((each) => `${each} ${readVersion(python, each)}`).join(', ');
  if (installed.status !== 0) {
    stderr.write(installed.stderr);
    return [name, versions, about, 'not installed', ''];
  }
  const start = performance.now();
  const {
    status,
    stdout: output,
    stderr: errors,
  } = spawnSync(program, args, {
    ...{ encoding: 'utf8', env: settings, timeout: LIMIT, maxBuffer: 2 ** 28, cwd: folder },
  });
  const isSkipped = /\.\.\. skipped|^SKIPPED|\b0 passed, 0 failed/m.test(output + errors);
  const isPassed = status === 0;
  if (!isPassed) stderr.write(`${output}${errors}`);
  const result = isPassed ? (isSkipped ? 'passed, some tests skipped' : 'passed') : 'failed';
  return [name, versions, about, result, ((performance.now() - start) / 1000).toFixed(0)];
}

/** @param {string} python @param {string} name */
function readVersion(python, name) {
  const code = `from importlib.metadata import version; print(version(${JSON.stringify(name)}))`;
  const { status, stdout: output } = spawnSync(python, ['-c', code], { encoding: 'utf8' });
  return status === 0 ? output.trim() : '(missing)';
}

/** Returns the rows of the page by their names. @param {string} page */
function readRows(page) {
  const [, table = ''] = page.split(MARK);
  /** @type {Map<string, string[]>} */
  const rows = new Map();
  for (const line of table.split('\n')) {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells.length === 5 && CHECKS.some(({ name }) => name === cells[0])) rows.set(cells[0] ?? '', cells);
  }
  return rows;
}

/** Writes the table of the page. @param {ReadonlyMap<string, string[]>} rows by name */
function writeRows(rows) {
  const [before = '', , after = ''] = readFileSync(PAGE, 'utf8').split(MARK);
  const lines = CHECKS.flatMap(({ name }) => rows.get(name)?.join(' | ') ?? []).map((cells) => `| ${cells} |`);
  const head = ['| test | packages | content | result | seconds |', '|---|---|---|---|---:|'];
  writeFileSync(PAGE, `${before}${MARK}\n\n${[...head, ...lines].join('\n')}\n\n${MARK}${after}`);
}

const { values } = parseArgs({
  options: { venv: { type: 'string', default: 'dist/.peers' }, only: { type: 'string', multiple: true } },
});
enterRoot();
const stranger = values.only?.find((name) => !CHECKS.some((check) => check.name === name));
if (stranger !== undefined) {
  stderr.write(`--only: expected one of ${CHECKS.map(({ name }) => name).join(', ')}, found ${stranger}\n`);
  exit(2);
}
const programs = resolve(createEnvironment(values.venv));
const rows = readRows(readFileSync(PAGE, 'utf8'));
let failures = 0;
for (const check of CHECKS.filter(({ name }) => values.only?.includes(name) ?? true)) {
  const cells = runCheck(check, programs);
  rows.set(check.name, cells);
  writeRows(rows);
  if (!cells[3]?.startsWith('passed')) failures++;
  stdout.write(`${cells.join(' | ')}\n`);
}
exit(failures > 0 ? 1 : 0);
