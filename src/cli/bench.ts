/** Options of `warpool bench`; the implementation is loaded on demand. */

import { LAYERS, parseCount } from '../core/index.ts';
import { flag, type OptionSpecs, type ParsedOptions, text, wordList } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { json } from './options.ts';

const OPTIONS = {
  gate: flag('fail if a budget is exceeded'),
  // Options that need a baseline cannot be combined with another build.
  against: {
    ...text('build', 'compare with another build: its folder, or a tarball from npm pack'),
    conflicts: ['gate', 'layers', 'baseline', 'kernels', 'update', 'history'],
  },
  layers: {
    ...wordList(`layers to measure, joined by commas: ${LAYERS.join(', ')}`, LAYERS),
    default: LAYERS,
    shown: 'all',
  },
  baseline: text('file', 'baseline file (default: the bundled baseline)'),
  budget: {
    ...text('percent', 'allowed increase of a ratio (default: from the baseline; 1 with --against)'),
    read: (given: string, place: string) => parseCount(given.replace(/\s*%$/, ''), place, 0, 1000),
  },
  kernels: text('folder', 'use these kernels instead of the bundled ones'),
  out: text('folder', 'write benchmarks.json (github-action-benchmark), junit.xml, summary.md'),
  update: flag('measure a new baseline and write it to the file'),
  history: text('folder', 'with --update: also store a record in this folder'),
  json,
} as const satisfies OptionSpecs;

export type BenchCommandOptions = ParsedOptions<typeof OPTIONS>;

const BENCH_NOTES = `
Layers: counters (digests and amounts of work, the same everywhere), instructions (per battle, if valgrind is
installed), ratio (time relative to a frozen yardstick, measured longer if undecided), cells (of
sweeps: time of a cell relative to its answer).
Exit code 1 if a budget is exceeded and --gate is set.

--against compares with another build of warpool on this machine, without a baseline: both simulate the same battles
alternately. Exit code 1 if this build is slower (by more than --budget, default: 1 %) or simulates different battles.
Parts that cannot differ are not measured.`;

export const command: CommandDeclaration = {
  description: 'Measures the kernels and compares them with a baseline; with --gate, fails if a budget is exceeded.',
  settings: OPTIONS,
  notes: [
    formatExamples(
      'bench',
      'bench --gate --layers counters',
      'bench --update --baseline mine.json',
      'bench --against ../base',
    ),
    BENCH_NOTES,
  ],
  action: async (options: BenchCommandOptions) => (await import('../../bench/gate/command.ts')).bench(options),
};
