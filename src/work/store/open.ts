/** Opens a store for its readers, and writes its tables as CSV. */

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { ownRules } from '../../answers/index.ts';
import { checkText, optionsOf } from '../../core/index.ts';
import { writeOutput } from '../../core/node.ts';
import { checkStart } from '../../engines/index.ts';
import { opened, type ReadOptions, registryIn } from '../../rules/index.ts';
import { type Asked, choice, flag, type Settings, settled } from '../../rules/setting.ts';
import type { Sweep } from '../sweep/sweep.ts';
import type { Manifest } from './manifest.ts';
import { readStore } from './parts.ts';
import {
  formOf,
  HISTOGRAM_NAMES,
  type HistogramRow,
  histogramRecord,
  type Row,
  rowNames,
  type Store,
  type StoreFacts,
  storedAxis,
  tableRecord,
} from './rows.ts';

function factsOf(manifest: Manifest, sweep: Sweep, folder: string): StoreFacts {
  const { sweep: spec, ruleset, warpool, complete, digest } = manifest;
  const { counts } = opened(spec.scenario).system;
  const { precision, precisionOf, bounded } = spec;
  const costs = sweep.columns.flatMap((each) =>
    each.prices ? [{ ...storedAxis(each, spec.scenario), prices: each.prices }] : [],
  );
  return {
    name: spec.name ?? spec.scenario.name ?? folder,
    system: spec.scenario.system,
    scenario: spec.scenario,
    ...ownRules(manifest),
    ...(counts && { counts }),
    ruleset,
    warpool,
    axes: sweep.columns.filter(({ prices }) => prices === undefined).map((column) => storedAxis(column, spec.scenario)),
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

/** How a store is opened. */
export interface OpenOptions extends ReadOptions {
  /** Called after each part of a table that was read: how many were, those that are read again too, and how many there are. */
  readonly onPart?: (read: number, parts: number) => void;
}

const checkOptions = optionsOf<OpenOptions>('options', { systems: true, onPart: true });

/** A store with the sweep that it was made from. */
export interface OpenStore extends Store {
  readonly manifest: Manifest;
  readonly sweep: Sweep;
  /** All counts and laws, in the order of their parts; at most one part is in memory at a time. */
  histograms(): AsyncIterable<HistogramRow>;
}

/**
 * Only the parts that belong to the store are read, and none that is not as the manifest says.
 * @throws InputError if the folder is no store, or one of another version, or made with rules that are not given
 * @throws RunError if its manifest is damaged; from its rows, if a part is
 */
export async function openStore(folder: string, options: OpenOptions = {}): Promise<OpenStore> {
  checkOptions(options);
  const { onPart, ...reading } = options;
  const store = await readStore(folder, registryIn(reading));
  let read = 0;
  const { manifest, sweep, strays } = store;
  const parts = async function* (): AsyncGenerator<Row[]> {
    for (const [segment, part] of store.tables) {
      yield await store.rows(part, segment);
      onPart?.(++read, store.tables.size);
    }
  };
  let last: { readonly segment: number; readonly cells: Map<number, HistogramRow[]> } | undefined;
  return {
    folder,
    manifest,
    sweep,
    strays,
    facts: factsOf(manifest, sweep, folder),
    async *rows(): AsyncGenerator<Row> {
      for await (const rows of parts()) yield* rows;
    },
    parts,
    async *histograms(): AsyncGenerator<HistogramRow> {
      for (const [segment, parts] of store.counts) {
        for (const part of parts) yield* await store.histogramRows(part, segment);
        onPart?.(++read, store.counts.size);
      }
    },
    async histogram(cell) {
      const segment = Math.floor(cell / manifest.segmentSize);
      if (last?.segment !== segment) last = { segment, cells: await store.histograms(segment) };
      return last.cells.get(cell) ?? [];
    },
  };
}

async function* tableRecords(store: OpenStore): AsyncGenerator<unknown[]> {
  for await (const row of store.rows()) yield tableRecord(row, store.sweep.columns);
}

async function* histogramRecords(store: OpenStore): AsyncGenerator<unknown[]> {
  for await (const row of store.histograms()) yield histogramRecord(row);
}

/** What is written of a store. */
export const EXPORT = {
  of: choice('rows of cells, or the counts and laws behind them', ['table', 'histograms']),
  excel: {
    ...flag('as Excel takes it for UTF-8: with a byte order mark, and lines that end in CR LF'),
    fallback: false,
  },
} as const satisfies Settings;

/** Options of `exportCsv`. */
export interface ExportOptions extends Asked<typeof EXPORT> {
  /** Ends it; no file remains. */
  readonly signal?: AbortSignal | undefined;
}

const checkExport = optionsOf<ExportOptions>('exportCsv', { ...EXPORT, signal: true });

/**
 * Writes one of the tables; at most one part of it is in memory. The file is there whole or not at all; a device or a pipe has it as it comes.
 * @returns records written
 * @throws RunError if a part cannot be read, or the file not written, or the signal comes
 */
export async function exportCsv(store: OpenStore, path: string, options: ExportOptions = {}): Promise<number> {
  checkExport(options);
  checkText('path', path);
  checkStart(options.signal);
  const { of: kind, excel } = settled(EXPORT, options);
  const columns = kind === 'table' ? rowNames(store.sweep.columns) : HISTOGRAM_NAMES;
  const records = kind === 'table' ? tableRecords(store) : histogramRecords(store);
  const lines = stringify({ ...formOf(excel), columns: [...columns] });
  let written = 0;
  const counted = async function* (): AsyncGenerator<unknown[]> {
    for await (const record of records) {
      written++;
      yield record;
    }
  };
  await writeOutput(path, (to) => pipeline(counted, lines, createWriteStream(to), { signal: options.signal }));
  return written;
}
