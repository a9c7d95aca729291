/** Tables of a store as CSV files. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { writeOutput } from '../../core/files/output.ts';
import { HISTOGRAM_NAMES, rowNames } from './columns.ts';
import { FORM, histogramRecord, tableRecord } from './csv-records.ts';
import type { OpenStore } from './open.ts';

async function* tableRecords(store: OpenStore): AsyncGenerator<unknown[]> {
  for await (const row of store.rows()) yield tableRecord(row, store.sweep.columns);
}

async function* histogramRecords(store: OpenStore): AsyncGenerator<unknown[]> {
  for await (const row of store.histograms()) yield histogramRecord(row);
}

/**
 * Writes one of the tables; at most one part of it is in memory. The file is there whole or not at all; a device or a pipe has it as it comes.
 * @param kind the rows of cells, or the counts and laws behind them
 * @param signal ends it; nothing is left then
 * @returns records written
 * @throws RunError if a part cannot be read, or the file not written, or the signal comes
 */
export async function exportCsv(
  store: OpenStore,
  path: string,
  kind: 'table' | 'histograms',
  signal?: AbortSignal,
): Promise<number> {
  const columns = kind === 'table' ? rowNames(store.sweep.columns) : HISTOGRAM_NAMES;
  const records = kind === 'table' ? tableRecords(store) : histogramRecords(store);
  const lines = stringify({ ...FORM, columns: [...columns] });
  let written = 0;
  const counted = async function* (): AsyncGenerator<unknown[]> {
    for await (const record of records) {
      written++;
      yield record;
    }
  };
  await writeOutput(path, (to) => pipeline(counted, lines, createWriteStream(to), { signal }));
  return written;
}
