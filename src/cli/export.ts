/** `warpool export` */

import { formatGrouped } from '../report/index.ts';
import type { ParsedOptions } from '../rules/option-spec.ts';
import { EXPORT, exportCsv } from '../storage/node.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import type { LongRunningOptions } from './options.ts';
import { readStoreWithProgress } from './read-store.ts';
import type { RegistryOptions } from './registry.ts';
import { printStatus } from './terminal.ts';

type ExportCommandOptions = ParsedOptions<typeof EXPORT> & RegistryOptions & LongRunningOptions;

export async function exportTable(
  folder: string,
  file: string,
  options: ExportCommandOptions,
  signals: Signals,
): Promise<void> {
  const { of, excel } = options;
  const { records, complete } = await readStoreWithProgress(folder, options, 1, async (store) => ({
    records: await exportCsv(store, file, { of, signal: signals.stop, excel }),
    complete: store.info.complete,
  })).catch((error: unknown) => {
    endIfStopped(signals, `interrupted: ${file} is not written`);
    throw error;
  });
  printStatus(`${file}: ${formatGrouped(records)} records${complete ? '' : '; the sweep is not complete'}`);
}

export const command: CommandDeclaration = {
  description: 'Writes a table of the results of a sweep as CSV (UTF-8, lines that end in LF).',
  parameters: ['folder of a sweep', 'CSV file to write'],
  settings: EXPORT,
  notes: [
    formatExamples(
      'export results results.csv',
      'export results results.csv --excel',
      'export results counts.csv --of histograms',
    ),
  ],
  action: (folder: string, file: string, options: ExportCommandOptions) =>
    exportTable(folder, file, options, catchSignals()),
};
