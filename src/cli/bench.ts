/** `warpool bench`: what it takes; what it does is loaded with it. */

import { LAYERS, parseCount } from '../core/index.ts';
import { flag, type Given, type Settings, text, wordList } from '../rules/setting.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { json } from './options.ts';

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

export type BenchOptions = Given<typeof ASKED>;

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
  action: async (options: BenchOptions) => (await import('../../bench/gate/command.ts')).bench(options),
};
