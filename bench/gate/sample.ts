/** Samples of several tasks that take turns, taken by tinybench. */

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Described } from './counters.ts';
import { compiled, type PlayBattles, type PlayerEntry, playerOf } from './player.ts';

export interface Sampling {
  /** Samples of each task. */
  readonly samples: number;
  /** Calls of each task before its first sample; none unless given. */
  readonly warmUp?: number;
}

/**
 * The shortest sample of each task, a call each, in milliseconds.
 *
 * tinybench would take all samples of a task before those of the next. Under `concurrency: 'bench'` every task awaits
 * between its samples, so that one sample of each follows another, and since the tasks are synchronous nothing else runs
 * while one is timed. From sample to sample it takes a microsecond.
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

// What a process of the gate does: it plays kernels against the yardstick, or against the same kernels of another build, in
// short samples that take turns, over fresh instances. No rules are loaded for that, so that such a process starts quickly.
//
// Why so: on a shared machine times wander by tens of percent, but what disturbs a sample only ever makes it longer, so
// the best of many short ones stays; and what slows the whole machine slows the yardstick as well. Instances differ for
// life, by where their memory lies, and processes by where their code lies: hence the medians over both.

/** Something of this build and of the other one. */
export interface BuildSides<T> {
  readonly mine: T;
  readonly theirs: T;
}

/** A kernel of both builds. */
export type Pair = BuildSides<PlayerEntry> & { readonly name: string };

export type SampleTask =
  | {
      readonly kind: 'ratios';
      readonly yardstick: string;
      readonly entries: readonly PlayerEntry[];
      /** Battles that a kernel plays for each that counts: 1, or more to see whether the gate notices. */
      readonly handicap: number;
    }
  | {
      readonly kind: 'against';
      readonly pairs: readonly Pair[];
      /** The files of both builds that open their kernels. */
      readonly players: BuildSides<string>;
      /** The other build comes first. */
      readonly swapped: boolean;
    }
  | {
      /** Cells of sweeps, against their answers. */
      readonly kind: 'cells';
      readonly names: readonly string[];
    }
  | {
      /** What a build has to be measured. */
      readonly kind: 'describe';
    }
  | {
      readonly kind: 'play';
      readonly entries: readonly PlayerEntry[];
      /** Calls of each kernel: always as many, so that JavaScript does the same each time. */
      readonly calls: number;
      /** In each of the calls, by entry. */
      readonly battles: readonly number[];
    };

/** Time of a battle over the time of one of the yardstick's, or of the other build's, by benchmark. */
export type Ratios = Readonly<Record<string, number>>;

const INSTANCES = 3;
const SAMPLES = 120;

/** Calls that say how many battles make a sample. */
const TRIALS = 10;

/** Milliseconds that a sample should take: few are disturbed, and the clock is fine enough. */
const SAMPLE_TIME = 0.1;

/** V8 optimises a kernel only after some calls. */
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

/** Battles of a sample of each, after a warm-up. */
async function sampleSizes(
  kernel: PlayBattles,
  yardstick: PlayBattles,
): Promise<{ kernel: number; yardstick: number }> {
  const trials = { yardstick: sampleOf(yardstick, WARM_UP_BATTLES), kernel: sampleOf(kernel, WARM_UP_BATTLES) };
  const times = await shortest(trials, { warmUp: WARM_UP_CALLS, samples: TRIALS });
  const size = (time: number): number => Math.max(1, Math.round((WARM_UP_BATTLES * SAMPLE_TIME) / time));
  return { kernel: size(times.kernel), yardstick: size(times.yardstick) };
}

/** @param handicap battles that the kernel plays for each that counts */
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

/** Both play the same battles: each sample of the one is as many as a sample of the other. */
async function ratioOfEquals(one: PlayBattles, other: PlayBattles): Promise<number> {
  const { kernel: battles } = await sampleSizes(one, other);
  const best = await shortest({ one: sampleOf(one, battles), other: sampleOf(other, battles) }, { samples: SAMPLES });
  return best.one / best.other;
}

type Player = Pick<typeof import('./player.ts'), 'compiled' | 'playerOf'>;

const playerIn = async (path: string): Promise<Player> => (await import(pathToFileURL(path).href)) as Player;

/** Which build comes first changes with every instance, for the second may find the caches of the first. */
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

/** Plays so many battles of each kernel in each of its calls, for who counts instructions from outside. */
function playAll(entries: readonly PlayerEntry[], calls: number, battles: readonly number[]): void {
  for (const [e, entry] of entries.entries()) {
    const play = playerOf(compiled(entry.path), entry);
    for (let call = 0; call < calls; call++) play(battles[e] ?? 0);
  }
}

/** Does the task that lies in a file. */
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
 * Measures on, round by round, those that are undecided.
 * @param measure one round of those that are left
 * @returns the ratio of each round, by name
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
