/** Words of a battle; port of src/core/chance/stream.ts, which has the sources of the constants. */

let low: u32 = 0;
let high: u32 = 0;

export class Stream {
  @inline static mix(value: u64): u64 {
    let z = value;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /** The key of battle `index` of the run with this key. */
  @inline static key(runKey: u64, index: u64): u64 {
    return Stream.mix(runKey + (index + 1) * 0x9e3779b97f4a7c15);
  }

  /** The index of the battle with this key: `key` backwards. */
  @inline static index(runKey: u64, key: u64): u64 {
    let z = (key ^ (key >> 31) ^ (key >> 62)) * 0x319642b2d24d8ec3;
    z = (z ^ (z >> 27) ^ (z >> 54)) * 0x96de1b173f119089;
    return ((z ^ (z >> 30) ^ (z >> 60)) - runKey) * 0xf1de83e19937733d - 1;
  }

  /** Opens the stream of battle `index` of the run with this key. */
  @inline static open(runKey: u64, index: u64): void {
    const key = Stream.key(runKey, index);
    Stream.resume(<u32>key, <u32>(key >> 32));
  }

  /** Opens the stream with the key of these halves. */
  @inline static resume(keyLow: u32, keyHigh: u32): void {
    low = keyLow;
    high = keyHigh;
  }

  /** Word `counter` of the open stream. */
  @inline static word(counter: u32): u32 {
    let x = counter + low;
    x = (x ^ (x >> 17)) * 0xed5ad4bb;
    x = (x ^ (x >> 11)) + high;
    x *= 0xac4c1b51;
    x = (x ^ (x >> 15)) * 0x31848bab;
    return x ^ (x >> 14);
  }
}
