/** Helpers for sweeps into temporary folders. */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatManifest, type StoreManifest } from '../../src/storage/store/manifest.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import { encodeTable, type TableFile } from '../../src/storage/store/parquet/parquet.ts';
import { TableColumn } from '../../src/storage/store/parquet/table-column.ts';
import { runSweep, type SweepMode, type SweepResult } from '../../src/storage/store/run-sweep.ts';
import { createTableSchemas } from '../../src/storage/store/tables.ts';
import type { AxisColumn } from '../../src/storage/sweep/axis.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import type { HistogramRow, HistogramRun, ResultRow } from '../../src/storage/sweep/rows.ts';
import { openSweep } from '../../src/storage/sweep/sweep.ts';

const base = mkdtempSync(join(tmpdir(), 'warpool-store-'));
writeFileSync(
  join(base, 'duel.yaml'),
  'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 9 }\ndefender: { attack: 1, defense: 1, hp: 8 }\n',
);

let names = 0;

/** Returns the path of a folder that does not exist yet. */
export const place = (): string => join(base, `store-${String(names++)}`);

/** Creates a sweep file for a small duel. */
export function sweepFile(text: string): string {
  const path = join(base, `sweep-${String(names++)}.yaml`);
  writeFileSync(path, `scenario: duel.yaml\n${text}\n`);
  return path;
}

export interface Asked {
  readonly mode?: SweepMode;
  readonly battles?: number;
  readonly workers?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: () => void;
}

/** Runs a sweep as the command does. */
export async function run(
  text: string,
  folder: string,
  { battles, mode = 'new', ...options }: Asked = {},
): Promise<SweepResult> {
  const file = sweepFile(text);
  const sweep = await loadSweep(file);
  const requested = battles === undefined ? sweep : openSweep({ ...sweep.spec, battles }, file);
  return await runSweep(requested, { out: folder, workers: 1, ...(mode !== 'new' && { [mode]: true }), ...options });
}

/** Copies a store into a new folder. */
export function copyOf(store: string): string {
  const folder = place();
  cpSync(store, folder, { recursive: true });
  return folder;
}

/** Opens a file of a store as input of table readers. */
export function tableFile(path: string): TableFile {
  const bytes = new Uint8Array(readFileSync(path));
  const slice = (from: number, to = bytes.length): ArrayBuffer => bytes.buffer.slice(from, to);
  return { name: path, content: { byteLength: bytes.length, slice } };
}

/** Reads the manifest of a store without validation. */
export function manifestIn(folder: string): StoreManifest {
  const { seal: _seal, ...manifest } = JSON.parse(
    readFileSync(join(folder, 'manifest.json'), 'utf8'),
  ) as StoreManifest & {
    seal: string;
  };
  return manifest;
}

/** Writes a manifest with a valid checksum into a store, like a deliberate change. */
export function putManifest(folder: string, manifest: object): void {
  writeFileSync(join(folder, 'manifest.json'), formatManifest(manifest as StoreManifest));
}

/** Returns the manifest of the store before it was finished. */
export function unfinished({
  cells: _cells,
  rows: _rows,
  digest: _digest,
  parts: _parts,
  ...rest
}: StoreManifest): StoreManifest {
  return { ...rest, complete: false };
}

/** Updates the hashes of parts in the manifest. */
export function relisted(folder: string, manifest: StoreManifest): StoreManifest {
  const parts = manifest.parts?.map(({ file }) => {
    const content = readFileSync(join(folder, file));
    return { file, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  });
  return { ...manifest, ...(parts && { parts }) };
}

export function filesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => statSync(join(folder, name)).isFile());
}

/** Returns the SHA-256 of each file. */
export function bytesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesOf(folder).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

export async function rowsOf(folder: string): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for await (const row of (await openStore(folder)).rows()) rows.push(row);
  return rows;
}

/** Converts rows of histograms to runs of one value each, as they are written. */
export function runsOf(rows: readonly HistogramRow[]): HistogramRun[] {
  return rows.map(({ value, count, probability, ...rest }) => {
    const weigh = count === null ? 'probability' : 'count';
    return { ...rest, values: [value ?? 0], weights: [count ?? probability ?? Number.NaN], weigh };
  });
}

/** Encodes rows of `table/`, including impossible ones. */
export function encodeRows(rows: readonly ResultRow[], axes: readonly AxisColumn[], about: object): Uint8Array {
  const flat = rows.map((row): Record<string, unknown> => ({ ...row, ...row.axes }));
  const columns = createTableSchemas(axes).map((head) =>
    TableColumn.of(
      head,
      flat.map((row) => row[head.name]),
    ),
  );
  return encodeTable(columns, about);
}
