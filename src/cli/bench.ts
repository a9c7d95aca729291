/** `warpool bench` */

import { join } from 'node:path';
import { parseCount } from '../core/chance/stream.ts';
import { InputError } from '../core/errors.ts';
import { unwritable } from '../core/files/durable.ts';
import { writeInto } from '../core/files/output.ts';
import { version } from '../core/version.ts';
import { LAYERS } from '../kit/gate/baseline.ts';
import {
  against,
  type Baseline,
  commitHere,
  type GateReport,
  gate,
  measureBaseline,
  NO_FILE,
  readBaseline,
  shipped,
  writeBaseline,
} from '../kit/gate/index.ts';
import { flag, type Given, type Settings, text, wordList } from '../rules/setting.ts';
import { gateAnnotations, gateBenchmarks, gateJUnit, gateMarkdown, gateTable } from '../tell/gate.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { Ended } from './failure.ts';
import { annotate, summarise } from './github.ts';
import { json } from './options.ts';
import { look, print, printJson, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  gate: flag('fail if a budget is broken'),
  // What only a baseline has cannot be asked of another build.
  against: {
    ...text('build', 'compare with another build: its folder, or a tarball of npm pack'),
    conflicts: ['gate', 'layers', 'baseline', 'kernels', 'update', 'history'],
  },
  layers: {
    ...wordList(`layers to look at, joined by commas: ${LAYERS.join(', ')}`, LAYERS),
    default: LAYERS,
    shown: 'all',
  },
  baseline: text('file', 'what to compare with (default: the one of the package)'),
  budget: {
    ...text('percent', 'by how much a ratio may be worse (default: as the baseline says, 1 with --against)'),
    read: (given: string, place: string) => parseCount(given.replace(/\s*%$/, ''), place, 0, 1000),
  },
  kernels: text('folder', 'compiled kernels in the place of the package’s'),
  out: text('folder', 'write benchmarks.json (github-action-benchmark), junit.xml, summary.md'),
  update: flag('measure a new baseline and write it to the file'),
  history: text('folder', 'with --update, keep a record of it'),
  json,
} as const satisfies Settings;

type BenchOptions = Given<typeof ASKED>;

async function publish(report: GateReport, folder: string): Promise<void> {
  await writeInto(folder, 'benchmarks.json', `${JSON.stringify(gateBenchmarks(report), null, 2)}\n`);
  await writeInto(folder, 'junit.xml', gateJUnit(report));
  await writeInto(folder, 'summary.md', gateMarkdown(report));
}

/** The baseline of a file that may not be there yet. */
async function old(path: string): Promise<Baseline | undefined> {
  try {
    return await readBaseline(path);
  } catch (error) {
    if (error instanceof InputError && error.found === NO_FILE) return undefined;
    throw error;
  }
}

async function update(path: string, { kernels, history }: BenchOptions): Promise<void> {
  const fresh = await measureBaseline(await old(path), { kernels, say });
  await writeBaseline(path, fresh).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  say(`${path}: renewed`);
  if (history === undefined) return;
  const [commit, date] = [commitHere() ?? 'unknown', new Date().toISOString()];
  const { machine, benchmarks } = fresh;
  const name = `${date.slice(0, 10)}-${commit}.json`;
  const record = { date, commit, version: version(), machine, benchmarks };
  await writeInto(history, name, `${JSON.stringify(record, null, 2)}\n`);
  say(`${join(history, name)}: written`);
}

async function tell(report: GateReport, options: BenchOptions): Promise<void> {
  if (options.out !== undefined) await publish(report, options.out);
  if (options.json === true) printJson({ version: version(), ...report });
  else print(gateTable(report, look(process.stdout)));
  await summarise(() => gateMarkdown(report));
  if ((options.gate !== true && options.against === undefined) || report.held) return;
  annotate(gateAnnotations(report));
  throw new Ended(1);
}

/** Measures, and fails if a budget is broken and `--gate` or `--against` asks for it. */
export async function bench(options: BenchOptions): Promise<void> {
  const budget = options.budget === undefined ? undefined : options.budget / 100;
  if (options.against !== undefined) {
    await tell(await against(options.against, { budget, say }), options);
    return;
  }
  const path = options.baseline ?? shipped('#gate/baseline.json');
  if (options.update === true) {
    if (options.baseline === undefined) throw new InputError('--update', 'a file given as --baseline', 'none');
    await update(options.baseline, options);
    return;
  }
  const { layers, kernels } = options;
  await tell(await gate(await readBaseline(path), { layers, budget, kernels, say }), options);
}

const BENCH_NOTES = `
Layers: counters (digests and amounts of work, the same everywhere), instructions (per battle, where valgrind is
installed), ratio (time over that of a frozen yardstick, measured on where undecided), cells (of
sweeps: time of a cell over that of its answer).
Exit code 1 if a budget is broken and --gate is given.

--against compares with another build of warpool on this machine, without a baseline: both play the same battles in
turns. Exit code 1 if this build is slower (by more than --budget, 1 % unless given) or plays other battles. What cannot
differ is not measured.`;

export const command: DeclaredCommand = {
  description: 'Measures the kernels and compares them with a baseline; with --gate, fails where a budget is broken.',
  asked: ASKED,
  after: [
    examples(
      'bench',
      'bench --gate --layers counters',
      'bench --update --baseline mine.json',
      'bench --against ../base',
    ),
    BENCH_NOTES,
  ],
  action: (options: BenchOptions) => bench(options),
};
