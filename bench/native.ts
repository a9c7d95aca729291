/**
 * Kernels compared with C programs of the same rules, tables and streams, bench/native/<system>.c. The compiler `cc`
 * compiles them with all optimizations for this machine. Their counts and sums must equal the results of the kernel.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { computeRunKey } from '../src/core/chance/stream.ts';
import { addBattle, type Counts, type CountsShape, createEmptyCounts, listValueCounts } from '../src/stats/counts.ts';
import { oneByOne, race } from './race.ts';
import type { Row } from './row.ts';
import { type Compiled, kernelOf, SEED, type Subject } from './subjects.ts';
import { median, type Times } from './times.ts';

const FOLDER = 'dist/native';

/** No fused multiply-add: doubles must round as they do in the kernel. */
const FLAGS = ['-O3', '-march=native', '-ffp-contract=off'];

/** Number of battles of one call of a kernel. */
const CALL = 4096;

interface Report {
  readonly seconds: number;
  /** Counts of outcomes, then sums of the values of each metric, as text. */
  readonly counted: string;
}

export interface Duel {
  /** Target duration of a sample of both sides, in milliseconds. */
  readonly time: number;
  readonly samples: number;
}

export function hasCompiler(): boolean {
  return spawnSync('cc', ['--version']).status === 0;
}

/** Kernel with its C program. */
export interface Twins {
  /** Name of the row. */
  readonly name: string;
  /** Source of the program. */
  readonly source: string;
  /** Input of the program. */
  readonly words: readonly number[];
  open(): Runner;
  /** Converts the counts of the program to counts of outcomes and sums of metrics. */
  counted(lines: readonly string[]): string;
  readonly shape: CountsShape;
}

/** Kernel of a system, or of an automaton. */
export interface Runner {
  run(seed: bigint, from: number, count: number): void;
  take(): Counts;
}

/** Input of a kernel: the shape of the counts, then the scenario. */
function systemTwins(subject: Subject): Twins {
  const { system, file, shape, words } = subject;
  const head = [shape.outcomes.length, shape.metrics.length];
  for (const { min, max } of shape.metrics) head.push(min, max - min + 1);
  return {
    name: `${file.replace('.yaml', '')} native`,
    source: `bench/native/${system}.c`,
    words: [...head, ...words],
    open: () => kernelOf(subject),
    counted: (lines) => lines.join('\n').trimEnd(),
    shape,
  };
}

/** The C program of the automaton counts final states, which are its only outcomes. */
function automatonTwins({ file, shape }: Subject, automaton: Compiled): Twins {
  const { start, nodes, words } = automaton.code;
  return {
    name: `${file.replace('.yaml', '')} automaton native`,
    source: 'bench/native/automaton.c',
    words: [automaton.endings.length, 0, start, nodes, ...words],
    open: () => automaton.open(),
    counted: ([line = '']) => {
      const counts = createEmptyCounts(shape);
      const battles = line.split(' ').map(Number);
      for (const [e, { outcome, metrics }] of automaton.endings.entries()) {
        addBattle(counts, outcome, metrics, battles[e] ?? 0);
      }
      return formatCounts(shape, counts);
    },
    shape,
  };
}

/** Lists the C programs of a subject. */
export function twinsOf(subject: Subject): Twins[] {
  const { automaton } = subject;
  const twins = [systemTwins(subject)];
  // The C program does not count rounds.
  if (automaton?.hasRounds === false) twins.push(automatonTwins(subject, automaton));
  return twins.filter(({ source }) => existsSync(source));
}

/** Compiles a program, and returns its path. */
function compile(source: string): string {
  mkdirSync(FOLDER, { recursive: true });
  const target = `${FOLDER}/${basename(source, '.c')}`;
  const { status, stderr } = spawnSync('cc', [...FLAGS, '-o', target, source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${source} does not compile:\n${stderr}`);
  return target;
}

function playNative(program: string, words: string, twins: Twins, from: number, count: number): Report {
  const given = [words, String(computeRunKey(SEED)), String(from), String(count)];
  const { status, stdout, stderr } = spawnSync(program, given, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  const [seconds = '', ...counted] = stdout.trimEnd().split('\n');
  return { seconds: Number(seconds), counted: twins.counted(counted) };
}

function formatCounts(shape: CountsShape, counts: Counts): string {
  const sums = shape.metrics.map((_, m) =>
    listValueCounts(counts, m).reduce((sum, [value, count]) => sum + BigInt(value) * BigInt(count), 0n),
  );
  return `${counts.outcomes.join(' ')}\n${sums.join(' ')}`;
}

/** Creates a warm instance without counts. */
function warmKernel(twins: Twins): Runner {
  const kernel = twins.open();
  for (let call = 0; call < 200; call++) kernel.run(SEED, call * 64, 64);
  kernel.take();
  return kernel;
}

/**
 * Takes alternating samples of both. Each turn uses new battles, the same for both, and compares the results
 * afterwards.
 */
async function duel(twins: Twins, play: (from: number) => Report, count: number, turns: number): Promise<Times> {
  let from = 1_000_000;
  let native = '';
  let kernel = twins.open();
  const contenders = {
    native: () => () => {
      const { seconds, counted } = play(from);
      native = counted;
      return { work: count, milliseconds: seconds * 1000 };
    },
    kernel: () => {
      kernel = warmKernel(twins);
      return () => {
        for (let done = 0; done < count; done += CALL) kernel.run(SEED, from + done, Math.min(CALL, count - done));
        return count;
      };
    },
  };
  return race(contenders, oneByOne(turns), () => {
    const own = formatCounts(twins.shape, kernel.take());
    if (native !== own) throw new Error(`${twins.name}: native counts\n${native}\nkernel counts\n${own}`);
    from += count;
  });
}

/**
 * The program measures its own time, which tinybench uses: starting a process and reading its output takes 1.3 to 3 ms
 * more, for samples of ten.
 * @throws Error unless both have the same counts
 */
export async function against(twins: Twins, { time, samples }: Duel): Promise<Row[]> {
  const program = compile(twins.source);
  const words = `${program}.words`;
  writeFileSync(words, new Uint8Array(Int32Array.from(twins.words).buffer));
  const { seconds } = playNative(program, words, twins, 0, 20_000);
  const count = Math.max(20_000, Math.round((20_000 * time) / (1000 * seconds)));
  const times = await duel(twins, (from) => playNative(program, words, twins, from, count), count, samples);
  const [native = [], kernel = []] = [times.get('native'), times.get('kernel')];
  const spread = `${(median(native) / median(kernel)).toFixed(2)} by medians of ${String(samples)}`;
  return [
    {
      suite: 'kernels',
      name: twins.name,
      value: Math.min(...native),
      unit: 'ns/battle',
      ratio: Math.min(...native) / Math.min(...kernel),
      of: 'times the speed of C',
      note: `same counts and sums; ${spread}`,
    },
  ];
}
