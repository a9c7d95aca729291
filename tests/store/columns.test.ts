/** The encoder of runs of values writes the same bytes as hyparquet-writer for the values. */
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { encodeTable, readTable } from '../../src/storage/store/parquet/parquet.ts';
import { TableColumn } from '../../src/storage/store/parquet/table-column.ts';
import type { ColumnSchema, ColumnType } from '../../src/storage/sweep/rows.ts';
import { DEPTH, SEED } from '../depth.ts';

const TYPES = {
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  uint64: { type: 'INT64', converted_type: 'UINT_64' },
  double: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
} as const;

interface Data extends ColumnSchema {
  readonly data: readonly unknown[];
}

/** Removes the digits of the checksum, which covers all other bytes. */
const unsealed = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/"seal":"[0-9a-f]{64}"/, '"seal":""');

function byLibrary(columns: readonly Data[]): string {
  const elements = columns.map(({ name, type }) => ({ name, ...TYPES[type], repetition_type: 'OPTIONAL' as const }));
  const written = parquetWriteBuffer({
    columnData: columns.map(({ name, data }) => ({ name, data: [...data], statistics: name === 'cell' })),
    schema: [{ name: 'warpool', num_children: columns.length }, ...elements],
    rowGroupSize: 100_000,
    kvMetadata: [{ key: 'warpool', value: JSON.stringify({ of: 'a test', seal: '0'.repeat(64) }) }],
    createdBy: 'warpool',
  });
  return unsealed(new Uint8Array(written));
}

const encoded = (columns: readonly Data[]): Uint8Array =>
  encodeTable(
    columns.map((column) => TableColumn.of(column, column.data)),
    { of: 'a test' },
  );

const isAsByLibrary = (columns: readonly Data[]): boolean => unsealed(encoded(columns)) === byLibrary(columns);

const VALUES: Readonly<Record<ColumnType, fc.Arbitrary<unknown>>> = {
  int32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  // If a dictionary has both zeros, the library keeps the first one.
  double: fc.double().map((value) => (value === 0 ? 0 : value)),
  text: fc.oneof(fc.string(), fc.string({ unit: 'grapheme', maxLength: 300 })),
  boolean: fc.boolean(),
};

/** Computes the next state of a deterministic sequence. */
const next = (state: number): number => (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;

/** Generates columns that repeat few or many values, with and without gaps and runs. */
function columnOf(name: string, type: ColumnType, rows: number): fc.Arbitrary<Data> {
  const pool = fc.array(VALUES[type], { minLength: 1, maxLength: 40 });
  const dealt = fc.record({ pool, from: fc.nat(), gaps: fc.nat(10), run: fc.constantFrom(1, 3, 20) });
  return dealt.map(({ pool: values, from, gaps, run }) => {
    const data: unknown[] = [];
    for (let state = from >>> 0; data.length < rows; ) {
      state = next(state);
      const value = (state >>> 8) % 10 < gaps ? null : values[(state >>> 12) % values.length];
      for (let k = (state >>> 20) % run; k >= 0 && data.length < rows; k--) data.push(value);
    }
    return { name, type, data };
  });
}

const table = fc
  .oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 1500 }))
  .chain((rows) =>
    fc.tuple(
      columnOf('cell', 'int32', rows),
      ...Object.keys(TYPES).map((type) => columnOf(type, type as ColumnType, rows)),
    ),
  );

/** Creates two columns: cells of 16 rows, and values by row. */
const two = (value: (row: number) => unknown, rows: number, type: ColumnType = 'double'): Data[] => [
  { name: 'cell', type: 'int32', data: Array.from({ length: rows }, (_, row) => row >> 4) },
  { name: 'other', type, data: Array.from({ length: rows }, (_, row) => value(row)) },
];

describe('encodeTable writes the same bytes as the library', () => {
  test('for tables of all types', () => {
    fc.assert(
      fc.property(table, (columns) => isAsByLibrary(columns)),
      { seed: SEED, numRuns: 50 * DEPTH },
    );
  });

  test.each([
    ['no row', two(() => 1, 0)],
    ['no value at all', two(() => null, 20)],
    ['one row', two(() => 1, 1)],
    ['different numbers', two((row) => row / 3, 99_999)],
    ['numbers that come again', two((row) => (row % 7) / 3, 99_999)],
    ['numbers of which a sample repeats some', two((row) => row % 3000, 3300)],
    ['half of the bytes saved', two((row) => row % 500, 1010)],
    ['two groups of rows', two((row) => row % 3, 150_001)],
    ['rows of a group all', two((row) => row, 100_000)],
    ['runs from one group into the next', two((row) => Math.floor(row / 70_000), 230_000)],
    ['texts in a plain page', two((row) => String(row).repeat(10), 300, 'text')],
    ['sixteen truth values', two((row) => row % 3 === 0, 16, 'boolean')],
    ['both zeros', two((row) => [0, -0, 1, 2][row], 4)],
    ['seventeen truth values', two((row) => row % 3 === 0, 17, 'boolean')],
  ])('with %s', (_what, columns) => {
    expect(isAsByLibrary(columns)).toBe(true);
  });
});

const contentOf = (bytes: Uint8Array) => ({
  byteLength: bytes.length,
  slice: (from: number, to?: number) => new Uint8Array(bytes.subarray(from, to)).buffer,
});

test('numbers that are added at once, in two row groups, are encoded as by the library and read back', async () => {
  const [cells, other] = two((row) => row / 3, 150_001);
  if (cells === undefined || other === undefined) throw new Error('no columns');
  const numbers = new TableColumn(other, new Float64Array(other.data.length));
  numbers.pushNumbers(other.data as number[]);
  const bytes = encodeTable([TableColumn.of(cells, cells.data), numbers], { of: 'a test' });
  expect(unsealed(bytes) === byLibrary([cells, other])).toBe(true);
  const { rows, columns } = await readTable({ name: 'groups', content: contentOf(bytes) }, [cells, other]);
  expect([rows, ...Array.from(columns.values(), (values) => values.length)]).toEqual([150_001, 150_001, 150_001]);
  expect(Array.from(columns.get('other') ?? []).join() === other.data.join()).toBe(true);
});

test('numbers and missing values that are added one by one are encoded as by the library', async () => {
  const [cells, other] = two((row) => (row % 3 === 0 ? null : row % 700), 2000);
  if (cells === undefined || other === undefined) throw new Error('no columns');
  const none: Data = { name: 'none', type: 'double', data: other.data.map(() => null) };
  const numbers = new TableColumn(other, new Float64Array(other.data.length));
  for (const value of other.data) numbers.push(value);
  const bytes = encodeTable([TableColumn.of(cells, cells.data), numbers, TableColumn.of(none, none.data)], {
    of: 'a test',
  });
  expect(unsealed(bytes) === byLibrary([cells, other, none])).toBe(true);
  const { columns } = await readTable({ name: 'gaps', content: contentOf(bytes) }, [cells, other, none]);
  expect([...columns.keys()]).toEqual(['cell', 'other']);
  expect(Array.from(columns.get('other') ?? [], (value) => value ?? null)).toEqual(other.data);
});

test('values in a page larger than pages of the library are read back', async () => {
  const [, texts] = two((row) => String(row).repeat(100), 3000, 'text');
  if (texts === undefined) throw new Error('no column');
  const bytes = encoded([texts]);
  const content = contentOf(bytes);
  expect(parquetMetadata(content.slice(0)).row_groups).toHaveLength(1);
  const { columns } = await readTable({ name: 'texts', content }, [texts]);
  expect(Array.from(columns.get('other') ?? []).join() === texts.data.join()).toBe(true);
});

test('numbers and Booleans in a text column are encoded as texts', () => {
  const mixed = { name: 'axis', type: 'text' as const, data: [1, '1', true, 'true', null, undefined, 1] };
  const texts = { ...mixed, data: ['1', '1', 'true', 'true', null, null, '1'] };
  expect(unsealed(encoded([mixed]))).toBe(byLibrary([texts]));
});

test.each<[ColumnType, unknown, string]>([
  ['int32', 2 ** 31, 'int32'],
  ['int32', 0.5, 'integer'],
  ['double', 'a text', 'number'],
  ['int64', 0.5, '0.5'],
  ['boolean', 1, 'boolean'],
])('a column of type %s rejects %s', (type, value, message) => {
  expect(() => encoded([{ name: 'cell', type, data: [value] }])).toThrow(message);
});
