/**
 * Tests the gate: `npm run bench:gate-trial -- [--same 50] [--slow 20] [--by 0.05] [--kernels folder] [--baseline file]
 * [--against]`.
 *
 * Runs the ratio layer of the gate repeatedly while another process keeps a core busy: with an unchanged build, for
 * which every alarm is false, and with slower kernels, for which every alarm is correct. Kernels are slowed down by
 * additional battles that do not count, or come from a folder. With `--against`, the gate compares with copies of this
 * build: one whose kernels have the same code in other bytes, and one that simulates fewer battles than it counts, so
 * that this build is slower.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changeBytes, copyBuild, hasten } from './build-copy.ts';
import { against } from './gate/against.ts';
import { readBaseline } from './gate/baseline.ts';
import { type GateReport, gate } from './gate/gate.ts';
import type { GateFinding } from './gate/judge.ts';
import { besideLoad } from './gate/process.ts';

const { values } = parseArgs({
  options: {
    same: { type: 'string', default: '50' },
    slow: { type: 'string', default: '20' },
    by: { type: 'string', default: '0.05' },
    kernels: { type: 'string' },
    against: { type: 'boolean', default: false },
    baseline: { type: 'string', default: 'bench/gate/baseline.json' },
  },
});

interface Trial {
  readonly runs: number;
  readonly handicap?: number;
  readonly kernels?: string | undefined;
  /** Folder of a copy of this build. */
  readonly copy?: string;
}

interface Result {
  /** Number of failed runs. */
  alarms: number;
  /** Alarms and relative changes, by benchmark. */
  readonly benchmarks: Map<string, { alarms: number; changes: number[] }>;
  /** Duration of the longest run, in seconds. */
  longest: number;
}

function note(result: Result, findings: readonly GateFinding[]): void {
  for (const { layer, benchmark, value, baseline, status } of findings) {
    if (layer !== 'ratio') continue;
    const seen = result.benchmarks.get(benchmark) ?? { alarms: 0, changes: [] };
    if (status === 'broken') seen.alarms++;
    seen.changes.push(Number(value) / Number(baseline) - 1);
    result.benchmarks.set(benchmark, seen);
  }
}

/** Runs the gate with the baseline, or against a copy of this build. */
async function judged({ handicap, kernels, copy }: Trial): Promise<GateReport> {
  if (copy !== undefined) return against(copy, {});
  return gate(await readBaseline(values.baseline), { layers: ['ratio'], handicap, kernels });
}

async function attempt(trial: Trial): Promise<Result> {
  const result: Result = { alarms: 0, benchmarks: new Map(), longest: 0 };
  for (let run = 0; run < trial.runs; run++) {
    const began = performance.now();
    const { passed: held, findings } = await judged(trial);
    result.longest = Math.max(result.longest, (performance.now() - began) / 1000);
    if (!held) result.alarms++;
    note(result, findings);
  }
  return result;
}

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;

function printResult(what: string, runs: number, { alarms, benchmarks, longest }: Result): void {
  const lines = [...benchmarks].map(([name, seen]) => {
    const [least, most] = [Math.min(...seen.changes), Math.max(...seen.changes)].map(percent);
    return `  ${name}: ${String(seen.alarms)} alarms, changes ${String(least)} to ${String(most)}`;
  });
  const head = `${what}: ${String(alarms)} alarms in ${String(runs)} runs, the longest took ${longest.toFixed(1)} s`;
  process.stdout.write(`${[head, ...lines].join('\n')}\n`);
}

const slower = 1 + Number(values.by);

async function againstBaseline(same: number, slow: number): Promise<void> {
  printResult('nothing changed', same, await attempt({ runs: same }));
  const { kernels } = values;
  const what = kernels === undefined ? `slower by ${percent(Number(values.by))}` : `kernels of ${kernels}`;
  const trial = kernels === undefined ? { runs: slow, handicap: slower } : { runs: slow, kernels };
  printResult(what, slow, await attempt(trial));
}

async function againstCopies(same: number, slow: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'warpool-trial-'));
  try {
    const [equal, faster] = [join(folder, 'equal'), join(folder, 'faster')];
    for (const copy of [equal, faster]) {
      await copyBuild(copy);
      await changeBytes(copy);
    }
    await hasten(faster, slower);
    printResult('nothing changed', same, await attempt({ runs: same, copy: equal }));
    printResult(`slower by ${percent(Number(values.by))}`, slow, await attempt({ runs: slow, copy: faster }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await besideLoad(() => (values.against ? againstCopies : againstBaseline)(Number(values.same), Number(values.slow)));
