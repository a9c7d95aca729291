/**
 * Tables as Parquet: columns of declared types, with a text beside them that says where they come from. A file that is
 * read may be anybody's, so before anything is made of it, it is seen that it holds no more than its bytes can tell.
 */

import { createHash } from 'node:crypto';
import { type FileMetaData, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { RunError } from '../../../core/index.ts';
import { createReadError } from '../../folder/files.ts';
import type { ColumnSchema } from '../rows.ts';
import { checkPages } from './check-pages.ts';
import { writeChunk } from './column-chunk.ts';
import type { TableColumn } from './table-column.ts';

/** The bytes of a file, read where they are needed. */
interface FileContent {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** A file that holds a table. */
export interface TableFile {
  /** For messages: its path. */
  readonly name: string;
  readonly content: FileContent;
}

/** The key of the text that goes with a table. */
const METADATA_KEY = 'warpool';

const TYPES = {
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  uint64: { type: 'INT64', converted_type: 'UINT_64' },
  double: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
} as const;

/** The most rows of a part: as objects they take about a gigabyte. */
const ROWS_MAX = 2 ** 22;

/** The most rows for each byte of a file: runs of equal values take next to nothing, but not all columns have them. */
const ROWS_PER_BYTE = 16;

/** How the seal of a file begins: it is the last thing in the text that goes with a table. */
const CHECKSUM_PREFIX = '"seal":"';
const EMPTY_CHECKSUM = '0'.repeat(64);

/** Where the digits of a seal are, and what they would be: the SHA-256 of all bytes, those digits as zeros. */
function locateChecksum(bytes: Uint8Array): { readonly at: number; readonly due: string } {
  const at =
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(CHECKSUM_PREFIX) + CHECKSUM_PREFIX.length;
  const end = at + EMPTY_CHECKSUM.length;
  const hash = createHash('sha256').update(bytes.subarray(0, at)).update(EMPTY_CHECKSUM).update(bytes.subarray(end));
  return { at, due: hash.digest('hex') };
}

/** Refuses the bytes of a part that are not those that were written. Accidents are found so, not those who mean it. */
export function verifyTableChecksum(bytes: Uint8Array): void {
  const { at, due } = locateChecksum(bytes);
  const found = new TextDecoder('latin1').decode(bytes.subarray(at, at + due.length));
  if (at < CHECKSUM_PREFIX.length || found !== due)
    throw new Error('its checksum does not match its contents: it is damaged');
}

/** The most rows of a group: a column of numbers is then smaller than the megabyte of a page. */
const GROUP_ROWS = 100_000;

/** Bounds of a column help readers to skip parts; only those of cells ever do. */
const hasBounds = ({ name }: ColumnSchema): boolean => name === 'cell';

/** Writes columns of one length, with at least one row, behind what is there. */
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
 * A table as the bytes of a Parquet file; equal tables give equal bytes.
 * @param columns of one length
 * @param about is written with the table, and a seal by which damage is found
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

/** What readers say of bytes that are not as they should be, in words of their own: `x is not a function`. */
const READER_ERRORS = [TypeError, RangeError, SyntaxError];

/** What reading gives, or an error that names the file. */
async function wrapReadErrors<T>({ name }: TableFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RunError) throw error;
    const foreign = READER_ERRORS.some((known) => error instanceof known);
    throw createReadError(name, foreign ? new Error('it is damaged, or not a Parquet file', { cause: error }) : error);
  }
}

/** Refuses another table than the one that is expected. */
function checkColumns({ schema }: FileMetaData, columns: readonly ColumnSchema[]): void {
  const told = schema.slice(1).map(({ name, type, converted_type: as }) => [name, type, as].join(' '));
  const due = columns.map(({ name, type }) => {
    const { type: stored, ...converted } = TYPES[type];
    return [name, stored, 'converted_type' in converted ? converted.converted_type : undefined].join(' ');
  });
  const off = Math.max(told.length, due.length);
  for (let c = 0; c < off; c++)
    if (told[c] !== due[c]) throw new Error(`column ${String(c)} is ${told[c] ?? 'missing'}, not ${due[c] ?? 'any'}`);
}

type RowGroup = FileMetaData['row_groups'][number];

/** Refuses columns that are not those of the schema, lie elsewhere, or do not hold what they say. */
async function checkGroup({ columns, num_rows: rows }: RowGroup, schema: FileMetaData['schema'], content: FileContent) {
  if (columns.length !== schema.length - 1) throw new Error('a row group has other columns');
  for (const [c, { meta_data: data }] of columns.entries()) {
    if (data === undefined || data.path_in_schema.join() !== schema[c + 1]?.name)
      throw new Error('a column is not described');
    const from = Number(data.dictionary_page_offset ?? data.data_page_offset);
    const to = from + Number(data.total_compressed_size);
    if (!(from >= 0 && from <= to && to <= content.byteLength)) throw new Error('a column is outside of the file');
    checkPages(await content.slice(from, to), Number(rows), data.codec);
  }
}

async function checkSize({ content }: TableFile, metadata: FileMetaData): Promise<void> {
  const { num_rows: count, row_groups: groups, schema } = metadata;
  const rows = Number(count);
  const fits = rows >= 0 && rows <= ROWS_MAX && rows <= ROWS_PER_BYTE * content.byteLength;
  if (!fits) throw new Error(`it claims ${String(rows)} rows in ${String(content.byteLength)} bytes`);
  const sum = groups.reduce((total, group) => total + Number(group.num_rows), 0);
  if (sum !== rows || groups.length > 1 + rows) throw new Error(`it has ${String(sum)} rows, not ${String(rows)}`);
  for (const group of groups) await checkGroup(group, schema, content);
}

/** ColumnValues of a column by row; 64-bit integers are bigints, and null or undefined is where there is none. */
export type ColumnValues = ArrayLike<unknown>;

/** One column of its chunks, which come in their order. @throws Error if rows are missing */
function joinChunks(chunks: readonly ColumnValues[], rows: number): ColumnValues {
  const [first = [], ...others] = chunks;
  const values = others.length === 0 ? first : chunks.flatMap((chunk) => Array.from(chunk));
  if (values.length !== rows) throw new Error('rows are missing');
  return values;
}

/**
 * All columns of a table, in the order in which they are expected.
 * @throws RunError if the file is no Parquet, damaged, or another table
 */
export function readTable(file: TableFile, columns: readonly ColumnSchema[]): Promise<ColumnValues[]> {
  return wrapReadErrors(file, async () => {
    const metadata = await parquetMetadataAsync(file.content);
    checkColumns(metadata, columns);
    await checkSize(file, metadata);
    const chunks = new Map(columns.map(({ name }) => [name, [] as ColumnValues[]]));
    await parquetRead({
      file: file.content,
      metadata,
      onChunk: ({ columnName, columnData }) => void chunks.get(columnName)?.push(columnData),
    });
    return Array.from(chunks.values(), (each) => joinChunks(each, Number(metadata.num_rows)));
  });
}

/**
 * What was written with a table, but for its seal.
 * @throws RunError if the file is no Parquet, or another program wrote it
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
