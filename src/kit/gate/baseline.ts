import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { z } from 'zod';
import { InputError } from '../../core/errors.ts';

/** The kinds of figures that the gate looks at. */
export const LAYERS = ['counters', 'instructions', 'ratio', 'cells'] as const;
export type Layer = (typeof LAYERS)[number];

// The machine on which something was measured, as far as it changes what is measured.

export interface Machine {
  /** The model of its processor. */
  readonly cpu: string;
  readonly arch: string;
  /** The version of Node, which brings the compiler of kernels. */
  readonly node: string;
}

export function thisMachine(): Machine {
  return { cpu: cpus()[0]?.model.trim() ?? 'unknown', arch: process.arch, node: process.version };
}

export function sameMachine(a: Machine, b: Machine): boolean {
  return a.cpu === b.cpu && a.arch === b.arch && a.node === b.node;
}

/** The commit of the working folder, if it is one of git's. */
export function commitHere(): string | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

// What the gate compares with: a file that is kept with the sources and renewed when kernels have become faster.

const amount = z.number().min(0);
const count = z.int().min(0);

const counters = z.strictObject({
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  battles: count,
  rounds: count,
  draws: count,
  rules: count,
  chunks: count,
  moduleBytes: count,
  scenarioBytes: count,
});

const known = z.strictObject({
  counters,
  /** Instructions per battle; absent if they were never counted. */
  instructions: amount.optional(),
  /** Time of a battle over the time of one of the yardstick's. */
  ratio: amount,
  /** The ratio that must not be exceeded however often the baseline is renewed: it follows what is faster only. */
  ratioMost: amount,
});

/** By which part of the baseline a figure may be worse. */
const budgets = z.strictObject({
  ratio: amount,
  instructions: amount,
  bytes: amount,
  cells: amount.default(0.25),
  /** On another machine or another Node than the baseline's; the counters have no such excuse. */
  elsewhere: z.strictObject({ ratio: amount, instructions: amount }),
});

const baseline = z.strictObject({
  machine: z.strictObject({ cpu: z.string(), arch: z.string(), node: z.string() }),
  budgets,
  benchmarks: z.record(z.string(), known),
  /** Cells of sweeps: time of a cell over the time of its answer. */
  cells: z.record(z.string(), known.pick({ ratio: true, ratioMost: true })).default({}),
});

export type Baseline = z.output<typeof baseline>;
export type KnownBenchmark = z.output<typeof known>;

/** What holds until somebody writes something else into the file. */
const BUDGETS: Baseline['budgets'] = {
  ratio: 0.03,
  instructions: 0.01,
  bytes: 0.1,
  cells: 0.25,
  elsewhere: { ratio: 0.5, instructions: 0.25 },
};

/** How far above the least ratio that was ever recorded the absolute budget lies, of battles and of cells. */
const ROOM = { battles: 1.1, cells: 1.35 };

/** What is found where there is no file. */
export const NO_FILE = 'no such file';

const missing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** @throws InputError if the file cannot be read, or is no baseline */
export async function readBaseline(path: string): Promise<Baseline> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new InputError(path, 'a baseline of the gate', missing(error) ? NO_FILE : String(error));
  }
  const { data, error } = baseline.safeParse(content);
  if (data !== undefined) return data;
  const issue = error.issues[0];
  throw new InputError(`${path} ${issue?.path.join('.') ?? ''}`, 'a baseline of the gate', issue?.message ?? 'other');
}

/** What was measured of a benchmark. */
export interface Measured {
  readonly counters: KnownBenchmark['counters'];
  readonly instructions: number | undefined;
  readonly ratio: number;
}

/**
 * The baseline after a measurement: relative budgets stay as they are, absolute ones only shrink on one machine.
 * @param cells ratios of cells to their answers
 */
export function renewed(
  old: Baseline | undefined,
  machine: Machine,
  measured: ReadonlyMap<string, Measured>,
  cells: ReadonlyMap<string, number>,
): Baseline {
  const here = old !== undefined && sameMachine(old.machine, machine);
  const most = (before: { readonly ratioMost: number } | undefined, bound: number): number =>
    Math.min(before?.ratioMost ?? Number.POSITIVE_INFINITY, Number(bound.toPrecision(3)));
  const benchmarks = [...measured].map(([name, { counters, instructions, ratio }]): [string, KnownBenchmark] => {
    const before = here ? old.benchmarks[name] : undefined;
    const counted = instructions ?? before?.instructions;
    const ratioMost = most(before, ratio * ROOM.battles);
    return [name, { counters, ...(counted !== undefined && { instructions: counted }), ratio, ratioMost }];
  });
  const swept = [...cells].map(([name, ratio]) => {
    return [name, { ratio, ratioMost: most(here ? old.cells[name] : undefined, ratio * ROOM.cells) }] as const;
  });
  return {
    machine,
    budgets: old?.budgets ?? BUDGETS,
    benchmarks: Object.fromEntries(benchmarks),
    cells: Object.fromEntries(swept),
  };
}

export async function writeBaseline(path: string, content: Baseline): Promise<void> {
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`);
}
