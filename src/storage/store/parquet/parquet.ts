/**
 * Parquet tables: columns of declared types, and metadata about their origin. Files may be untrusted, so sizes are
 * checked against the bytes of the file before they are decoded.
 */

import { createHash } from 'node:crypto';
import { type FileMetaData, parquetMetadataAsync } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { RunError } from '../../../core/index.ts';
import { createReadError } from '../../folder/files.ts';
import type { ColumnSchema } from '../../sweep/rows.ts';
import { writeChunk } from './column-chunk.ts';
import { readPages } from './read-pages.ts';
import type { TableColumn } from './table-column.ts';

/** Bytes of a file, read on demand. */
interface FileContent {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** File with a table. */
export interface TableFile {
  /** For messages: its path. */
  readonly name: string;
  readonly content: FileContent;
}

/** Key of the table's metadata. */
const METADATA_KEY = 'warpool';

const TYPES = {
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  uint64: { type: 'INT64', converted_type: 'UINT_64' },
  double: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
} as const;

/** Maximum rows of a part: as objects they need about a gigabyte. */
const ROWS_MAX = 2 ** 22;

/** Maximum rows per byte of a file: runs of equal values need almost no bytes, but not all columns have such runs. */
const ROWS_PER_BYTE = 16;

/** Prefix of the checksum of a file, the last item in the metadata of a table. */
const CHECKSUM_PREFIX = '"seal":"';
const EMPTY_CHECKSUM = '0'.repeat(64);

/**
 * Returns the position of the checksum's digits and their expected value: SHA-256 of all bytes with those digits as
 * zeros.
 */
function locateChecksum(bytes: Uint8Array): { readonly at: number; readonly due: string } {
  const at =
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(CHECKSUM_PREFIX) + CHECKSUM_PREFIX.length;
  const end = at + EMPTY_CHECKSUM.length;
  const hash = createHash('sha256').update(bytes.subarray(0, at)).update(EMPTY_CHECKSUM).update(bytes.subarray(end));
  return { at, due: hash.digest('hex') };
}

/** Verifies the checksum of a part. It detects accidents, not deliberate changes. */
export function verifyTableChecksum(bytes: Uint8Array): void {
  const { at, due } = locateChecksum(bytes);
  const found = new TextDecoder('latin1').decode(bytes.subarray(at, at + due.length));
  if (at < CHECKSUM_PREFIX.length || found !== due)
    throw new Error('its checksum does not match its contents: it is damaged');
}

/** Maximum rows of a group: keeps a column of numbers below the megabyte of a page. */
const GROUP_ROWS = 100_000;

/** Bounds of a column let readers skip parts; only the bounds of cells help. */
const hasBounds = ({ name }: ColumnSchema): boolean => name === 'cell';

/** Appends columns of equal length, with at least one row. */
function writeGroup(file: ParquetWriter, writer: ByteWriter, columns: readonly TableColumn[]): void {
  const [, ...elements] = file.schema;
  const [start, rows] = [writer.offset, BigInt(columns[0]?.length ?? 0)];
  const chunks = columns.flatMap((column, c) => {
    const element = elements[c];
    return element ? [writeChunk(writer, column, element, hasBounds(column))] : [];
  });
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  file.num_rows += rows;
  file.row_groups.push({
    columns: chunks.map(({ chunk }) => chunk),
    ...{ num_rows: rows, total_byte_size: BigInt(bytes), total_compressed_size: BigInt(writer.offset - start) },
  });
}

/**
 * Encodes a table as a Parquet file; equal tables give equal bytes.
 * @param columns of equal length
 * @param about metadata of the table; a checksum is added
 * @throws RunError if it has too many rows
 */
export function encodeTable(columns: readonly TableColumn[], about: object): Uint8Array {
  const rows = columns[0]?.length ?? 0;
  if (rows > ROWS_MAX)
    throw new RunError(
      `a part has ${String(rows)} rows, but at most ${String(ROWS_MAX)} can be read; "keep" can reduce them`,
    );
  const elements = columns.map(({ name, type }) => ({ name, ...TYPES[type], repetition_type: 'OPTIONAL' as const }));
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'warpool', num_children: columns.length }, ...elements],
    kvMetadata: [{ key: METADATA_KEY, value: JSON.stringify({ ...about, seal: EMPTY_CHECKSUM }) }],
    createdBy: 'warpool',
  });
  const groups = columns.map((column) => column.splitGroups(GROUP_ROWS));
  for (let g = 0; g * GROUP_ROWS < rows; g++)
    writeGroup(
      file,
      writer,
      groups.flatMap((group) => group[g] ?? []),
    );
  void file.finish();
  const bytes = new Uint8Array(writer.getBuffer());
  const { at, due } = locateChecksum(bytes);
  bytes.set(new TextEncoder().encode(due), at);
  return bytes;
}

/** Classes of errors that readers throw for damaged bytes, with unhelpful messages such as `x is not a function`. */
const READER_ERRORS = [TypeError, RangeError, SyntaxError];

/** Runs a reader, and wraps its errors with the name of the file. */
async function wrapReadErrors<T>({ name }: TableFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RunError) throw error;
    const foreign = READER_ERRORS.some((known) => error instanceof known);
    throw createReadError(name, foreign ? new Error('it is damaged, or not a Parquet file', { cause: error }) : error);
  }
}

/** Rejects a table with other columns. */
function checkColumns({ schema }: FileMetaData, columns: readonly ColumnSchema[]): void {
  const reported = schema.slice(1).map(({ name, type, converted_type: as }) => [name, type, as].join(' '));
  const due = columns.map(({ name, type }) => {
    const { type: stored, ...converted } = TYPES[type];
    return [name, stored, 'converted_type' in converted ? converted.converted_type : undefined].join(' ');
  });
  const off = Math.max(reported.length, due.length);
  for (let c = 0; c < off; c++)
    if (reported[c] !== due[c])
      throw new Error(`column ${String(c)} is ${reported[c] ?? 'missing'}, not ${due[c] ?? 'any'}`);
}

type RowGroup = FileMetaData['row_groups'][number];

/** Values of a column by row; 64-bit integers are bigints, and missing values are null or undefined. */
export type ColumnValues = ArrayLike<unknown>;

/**
 * Appends the pages of a column of a group to `pages`, and returns the number of its values that are not null.
 * @throws Error if it differs from the schema, is outside of the file, or is damaged
 */
async function readChunk(
  { columns, num_rows: rows }: RowGroup,
  schema: FileMetaData['schema'],
  content: FileContent,
  name: string,
  pages: ColumnValues[],
): Promise<number> {
  if (columns.length !== schema.length - 1) throw new Error('a row group has other columns');
  const c = schema.findIndex((element, e) => e > 0 && element.name === name);
  const [data, type] = [columns[c - 1]?.meta_data, schema[c]];
  if (data?.path_in_schema.join() !== name || type === undefined) throw new Error('a column is not described');
  const from = Number(data.dictionary_page_offset ?? data.data_page_offset);
  const to = from + Number(data.total_compressed_size);
  if (!(from >= 0 && from <= to && to <= content.byteLength)) throw new Error('a column is outside of the file');
  return readPages(await content.slice(from, to), Number(rows), data.codec, type, pages);
}

function checkSize({ content }: TableFile, { num_rows: count, row_groups: groups }: FileMetaData): void {
  const rows = Number(count);
  const fits = rows >= 0 && rows <= ROWS_MAX && rows <= ROWS_PER_BYTE * content.byteLength;
  if (!fits) throw new Error(`it claims ${String(rows)} rows in ${String(content.byteLength)} bytes`);
  const sum = groups.reduce((total, group) => total + Number(group.num_rows), 0);
  if (sum !== rows || groups.length > 1 + rows) throw new Error(`it has ${String(sum)} rows, not ${String(rows)}`);
}

/**
 * Reads columns of a table.
 * @param columns of the table, in the expected order
 * @param names columns to read. Default: all
 * @returns number of rows, and the columns that have values
 * @throws RunError if the file is not Parquet, is damaged, or has other columns
 */
export function readTable(
  file: TableFile,
  columns: readonly ColumnSchema[],
  names: readonly string[] = columns.map(({ name }) => name),
): Promise<{ rows: number; columns: ReadonlyMap<string, ColumnValues> }> {
  return wrapReadErrors(file, async () => {
    const metadata = await parquetMetadataAsync(file.content);
    checkColumns(metadata, columns);
    checkSize(file, metadata);
    const found = new Map<string, ColumnValues>();
    for (const name of names) {
      const pages: ColumnValues[] = [];
      let filled = 0;
      for (const group of metadata.row_groups)
        filled += await readChunk(group, metadata.schema, file.content, name, pages);
      const [first = [], ...others] = pages;
      if (filled > 0) found.set(name, others.length === 0 ? first : pages.flatMap((page) => Array.from(page)));
    }
    return { rows: Number(metadata.num_rows), columns: found };
  });
}

/**
 * Reads the metadata of a table, without its checksum.
 * @throws RunError if the file is not Parquet, or another program wrote it
 */
export function readTableMetadata(file: TableFile): Promise<Readonly<Record<string, unknown>>> {
  return wrapReadErrors(file, async () => {
    const { key_value_metadata: texts = [] } = await parquetMetadataAsync(file.content);
    const text = texts.find(({ key }) => key === METADATA_KEY)?.value;
    if (text === undefined) throw new Error('warpool did not write it');
    const { seal: _seal, ...about } = JSON.parse(text) as Record<string, unknown>;
    return about;
  });
}
