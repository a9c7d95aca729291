/** Short rows: for a few bytes memory.fill and memory.copy would cost a call out of the kernel each time. */
export class Row {
  @inline static clear(at: usize, bytes: usize): void {
    Row.fill(at, 0, bytes);
  }

  @inline static fill(at: usize, byte: u8, bytes: usize): void {
    let i: usize = 0;
    for (; i + 16 <= bytes; i += 16) v128.store(at + i, i8x16.splat(byte));
    for (; i < bytes; i++) store<u8>(at + i, byte);
  }

  @inline static copy(to: usize, from: usize, bytes: usize): void {
    let i: usize = 0;
    for (; i + 16 <= bytes; i += 16) v128.store(to + i, v128.load(from + i));
    for (; i + 4 <= bytes; i += 4) store<u32>(to + i, load<u32>(from + i));
    for (; i < bytes; i++) store<u8>(to + i, load<u8>(from + i));
  }
}
