import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { z } from 'zod';
import { InputError, RunError } from '../../src/core/errors.ts';
import type { LAYERS } from '../../src/core/limits.ts';

/** The kinds of figures that the gate looks at. */
export type Layer = (typeof LAYERS)[number];

// The machine on which something was measured, as far as it changes what is measured.

export interface Machine {
  /** Name, family, model and stepping of its processor. */
  readonly cpu: string;
  readonly arch: string;
  /** The version of Node, which brings the compiler of kernels. */
  readonly node: string;
}

/** Lines of /proc/cpuinfo that tell processors of one name apart: of x86, then of ARM. */
const REVISION = /^(cpu family|model|stepping|CPU (?:implementer|variant|part|revision))\s*:\s*(\S+)$/gm;

/** Family, model and stepping from the text of /proc/cpuinfo: hosts as different as two generations are called "AMD EPYC". */
export function revisionOf(cpuinfo: string): string {
  const [first = ''] = cpuinfo.split('\n\n');
  return [...first.matchAll(REVISION)].map(([, what, value]) => `, ${String(what)} ${String(value)}`).join('');
}

function revision(): string {
  try {
    return revisionOf(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    // Windows has it in the environment; elsewhere the name is as exact as can be.
    const { PROCESSOR_IDENTIFIER: identifier } = process.env;
    return identifier === undefined ? '' : `, ${identifier}`;
  }
}

export function thisMachine(): Machine {
  const name = cpus()[0]?.model.trim() ?? 'unknown';
  return { cpu: name + revision(), arch: process.arch, node: process.version };
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
  /** The least ratios recorded on this kind of machine, which give `ratioMost`. */
  least: z.array(amount).min(1),
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
  cells: z.record(z.string(), known.pick({ ratio: true, ratioMost: true, least: true })).default({}),
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

/**
 * The absolute budget lies so many times above the greatest of the least ratios recorded, of battles and of cells. One
 * record alone lowers it to nothing that the kernels do not reach again: three are needed.
 */
const ROOM = { battles: 1.1, cells: 1.35 };
const RECORDS = 3;

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
  if (data === undefined) {
    const issue = error.issues[0];
    throw new InputError(`${path} ${issue?.path.join('.') ?? ''}`, 'a baseline of the gate', issue?.message ?? 'other');
  }
  for (const { where, ratio, ratioMost } of tooSlow(data))
    throw new InputError(`${path} ${where}.ratioMost`, `at least its ratio, ${String(ratio)}`, String(ratioMost));
  return data;
}

/** What would be rejected unchanged, because the absolute budget of a ratio is below it. */
function tooSlow({ benchmarks, cells }: Pick<Baseline, 'benchmarks' | 'cells'>) {
  return Object.entries({ benchmarks, cells }).flatMap(([kind, all]) =>
    Object.entries(all).flatMap(([name, { ratio, ratioMost }]) =>
      ratio > ratioMost ? [{ where: `${kind}.${name}`, ratio, ratioMost }] : [],
    ),
  );
}

/** What was measured of a benchmark. */
export interface Measured {
  readonly counters: KnownBenchmark['counters'];
  readonly instructions: number | undefined;
  readonly ratio: number;
}

/** A ratio, its absolute budget and the least ratios on this kind of machine. */
type Recorded = Pick<KnownBenchmark, 'ratio' | 'ratioMost' | 'least'>;

function recorded(before: Recorded | undefined, ratio: number, room: number): Recorded {
  const least = [...(before?.least ?? []), ratio].sort((a, b) => a - b).slice(0, RECORDS);
  return { ratio, ratioMost: Number((room * Math.max(...least)).toPrecision(3)), least };
}

/**
 * The baseline after a measurement: relative budgets stay as they are, absolute ones follow the least ratios of several
 * records on one machine.
 * @param cells ratios of cells to their answers
 * @throws RunError if a ratio is above its absolute budget
 */
export function renewed(
  old: Baseline | undefined,
  machine: Machine,
  measured: ReadonlyMap<string, Measured>,
  cells: ReadonlyMap<string, number>,
): Baseline {
  const here = old !== undefined && sameMachine(old.machine, machine) ? old : undefined;
  const benchmarks = [...measured].map(([name, { counters, instructions, ratio }]): [string, KnownBenchmark] => {
    const before = here?.benchmarks[name];
    const counted = instructions ?? before?.instructions;
    return [
      name,
      { counters, ...(counted !== undefined && { instructions: counted }), ...recorded(before, ratio, ROOM.battles) },
    ];
  });
  const swept = [...cells].map(([name, ratio]) => [name, recorded(here?.cells[name], ratio, ROOM.cells)] as const);
  const fresh = {
    machine,
    budgets: old?.budgets ?? BUDGETS,
    benchmarks: Object.fromEntries(benchmarks),
    cells: Object.fromEntries(swept),
  };
  const slow = tooSlow(fresh).map(
    ({ where, ratio, ratioMost }) => `${where}: the ratio ${ratio.toPrecision(4)} is above ${String(ratioMost)}`,
  );
  if (slow.length === 0) return fresh;
  throw new RunError(
    `${slow.join('\n')}\nthe baseline stays as it is; remove these entries from it to accept that they are slower`,
  );
}

export async function writeBaseline(path: string, content: Baseline): Promise<void> {
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`);
}
