/** The words of four battles at once; `Stream.word` of src/chance/stream.ts in lanes of 32 bits. */

/** The multipliers of the hash, each in four lanes: in memory, since V8 keeps neither splats nor constants in registers. */
const multipliers: usize = memory.data<u32>(
  [
    0xed5ad4bb, 0xed5ad4bb, 0xed5ad4bb, 0xed5ad4bb, 0xac4c1b51, 0xac4c1b51, 0xac4c1b51, 0xac4c1b51, 0x31848bab,
    0x31848bab, 0x31848bab, 0x31848bab,
  ],
  16,
);

export class Lanes {
  /** The words at `places`, each the sum of a counter and the low half of a key, under the high halves of the keys. */
  @inline static words(places: v128, high: v128): v128 {
    let x = i32x4.mul(v128.xor(places, i32x4.shr_u(places, 17)), v128.load(multipliers));
    x = i32x4.add(v128.xor(x, i32x4.shr_u(x, 11)), high);
    x = i32x4.mul(x, v128.load(multipliers, 16));
    x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 15)), v128.load(multipliers, 32));
    return v128.xor(x, i32x4.shr_u(x, 14));
  }
}
