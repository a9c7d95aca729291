/** Columns of 32-bit integers, by the address at which they begin. */
export class Column {
  @inline static get(column: usize, index: i32): i32 {
    return load<i32>(column + ((<usize>index) << 2));
  }

  @inline static set(column: usize, index: i32, value: i32): void {
    store<i32>(column + ((<usize>index) << 2), value);
  }

  @inline static add(column: usize, index: i32, value: i32): void {
    Column.set(column, index, Column.get(column, index) + value);
  }
}
