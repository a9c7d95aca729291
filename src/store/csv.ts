/** Tables of a store as CSV that spreadsheets open: UTF-8 with a byte order mark, lines that end in CR LF. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { writeOutput } from './durable.ts';
import type { OpenStore } from './open.ts';
import type { AxisValue, HistogramRow } from './rows.ts';
import { HISTOGRAM_NAMES, rowNames } from './tables.ts';

/** A number as it is, a bigint in digits, nothing for null; infinite numbers as R and pandas read them. */
function field(value: AxisValue | bigint | undefined): string | number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : value > 0 ? 'Inf' : '-Inf';
  return value === null || value === undefined ? null : String(value);
}

async function* tableRecords(store: OpenStore): AsyncGenerator<unknown[]> {
  const { columns } = store.sweep;
  const names = rowNames([]).slice(1);
  for await (const { cell, axes, ...row } of store.rows()) {
    const rest = names.map((name) => field(row[name as keyof typeof row]));
    yield [cell, ...columns.map((column) => field(axes[column.name])), ...rest];
  }
}

async function* histogramRecords(store: OpenStore): AsyncGenerator<unknown[]> {
  for await (const row of store.histograms())
    yield HISTOGRAM_NAMES.map((name) => field(row[name as keyof HistogramRow]));
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
  // A text that begins with = + - or @ would be a formula.
  const lines = stringify({
    bom: true,
    header: true,
    columns: [...columns],
    record_delimiter: 'windows',
    escape_formulas: true,
  });
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
