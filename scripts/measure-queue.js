/**
 * Measures two sweeps and a run over a queue on this machine, in turns with the same ones without a queue: one thread
 * without, one worker with one thread, two workers with one thread each. Prints a table. Needs the build, two idle
 * cores, and redis-server. Stores are below TMPDIR.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { told } from './figures.js';
import { enterRoot } from './files.js';

enterRoot();

const TURNS = Number(process.argv[2] ?? 5);

const scratch = mkdtempSync(join(tmpdir(), 'warpool-measure-'));
process.on('exit', () => {
  rmSync(scratch, { recursive: true, force: true });
});

/**
 * Writes the file of a sweep of at least half a minute on one thread, with jobs of two seconds. Returns its path.
 * @param {number} most cells along each of two axes
 * @param {number} battles battles of each cell
 */
function sweepOf(most, battles) {
  const plan = join(scratch, `${String(battles)}.json`);
  const axes = ['attacker.hp', 'defender.hp'].map((path) => ({ path, range: [1, most] }));
  const scenario = resolve('scenarios/attrition-direct.yaml');
  writeFileSync(plan, JSON.stringify({ scenario, battles, exact: 'never', axes }));
  return plan;
}

const RUN = ['run', 'scenarios/attrition-direct.yaml', '--battles', '4e9', '--exact', 'never', '--json'];

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const port = String(await freePort());
const url = `redis://127.0.0.1:${port}`;
const redis = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', '--dir', scratch]);
for await (const text of redis.stdout) if (String(text).includes('Ready to accept')) break;

/** Starts a worker with one thread, and waits until it is connected. */
async function worker() {
  const child = spawn(process.execPath, ['bin/warpool.js', 'worker', url, '--workers', '1']);
  await once(child.stderr, 'data');
  return child;
}

/** Measures the seconds of a command, including its start. @param {string[]} args */
async function timed(args) {
  const began = performance.now();
  await promisify(execFile)(process.execPath, ['bin/warpool.js', ...args], { maxBuffer: 2 ** 28 });
  return (performance.now() - began) / 1000;
}

let stores = 0;
/**
 * Creates a function that runs a sweep with a new store.
 * @param {string} plan
 * @returns {(args: string[]) => Promise<number>}
 */
const sweep = (plan) => async (args) => {
  const folder = join(scratch, String(stores++));
  const seconds = await timed(['sweep', plan, '--out', folder, '--json', ...args]);
  rmSync(folder, { recursive: true });
  return seconds;
};

/** @param {string[]} args */
const run = (args) => timed([...RUN, ...args]);

const over = ['--queue', url, '--audit', '0'];
const commands = {
  run,
  'sweep of 256 cells': sweep(sweepOf(16, 16_000_000)),
  'sweep of 1 600 cells': sweep(sweepOf(40, 2_500_000)),
};
/** @type {Map<string, number[]>} */
const ratios = new Map();
/** @param {string} what @param {number} ratio */
function note(what, ratio) {
  ratios.set(what, [...(ratios.get(what) ?? []), ratio]);
}

for (let turn = 0; turn < TURNS; turn++)
  for (const [name, command] of Object.entries(commands)) {
    const alone = await command(['--workers', '1']);
    const first = await worker();
    const one = await command(over);
    const second = await worker();
    const two = await command(over);
    for (const child of [first, second]) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    process.stderr.write(`${name}: ${[alone, one, two].map((seconds) => seconds.toFixed(2)).join(' ')} s\n`);
    note(`${name}: time of one worker / of one thread without a queue`, one / alone);
    note(`${name}: time of one worker / of two workers`, one / two);
  }
redis.kill();
process.stdout.write('| what | median | least | most |\n| --- | --- | --- | --- |\n');
for (const [what, values] of ratios) process.stdout.write(`| ${what} | ${told(values, 3).join(' | ')} |\n`);
