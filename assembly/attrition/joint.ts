/**
 * Tables of joint laws of damages. Along each victim, the last one innermost, there are the probabilities of damages
 * from 0 to its reach, then those of so much or more: from its reach down to 1.
 */
import { Column } from '../core/column';

export class Joint {
  /** Numbers along a victim. */
  @inline static extent(reach: i32): i32 {
    return 2 * reach + 1;
  }

  /** Bytes of a table, as a number that cannot overflow. */
  static bytes(victims: u32, reaches: usize): f64 {
    let bytes = 8.0;
    for (let rest = victims; rest !== 0; rest &= rest - 1) bytes *= <f64>Joint.extent(Column.get(reaches, ctz(rest)));
    return bytes;
  }

  /** Bytes from one damage of a victim to the next. */
  static stride(victims: u32, reaches: usize, victim: i32): usize {
    const after = victims & ~((2 << victim) - 1);
    return <usize>Joint.bytes(after, reaches);
  }

  /** Makes a table of a law that has damages from 0 to the reach alone, without gaps. */
  static write(table: usize, victims: u32, reaches: usize, law: usize): void {
    const bytes = <usize>Joint.bytes(victims, reaches);
    memory.fill(table, 0, bytes);
    Joint.place(table, victims, reaches, law);
    for (let rest = victims; rest !== 0; rest &= rest - 1) {
      const victim = <i32>ctz(rest);
      Joint.sum(table, bytes, Joint.stride(victims, reaches, victim), Column.get(reaches, victim));
    }
  }

  /** Copies a law to where it belongs; returns where it ends. */
  static place(table: usize, victims: u32, reaches: usize, law: usize): usize {
    const victim = <i32>ctz(victims);
    const others = victims & (victims - 1);
    const stride = Joint.stride(victims, reaches, victim);
    let from = law;
    for (let damage = 0, reach = Column.get(reaches, victim); damage <= reach; damage++) {
      const to = table + <usize>damage * stride;
      if (others !== 0) from = Joint.place(to, others, reaches, from);
      else {
        store<f64>(to, load<f64>(from));
        from += 8;
      }
    }
    return from;
  }

  /** Sums along a victim, for all damages of the others. */
  static sum(table: usize, bytes: usize, stride: usize, reach: i32): void {
    const line = stride * <usize>Joint.extent(reach);
    for (let block = table; block < table + bytes; block += line) {
      for (let at = block; at < block + stride; at += 8) {
        let sum: f64 = 0.0;
        for (let damage = reach; damage > 0; damage--) {
          sum += load<f64>(at + <usize>damage * stride);
          store<f64>(at + <usize>(2 * reach + 1 - damage) * stride, sum);
        }
      }
    }
  }
}
