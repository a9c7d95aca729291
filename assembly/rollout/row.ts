/** Short rows: what memory.fill and memory.copy do with some bytes takes a call out of the kernel each time. */
export class Row {
  @inline static clear(at: usize, bytes: usize): void {
    let i: usize = 0;
    for (; i + 16 <= bytes; i += 16) v128.store(at + i, i64x2.splat(0));
    for (; i < bytes; i++) store<u8>(at + i, 0);
  }

  /** The number of bytes is a multiple of 4. */
  @inline static copy(to: usize, from: usize, bytes: usize): void {
    let i: usize = 0;
    for (; i + 16 <= bytes; i += 16) v128.store(to + i, v128.load(from + i));
    for (; i < bytes; i += 4) store<u32>(to + i, load<u32>(from + i));
  }
}
