/**
 * Tries the gate: `npm run bench:gate-trial -- [--same 50] [--slow 20] [--by 0.05] [--kernels folder]
 * [--baseline file]`.
 *
 * While another process keeps a core busy, the gate's ratio layer runs over and over: with nothing changed, where an
 * alarm is false, and with kernels that are slower, where every alarm is right. They are made slower by as many battles
 * more than count, or are those of a folder.
 */
import { parseArgs } from 'node:util';
import { besideLoad, type Finding, gate, readBaseline } from '../src/gate/index.ts';

const { values } = parseArgs({
  options: {
    same: { type: 'string', default: '50' },
    slow: { type: 'string', default: '20' },
    by: { type: 'string', default: '0.05' },
    kernels: { type: 'string' },
    baseline: { type: 'string', default: 'bench/gate/baseline.json' },
  },
});

interface Trial {
  readonly runs: number;
  readonly handicap?: number;
  readonly kernels?: string | undefined;
}

interface Result {
  /** Runs of the gate that did not hold. */
  alarms: number;
  /** Alarms and relative changes by benchmark. */
  readonly benchmarks: Map<string, { alarms: number; changes: number[] }>;
  /** The longest run, in seconds. */
  longest: number;
}

function note(result: Result, findings: readonly Finding[]): void {
  for (const { benchmark, value, baseline, status } of findings) {
    const seen = result.benchmarks.get(benchmark) ?? { alarms: 0, changes: [] };
    if (status === 'broken') seen.alarms++;
    seen.changes.push(Number(value) / Number(baseline) - 1);
    result.benchmarks.set(benchmark, seen);
  }
}

async function attempt({ runs, handicap, kernels }: Trial): Promise<Result> {
  const baseline = await readBaseline(values.baseline);
  const result: Result = { alarms: 0, benchmarks: new Map(), longest: 0 };
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    const { held, findings } = await gate(baseline, { layers: ['ratio'], handicap, kernels });
    result.longest = Math.max(result.longest, (performance.now() - began) / 1000);
    if (!held) result.alarms++;
    note(result, findings);
  }
  return result;
}

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;

function tell(what: string, runs: number, { alarms, benchmarks, longest }: Result): void {
  const lines = [...benchmarks].map(([name, seen]) => {
    const [least, most] = [Math.min(...seen.changes), Math.max(...seen.changes)].map(percent);
    return `  ${name}: ${String(seen.alarms)} alarms, changes ${String(least)} to ${String(most)}`;
  });
  const head = `${what}: ${String(alarms)} alarms in ${String(runs)} runs, the longest took ${longest.toFixed(1)} s`;
  process.stdout.write(`${[head, ...lines].join('\n')}\n`);
}

await besideLoad(async () => {
  const [same, slow] = [Number(values.same), Number(values.slow)];
  tell('nothing changed', same, await attempt({ runs: same }));
  const { kernels } = values;
  const what = kernels === undefined ? `slower by ${percent(Number(values.by))}` : `kernels of ${kernels}`;
  const trial = kernels === undefined ? { runs: slow, handicap: 1 + Number(values.by) } : { runs: slow, kernels };
  tell(what, slow, await attempt(trial));
});
