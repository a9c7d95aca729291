/** `warpool export` */

import { choice, flag, type Given, type Settings } from '../rules/setting.ts';
import { grouped } from '../tell/text/digits.ts';
import { exportCsv } from '../work/store/open.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { Ended } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import type { Long } from './options.ts';
import { readTold } from './reading.ts';
import type { Known } from './registry.ts';
import { say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  of: choice('rows of cells, or the counts and laws behind them', ['table', 'histograms']),
  excel: flag('as Excel takes it for UTF-8: with a byte order mark, and lines that end in CR LF'),
} as const satisfies Settings;

type ExportOptions = Given<typeof ASKED> & Known & Long;

export async function exportTable(
  folder: string,
  file: string,
  options: ExportOptions,
  signals: Signals,
): Promise<void> {
  const { of, excel } = options;
  const { records, complete } = await readTold(folder, options, 1, async (store) => ({
    records: await exportCsv(store, file, of, signals.stop, excel),
    complete: store.facts.complete,
  })).catch((error: unknown) => {
    const code = signals.code();
    throw code === undefined ? error : new Ended(code, `interrupted: ${file} is not written`);
  });
  say(`${file}: ${grouped(records)} records${complete ? '' : '; the sweep is not complete'}`);
}

export const command: DeclaredCommand = {
  description: 'Writes a table of the results of a sweep as CSV (UTF-8, lines that end in LF).',
  takes: ['the results of a sweep', 'the CSV file to write'],
  asked: ASKED,
  after: [
    examples(
      'export results results.csv',
      'export results results.csv --excel',
      'export results counts.csv --of histograms',
    ),
  ],
  action: (folder: string, file: string, options: ExportOptions) => exportTable(folder, file, options, catchSignals()),
};
