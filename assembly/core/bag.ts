/** Cubes of three colours and draws from them; `Bag.marked` is the twin of src/chance/bag.ts, operation by operation. */
import { Stream } from './stream';

/** How many cubes of each colour. */
@unmanaged
export class Cubes {
  first: i32;
  second: i32;
  third: i32;
}

/** Bytes of `Cubes`, to place them in memory. */
export const CUBES_BYTES: i32 = 12;

export class Bag {
  /** How many marked cubes are among `count` drawn from `size` cubes of which `marked` are marked. */
  static marked(size: i32, marked: i32, count: i32, word: u32): i32 {
    const others = size - marked;
    const exhausted = count > others;
    const most = min(count, marked);
    let drawn = exhausted ? count - others : 0;
    if (drawn === most) return drawn;
    const a = exhausted ? size - count : count;
    const b = exhausted ? others : marked;
    const top = size - max(a, b);
    const factors = min(a, b);
    let share: f64 = 4294967296.0;
    for (let i = 0; i < factors; i++) share = (share * <f64>(top - i)) / <f64>(size - i);
    let below = share;
    const above = <f64>word + 1.0;
    while (drawn < most && below < above) {
      share = (share * <f64>((marked - drawn) * (count - drawn))) / <f64>((drawn + 1) * (others - count + drawn + 1));
      below += share;
      drawn++;
    }
    return drawn;
  }

  @inline static size(bag: Cubes): i32 {
    return bag.first + bag.second + bag.third;
  }

  /** Draws `count` cubes, no more than the bag holds, into `drawn`; two words at `place`. The bag stays as it is. */
  static draw(bag: Cubes, count: i32, place: u32, drawn: Cubes): void {
    const size = Bag.size(bag);
    const first = Bag.marked(size, bag.first, count, Stream.word(place));
    const second = Bag.marked(size - bag.first, bag.second, count - first, Stream.word(place + 1));
    drawn.first = first;
    drawn.second = second;
    drawn.third = count - first - second;
  }

  @inline static add(to: Cubes, cubes: Cubes): void {
    to.first += cubes.first;
    to.second += cubes.second;
    to.third += cubes.third;
  }

  @inline static remove(from: Cubes, cubes: Cubes): void {
    from.first -= cubes.first;
    from.second -= cubes.second;
    from.third -= cubes.third;
  }
}
