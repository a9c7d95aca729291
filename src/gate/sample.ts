/**
 * What a process of the gate does: it plays kernels against the yardstick, in short samples that take turns, over fresh
 * instances. Nothing here loads rules, so that such a process starts quickly.
 *
 * Why so: on a shared machine times wander by tens of percent, but what disturbs a sample only ever makes it longer, so
 * the best of many short ones stays; and what slows the whole machine slows the yardstick as well. Instances differ for
 * life, by where their memory lies, and processes by where their code lies: hence the medians over both.
 */
import { readFileSync } from 'node:fs';
import type { Compiled } from '../pool/forms.ts';
import { openKernel } from '../pool/player.ts';
import type { TallyShape } from '../stats/tally.ts';
import type { Made } from './benchmark.ts';
import { shortest } from './samples.ts';

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
      /** Calls of each kernel: always as many, so that JavaScript does the same each time. */
      readonly calls: number;
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
      return { ...fixed, form: made.form, endings: made.endings, code, rounds: undefined };
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

const sampleOf = (play: Play, battles: number) => (): void => {
  play(battles);
};

/** Battles of a sample of each, after a warm-up. */
async function sampleSizes(kernel: Play, yardstick: Play): Promise<{ kernel: number; yardstick: number }> {
  const trials = { yardstick: sampleOf(yardstick, WARM_UP_BATTLES), kernel: sampleOf(kernel, WARM_UP_BATTLES) };
  const times = await shortest(trials, { warmUp: WARM_UP_CALLS, samples: TRIALS });
  const size = (time: number): number => Math.max(1, Math.round((WARM_UP_BATTLES * SAMPLE_TIME) / time));
  return { kernel: size(times.kernel), yardstick: size(times.yardstick) };
}

async function ratioOf(kernel: Play, yardstick: Play, handicap: number): Promise<number> {
  const size = await sampleSizes(kernel, yardstick);
  const played = Math.round(size.kernel * handicap);
  const turns = { yardstick: sampleOf(yardstick, size.yardstick), kernel: sampleOf(kernel, played) };
  const best = await shortest(turns, { samples: SAMPLES });
  return best.kernel / size.kernel / (best.yardstick / size.yardstick);
}

async function ratiosOf(yardstick: WebAssembly.Module, entries: readonly Entry[], handicap: number): Promise<Ratios> {
  const ratios: Record<string, number> = {};
  for (const entry of entries) {
    const module = compiled(entry.path);
    const found: number[] = [];
    for (let instance = 0; instance < INSTANCES; instance++) {
      found.push(await ratioOf(playerOf(module, entry), openYardstick(yardstick), handicap));
    }
    ratios[entry.name] = found.sort((a, b) => a - b)[INSTANCES >> 1] ?? Number.NaN;
  }
  return ratios;
}

/** Plays so many battles of each kernel in each of its calls, for who counts instructions from outside. */
function playAll(entries: readonly Entry[], calls: number, battles: readonly number[]): void {
  for (const [e, entry] of entries.entries()) {
    const play = playerOf(compiled(entry.path), entry);
    for (let call = 0; call < calls; call++) play(battles[e] ?? 0);
  }
}

/** Does the task that lies in a file. */
export async function perform(file: string): Promise<Ratios> {
  const task = JSON.parse(readFileSync(file, 'utf8')) as Task;
  if (task.kind === 'ratios') {
    return await ratiosOf(compiled(task.yardstick), task.entries, task.handicap);
  }
  playAll(task.entries, task.calls, task.battles);
  return {};
}
