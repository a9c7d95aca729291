/** The words of four battles at once; `Stream.word` of src/chance/stream.ts in lanes of 32 bits. */
export class Lanes {
  /** The words at `places`, each the sum of a counter and the low half of a key, under the high halves of the keys. */
  @inline static words(places: v128, high: v128): v128 {
    let x = i32x4.mul(v128.xor(places, i32x4.shr_u(places, 17)), i32x4.splat(0xed5ad4bb));
    x = i32x4.add(v128.xor(x, i32x4.shr_u(x, 11)), high);
    x = i32x4.mul(x, i32x4.splat(0xac4c1b51));
    x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 15)), i32x4.splat(0x31848bab));
    return v128.xor(x, i32x4.shr_u(x, 14));
  }
}
