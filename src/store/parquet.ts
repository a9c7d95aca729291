/** Tables as Parquet: columns of declared types, with a text beside them that says where they come from. */
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { RunError } from '../errors.ts';

/** How the values of a column are stored. */
export type ColumnType = 'int32' | 'int64' | 'uint64' | 'double' | 'text' | 'boolean';

export interface ParquetColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly data: readonly unknown[];
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

/** A table as the bytes of a Parquet file; equal tables give equal bytes. */
export function encodeTable(columns: readonly ParquetColumn[], about: unknown): Uint8Array {
  const elements = columns.map(({ name, type }) => ({ name, ...TYPES[type], repetition_type: 'OPTIONAL' as const }));
  const bytes = parquetWriteBuffer({
    // Bounds of a column help readers to skip parts; only those of cells ever do.
    columnData: columns.map(({ name, data }) => ({ name, data: data as unknown[], statistics: name === 'cell' })),
    schema: [{ name: 'warpool', num_children: columns.length }, ...elements],
    rowGroupSize: 1_000_000,
    kvMetadata: [{ key: KEY, value: JSON.stringify(about) }],
    createdBy: 'warpool',
  });
  return new Uint8Array(bytes);
}

async function opened(path: string): Promise<Awaited<ReturnType<typeof asyncBufferFromFile>>> {
  return await asyncBufferFromFile(path);
}

/** What reading gives, or an error that names the file. */
async function reading<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RunError(`${path} cannot be read: ${why}`, { cause: error });
  }
}

/**
 * All rows of a table; 64-bit integers are bigints.
 * @param columns those that are wanted; all unless given
 * @throws RunError if the file is missing or no Parquet
 */
export function readTable(path: string, columns?: readonly string[]): Promise<Record<string, unknown>[]> {
  return reading(path, async () => {
    const file = await opened(path);
    return await parquetReadObjects({ file, ...(columns && { columns: [...columns] }) });
  });
}

/**
 * The text that was written with a table.
 * @throws RunError if the file is missing or no Parquet, or another program wrote it
 */
export function readAbout(path: string): Promise<unknown> {
  return reading(path, async () => {
    const { key_value_metadata: texts = [] } = await parquetMetadataAsync(await opened(path));
    const text = texts.find(({ key }) => key === KEY)?.value;
    if (text === undefined) throw new Error('warpool did not write it');
    return JSON.parse(text) as unknown;
  });
}
