import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { z } from 'zod';
import { InputError, RunError } from '../../src/core/errors.ts';
import type { LAYERS } from '../../src/core/limits.ts';

/** Layers of the gate. */
export type Layer = (typeof LAYERS)[number];

// Machine of a measurement: the properties that affect results.

export interface Machine {
  /** Name, family, model and stepping of the processor. */
  readonly cpu: string;
  readonly arch: string;
  /** Version of Node.js, which contains the compiler of kernels. */
  readonly node: string;
}

/** Lines of /proc/cpuinfo that distinguish processors with the same name: x86, then ARM. */
const REVISION = /^(cpu family|model|stepping|CPU (?:implementer|variant|part|revision))\s*:\s*(\S+)$/gm;

/** Parses family, model and stepping in /proc/cpuinfo, because different generations have the name "AMD EPYC". */
export function revisionOf(cpuinfo: string): string {
  const [first = ''] = cpuinfo.split('\n\n');
  return [...first.matchAll(REVISION)].map(([, what, value]) => `, ${String(what)} ${String(value)}`).join('');
}

function revision(): string {
  try {
    return revisionOf(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    // Windows has it in the environment; other systems have only the name.
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

/** Commit of the working folder, if it is a git repository. */
export function commitHere(): string | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

// Baseline: a file in the repository, which is renewed when kernels become faster.

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
  /** Instructions per battle; absent if not counted. */
  instructions: amount.optional(),
  /** Time of a battle divided by the time of a battle of the yardstick. */
  ratio: amount,
  /** Absolute limit of the ratio. Renewing the baseline can only lower it. */
  ratioMost: amount,
  /** Smallest ratios on this kind of machine, which determine `ratioMost`. */
  least: z.array(amount).min(1),
});

/** Allowed relative increase of a value over the baseline. */
const budgets = z.strictObject({
  ratio: amount,
  instructions: amount,
  bytes: amount,
  cells: amount.default(0.25),
  /** Limits on another machine or with another Node.js. Counters have no such allowance. */
  elsewhere: z.strictObject({ ratio: amount, instructions: amount }),
});

const baseline = z.strictObject({
  machine: z.strictObject({ cpu: z.string(), arch: z.string(), node: z.string() }),
  budgets,
  benchmarks: z.record(z.string(), known),
  /** Time of a cell of a sweep divided by the time of its result. */
  cells: z.record(z.string(), known.pick({ ratio: true, ratioMost: true, least: true })).default({}),
});

export type Baseline = z.output<typeof baseline>;
export type KnownBenchmark = z.output<typeof known>;

/** Default limits. */
const BUDGETS: Baseline['budgets'] = {
  ratio: 0.03,
  instructions: 0.01,
  bytes: 0.1,
  cells: 0.25,
  elsewhere: { ratio: 0.5, instructions: 0.25 },
};

/**
 * Factors from the largest of the smallest recorded ratios to the absolute limit, for battles and cells. Three records
 * are required, because a single outlier would set a limit that kernels cannot reach again.
 */
const ROOM = { battles: 1.1, cells: 1.35 };
const RECORDS = 3;

/** Baseline without a file. */
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

/** Entries whose ratio exceeds their absolute limit. */
function tooSlow({ benchmarks, cells }: Pick<Baseline, 'benchmarks' | 'cells'>) {
  return Object.entries({ benchmarks, cells }).flatMap(([kind, all]) =>
    Object.entries(all).flatMap(([name, { ratio, ratioMost }]) =>
      ratio > ratioMost ? [{ where: `${kind}.${name}`, ratio, ratioMost }] : [],
    ),
  );
}

/** Measurements of a benchmark. */
export interface Measured {
  readonly counters: KnownBenchmark['counters'];
  readonly instructions: number | undefined;
  readonly ratio: number;
}

/** Ratio with its absolute limit and the smallest ratios on this kind of machine. */
type Recorded = Pick<KnownBenchmark, 'ratio' | 'ratioMost' | 'least'>;

function recorded(before: Recorded | undefined, ratio: number, room: number): Recorded {
  const least = [...(before?.least ?? []), ratio].sort((a, b) => a - b).slice(0, RECORDS);
  return { ratio, ratioMost: Number((room * Math.max(...least)).toPrecision(3)), least };
}

/**
 * Creates a new baseline. Relative limits do not change; absolute limits follow the smallest ratios of several records
 * on one machine.
 * @param cells ratios of cells to their results
 * @throws RunError if a ratio exceeds its absolute limit
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
    `${slow.join('\n')}\nthe baseline is unchanged; to accept the slower values, remove these entries from it`,
  );
}

export async function writeBaseline(path: string, content: Baseline): Promise<void> {
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`);
}
