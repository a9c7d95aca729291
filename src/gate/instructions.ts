/**
 * Instructions per battle, counted by valgrind's cachegrind in a Node that does everything in one order: they repeat to
 * one part in ten thousand on a loaded machine. What starting costs falls out, for it is counted alone.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { RunError } from '../errors.ts';
import { Window } from '../pool/window.ts';
import type { Benchmark } from './benchmark.ts';
import { entryOf, watched } from './process.ts';

const VALGRIND = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];

/** One thread, the optimising compiler at once. */
const NODE = ['--predictable', '--no-wasm-tier-up', '--no-liftoff'];

const BATTLES = { least: 1000, more: 50_000 };

export function hasValgrind(): boolean {
  return spawnSync('valgrind', ['--version']).status === 0;
}

async function instructionsFor(benchmarks: readonly Benchmark[], battles: readonly number[]): Promise<number> {
  const given = [...VALGRIND, process.execPath, ...NODE];
  const text = await watched('valgrind', given, { kind: 'play', entries: benchmarks.map(entryOf), battles });
  const found = /I\s+refs:\s+([\d,]+)/.exec(text)?.[1];
  if (found === undefined) throw new RunError(`valgrind told no number of instructions:\n${text.trim()}`);
  return Number(found.replaceAll(',', ''));
}

/** Instructions per battle by benchmark; one process more than there are benchmarks, some seconds each. */
export async function instructionsOf(benchmarks: readonly Benchmark[]): Promise<Map<string, number>> {
  const least = benchmarks.map(() => BATTLES.least);
  const runs = [least, ...benchmarks.map((_, b) => least.with(b, BATTLES.least + BATTLES.more))];
  const window = new Window(availableParallelism());
  const counts = runs.map((battles) => window.hold(() => instructionsFor(benchmarks, battles)));
  const [base = 0, ...more] = await Promise.all(counts);
  return new Map(benchmarks.map(({ name }, b) => [name, ((more[b] ?? 0) - base) / BATTLES.more]));
}
