/**
 * Tables as Parquet: columns of declared types, with a text beside them that says where they come from. A file that is
 * read may be anybody's, so before anything is made of it, it is seen that it holds no more than its bytes can tell, and
 * that its pages are such as our own writer writes: the decoder believes what runs and lengths say.
 *
 * Apache Parquet format 2.11, "Encodings"; Snappy "Format description" of 2011.
 */

import { createHash } from 'node:crypto';
import { type FileMetaData, parquetMetadataAsync, parquetReadObjects, snappyUncompress } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { RunError } from '../../core/errors.ts';
import { unreadable } from '../folder/files.ts';

/** By the kind of a copy: bytes that say how far back it begins. */
const OFFSET_BYTES: readonly number[] = [0, 1, 2, 4];

/** The most bytes that one byte of a page becomes: Snappy copies 64 bytes by three. */
const EXPANSION = 32;

type Header = ReturnType<typeof parquetHeader>;
type PageV2 = NonNullable<Header['data_page_header_v2']>;

function refuse(what: string): never {
  throw new Error(`a page of it is damaged: ${what}`);
}

/** An unsigned number in groups of seven bits, the lowest first, and where it ends. */
function varint(bytes: Uint8Array, at: number): [value: number, end: number] {
  for (let [value, shift, end] = [0, 0, at]; shift < 35; shift += 7) {
    const byte = bytes[end++] ?? refuse('a number without an end');
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, end];
  }
  return refuse('a number that is too long');
}

/** Runs of values of some bits each must give so many values, and be there. */
function checkRuns(bytes: Uint8Array, width: number, values: number): void {
  if (width > 32) refuse(`values of ${String(width)} bits`);
  let [seen, at] = [0, 0];
  while (seen < values) {
    const [head, from] = varint(bytes, at);
    const [count, packed] = [Math.floor(head / 2), head % 2 === 1];
    // Groups of eight values, or one value that is repeated.
    at = from + (packed ? count * width : Math.ceil(width / 8));
    seen += packed ? 8 * count : count;
    if (at > bytes.length || count === 0 || seen >= values + 8) refuse('runs of another length');
  }
}

/** Bytes that a literal gives, whose tag ends before `at`, and where they begin. */
function literal(bytes: Uint8Array, tag: number, at: number): [length: number, from: number] {
  const extra = Math.max(0, (tag >> 2) - 59);
  if (extra === 0) return [(tag >> 2) + 1, at];
  let length = 1;
  for (let b = 0; b < extra; b++) length += (bytes[at + b] ?? 0) * 2 ** (8 * b);
  return [length, at + extra];
}

/** The literals and copies of a compressed page must give so many bytes, and be there. */
function checkSnappy(bytes: Uint8Array, due: number): void {
  const [said, from] = varint(bytes, 0);
  let [at, out] = [from, 0];
  while (at < bytes.length && out <= due) {
    const tag = bytes[at++] ?? 0;
    const kind = tag & 3;
    const [length, begin] =
      kind === 0 ? literal(bytes, tag, at) : [kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1, at];
    at = begin + (kind === 0 ? length : (OFFSET_BYTES[kind] ?? 0));
    out += length;
  }
  if (said !== due || out !== due || at !== bytes.length) refuse('it unpacks to another length');
}

/** What a page holds behind its levels. */
function unpacked(bytes: Uint8Array, size: number, codec: string): Uint8Array {
  if (codec === 'UNCOMPRESSED') return bytes.length === size ? bytes : refuse('it has another length');
  if (codec !== 'SNAPPY') refuse(`it is packed by ${codec}`);
  if (!(size >= 0 && size <= EXPANSION * (bytes.length + 64))) refuse(`${String(size)} bytes`);
  checkSnappy(bytes, size);
  const out = new Uint8Array(size);
  snappyUncompress(bytes, out);
  return out;
}

function checkValues(bytes: Uint8Array, encoding: string, values: number): void {
  if (encoding === 'PLAIN') return;
  if (encoding === 'RLE_DICTIONARY') {
    // A page without a value has no run either, but says how many bits one would have.
    checkRuns(bytes.subarray(1), bytes[0] ?? refuse('it has no values'), values);
    return;
  }
  // Truth values: runs behind four bytes that say how long they are.
  if (encoding !== 'RLE') refuse(`its values are ${encoding}`);
  checkRuns(bytes.subarray(4), 1, values);
}

function checkData(page: Uint8Array, { uncompressed_page_size: size }: Header, data: PageV2, codec: string): void {
  const { num_values: values, num_nulls: nulls, num_rows: rows, is_compressed: packed = true } = data;
  const { definition_levels_byte_length: levels, repetition_levels_byte_length: lists } = data;
  if (!(nulls >= 0 && nulls <= values && rows === values)) refuse(`${String(values)} values in ${String(rows)} rows`);
  if (lists !== 0 || !(levels >= 0 && levels <= page.length)) refuse('levels of another length');
  checkRuns(page.subarray(0, levels), 1, values);
  const rest = unpacked(page.subarray(levels), size - levels, packed ? codec : 'UNCOMPRESSED');
  checkValues(rest, data.encoding, values - nulls);
}

/**
 * Checks the pages of one column.
 * @param bytes of all its pages
 * @param rows  of the file
 * @throws Error with what is wrong
 */
export function checkPages(bytes: ArrayBuffer, rows: number, codec: string): void {
  const reader = { view: new DataView(bytes), offset: 0 };
  let seen = 0;
  while (reader.offset < bytes.byteLength) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size, dictionary_page_header: words, data_page_header_v2: data } = header;
    if (!(size >= 0 && reader.offset + size <= bytes.byteLength)) refuse(`${String(size)} bytes`);
    const page = new Uint8Array(bytes, reader.offset, size);
    reader.offset += size;
    const values = (data ?? words ?? refuse('it is of another kind')).num_values;
    if (!(values >= 0 && values <= rows)) refuse(`${String(values)} values`);
    if (data !== undefined) {
      seen += values;
      checkData(page, header, data, codec);
    } else unpacked(page, header.uncompressed_page_size, codec);
  }
  if (seen !== rows) refuse(`${String(seen)} values of ${String(rows)} rows`);
}

/** How the values of a column are stored. */
export type ColumnType = 'int32' | 'int64' | 'uint64' | 'double' | 'text' | 'boolean';

export interface ColumnHead {
  readonly name: string;
  readonly type: ColumnType;
}

export interface ParquetColumn extends ColumnHead {
  readonly data: readonly unknown[];
}

/** The bytes of a file, read where they are needed. */
interface Content {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** A file that holds a table. */
export interface TableFile {
  /** For messages: its path. */
  readonly name: string;
  readonly content: Content;
}

/** The key of the text that goes with a table. */
const KEY = 'warpool';

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
const SEAL = '"seal":"';
const UNSEALED = '0'.repeat(64);

/** Where the digits of a seal are, and what they would be: the SHA-256 of all bytes, those digits as zeros. */
function sealOf(bytes: Uint8Array): { readonly at: number; readonly due: string } {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(SEAL) + SEAL.length;
  const end = at + UNSEALED.length;
  const hash = createHash('sha256').update(bytes.subarray(0, at)).update(UNSEALED).update(bytes.subarray(end));
  return { at, due: hash.digest('hex') };
}

/** Refuses the bytes of a part that are not those that were written. Accidents are found so, not those who mean it. */
export function checkSealed(bytes: Uint8Array): void {
  const { at, due } = sealOf(bytes);
  const found = new TextDecoder('latin1').decode(bytes.subarray(at, at + due.length));
  if (at < SEAL.length || found !== due) throw new Error('its seal is not that of its contents: it is damaged');
}

/**
 * A table as the bytes of a Parquet file; equal tables give equal bytes.
 * @param about is written with the table, and a seal by which damage is found
 * @throws RunError if it has too many rows
 */
export function encodeTable(columns: readonly ParquetColumn[], about: object): Uint8Array {
  const rows = columns[0]?.data.length ?? 0;
  if (rows > ROWS_MAX)
    throw new RunError(
      `a part of ${String(rows)} rows; at most ${String(ROWS_MAX)} can be read again. "keep" can make it smaller`,
    );
  const elements = columns.map(({ name, type }) => ({ name, ...TYPES[type], repetition_type: 'OPTIONAL' as const }));
  const written = parquetWriteBuffer({
    // Bounds of a column help readers to skip parts; only those of cells ever do.
    columnData: columns.map(({ name, data }) => ({ name, data: data as unknown[], statistics: name === 'cell' })),
    schema: [{ name: 'warpool', num_children: columns.length }, ...elements],
    rowGroupSize: 1_000_000,
    kvMetadata: [{ key: KEY, value: JSON.stringify({ ...about, seal: UNSEALED }) }],
    createdBy: 'warpool',
  });
  const bytes = new Uint8Array(written);
  const { at, due } = sealOf(bytes);
  bytes.set(new TextEncoder().encode(due), at);
  return bytes;
}

/** What reading gives, or an error that names the file. */
async function reading<T>({ name }: TableFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof RunError ? error : unreadable(name, error);
  }
}

/** Refuses another table than the one that is expected. */
function checkColumns({ schema }: FileMetaData, columns: readonly ColumnHead[]): void {
  const told = schema.slice(1).map(({ name, type, converted_type: as }) => [name, type, as].join(' '));
  const due = columns.map(({ name, type }) => {
    const { type: stored, ...converted } = TYPES[type];
    return [name, stored, 'converted_type' in converted ? converted.converted_type : undefined].join(' ');
  });
  const off = Math.max(told.length, due.length);
  for (let c = 0; c < off; c++)
    if (told[c] !== due[c]) throw new Error(`column ${String(c)} is ${told[c] ?? 'missing'}, not ${due[c] ?? 'any'}`);
}

type Group = FileMetaData['row_groups'][number];

/** Refuses columns that are not those of the schema, lie elsewhere, or do not hold what they say. */
async function checkGroup({ columns, num_rows: rows }: Group, schema: FileMetaData['schema'], content: Content) {
  if (columns.length !== schema.length - 1) throw new Error('a group of rows has other columns');
  for (const [c, { meta_data: data }] of columns.entries()) {
    if (data === undefined || data.path_in_schema.join() !== schema[c + 1]?.name)
      throw new Error('a column is not described');
    const from = Number(data.dictionary_page_offset ?? data.data_page_offset);
    const to = from + Number(data.total_compressed_size);
    if (!(from >= 0 && from <= to && to <= content.byteLength)) throw new Error('a column lies outside of it');
    checkPages(await content.slice(from, to), Number(rows), data.codec);
  }
}

async function checkSize({ content }: TableFile, metadata: FileMetaData): Promise<void> {
  const { num_rows: count, row_groups: groups, schema } = metadata;
  const rows = Number(count);
  const fits = rows >= 0 && rows <= ROWS_MAX && rows <= ROWS_PER_BYTE * content.byteLength;
  if (!fits) throw new Error(`it says that it has ${String(rows)} rows, in ${String(content.byteLength)} bytes`);
  const sum = groups.reduce((total, group) => total + Number(group.num_rows), 0);
  if (sum !== rows || groups.length > 1 + rows) throw new Error(`it has ${String(sum)} rows, not ${String(rows)}`);
  for (const group of groups) await checkGroup(group, schema, content);
}

/**
 * All rows of a table; 64-bit integers are bigints.
 * @throws RunError if the file is no Parquet, damaged, or another table
 */
export function readTable(file: TableFile, columns: readonly ColumnHead[]): Promise<Record<string, unknown>[]> {
  return reading(file, async () => {
    const metadata = await parquetMetadataAsync(file.content);
    checkColumns(metadata, columns);
    await checkSize(file, metadata);
    const rows = await parquetReadObjects({ file: file.content, metadata });
    if (rows.length !== Number(metadata.num_rows)) throw new Error('rows are missing');
    return rows;
  });
}

/**
 * What was written with a table, but for its seal.
 * @throws RunError if the file is no Parquet, or another program wrote it
 */
export function readAbout(file: TableFile): Promise<Readonly<Record<string, unknown>>> {
  return reading(file, async () => {
    const { key_value_metadata: texts = [] } = await parquetMetadataAsync(file.content);
    const text = texts.find(({ key }) => key === KEY)?.value;
    if (text === undefined) throw new Error('warpool did not write it');
    const { seal: _seal, ...about } = JSON.parse(text) as Record<string, unknown>;
    return about;
  });
}
