/** Processes of the gate. Their task is in a file of a temporary folder. */

import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunError } from '../../src/core/errors.ts';
import { Semaphore } from '../../src/engines/pool/run-scheduler.ts';
import { type Benchmark, shipped } from './benchmark.ts';
import { type Described, entryOf } from './counters.ts';
import type { BuildSides, Pair, Ratios, SampleTask } from './sample.ts';

/** Timeout of a process, in milliseconds. */
const TIMEOUT = 300_000;

/** Output of a process: its last message, and its standard error. */
interface Said {
  readonly message: unknown;
  readonly text: string;
}

function listen(program: string, given: readonly string[], options: SpawnOptions): Promise<Said> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, given, { ...options, timeout: TIMEOUT });
    let message: unknown;
    let text = '';
    child.on('message', (said) => {
      message = said;
    });
    child.stderr?.on('data', (part: Buffer) => {
      text += part.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ message, text });
      else reject(new RunError(`a process of the gate failed:\n${text.trim()}`));
    });
  });
}

const SAMPLER = '#worker/sampler.js';

async function withTask<T>(task: SampleTask, act: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'warpool-gate-'));
  try {
    const file = join(folder, 'task.json');
    await writeFile(file, JSON.stringify(task));
    return await act({ ...process.env, WARPOOL_TASK: file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a task in a fresh process. @param script program of the process (default: of this build) */
function answer(task: SampleTask, script = shipped(SAMPLER)): Promise<unknown> {
  return withTask(task, async (env) => {
    const said = await listen(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    return said.message;
  });
}

/** Lists the benchmarks of a build. @param script its program for such processes */
export async function describedBy(script: string): Promise<Described[]> {
  return (await answer({ kind: 'describe' }, script)) as Described[];
}

/**
 * Measures the ratios of the kernels of this build to another one, in a fresh process.
 * @param swapped the other build comes first
 */
export async function pairRatios(
  pairs: readonly Pair[],
  players: BuildSides<string>,
  swapped: boolean,
): Promise<Ratios> {
  return (await answer({ kind: 'against', pairs, players, swapped })) as Ratios;
}

/**
 * Measures the ratios of kernels to the yardstick, in a fresh process.
 * @param handicap simulated battles for each counted battle
 */
export async function freshRatios(benchmarks: readonly Benchmark[], handicap: number): Promise<Ratios> {
  const entries = benchmarks.map(entryOf);
  const task: SampleTask = { kind: 'ratios', yardstick: shipped('#gate/yardstick.wasm'), entries, handicap };
  return (await answer(task)) as Ratios;
}

/** Measures the ratios of cells of sweeps to their results, in a fresh process. */
export async function freshCellRatios(grids: readonly { readonly name: string }[]): Promise<Ratios> {
  return (await answer({ kind: 'cells', names: grids.map(({ name }) => name) })) as Ratios;
}

/** Returns the standard error of a program that runs Node.js while kernels simulate. */
export function watched(program: string, given: readonly string[], task: SampleTask): Promise<string> {
  return withTask(task, async (env) => {
    const { text } = await listen(program, [...given, shipped(SAMPLER)], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    return text;
  });
}

/** Keeps a core busy until its parent process has ended in any way. */
const BUSY = 'const parent = process.ppid; while (process.ppid === parent) for (let n = 0; n < 1e7; n++);';

/** Calls a function while another process keeps a core busy. */
export async function besideLoad<T>(act: () => Promise<T>): Promise<T> {
  const load = spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' });
  try {
    return await act();
  } finally {
    load.kill();
  }
}

// Instructions per battle, counted by cachegrind of valgrind in a deterministic Node.js. They are reproducible to 0.1 %
// on a loaded machine. Startup is counted separately and subtracted.

const VALGRIND = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];

/** One thread, no random decisions, and immediate optimization. */
const NODE = [
  ...['--predictable', '--single-threaded-gc', '--hash-seed=1', '--random-seed=1'],
  ...['--no-wasm-tier-up', '--no-liftoff'],
];

/** Number of counted calls of each kernel. */
const CALLS = 64;

/** Battles per call when the startup of a kernel is counted. */
const LEAST = 32;

/** Additional battles per call when battles are counted: a power of two within these bounds. */
const MORE = { least: 1024, most: 16_384 };

/** Target number of instructions of all counted battles. The startup of Node.js varies by a thousandth of it. */
const ENOUGH = 1e8;

function moreOf(known: number): number {
  const wanted = 2 ** Math.round(Math.log2(ENOUGH / (CALLS * known)));
  return Math.max(MORE.least, Math.min(MORE.most, wanted));
}

export function hasValgrind(): boolean {
  return spawnSync('valgrind', ['--version']).status === 0;
}

async function instructionsFor(benchmarks: readonly Benchmark[], battles: readonly number[]): Promise<number> {
  const given = [...VALGRIND, process.execPath, ...NODE];
  const text = await watched('valgrind', given, {
    kind: 'play',
    entries: benchmarks.map(entryOf),
    calls: CALLS,
    battles,
  });
  const found = /I\s+refs:\s+([\d,]+)/.exec(text)?.[1];
  if (found === undefined) throw new RunError(`valgrind printed no number of instructions:\n${text.trim()}`);
  return Number(found.replaceAll(',', ''));
}

/**
 * Counts instructions per battle by benchmark, with one more process than benchmarks.
 * @param more additional battles per call
 */
async function countInstructions(
  benchmarks: readonly Benchmark[],
  more: readonly number[],
): Promise<Map<string, number>> {
  const least = benchmarks.map(() => LEAST);
  const runs = [least, ...more.map((battles, b) => least.with(b, LEAST + battles))];
  const window = new Semaphore(availableParallelism());
  const counts = runs.map((battles) => window.runWithin(() => instructionsFor(benchmarks, battles)));
  const [start = 0, ...counted] = await Promise.all(counts);
  const perBattle = (b: number): number => ((counted[b] ?? 0) - start) / ((more[b] ?? 0) * CALLS);
  return new Map(benchmarks.map(({ name }, b) => [name, perBattle(b)]));
}

/**
 * Counts instructions per battle by benchmark; takes some seconds each.
 * @param known previous values, which determine the number of battles. New benchmarks are counted roughly first,
 *   because a baseline and its comparisons need equal numbers of battles.
 */
export async function instructionsOf(
  benchmarks: readonly Benchmark[],
  known: (name: string) => number | undefined,
): Promise<Map<string, number>> {
  const isNew = benchmarks.some(({ name }) => known(name) === undefined);
  const rough = isNew
    ? await countInstructions(
        benchmarks,
        benchmarks.map(() => MORE.least),
      )
    : undefined;
  const battles = benchmarks.map(({ name }) => moreOf(known(name) ?? rough?.get(name) ?? 0));
  return await countInstructions(benchmarks, battles);
}
