/** Words of four battles at once; `Stream.word` of src/core/chance/stream.ts in lanes of 32 bits. */

/**
 * Multipliers of the hash, each in four lanes: in memory, because V8 keeps neither splats nor constants in registers.
 */
const multipliers: usize = memory.data<u32>(
  [
    0xed5ad4bb, 0xed5ad4bb, 0xed5ad4bb, 0xed5ad4bb, 0xac4c1b51, 0xac4c1b51, 0xac4c1b51, 0xac4c1b51, 0x31848bab,
    0x31848bab, 0x31848bab, 0x31848bab,
  ],
  16,
);

export class Lanes {
  /** The low halves of the keys of four battles. */
  @inline static low(a: v128, b: v128): v128 {
    return v128.shuffle<i32>(a, b, 0, 2, 4, 6);
  }

  /** The high halves. */
  @inline static high(a: v128, b: v128): v128 {
    return v128.shuffle<i32>(a, b, 1, 3, 5, 7);
  }

  /**
   * Computes the words at `places`, each the sum of a counter and the low half of a key, with the high halves of the
   * keys.
   */
  @inline static words(places: v128, high: v128): v128 {
    let x = i32x4.mul(v128.xor(places, i32x4.shr_u(places, 17)), v128.load(multipliers));
    x = i32x4.add(v128.xor(x, i32x4.shr_u(x, 11)), high);
    x = i32x4.mul(x, v128.load(multipliers, 16));
    x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 15)), v128.load(multipliers, 32));
    return v128.xor(x, i32x4.shr_u(x, 14));
  }
}
