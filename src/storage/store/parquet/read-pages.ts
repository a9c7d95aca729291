/**
 * Reads the pages of an untrusted Parquet file. Runs and lengths are checked first, because the decoders of hyparquet
 * trust them. Pages must have the form that warpool writes, and cannot expand beyond limits by their size.
 *
 * Apache Parquet format 2.11, "Encodings"; Snappy "Format description" of 2011.
 */
import { type SchemaElement, snappyUncompress } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';

/** Bytes of the offset, by the kind of a copy. */
const OFFSET_BYTES: readonly number[] = [0, 1, 2, 4];

/** Maximum expansion of a byte of a page: Snappy copies 64 bytes with three. */
const EXPANSION = 32;

type ParquetPageHeader = ReturnType<typeof parquetHeader>;
type PageV2 = NonNullable<ParquetPageHeader['data_page_header_v2']>;

function rejectPage(what: string): never {
  throw new Error(`a page of it is damaged: ${what}`);
}

/** Reads an unsigned number in groups of seven bits, the lowest first, and its end. */
function readVarint(bytes: Uint8Array, at: number): [value: number, end: number] {
  for (let [value, shift, end] = [0, 0, at]; shift < 35; shift += 7) {
    const byte = bytes[end++] ?? rejectPage('an unterminated number');
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, end];
  }
  return rejectPage('a number that is too long');
}

/** Checks that runs of values with `width` bits contain `values` values and end within the page. */
function checkRuns(bytes: Uint8Array, width: number, values: number): void {
  if (width > 32) rejectPage(`values of ${String(width)} bits`);
  let [seen, at] = [0, 0];
  while (seen < values) {
    const [head, from] = readVarint(bytes, at);
    const [count, packed] = [Math.floor(head / 2), head % 2 === 1];
    // Groups of eight values, or one repeated value.
    at = from + (packed ? count * width : Math.ceil(width / 8));
    seen += packed ? 8 * count : count;
    if (at > bytes.length || count === 0 || seen >= values + 8) rejectPage('wrong length of runs');
  }
}

/** Returns the length of a literal, whose tag ends before `at`, and its start. */
function readLiteral(bytes: Uint8Array, tag: number, at: number): [length: number, from: number] {
  const extra = Math.max(0, (tag >> 2) - 59);
  if (extra === 0) return [(tag >> 2) + 1, at];
  let length = 1;
  for (let b = 0; b < extra; b++) length += (bytes[at + b] ?? 0) * 2 ** (8 * b);
  return [length, at + extra];
}

/** Checks that the literals and copies of a compressed page give `due` bytes and end within the page. */
function checkSnappy(bytes: Uint8Array, due: number): void {
  const [said, from] = readVarint(bytes, 0);
  let [at, out] = [from, 0];
  while (at < bytes.length && out <= due) {
    const tag = bytes[at++] ?? 0;
    const kind = tag & 3;
    const [length, begin] =
      kind === 0 ? readLiteral(bytes, tag, at) : [kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1, at];
    at = begin + (kind === 0 ? length : (OFFSET_BYTES[kind] ?? 0));
    out += length;
  }
  if (said !== due || out !== due || at !== bytes.length) rejectPage('wrong uncompressed length');
}

/** Decompresses the bytes of a page after its levels. */
function decompressPage(bytes: Uint8Array, size: number, codec: string): Uint8Array {
  if (codec === 'UNCOMPRESSED') return bytes.length === size ? bytes : rejectPage('wrong length');
  if (codec !== 'SNAPPY') rejectPage(`unsupported compression ${codec}`);
  if (!(size >= 0 && size <= EXPANSION * (bytes.length + 64))) rejectPage(`${String(size)} bytes`);
  checkSnappy(bytes, size);
  const out = new Uint8Array(size);
  snappyUncompress(bytes, out);
  return out;
}

type Values = ArrayLike<unknown>;
type ValueType = Pick<SchemaElement, 'type' | 'converted_type'>;

const createReader = (bytes: Uint8Array) => ({ view: new DataView(bytes.buffer, bytes.byteOffset), offset: 0 });

const DECODER = new TextDecoder();

function decodePlain(bytes: Uint8Array, { type = 'INT32', converted_type: as }: ValueType, values: number): Values {
  const plain = readPlain(createReader(bytes), type, values, undefined);
  if (as === 'UTF8') return Array.from(plain, (text) => DECODER.decode(text as Uint8Array));
  return as === 'UINT_64' && plain instanceof BigInt64Array
    ? new BigUint64Array(plain.buffer, plain.byteOffset, values)
    : plain;
}

/** Decodes runs of `values` numbers with `width` bits. */
function decodeRuns(bytes: Uint8Array, width: number, values: number): number[] {
  checkRuns(bytes, width, values);
  const numbers = new Array<number>(values);
  readRleBitPackedHybrid(createReader(bytes), width, numbers, bytes.length);
  // The last run may be longer.
  numbers.length = values;
  return numbers;
}

/** @param words dictionary of the column */
function decodeValues(bytes: Uint8Array, encoding: string, type: ValueType, values: number, words: Values): Values {
  if (encoding === 'PLAIN') return decodePlain(bytes, type, values);
  if (encoding === 'RLE_DICTIONARY') {
    // A page without values has no run, but still a bit width.
    const indexes = decodeRuns(bytes.subarray(1), bytes[0] ?? rejectPage('no values'), values);
    return indexes.map((index) => words[index]);
  }
  // Booleans: runs after four bytes with their length.
  if (encoding !== 'RLE') rejectPage(`unsupported encoding ${encoding}`);
  return decodeRuns(bytes.subarray(4), 1, values).map(Boolean);
}

/** Reads the values of a data page by row: undefined for missing ones. @param words dictionary of the column */
function readData(
  page: Uint8Array,
  { uncompressed_page_size: size }: ParquetPageHeader,
  data: PageV2,
  codec: string,
  type: ValueType,
  words: Values,
): Values {
  const { num_values: values, num_nulls: nulls, num_rows: rows, is_compressed: packed = true } = data;
  const { definition_levels_byte_length: levels, repetition_levels_byte_length: lists } = data;
  if (!(nulls >= 0 && nulls <= values && rows === values))
    rejectPage(`${String(values)} values in ${String(rows)} rows`);
  if (lists !== 0 || !(levels >= 0 && levels <= page.length)) rejectPage('wrong length of levels');
  const filled = decodeRuns(page.subarray(0, levels), 1, values);
  const rest = decompressPage(page.subarray(levels), size - levels, packed ? codec : 'UNCOMPRESSED');
  const found = decodeValues(rest, data.encoding, type, values - nulls, words);
  if (!filled.includes(0)) return found;
  let next = 0;
  return filled.map((level) => (level === 1 ? found[next++] : undefined));
}

/**
 * Reads the pages of one column.
 * @param bytes of all its pages
 * @param rows of the file
 * @param pages receives the values of each page by row: undefined for missing ones
 * @returns number of values that are not null
 * @throws Error with the problem
 */
export function readPages(
  bytes: ArrayBuffer,
  rows: number,
  codec: string,
  type: ValueType,
  pages: Values[] = [],
): number {
  const reader = { view: new DataView(bytes), offset: 0 };
  let [seen, filled, words]: [number, number, Values] = [0, 0, []];
  while (reader.offset < bytes.byteLength) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size, dictionary_page_header: listed, data_page_header_v2: data } = header;
    if (!(size >= 0 && reader.offset + size <= bytes.byteLength)) rejectPage(`${String(size)} bytes`);
    const page = new Uint8Array(bytes, reader.offset, size);
    reader.offset += size;
    const values = (data ?? listed ?? rejectPage('unsupported page type')).num_values;
    if (!(values >= 0 && values <= rows)) rejectPage(`${String(values)} values`);
    if (data !== undefined) {
      seen += values;
      filled += values - data.num_nulls;
      pages.push(readData(page, header, data, codec, type, words));
    } else words = decodePlain(decompressPage(page, header.uncompressed_page_size, codec), type, values);
  }
  if (seen !== rows) rejectPage(`${String(seen)} values in ${String(rows)} rows`);
  return filled;
}
