/** The words of four battles at once, one in each lane; twin of stream.ts. */
export class Lanes {
  /** The low halves of the keys of four battles. */
  @inline static low(a: v128, b: v128): v128 {
    return v128.shuffle<i32>(a, b, 0, 2, 4, 6);
  }

  /** The high halves. */
  @inline static high(a: v128, b: v128): v128 {
    return v128.shuffle<i32>(a, b, 1, 3, 5, 7);
  }

  /** In each lane the word `counter` of the stream whose key lies in `low` and `high`. */
  @inline static words(counter: v128, low: v128, high: v128): v128 {
    let x = i32x4.add(counter, low);
    x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 17)), i32x4.splat(0xed5ad4bb));
    x = i32x4.add(v128.xor(x, i32x4.shr_u(x, 11)), high);
    x = i32x4.mul(x, i32x4.splat(0xac4c1b51));
    x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 15)), i32x4.splat(0x31848bab));
    return v128.xor(x, i32x4.shr_u(x, 14));
  }
}
