/**
 * Runs of equal values, and small numbers as Parquet writes them: eight equal ones and more as a run, others in packed
 * groups of eight. Numbers are divided as hyparquet-writer divides them.
 *
 * Apache Parquet format 2.11, "Run Length Encoding / Bit-Packing Hybrid".
 */

/** Destination of bytes: a writer of hyparquet-writer. */
interface ByteSink {
  appendVarInt(value: number): void;
  appendUint8(value: number): void;
}

/** Values in runs; successive values differ. */
export interface ValueRuns<V> {
  readonly values: V[];
  /** Number of repetitions of each run. */
  readonly lengths: number[];
}

export const createRuns = <V>(): ValueRuns<V> => ({ values: [], lengths: [] });

/** Equal to Object.is, which is slower. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b ? a !== 0 || Object.is(a, b) : Number.isNaN(a) && Number.isNaN(b);

/** Appends a value. @param length number of repetitions, at least one */
export function addRun<V>({ values, lengths }: ValueRuns<V>, value: V, length: number): void {
  const last = lengths.length - 1;
  if (last >= 0 && isSame(value, values[last])) lengths[last] = (lengths[last] ?? 0) + length;
  else {
    values.push(value);
    lengths.push(length);
  }
}

/** Yields the values at from..to-1. */
export function* cutRuns<V>(
  { values, lengths }: ValueRuns<V>,
  from: number,
  to: number,
): Generator<[value: V, length: number]> {
  let end = 0;
  for (const [run, value] of values.entries()) {
    const begin = end;
    end += lengths[run] ?? 0;
    const length = Math.min(end, to) - Math.max(begin, from);
    if (length > 0) yield [value, length];
  }
}

/** Writes groups of eight numbers of `width` bits, the first one lowest; the last group is padded with zeros. */
function writePacked(writer: ByteSink, numbers: readonly number[], width: number): void {
  if (numbers.length === 0) return;
  const groups = Math.ceil(numbers.length / 8);
  writer.appendVarInt((groups << 1) | 1);
  let [bits, used] = [0, 0];
  for (let n = 0; n < 8 * groups; n++) {
    bits |= (numbers[n] ?? 0) << used;
    for (used += width; used >= 8; used -= 8) {
      writer.appendUint8(bits & 0xff);
      bits >>>= 8;
    }
  }
}

function writeRun(writer: ByteSink, number: number, length: number, width: number): void {
  writer.appendVarInt(length << 1);
  for (let shift = 0; shift < width; shift += 8) writer.appendUint8((number >> shift) & 0xff);
}

/** Writes small numbers. @param width bits per number, at most 24 */
export function writeRuns(writer: ByteSink, { values, lengths }: ValueRuns<number>, width: number): void {
  let packed: number[] = [];
  let [run, left] = [0, lengths[0] ?? 0];
  while (run < values.length) {
    if (left >= 8) {
      writePacked(writer, packed, width);
      packed = [];
      writeRun(writer, values[run] ?? 0, left, width);
      left = lengths[++run] ?? 0;
      continue;
    }
    for (let free = 8; free > 0 && run < values.length; free--) {
      packed.push(values[run] ?? 0);
      if (--left === 0) left = lengths[++run] ?? 0;
    }
  }
  writePacked(writer, packed, width);
}
