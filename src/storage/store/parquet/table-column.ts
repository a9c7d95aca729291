/** Columns of a table during writing. */
import type { ColumnSchema, ColumnType } from '../../sweep/rows.ts';
import { addRun, createRuns, cutRuns, type ValueRuns } from './value-runs.ts';

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Column of a table: runs of values, or individual numbers. */
export class TableColumn implements ColumnSchema {
  readonly name: string;
  readonly type: ColumnType;
  /** Runs of 1 for rows with a value, and 0 for others. */
  readonly levels: ValueRuns<number> = createRuns();
  /** Non-null values; empty for a column of numbers. */
  readonly runs: ValueRuns<unknown> = createRuns();
  /** Number of rows, and of rows without a value. */
  length = 0;
  nulls = 0;
  #numbers: Float64Array | undefined;

  /** @param numbers buffer for the first rows of a column of numbers, which grows */
  constructor({ name, type }: ColumnSchema, numbers?: Float64Array) {
    this.name = name;
    this.type = type;
    this.#numbers = numbers;
  }

  /** @param values by row; null or undefined for missing ones */
  static of(head: ColumnSchema, values: Iterable<unknown>): TableColumn {
    const column = new TableColumn(head);
    for (const value of values) column.push(value);
    return column;
  }

  /** Numbers of rows with a value; undefined in a column of runs. */
  get numbers(): Float64Array | undefined {
    return this.#numbers?.subarray(0, this.length - this.nulls);
  }

  /** Adds rows with one value. @param value non-text values in a text column are written as JSON */
  push(value: unknown, rows = 1): void {
    const isNull = value === null || value === undefined;
    const numbers = this.#numbers;
    if (numbers !== undefined && !isNull) {
      const at = this.length - this.nulls;
      this.#reserve(numbers, at + rows).fill(value as number, at, at + rows);
    } else if (!isNull) addRun(this.runs, this.type === 'text' ? toText(value) : value, rows);
    this.#pushLevel(isNull ? 0 : 1, rows);
  }

  /** Adds rows without a value. */
  pushNulls(rows: number): void {
    this.#pushLevel(0, rows);
  }

  /** Adds a row for each number. */
  pushNumbers(numbers: readonly number[]): void {
    const at = this.length - this.nulls;
    if (this.#numbers !== undefined) this.#reserve(this.#numbers, at + numbers.length).set(numbers, at);
    this.#pushLevel(1, numbers.length);
  }

  /** Returns the buffer, with space for `size` numbers. */
  #reserve(numbers: Float64Array, size: number): Float64Array {
    if (size <= numbers.length) return numbers;
    const grown = new Float64Array(Math.max(size, 2 * numbers.length));
    grown.set(numbers);
    this.#numbers = grown;
    return grown;
  }

  #pushLevel(level: number, rows: number): void {
    addRun(this.levels, level, rows);
    this.length += rows;
    if (level === 0) this.nulls += rows;
  }

  /** Splits the rows, in order, into columns of at most `most` rows. */
  splitGroups(most: number): TableColumn[] {
    if (this.length <= most) return [this];
    const groups: TableColumn[] = [];
    let filled = 0;
    for (let from = 0; from < this.length; from += most) {
      const group = new TableColumn(this, this.#numbers?.subarray(filled));
      for (const [level, rows] of cutRuns(this.levels, from, from + most)) group.#pushLevel(level, rows);
      const rows = group.length - group.nulls;
      for (const [value, length] of cutRuns(this.runs, filled, filled + rows)) addRun(group.runs, value, length);
      filled += rows;
      groups.push(group);
    }
    return groups;
  }
}
