/** Moves the lanes that a mask names to the front of a vector, in their order; the lanes behind them are undefined. */

/** For each mask of four lanes of 32 bits, and of eight lanes of 16 bits: which byte goes where. */
const quads: usize = memory.data(16 * 16, 16);
const octets: usize = memory.data(256 * 16, 16);

export class Pack {
  /** Writes the tables; for `configure`. */
  static prepare(): void {
    Pack.fill(quads, 4);
    Pack.fill(octets, 8);
  }

  static fill(table: usize, lanes: i32): void {
    const bytes = 16 / lanes;
    for (let mask = 0; mask < 1 << lanes; mask++) {
      let to = table + ((<usize>mask) << 4);
      for (let lane = 0; lane < lanes; lane++) {
        if (!((mask >> lane) & 1)) continue;
        for (let byte = 0; byte < bytes; byte++) store<u8>(to++, lane * bytes + byte);
      }
    }
  }

  /** How to pack four lanes of 32 bits by the lowest four bits of `mask`. */
  @inline static quad(mask: i32): v128 {
    return v128.load(quads + ((<usize>(mask & 15)) << 4));
  }

  /** How to pack eight lanes of 16 bits; `mask` has eight bits. */
  @inline static octet(mask: i32): v128 {
    return v128.load(octets + ((<usize>mask) << 4));
  }
}
