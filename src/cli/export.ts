/** `warpool export` */

import type { Given } from '../rules/setting.ts';
import { grouped } from '../tell/index.ts';
import { EXPORT, exportCsv } from '../work/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import type { Long } from './options.ts';
import { readTold } from './reading.ts';
import type { Known } from './registry.ts';
import { say } from './terminal.ts';

type ExportOptions = Given<typeof EXPORT> & Known & Long;

export async function exportTable(
  folder: string,
  file: string,
  options: ExportOptions,
  signals: Signals,
): Promise<void> {
  const { of, excel } = options;
  const { records, complete } = await readTold(folder, options, 1, async (store) => ({
    records: await exportCsv(store, file, { of, signal: signals.stop, excel }),
    complete: store.facts.complete,
  })).catch((error: unknown) => {
    endIfStopped(signals, `interrupted: ${file} is not written`);
    throw error;
  });
  say(`${file}: ${grouped(records)} records${complete ? '' : '; the sweep is not complete'}`);
}

export const command: DeclaredCommand = {
  description: 'Writes a table of the results of a sweep as CSV (UTF-8, lines that end in LF).',
  takes: ['the results of a sweep', 'the CSV file to write'],
  asked: EXPORT,
  after: [
    examples(
      'export results results.csv',
      'export results results.csv --excel',
      'export results counts.csv --of histograms',
    ),
  ],
  action: (folder: string, file: string, options: ExportOptions) => exportTable(folder, file, options, catchSignals()),
};
