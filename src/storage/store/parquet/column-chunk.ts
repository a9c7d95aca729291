/**
 * Writes a column of a Parquet file from its runs. hyparquet-writer examines every row about ten times to find
 * repetitions; here they are known. A column that fits on one page gets exactly the bytes of that library, and uses its
 * functions if they do not need rows.
 *
 * Apache Parquet format 2.11, "Encodings" and "Data Pages".
 */
import type { ColumnChunk, Encoding, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import type { ColumnType } from '../../sweep/rows.ts';
import type { TableColumn } from './table-column.ts';
import { type ValueRuns, writeRuns } from './value-runs.ts';

/** Returns the bytes of a value for the choice of an encoding; a text has four for its length. */
const SIZES: Readonly<Record<Exclude<ColumnType, 'text'>, number>> = {
  ...{ int32: 4, int64: 8, uint64: 8, double: 8 },
  boolean: 1 / 8,
};

function measureValue(value: unknown, type: ColumnType): number {
  return type === 'text' ? 4 + (value as string).length : SIZES[type];
}

/** Creates a reader of runs by position, for ascending positions. */
function createRunReader<V>({ values, lengths }: ValueRuns<V>): (at: number) => V | undefined {
  let [run, end] = [0, lengths[0] ?? 0];
  return (at) => {
    while (at >= end && run < values.length) end += lengths[++run] ?? 0;
    return values[run];
  };
}

/** Creates a reader of a column by row, for ascending rows; undefined for missing values. */
function createColumnReader({ levels: { values, lengths }, runs, numbers }: TableColumn): (row: number) => unknown {
  const filled = numbers === undefined ? createRunReader(runs) : (at: number) => numbers[at];
  let [run, end, before] = [0, lengths[0] ?? 0, 0];
  return (row) => {
    for (; row >= end && run < values.length; end += lengths[run] ?? 0)
      if (values[run++] === 0) before += lengths[run - 1] ?? 0;
    return values[run] === 1 ? filled(row - before) : undefined;
  };
}

/** Rows to sample before building a dictionary, and the share of distinct bytes above which none is built. */
const SAMPLE_ROWS = 1000;
const DISTINCT_SHARE_MAX = 0.9;

/** True if enough values repeat, in rows at equal distances. */
function hasRepeats(column: TableColumn): boolean {
  const { length, nulls, type, runs, numbers } = column;
  if (length === nulls) return false;
  const longest = runs.values.reduce<number>(
    (most, value) => Math.max(most, measureValue(value, type)),
    numbers === undefined ? 0 : measureValue(0, type),
  );
  const size = Math.min(length, SAMPLE_ROWS);
  const valueAt = createColumnReader(column);
  const seen = new Set<unknown>();
  let [different, all, last] = [0, 0, undefined as unknown];
  for (let i = 0; i < size; i++) {
    const value = valueAt(size === 1 ? 0 : Math.floor((i * (length - 1)) / (size - 1)));
    if (value === undefined) continue;
    const bytes = measureValue(value, type);
    all += bytes;
    if (value !== last && !seen.has(value)) different += bytes;
    else if (9 * (all - different) > size * longest) return true;
    seen.add(value);
    last = value;
  }
  return different / all <= DISTINCT_SHARE_MAX;
}

interface ValueDictionary {
  /** Distinct values, in order of first occurrence. */
  readonly values: readonly unknown[];
  /** Bits of an index into them. */
  readonly width: number;
  /** Writes the indexes of all non-null values. */
  readonly writeIndexes: (writer: ByteWriter) => void;
}

/** Bytes of all values. */
function countValueBytes({ runs: { values, lengths }, numbers, type }: TableColumn): number {
  if (numbers !== undefined) return numbers.length * measureValue(0, type);
  return values.reduce<number>((sum, value, run) => sum + measureValue(value, type) * (lengths[run] ?? 0), 0);
}

/** Integers from 0 on whose index is found without a map, which takes several times as long. */
const SMALL_INTEGERS = 4096;

/** Returns the index of each number among the distinct ones, and adds new ones to `known`. */
function indexNumbers(numbers: Float64Array, known: Map<unknown, number>): Int32Array {
  const places = new Int32Array(numbers.length);
  const small = new Int32Array(SMALL_INTEGERS).fill(-1);
  for (let n = 0; n < numbers.length; n++) {
    const number = numbers[n] ?? 0;
    const integer = number | 0;
    const isSmall = integer === number && integer >= 0 && integer < SMALL_INTEGERS;
    let place = isSmall ? small[integer] : known.get(number);
    if (place === undefined || place < 0) {
      place = known.size;
      known.set(number, place);
      if (isSmall) small[integer] = place;
    }
    places[n] = place;
  }
  return places;
}

/** Creates the dictionary of a column; undefined if it saves less than half. */
function createDictionary(column: TableColumn): ValueDictionary | undefined {
  const { type, runs, numbers, length, nulls } = column;
  if (type === 'boolean' || !hasRepeats(column)) return undefined;
  const known = new Map<unknown, number>();
  for (const value of runs.values) if (!known.has(value)) known.set(value, known.size);
  const places = numbers && indexNumbers(numbers, known);
  const values = [...known.keys()];
  const width = Math.ceil(Math.log2(values.length));
  const once = values.reduce<number>((sum, value) => sum + measureValue(value, type), 0);
  if (2 * (once + Math.ceil(((length - nulls) * width) / 8)) > countValueBytes(column)) return undefined;
  const writePlaces = (writer: ByteWriter): void => {
    if (places !== undefined) writeRleBitPackedHybrid(writer, places, width);
    else writeRuns(writer, { values: runs.values.map((value) => known.get(value) ?? 0), lengths: runs.lengths }, width);
  };
  return { values, width, writeIndexes: writePlaces };
}

/** Values as Parquet has them. */
function toPhysicalValues(values: Iterable<unknown>, type: ColumnType): unknown[] {
  if (type === 'int64' || type === 'uint64') return Array.from(values, (value) => BigInt(value as string));
  return [...values];
}

function* expandRuns({ values, lengths }: ValueRuns<unknown>): Generator {
  for (const [run, value] of values.entries()) for (let left = lengths[run] ?? 0; left > 0; left--) yield value;
}

/** Encodes the values, and returns their encoding. */
function encodeValues(
  column: TableColumn,
  element: SchemaElement,
  words: ValueDictionary | undefined,
): [Encoding, Uint8Array] {
  const { type, runs, numbers, length } = column;
  const writer = new ByteWriter();
  if (words !== undefined) {
    writer.appendUint8(words.width);
    words.writeIndexes(writer);
    return ['RLE_DICTIONARY', writer.getBytes()];
  }
  if (type === 'boolean' && length > 16) {
    const bits = new ByteWriter();
    writeRuns(bits, { values: runs.values.map(Number), lengths: runs.lengths }, 1);
    writer.appendUint32(bits.offset);
    writer.appendBytes(bits.getBytes());
    return ['RLE', writer.getBytes()];
  }
  // Numbers in memory have the byte order of Parquet: little-endian.
  if (type === 'double' && numbers !== undefined)
    writer.appendBytes(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  else writePlain(writer, toPhysicalValues(numbers ?? expandRuns(runs), type), element.type ?? 'INT32', undefined);
  return ['PLAIN', writer.getBytes()];
}

type PageHeader = Parameters<typeof writePageHeader>[1];

/** Writes a page: header, levels, and values. @returns its bytes before compression */
function writePage(
  writer: ByteWriter,
  header: Omit<PageHeader, 'uncompressed_page_size' | 'compressed_page_size'>,
  levels: Uint8Array,
  values: Uint8Array,
): number {
  const packed = snappyCompress(values);
  const start = writer.offset;
  const size = levels.length + values.length;
  const compressed = levels.length + packed.length;
  writePageHeader(writer, { ...header, uncompressed_page_size: size, compressed_page_size: compressed });
  const head = writer.offset - start;
  writer.appendBytes(levels);
  writer.appendBytes(packed);
  return head + size;
}

function writeDictionary(
  writer: ByteWriter,
  { values }: ValueDictionary,
  type: ColumnType,
  element: SchemaElement,
): number {
  const page = new ByteWriter();
  writePlain(page, toPhysicalValues(values, type), element.type ?? 'INT32', undefined);
  const header = { num_values: values.length, encoding: 'PLAIN' as const };
  const words = { type: 'DICTIONARY_PAGE' as const, dictionary_page_header: header };
  return writePage(writer, words, new Uint8Array(), page.getBytes());
}

function writeData(writer: ByteWriter, column: TableColumn, encoding: Encoding, values: Uint8Array): number {
  const { length, nulls } = column;
  const levels = new ByteWriter();
  writeRuns(levels, column.levels, 1);
  const header = {
    ...{ num_values: length, num_nulls: nulls, num_rows: length, encoding, is_compressed: true },
    ...{ definition_levels_byte_length: levels.offset, repetition_levels_byte_length: 0 },
  };
  return writePage(writer, { type: 'DATA_PAGE_V2', data_page_header_v2: header }, levels.getBytes(), values);
}

/** Computes the statistics by which readers skip parts: minimum and maximum, if any. */
function computeBounds({ runs, numbers }: TableColumn): { min_value?: number; max_value?: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of numbers ?? (runs.values as number[])) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least > most ? {} : { min_value: least, max_value: most };
}

/**
 * Appends a column: a page with its dictionary, if worthwhile, and a page with its values.
 * @param column with at least one row
 * @param element of the schema; rows may have no value
 * @param reported whether minimum and maximum are written; only for columns of numbers
 */
export function writeChunk(
  writer: ByteWriter,
  column: TableColumn,
  element: SchemaElement,
  reported: boolean,
): { chunk: ColumnChunk; bytes: number } {
  const words = createDictionary(column);
  const start = writer.offset;
  let bytes = words === undefined ? 0 : writeDictionary(writer, words, column.type, element);
  const dataAt = writer.offset;
  const [encoding, data] = encodeValues(column, element, words);
  bytes += writeData(writer, column, encoding, data);
  const pages = [
    ...(words === undefined ? [] : [{ page_type: 'DICTIONARY_PAGE' as const, encoding: 'PLAIN' as const, count: 1 }]),
    { page_type: 'DATA_PAGE_V2' as const, encoding, count: 1 },
  ];
  const chunk: ColumnChunk = {
    meta_data: {
      ...{ type: element.type ?? 'INT32', encodings: words === undefined ? [encoding] : ['PLAIN', encoding] },
      ...{ path_in_schema: [column.name], codec: 'SNAPPY', num_values: BigInt(column.length) },
      ...{ total_compressed_size: BigInt(writer.offset - start), total_uncompressed_size: BigInt(bytes) },
      data_page_offset: BigInt(dataAt),
      ...(words !== undefined && { dictionary_page_offset: BigInt(start) }),
      ...(reported && {
        statistics: { ...computeBounds(column), null_count: BigInt(column.nulls) },
        encoding_stats: pages,
      }),
    },
    file_offset: BigInt(start),
  };
  return { chunk, bytes };
}
