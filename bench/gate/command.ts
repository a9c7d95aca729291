/** Command `warpool bench`: measures, prints, writes files, and fails if a limit is exceeded. */

import { join } from 'node:path';
import type { BenchCommandOptions } from '../../src/cli/bench.ts';
import { CommandExit } from '../../src/cli/failure.ts';
import { annotate, writeSummary } from '../../src/cli/github.ts';
import { print, printJson, printStatus, readTextStyle } from '../../src/cli/terminal.ts';
import { InputError } from '../../src/core/errors.ts';
import { createWriteError } from '../../src/core/files/durable.ts';
import { writeInto } from '../../src/core/files/output.ts';
import { version } from '../../src/core/version.ts';
import { against } from './against.ts';
import { type Baseline, commitHere, NO_FILE, readBaseline, writeBaseline } from './baseline.ts';
import { shipped } from './benchmark.ts';
import { type GateReport, gate, measureBaseline } from './gate.ts';
import { gateAnnotations, gateBenchmarks, gateJUnit, gateMarkdown, gateTable } from './report.ts';

async function publish(report: GateReport, folder: string): Promise<void> {
  await writeInto(folder, 'benchmarks.json', `${JSON.stringify(gateBenchmarks(report), null, 2)}\n`);
  await writeInto(folder, 'junit.xml', gateJUnit(report));
  await writeInto(folder, 'summary.md', gateMarkdown(report));
}

/** Reads the baseline of a file that may not exist. */
async function old(path: string): Promise<Baseline | undefined> {
  try {
    return await readBaseline(path);
  } catch (error) {
    if (error instanceof InputError && error.found === NO_FILE) return undefined;
    throw error;
  }
}

async function update(path: string, { kernels, history }: BenchCommandOptions): Promise<void> {
  const fresh = await measureBaseline(await old(path), { kernels, say: printStatus });
  await writeBaseline(path, fresh).catch((error: unknown) => {
    throw createWriteError(path, error);
  });
  printStatus(`${path}: renewed`);
  if (history === undefined) return;
  const [commit, date] = [commitHere() ?? 'unknown', new Date().toISOString()];
  const { machine, benchmarks } = fresh;
  const name = `${date.slice(0, 10)}-${commit}.json`;
  const record = { date, commit, version: version(), machine, benchmarks };
  await writeInto(history, name, `${JSON.stringify(record, null, 2)}\n`);
  printStatus(`${join(history, name)}: written`);
}

async function printReport(report: GateReport, options: BenchCommandOptions): Promise<void> {
  if (options.out !== undefined) await publish(report, options.out);
  if (options.json === true) printJson({ version: version(), ...report });
  else print(gateTable(report, readTextStyle(process.stdout)));
  await writeSummary(() => gateMarkdown(report));
  if ((options.gate !== true && options.against === undefined) || report.passed) return;
  annotate(gateAnnotations(report));
  throw new CommandExit(1);
}

/** Measures, and fails if a limit is exceeded and `--gate` or `--against` is set. */
export async function bench(options: BenchCommandOptions): Promise<void> {
  const budget = options.budget === undefined ? undefined : options.budget / 100;
  if (options.against !== undefined) {
    await printReport(await against(options.against, { budget, say: printStatus }), options);
    return;
  }
  const path = options.baseline ?? shipped('#gate/baseline.json');
  if (options.update === true) {
    if (options.baseline === undefined) throw new InputError('--update', 'a file given as --baseline', 'none');
    await update(options.baseline, options);
    return;
  }
  const { layers, kernels } = options;
  await printReport(await gate(await readBaseline(path), { layers, budget, kernels, say: printStatus }), options);
}
