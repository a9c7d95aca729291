/** `warpool export` */
import { grouped } from '../report/digits.ts';
import { exportCsv } from '../store/csv.ts';
import { openStore } from '../store/open.ts';
import { Ended } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { warnOf } from './strays.ts';
import { say } from './terminal.ts';

export interface ExportOptions {
  readonly of: 'table' | 'histograms';
}

export async function exportTable(
  folder: string,
  file: string,
  { of }: ExportOptions,
  signals: Signals,
): Promise<void> {
  const store = await openStore(folder);
  warnOf(store);
  const records = await exportCsv(store, file, of, signals.stop).catch((error: unknown) => {
    const code = signals.code();
    throw code === undefined ? error : new Ended(code, `interrupted: ${file} is not written`);
  });
  const part = store.facts.complete ? '' : '; the sweep is not complete';
  say(`${file}: ${grouped(records)} records${part}`);
}
