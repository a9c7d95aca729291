/** Lists of words in the scenario: their length, then their items. */
export class List {
  @inline static length(list: usize): i32 {
    return load<i32>(list);
  }

  @inline static at(list: usize, index: i32): i32 {
    return load<i32>(list + ((<usize>index) << 2), 4);
  }
}
