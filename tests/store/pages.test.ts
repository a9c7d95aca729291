/**
 * Parquet files with invalid sizes: they are rejected first, because the decoder would need minutes and gigabytes for
 * them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { beforeAll, describe, expect, test } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import {
  encodeTable,
  readTableMetadata,
  type TableFile,
  verifyTableChecksum,
} from '../../src/storage/store/parquet/parquet.ts';
import { readPages } from '../../src/storage/store/parquet/read-pages.ts';
import { TableColumn } from '../../src/storage/store/parquet/table-column.ts';
import { readHistograms, readRows } from '../../src/storage/store/tables.ts';
import { DEPTH } from '../depth.ts';
import { place, run } from './folders.ts';

const TABLE = 'table/part-00000.parquet';
const COUNTS = 'histograms/part-00000-0-200.parquet';
const CELLS = [0, 6] as const;

let folder: string;
beforeAll(async () => {
  folder = place();
  await run('axes: [{ path: attacker.hp, range: [1, 6] }]\nbattles: 200\nexact: always', folder, { workers: 1 });
});

function fileOf(bytes: Uint8Array<ArrayBuffer>): TableFile {
  const slice = (from: number, to = bytes.length): ArrayBuffer => bytes.buffer.slice(from, to);
  return { name: 'other.parquet', content: { byteLength: bytes.length, slice } };
}

describe.each([TABLE, COUNTS])('%s', (file) => {
  test.runIf(DEPTH > 1 || file === TABLE)(
    'with a changed bit fails its checksum, and without this check is read safely',
    async () => {
      const { columns } = (await openStore(folder)).sweep;
      const read = (other: TableFile): Promise<unknown> =>
        file === TABLE ? readRows(other, columns, CELLS) : readHistograms(other, CELLS);
      const bytes = new Uint8Array(readFileSync(join(folder, file)));
      expect(() => {
        verifyTableChecksum(bytes);
      }).not.toThrow();
      let rejection = 0;
      for (let bit = 0; bit < 8 * bytes.length; bit += 211) {
        const other = Uint8Array.from(bytes);
        other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(() => {
          verifyTableChecksum(other);
        }).toThrow('its checksum does not match its contents');
        await read(fileOf(other)).catch((error: unknown) => {
          if (!(error instanceof RunError)) throw error;
          expect(error.message).toMatch(/^other\.parquet cannot be read: /);
          expect(error.message).not.toMatch(/is not a function|DataView|Cannot |BigInt|Unexpected token/);
          rejection++;
        });
      }
      expect(rejection).toBeGreaterThan(20);
    },
  );

  test('is rejected if it is truncated', async () => {
    const bytes = new Uint8Array(readFileSync(join(folder, file)));
    for (let length = 0; length < bytes.length; length += 97)
      await expect(readTableMetadata(fileOf(bytes.slice(0, length)))).rejects.toThrow('other.parquet cannot be read');
  });
});

test('rows with some keys have equal values, and pages of other columns are not read', async () => {
  const store = await openStore(folder);
  const keys = ['cell', 'axes', 'exact', 'low'] as const;
  const [some, all]: object[][] = [[], []];
  for await (const rows of store.parts(keys)) some?.push(...rows);
  for await (const { cell, axes, exact, low } of store.rows()) all?.push({ cell, axes, exact, low });
  expect(some).toEqual(all);
  expect(some?.length).toBeGreaterThan(0);
  const bytes = new Uint8Array(readFileSync(join(folder, TABLE)));
  const { row_groups: groups } = parquetMetadata(bytes.buffer);
  const seeds = groups[0]?.columns.find(({ meta_data: data }) => data?.path_in_schema.join() === 'seed')?.meta_data;
  bytes[Number(seeds?.data_page_offset)] = 0;
  const { columns } = store.sweep;
  await expect(readRows(fileOf(bytes), columns, CELLS)).rejects.toThrow('other.parquet cannot be read');
  expect(await readRows(fileOf(bytes), columns, CELLS, keys)).toEqual(some);
});

/** Encodes a page of the second version in Thrift: sizes, then values, nulls, rows, encoding, bytes of levels. */
function page(values: number, levels: readonly number[], data: readonly number[], encoding = 8): ArrayBuffer {
  const zigzag = (number: number): number[] => {
    const bytes: number[] = [];
    let rest = 2 * number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    return [...bytes, rest];
  };
  const field = (number: number): number[] => [0x15, ...zigzag(number)];
  const size = levels.length + data.length;
  const inner = [values, 0, values, encoding, levels.length, 0].flatMap(field);
  // Field 8 is five after field 3. The last field of the page says that it is not compressed.
  const head = [...field(3), ...field(size), ...field(size), 0x5c, ...inner, 0x12, 0x00, 0x00];
  return Uint8Array.from([...head, ...levels, ...data]).buffer;
}

describe('a page', () => {
  /** Eight times 1, and eight zeros of a dictionary. */
  const LEVELS = [16, 1];
  const DATA = [1, 16, 0];

  test('with valid runs is read', () => {
    expect(() => {
      readPages(page(8, LEVELS, DATA), 8, 'SNAPPY', { type: 'INT32' });
    }).not.toThrow();
  });

  test.each<[string, ArrayBuffer, string]>([
    ['a run of a billion levels', page(8, [0x80, 0x94, 0xeb, 0xdc, 0x07, 1], DATA), 'wrong length of runs'],
    ['a run of a billion values', page(8, LEVELS, [1, 0x80, 0x94, 0xeb, 0xdc, 0x07, 0]), 'wrong length of runs'],
    ['a billion groups of bits', page(8, LEVELS, [1, 0x81, 0x94, 0xeb, 0xdc, 0x07, 0]), 'wrong length of runs'],
    ['an unterminated number', page(8, LEVELS, [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), 'a number that is too long'],
    ['runs of nothing', page(8, LEVELS, [1, 0, 0, 0, 0]), 'wrong length of runs'],
    ['values of 99 bits', page(8, LEVELS, [99, 16, 0]), 'values of 99 bits'],
    ['no values at all', page(8, LEVELS, []), 'no values'],
    ['more values than rows', page(9, LEVELS, DATA), '9 values'],
    ['fewer values than rows', page(7, [14, 1], [1, 14, 0]), '7 values in 8 rows'],
    ['values of an encoding that we do not write', page(8, LEVELS, DATA, 5), 'encoding DELTA_BINARY_PACKED'],
  ])('with %s is rejected', (_what, bytes, due) => {
    expect(() => {
      readPages(bytes, 8, 'SNAPPY', { type: 'INT32' });
    }).toThrow(due);
  });
});

test('encodeTable rejects a table with too many rows', () => {
  const column = new TableColumn({ name: 'cell', type: 'int32' });
  column.push(1, 2 ** 22 + 1);
  expect(() => encodeTable([column], {})).toThrow('a part has 4194305 rows, but at most 4194304 can be read');
});
