/**
 * Instructions per battle, counted by valgrind's cachegrind in a Node that does everything in one order: they repeat to
 * one part in a thousand on a loaded machine. What starting costs falls out, for it is counted alone.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { RunError } from '../../core/errors.ts';
import { Window } from '../../engines/pool/conduct.ts';
import type { Benchmark } from './benchmark.ts';
import { entryOf } from './describe.ts';
import { watched } from './process.ts';

const VALGRIND = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];

/** One thread, nothing by chance, the optimising compiler at once. */
const NODE = [
  ...['--predictable', '--single-threaded-gc', '--hash-seed=1', '--random-seed=1'],
  ...['--no-wasm-tier-up', '--no-liftoff'],
];

/** Calls of each kernel whose instructions are counted. */
const CALLS = 64;

/** Battles of a call when a kernel's start is counted. */
const LEAST = 32;

/** Battles of a call beyond these when its battles are counted: a power of two within these bounds. */
const MORE = { least: 1024, most: 16_384 };

/** Instructions that all counted battles should take: starting Node wanders by a thousandth of it. */
const ENOUGH = 1e8;

function moreOf(known: number | undefined): number {
  if (known === undefined) return MORE.least;
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
  if (found === undefined) throw new RunError(`valgrind told no number of instructions:\n${text.trim()}`);
  return Number(found.replaceAll(',', ''));
}

/**
 * Instructions per battle by benchmark; one process more than there are benchmarks, some seconds each.
 * @param known what they were before, which decides how many battles are played
 */
export async function instructionsOf(
  benchmarks: readonly Benchmark[],
  known: (name: string) => number | undefined,
): Promise<Map<string, number>> {
  const least = benchmarks.map(() => LEAST);
  const more = benchmarks.map(({ name }) => moreOf(known(name)));
  const runs = [least, ...more.map((battles, b) => least.with(b, LEAST + battles))];
  const window = new Window(availableParallelism());
  const counts = runs.map((battles) => window.hold(() => instructionsFor(benchmarks, battles)));
  const [start = 0, ...counted] = await Promise.all(counts);
  const perBattle = (b: number): number => ((counted[b] ?? 0) - start) / ((more[b] ?? 0) * CALLS);
  return new Map(benchmarks.map(({ name }, b) => [name, perBattle(b)]));
}
