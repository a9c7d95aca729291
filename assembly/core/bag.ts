/**
 * A bag of cubes of three colors and draws from it; `Bag.marked` is a port of src/core/chance/distribution-cache.ts,
 * operation by operation.
 */
import { Colours, CUBES_WORDS, Cubes } from '../generated/rules';
import { Branches, enumerating } from './branches';
import { Stream } from './stream';

/** Cubes in the bag, permanently drawn cubes, and cubes of the last draw. */
let cubes: usize = memory.data(4 * CUBES_WORDS);

export class Bag {
  /** Stores all cubes at `at` from now on. */
  @inline static bind(at: usize): void {
    cubes = at;
  }

  /** Samples the number of marked cubes among `count` drawn from `size` cubes of which `marked` are marked. */
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

  /** Samples it by the word at `place`, or by the present branch of an exact solution. */
  static among(size: i32, marked: i32, count: i32, place: u32): i32 {
    return enumerating ? Branches.marked(size, marked, count) : Bag.marked(size, marked, count, Stream.word(place));
  }

  @inline static inside(): Colours {
    return changetype<Colours>(cubes + (Cubes.inside << 2));
  }

  @inline static drawn(): Colours {
    return changetype<Colours>(cubes + (Cubes.drawn << 2));
  }

  @inline static hand(): Colours {
    return changetype<Colours>(cubes + (Cubes.hand << 2));
  }

  /** The cubes of a side's color. */
  @inline static of(some: Colours, side: usize): i32 {
    return side === 0 ? some.first : some.second;
  }

  @inline static size(some: Colours): i32 {
    return some.first + some.second + some.third;
  }

  /** Fills the bag; nothing is drawn yet. */
  @inline static fill(first: i32, second: i32, third: i32): void {
    Bag.clear(Bag.drawn());
    Bag.clear(Bag.hand());
    const inside = Bag.inside();
    inside.first = first;
    inside.second = second;
    inside.third = third;
  }

  /**
   * Draws `count` cubes, at most those in the bag, without removing them: they are in the hand and in the bag. Two
   * words at `place`.
   */
  static look(count: i32, place: u32): void {
    const inside = Bag.inside();
    const hand = Bag.hand();
    const size = Bag.size(inside);
    const first = Bag.among(size, inside.first, count, place);
    const second = Bag.among(size - inside.first, inside.second, count - first, place + 1);
    hand.first = first;
    hand.second = second;
    hand.third = count - first - second;
  }

  /** Adds the number of cubes in the hand. */
  @inline static add(to: Colours): void {
    const hand = Bag.hand();
    to.first += hand.first;
    to.second += hand.second;
    to.third += hand.third;
  }

  @inline static remove(from: Colours): void {
    const hand = Bag.hand();
    from.first -= hand.first;
    from.second -= hand.second;
    from.third -= hand.third;
  }

  /** Forgets the cubes of some. */
  @inline static clear(some: Colours): void {
    some.first = 0;
    some.second = 0;
    some.third = 0;
  }

  /** Draws `count` cubes for good. */
  static draw(count: i32, place: u32): void {
    Bag.look(count, place);
    Bag.remove(Bag.inside());
    Bag.add(Bag.drawn());
  }

  /** Puts `count` drawn cubes back: those of the side's enemy first, then neutral ones. */
  @inline static putBack(count: i32, side: usize): void {
    const hand = Bag.hand();
    const enemy = min(count, Bag.of(Bag.drawn(), 1 - side));
    hand.first = side === 0 ? 0 : enemy;
    hand.second = side === 0 ? enemy : 0;
    hand.third = count - enemy;
    Bag.remove(Bag.drawn());
    Bag.add(Bag.inside());
  }
}
