/** Interleaved samples of several tasks, taken by tinybench. */

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Described } from './counters.ts';
import { compiled, type PlayBattles, type PlayerEntry, playerOf } from './player.ts';

export interface Sampling {
  /** Number of samples of each task. */
  readonly samples: number;
  /** Number of calls of each task before its first sample (default: 0). */
  readonly warmUp?: number;
}

/**
 * Measures the shortest sample of each task in milliseconds, with one call per sample.
 *
 * By default, tinybench takes all samples of a task before the samples of the next one. With `concurrency: 'bench'`,
 * tasks await between samples, so that samples of tasks alternate. Tasks are synchronous, so nothing else runs during a
 * sample. The switch between samples takes a microsecond.
 */
export async function shortest<Name extends string>(
  tasks: Readonly<Record<Name, () => void>>,
  { samples, warmUp = 0 }: Sampling,
): Promise<Record<Name, number>> {
  const { Bench } = await import('tinybench');
  const bench = new Bench({
    concurrency: 'bench',
    iterations: samples,
    time: 0,
    warmup: warmUp > 0,
    warmupIterations: warmUp,
    warmupTime: 0,
    throws: true,
  });
  for (const [name, task] of Object.entries<() => void>(tasks)) bench.add(name, task, { async: false });
  await bench.run();
  const shortestOf = bench.tasks.map(({ name, result }) => {
    if (result.state !== 'completed') throw new Error(`${name} was not measured: ${result.state}`);
    return [name, result.latency.min] as const;
  });
  return Object.fromEntries(shortestOf) as Record<Name, number>;
}

// Task of a process of the gate: it measures kernels against the yardstick, or against the same kernels of another
// build, in short alternating samples over fresh instances. It loads no rules, so that the process starts quickly.
//
// On a shared machine, times vary by tens of percent. Disturbances only make samples longer, so the best of many short
// samples is stable; and a slower machine slows down the yardstick too. Instances differ permanently by their memory
// addresses, and processes by their code addresses, so medians over both are used.

/** Pair of values of this build and of the other one. */
export interface BuildSides<T> {
  readonly mine: T;
  readonly theirs: T;
}

/** Kernel entries of both builds. */
export type Pair = BuildSides<PlayerEntry> & { readonly name: string };

export type SampleTask =
  | {
      readonly kind: 'ratios';
      readonly yardstick: string;
      readonly entries: readonly PlayerEntry[];
      /** Simulated battles for each counted battle: 1, or more to test the gate. */
      readonly handicap: number;
    }
  | {
      readonly kind: 'against';
      readonly pairs: readonly Pair[];
      /** Files of both builds that open their kernels. */
      readonly players: BuildSides<string>;
      /** True if the other build comes first. */
      readonly swapped: boolean;
    }
  | {
      /** Measures cells of sweeps against their results. */
      readonly kind: 'cells';
      readonly names: readonly string[];
    }
  | {
      /** Lists the benchmarks of a build. */
      readonly kind: 'describe';
    }
  | {
      readonly kind: 'play';
      readonly entries: readonly PlayerEntry[];
      /** Number of calls of each kernel, constant so that JavaScript does the same each time. */
      readonly calls: number;
      /** Battles of each call, by entry. */
      readonly battles: readonly number[];
    };

/** Time of a battle divided by the time of the yardstick or of the other build, by benchmark. */
export type Ratios = Readonly<Record<string, number>>;

const INSTANCES = 3;
const SAMPLES = 120;

/** Number of calls that determine the battles of a sample. */
const TRIALS = 10;

/** Target duration of a sample in milliseconds: few are disturbed, and the clock is precise enough. */
const SAMPLE_TIME = 0.1;

/** Number of warm-up calls, because V8 optimizes a kernel only after some calls. */
const WARM_UP_CALLS = 200;
const WARM_UP_BATTLES = 64;

interface Yardstick {
  configure(): void;
  run(from: bigint, count: number): number;
}

function openYardstick(module: WebAssembly.Module): PlayBattles {
  const yardstick = new WebAssembly.Instance(module).exports as unknown as Yardstick;
  yardstick.configure();
  let next = 0;
  return (battles) => {
    yardstick.run(BigInt(next), battles);
    next += battles;
  };
}

const sampleOf = (play: PlayBattles, battles: number) => (): void => {
  play(battles);
};

/** Determines the battles of a sample of each entry, after a warm-up. */
async function sampleSizes(
  kernel: PlayBattles,
  yardstick: PlayBattles,
): Promise<{ kernel: number; yardstick: number }> {
  const trials = { yardstick: sampleOf(yardstick, WARM_UP_BATTLES), kernel: sampleOf(kernel, WARM_UP_BATTLES) };
  const times = await shortest(trials, { warmUp: WARM_UP_CALLS, samples: TRIALS });
  const size = (time: number): number => Math.max(1, Math.round((WARM_UP_BATTLES * SAMPLE_TIME) / time));
  return { kernel: size(times.kernel), yardstick: size(times.yardstick) };
}

/** @param handicap simulated battles for each counted battle */
async function ratioOf(kernel: PlayBattles, yardstick: PlayBattles, handicap: number): Promise<number> {
  const size = await sampleSizes(kernel, yardstick);
  const played = Math.round(size.kernel * handicap);
  const turns = { yardstick: sampleOf(yardstick, size.yardstick), kernel: sampleOf(kernel, played) };
  const best = await shortest(turns, { samples: SAMPLES });
  return best.kernel / size.kernel / (best.yardstick / size.yardstick);
}

const middle = (found: readonly number[]): number => found.toSorted((a, b) => a - b)[found.length >> 1] ?? Number.NaN;

async function ratiosOf(
  yardstick: WebAssembly.Module,
  entries: readonly PlayerEntry[],
  handicap: number,
): Promise<Ratios> {
  const ratios: Record<string, number> = {};
  for (const entry of entries) {
    const module = compiled(entry.path);
    const found: number[] = [];
    for (let instance = 0; instance < INSTANCES; instance++) {
      found.push(await ratioOf(playerOf(module, entry), openYardstick(yardstick), handicap));
    }
    ratios[entry.name] = middle(found);
  }
  return ratios;
}

/** Measures both builds with the same battles, so that samples have equal numbers of battles. */
async function ratioOfEquals(one: PlayBattles, other: PlayBattles): Promise<number> {
  const { kernel: battles } = await sampleSizes(one, other);
  const best = await shortest({ one: sampleOf(one, battles), other: sampleOf(other, battles) }, { samples: SAMPLES });
  return best.one / best.other;
}

type Player = Pick<typeof import('./player.ts'), 'compiled' | 'playerOf'>;

const playerIn = async (path: string): Promise<Player> => (await import(pathToFileURL(path).href)) as Player;

/** The order of the builds alternates between instances, because the second may profit from caches of the first. */
async function ratiosAgainst(pairs: readonly Pair[], players: BuildSides<string>, swapped: boolean): Promise<Ratios> {
  const order = swapped ? (['theirs', 'mine'] as const) : (['mine', 'theirs'] as const);
  const [first, second] = [await playerIn(players[order[0]]), await playerIn(players[order[1]])];
  const ratios: Record<string, number> = {};
  for (const pair of pairs) {
    const [one, other] = [pair[order[0]], pair[order[1]]];
    const modules = [first.compiled(one.path), second.compiled(other.path)] as const;
    const found: number[] = [];
    for (let instance = 0; instance < INSTANCES; instance++) {
      const openFirst = (): PlayBattles => first.playerOf(modules[0], one);
      const openSecond = (): PlayBattles => second.playerOf(modules[1], other);
      found.push(
        instance % 2 === 0
          ? await ratioOfEquals(openFirst(), openSecond())
          : 1 / (await ratioOfEquals(openSecond(), openFirst())),
      );
    }
    const ratio = middle(found);
    ratios[pair.name] = swapped ? 1 / ratio : ratio;
  }
  return ratios;
}

/** Simulates battles in each call of each kernel, for external instruction counts. */
function playAll(entries: readonly PlayerEntry[], calls: number, battles: readonly number[]): void {
  for (const [e, entry] of entries.entries()) {
    const play = playerOf(compiled(entry.path), entry);
    for (let call = 0; call < calls; call++) play(battles[e] ?? 0);
  }
}

/** Runs the task in a file. */
export async function perform(file: string): Promise<Ratios | Described[]> {
  const task = JSON.parse(readFileSync(file, 'utf8')) as SampleTask;
  switch (task.kind) {
    case 'ratios':
      return await ratiosOf(compiled(task.yardstick), task.entries, task.handicap);
    case 'against':
      return await ratiosAgainst(task.pairs, task.players, task.swapped);
    case 'cells':
      return await (await import('./cells.ts')).cellRatios(task.names);
    case 'describe':
      return await (await import('./counters.ts')).described();
    case 'play':
      playAll(task.entries, task.calls, task.battles);
      return {};
  }
}

// Rounds of measurements, each in a fresh process.

/**
 * Continues to measure undecided benchmarks, round by round.
 * @param measure one round of the remaining ones
 * @returns ratio of each round, by name
 */
export async function measureRounds<T extends { readonly name: string }>(
  all: readonly T[],
  measure: (left: readonly T[], round: number) => Promise<Ratios>,
  undecided: (name: string, rounds: readonly number[]) => boolean,
): Promise<Map<string, number[]>> {
  const rounds = new Map<string, number[]>(all.map(({ name }) => [name, []]));
  let left = all;
  for (let round = 0; left.length > 0; round++) {
    for (const [name, ratio] of Object.entries(await measure(left, round))) rounds.get(name)?.push(ratio);
    left = left.filter(({ name }) => undecided(name, rounds.get(name) ?? []));
  }
  return rounds;
}
