/** `warpool export` */
import { grouped } from '../tell/text/digits.ts';
import { exportCsv } from '../work/store/csv.ts';
import { openStore } from '../work/store/open.ts';
import { Ended } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { type Known, registryFor } from './registry.ts';
import { warnOf } from './strays.ts';
import { say } from './terminal.ts';

export interface ExportOptions extends Known {
  readonly of: 'table' | 'histograms';
}

export async function exportTable(
  folder: string,
  file: string,
  options: ExportOptions,
  signals: Signals,
): Promise<void> {
  const { of } = options;
  const store = await openStore(folder, { systems: await registryFor(options) });
  warnOf(store);
  const records = await exportCsv(store, file, of, signals.stop).catch((error: unknown) => {
    const code = signals.code();
    throw code === undefined ? error : new Ended(code, `interrupted: ${file} is not written`);
  });
  const part = store.facts.complete ? '' : '; the sweep is not complete';
  say(`${file}: ${grouped(records)} records${part}`);
}
