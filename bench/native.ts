/**
 * Kernels against C programs of the same rules, tables and streams, bench/native/<system>.c. They are compiled here, by
 * the compiler that is called cc, with all that it can do for this machine. Their counts and sums must be the kernel's.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { runKey } from '../src/chance/stream.ts';
import { type Tally, valueCounts } from '../src/stats/tally.ts';
import type { Row } from './row.ts';
import { kernelOf, SEED, type Subject } from './subjects.ts';
import { median } from './times.ts';

const FOLDER = 'dist/native';

/** No fused multiply-add: doubles must round as they do in the kernel. */
const FLAGS = ['-O3', '-march=native', '-ffp-contract=off'];

/** Battles of one call of a kernel. */
const CALL = 4096;

interface Report {
  readonly seconds: number;
  /** Counts of outcomes, then sums of the values of each metric, as text. */
  readonly counted: string;
}

export interface Duel {
  /** Milliseconds that a sample of either side should take. */
  readonly time: number;
  readonly samples: number;
}

export function hasCompiler(): boolean {
  return spawnSync('cc', ['--version']).status === 0;
}

/** The path of the compiled twin, if there is one for the system. */
function compile(system: string): string | undefined {
  const source = `bench/native/${system}.c`;
  if (!existsSync(source)) return undefined;
  mkdirSync(FOLDER, { recursive: true });
  const target = `${FOLDER}/${system}`;
  const { status, stderr } = spawnSync('cc', [...FLAGS, '-o', target, source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${source} does not compile:\n${stderr}`);
  return target;
}

/** The words that a kernel is given: the shape of what is counted, then the scenario. */
function writeWords({ system, shape, words }: Subject): string {
  const head = [shape.outcomes.length, shape.metrics.length];
  for (const { min, max } of shape.metrics) head.push(min, max - min + 1);
  const path = `${FOLDER}/${system}.words`;
  writeFileSync(path, new Uint8Array(Int32Array.from([...head, ...words]).buffer));
  return path;
}

function playNative(program: string, words: string, from: number, count: number): Report {
  const given = [words, String(runKey(SEED)), String(from), String(count)];
  const { status, stdout, stderr } = spawnSync(program, given, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  const [seconds = '', ...counted] = stdout.trimEnd().split('\n');
  return { seconds: Number(seconds), counted: counted.join('\n').trimEnd() };
}

function counts({ shape }: Subject, tally: Tally): string {
  const sums = shape.metrics.map((_, m) =>
    valueCounts(tally, m).reduce((sum, [value, count]) => sum + BigInt(value) * BigInt(count), 0n),
  );
  return `${tally.outcomes.join(' ')}\n${sums.join(' ')}`;
}

/** A fresh instance, warm. */
function playKernel(subject: Subject, from: number, count: number): Report {
  const kernel = kernelOf(subject);
  for (let call = 0; call < 200; call++) kernel.run(SEED, call * 64, 64);
  kernel.take();
  const began = performance.now();
  for (let done = 0; done < count; done += CALL) kernel.run(SEED, from + done, Math.min(CALL, count - done));
  const seconds = (performance.now() - began) / 1000;
  return { seconds, counted: counts(subject, kernel.take()) };
}

/**
 * Samples of both, in turn, over the same battles.
 * @throws Error unless both count the same; returns nothing where the system has no twin
 */
export function againstNative(subject: Subject, { time, samples }: Duel): Row[] {
  const program = compile(subject.system);
  if (program === undefined) return [];
  const words = writeWords(subject);
  const { seconds } = playNative(program, words, 0, 20_000);
  const count = Math.max(20_000, Math.round((20_000 * time) / (1000 * seconds)));
  const [native, kernel]: [number[], number[]] = [[], []];
  for (let sample = 0; sample < samples; sample++) {
    const from = 1_000_000 + sample * count;
    const twin = playNative(program, words, from, count);
    const own = playKernel(subject, from, count);
    if (twin.counted !== own.counted) {
      throw new Error(`${subject.system}: native counts\n${twin.counted}\nkernel counts\n${own.counted}`);
    }
    native.push(twin.seconds);
    kernel.push(own.seconds);
  }
  const spread = `${(median(native) / median(kernel)).toFixed(2)} by medians of ${String(samples)}`;
  return [
    {
      suite: 'kernels',
      name: `${subject.file.replace('.yaml', '')} native`,
      value: (Math.min(...native) * 1e9) / count,
      unit: 'ns/battle',
      ratio: Math.min(...native) / Math.min(...kernel),
      of: 'times as fast is the kernel',
      note: `same counts and sums; ${spread}`,
    },
  ];
}
