/**
 * What a process of the gate does: it plays kernels against the yardstick, in short samples that take turns, over fresh
 * instances. Nothing here loads rules, so that such a process starts quickly.
 *
 * Why so: on a shared machine times wander by tens of percent, but what disturbs a sample only ever makes it longer, so
 * the best of many short ones stays; and what slows the whole machine slows the yardstick as well. Instances differ for
 * life, by where their memory lies, and processes by where their code lies: hence the medians over both.
 */
import { readFileSync } from 'node:fs';
import { type Compiled, openKernel } from '../pool/player.ts';
import type { TallyShape } from '../stats/tally.ts';
import type { Made } from './benchmark.ts';

/** A kernel to play, as it can be written to a file. */
export interface Entry {
  readonly name: string;
  /** Path of the compiled kernel. */
  readonly path: string;
  readonly shape: TallyShape;
  readonly made: Made;
}

export type Task =
  | {
      readonly kind: 'ratios';
      readonly yardstick: string;
      readonly entries: readonly Entry[];
      /** Battles that a kernel plays for each that counts: 1, or more to see whether the gate notices. */
      readonly handicap: number;
    }
  | {
      readonly kind: 'play';
      readonly entries: readonly Entry[];
      /** In each of the calls, by entry. */
      readonly battles: readonly number[];
    };

/** Time of a battle over the time of one of the yardstick's, by benchmark. */
export type Ratios = Readonly<Record<string, number>>;

/** Plays so many fresh battles. */
type Play = (battles: number) => void;

const SEED = 1n;

const INSTANCES = 3;
const SAMPLES = 120;

/** Milliseconds that a sample should take: few are disturbed, and the clock is fine enough. */
const SAMPLE_TIME = 0.1;

/** V8 optimises a kernel only after some calls. */
const WARM_UP_CALLS = 200;
const WARM_UP_BATTLES = 64;

/** Calls that play the battles whose instructions are counted: always as many, so that JavaScript does the same each time. */
export const COUNTED_CALLS = 64;

interface Yardstick {
  configure(): void;
  run(from: bigint, count: number): number;
}

function openYardstick(module: WebAssembly.Module): Play {
  const yardstick = new WebAssembly.Instance(module).exports as unknown as Yardstick;
  yardstick.configure();
  let next = 0;
  return (battles) => {
    yardstick.run(BigInt(next), battles);
    next += battles;
  };
}

/** What a kernel is opened with: the typed arrays that a file does not hold. */
export function setupOf(module: WebAssembly.Module, shape: TallyShape, made: Made): Compiled {
  const fixed = { seed: SEED, module, shape };
  switch (made.form) {
    case 'kernel':
      return { ...fixed, form: made.form, words: Int32Array.from(made.words) };
    case 'automaton': {
      const code = { ...made.code, words: Uint32Array.from(made.code.words) };
      return { ...fixed, form: made.form, endings: made.endings, code };
    }
    case 'sampled': {
      const { bits, thresholds, aliases } = made.table;
      const table = { bits, thresholds: Uint32Array.from(thresholds), aliases: Uint32Array.from(aliases) };
      return { ...fixed, form: made.form, endings: made.endings, table };
    }
  }
}

function playerOf(module: WebAssembly.Module, { shape, made }: Entry): Play {
  const kernel = openKernel(setupOf(module, shape, made));
  let next = 0;
  return (battles) => {
    kernel.run(SEED, next, battles);
    next += battles;
  };
}

const compiled = (path: string): WebAssembly.Module => new WebAssembly.Module(new Uint8Array(readFileSync(path)));

function timeOf(play: Play, battles: number): number {
  const began = performance.now();
  play(battles);
  return performance.now() - began;
}

function warmUp(play: Play): void {
  for (let call = 0; call < WARM_UP_CALLS; call++) play(WARM_UP_BATTLES);
}

/** Battles of a sample. */
function sampleSize(play: Play): number {
  let best = Number.POSITIVE_INFINITY;
  for (let trial = 0; trial < 10; trial++) best = Math.min(best, timeOf(play, WARM_UP_BATTLES));
  return Math.max(1, Math.round((WARM_UP_BATTLES * SAMPLE_TIME) / best));
}

function ratioOf(kernel: Play, yardstick: Play, handicap: number): number {
  warmUp(yardstick);
  warmUp(kernel);
  const size = { kernel: sampleSize(kernel), yardstick: sampleSize(yardstick) };
  const played = Math.round(size.kernel * handicap);
  const best = { kernel: Number.POSITIVE_INFINITY, yardstick: Number.POSITIVE_INFINITY };
  for (let sample = 0; sample < SAMPLES; sample++) {
    best.yardstick = Math.min(best.yardstick, timeOf(yardstick, size.yardstick) / size.yardstick);
    best.kernel = Math.min(best.kernel, timeOf(kernel, played) / size.kernel);
  }
  return best.kernel / best.yardstick;
}

function ratiosOf(yardstick: WebAssembly.Module, entries: readonly Entry[], handicap: number): Ratios {
  return Object.fromEntries(
    entries.map((entry) => {
      const module = compiled(entry.path);
      const ratios = Array.from({ length: INSTANCES }, () =>
        ratioOf(playerOf(module, entry), openYardstick(yardstick), handicap),
      );
      return [entry.name, ratios.sort((a, b) => a - b)[INSTANCES >> 1] ?? Number.NaN];
    }),
  );
}

/** Plays so many battles of each kernel in each of its calls, for who counts instructions from outside. */
function playAll(entries: readonly Entry[], battles: readonly number[]): void {
  for (const [e, entry] of entries.entries()) {
    const play = playerOf(compiled(entry.path), entry);
    for (let call = 0; call < COUNTED_CALLS; call++) play(battles[e] ?? 0);
  }
}

/** Does the task that lies in a file. */
export function perform(file: string): Ratios {
  const task = JSON.parse(readFileSync(file, 'utf8')) as Task;
  if (task.kind === 'ratios') {
    return ratiosOf(compiled(task.yardstick), task.entries, task.handicap);
  }
  playAll(task.entries, task.battles);
  return {};
}
