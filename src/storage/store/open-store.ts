/** Opens a store for its readers, and writes its tables as CSV. */

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { checkText, createOptionsCheck } from '../../core/index.ts';
import { writeOutput } from '../../core/node.ts';
import { checkStart } from '../../engines/index.ts';
import { getBoundScenario, type ReadOptions, resolveRegistry } from '../../rules/index.ts';
import { choice, flag, type OptionSpecs, type RequestedOptions, resolveOptions } from '../../rules/option-spec.ts';
import { pickModuleFields } from '../../stats/index.ts';
import {
  createCsvFormat,
  createHistogramRecord,
  createStoredAxis,
  createTableRecord,
  HISTOGRAM_NAMES,
  type HistogramRow,
  listRowColumns,
  type ResultRow,
  type Store,
  type StoreInfo,
} from '../sweep/rows.ts';
import type { Sweep } from '../sweep/sweep.ts';
import type { StoreManifest } from './manifest.ts';
import { readSweepStore } from './sweep-store.ts';

function createStoreInfo(manifest: StoreManifest, sweep: Sweep, folder: string): StoreInfo {
  const { sweep: spec, ruleset, warpool, complete, digest } = manifest;
  const { counts } = getBoundScenario(spec.scenario).system;
  const { precision, precisionOf, bounded } = spec;
  const costs = sweep.columns.flatMap((each) =>
    each.prices ? [{ ...createStoredAxis(each, spec.scenario), prices: each.prices }] : [],
  );
  return {
    name: spec.name ?? spec.scenario.name ?? folder,
    system: spec.scenario.system,
    scenario: spec.scenario,
    ...pickModuleFields(manifest),
    ...(counts && { counts }),
    ruleset,
    warpool,
    axes: sweep.columns
      .filter(({ prices }) => prices === undefined)
      .map((column) => createStoredAxis(column, spec.scenario)),
    ...(costs.length > 0 && { costs }),
    design: spec.design === 'grid' ? 'grid' : spec.design.kind,
    points: sweep.points,
    ...(precision === undefined ? { battles: sweep.battles } : { precision }),
    ...(precisionOf !== undefined && { precisionOf }),
    ...(bounded !== undefined && { bounded }),
    seed: String(spec.seed),
    streams: spec.streams,
    complete,
    ...(digest !== undefined && { digest }),
  };
}

/** Options of `openStore`. */
export interface OpenStoreOptions extends ReadOptions {
  /**
   * Called after each part that was read, with the number of reads, repeated ones included, and the number of parts.
   */
  readonly onPart?: (read: number, parts: number) => void;
}

const checkOptions = createOptionsCheck<OpenStoreOptions>('options', { systems: true, onPart: true });

/** Opened store with its sweep. */
export interface OpenStore extends Store {
  readonly manifest: StoreManifest;
  readonly sweep: Sweep;
  /** Yields all counts and distributions in the order of their parts; at most one part is in memory at a time. */
  histograms(): AsyncIterable<HistogramRow>;
}

/**
 * Opens a store. It reads only parts that belong to the store, and rejects parts that differ from the manifest.
 * @throws InputError if the folder is not a store, has another version, or needs rules that are not available
 * @throws RunError if its manifest is damaged; from its iterators, if a part is
 */
export async function openStore(folder: string, options: OpenStoreOptions = {}): Promise<OpenStore> {
  checkOptions(options);
  const { onPart, ...reading } = options;
  const store = await readSweepStore(folder, resolveRegistry(reading));
  let read = 0;
  const { manifest, sweep, strayFiles } = store;
  const readParts = async function* <K extends keyof ResultRow>(
    keys?: readonly K[],
  ): AsyncGenerator<Pick<ResultRow, K>[]> {
    for (const [segment, part] of store.tables) {
      yield await store.rows(part, segment, keys);
      onPart?.(++read, store.tables.size);
    }
  };
  let last: { readonly segment: number; readonly cells: Map<number, HistogramRow[]> } | undefined;
  return {
    folder,
    manifest,
    sweep,
    strayFiles,
    info: createStoreInfo(manifest, sweep, folder),
    async *rows(): AsyncGenerator<ResultRow> {
      for await (const rows of readParts()) yield* rows;
    },
    parts: readParts,
    async *histograms(): AsyncGenerator<HistogramRow> {
      for (const [segment, parts] of store.counts) {
        for (const part of parts) yield* await store.readHistogramRows(part, segment);
        onPart?.(++read, store.counts.size);
      }
    },
    async histogram(cell) {
      const segment = Math.floor(cell / manifest.segmentSize);
      if (last?.segment !== segment) last = { segment, cells: await store.readHistograms(segment) };
      return last.cells.get(cell) ?? [];
    },
  };
}

async function* readTableRecords(store: OpenStore): AsyncGenerator<unknown[]> {
  for await (const row of store.rows()) yield createTableRecord(row, store.sweep.columns);
}

async function* readHistogramRecords(store: OpenStore): AsyncGenerator<unknown[]> {
  for await (const row of store.histograms()) yield createHistogramRecord(row);
}

/** Options of `exportCsv`. */
export const EXPORT = {
  of: choice('rows of cells, or their counts and distributions', ['table', 'histograms']),
  excel: {
    ...flag('write UTF-8 for Excel: with a byte order mark, and lines that end in CR LF'),
    fallback: false,
  },
} as const satisfies OptionSpecs;

/** Options of `exportCsv`. */
export interface ExportCsvOptions extends RequestedOptions<typeof EXPORT> {
  /** Ends it; no file remains. */
  readonly signal?: AbortSignal | undefined;
}

const checkExport = createOptionsCheck<ExportCsvOptions>('exportCsv', { ...EXPORT, signal: true });

/**
 * Writes a table as CSV; at most one part of it is in memory. A file is written completely or not at all; a device or
 * pipe gets rows as they are read.
 * @returns number of records
 * @throws RunError if a part cannot be read, the file cannot be written, or the signal aborts
 */
export async function exportCsv(store: OpenStore, path: string, options: ExportCsvOptions = {}): Promise<number> {
  checkExport(options);
  checkText('path', path);
  checkStart(options.signal);
  const { of: kind, excel } = resolveOptions(EXPORT, options);
  const columns = kind === 'table' ? listRowColumns(store.sweep.columns) : HISTOGRAM_NAMES;
  const records = kind === 'table' ? readTableRecords(store) : readHistogramRecords(store);
  const lines = stringify({ ...createCsvFormat(excel), columns: [...columns] });
  let written = 0;
  const readCounted = async function* (): AsyncGenerator<unknown[]> {
    for await (const record of records) {
      written++;
      yield record;
    }
  };
  await writeOutput(path, (to) => pipeline(readCounted, lines, createWriteStream(to), { signal: options.signal }));
  return written;
}
