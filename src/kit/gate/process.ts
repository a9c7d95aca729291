/** Starts processes of the gate. Their task lies in a file of a folder that is gone afterwards. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunError } from '../../core/errors.ts';
import { type Benchmark, shipped } from './benchmark.ts';
import { type Described, entryOf } from './describe.ts';
import type { BuildSides, Pair, Ratios, SampleTask } from './sample.ts';

/** A process that takes longer has hung. */
const TIMEOUT = 300_000;

/** What a process says: the last message that it sends, and what it writes to standard error. */
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

/** What a fresh process answers; its program is that of this build unless another one is given. */
function answer(task: SampleTask, script = shipped(SAMPLER)): Promise<unknown> {
  return withTask(task, async (env) => {
    const said = await listen(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    return said.message;
  });
}

/** What a build has to be measured. @param script its program for such processes */
export async function describedBy(script: string): Promise<Described[]> {
  return (await answer({ kind: 'describe' }, script)) as Described[];
}

/**
 * Ratios of the kernels of this build to those of another one, measured in a fresh process.
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
 * Ratios of kernels to the yardstick, measured in a fresh process.
 * @param handicap battles that a kernel plays for each that counts
 */
export async function freshRatios(benchmarks: readonly Benchmark[], handicap: number): Promise<Ratios> {
  const entries = benchmarks.map(entryOf);
  const task: SampleTask = { kind: 'ratios', yardstick: shipped('#gate/yardstick.wasm'), entries, handicap };
  return (await answer(task)) as Ratios;
}

/** What a program that runs Node, with its options, writes to standard error while kernels are played. */
export function watched(program: string, given: readonly string[], task: SampleTask): Promise<string> {
  return withTask(task, async (env) => {
    const { text } = await listen(program, [...given, shipped(SAMPLER)], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    return text;
  });
}

/** Keeps a core busy until its parent is gone, however it went. */
const BUSY = 'const parent = process.ppid; while (process.ppid === parent) for (let n = 0; n < 1e7; n++);';

/** Does something while another process keeps a core busy. */
export async function besideLoad<T>(act: () => Promise<T>): Promise<T> {
  const load = spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' });
  try {
    return await act();
  } finally {
    load.kill();
  }
}
