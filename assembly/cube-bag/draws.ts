/** Draws from the bag: allowed options, policies of the scenario, and the draws themselves. */
import { Bag } from '../core/bag';
import { Scenario } from '../core/kernel';
import { ExtraDraws, Head, Places, Purpose, Redraws, Side } from '../generated/cube-bag';
import { Party } from './side';

export class Draws {
  /** A check of a side; true if it passes. */
  static check(side: usize, complexity: i32, place: u32): bool {
    const cubes = min(complexity, Bag.size(Bag.inside()));
    if (cubes === 0) return false;
    Bag.look(cubes, place);
    const passed = Bag.of(Bag.hand(), 1 - side) === 0;
    if (passed) Party.force(side).experience += Bag.of(Bag.hand(), side);
    if (passed || Scenario.word(Head.discardFailed)) Bag.remove(Bag.inside());
    return passed;
  }

  /** Performs the check by which a side converts a unit of an army of the enemy, or of any. */
  @inline static converts(side: usize, tries: i32, army: i32): bool {
    return Draws.check(side, Party.complexity(1 - side, army), Places.at(Purpose.conversion, <u32>side, tries));
  }

  @inline static recovers(side: usize, tries: i32): bool {
    return Draws.check(side, Party.word(side, Side.recovery), Places.at(Purpose.recovery, <u32>side, tries));
  }

  /** True if cubes are drawn one by one. */
  @inline static byCube(): bool {
    return Scenario.word(Head.byCube) !== 0;
  }

  /** Cubes that the attacker may draw at most. */
  @inline static most(): i32 {
    return min(Party.word(0, Side.courage), Bag.size(Bag.inside()));
  }

  @inline static choice(): i32 {
    return min(Scenario.word(Head.draw), Bag.size(Bag.inside()));
  }

  @inline static draw(cubes: i32): void {
    if (cubes > 0) Bag.draw(cubes, Places.at(Purpose.draw, 0, 0));
  }

  /** Cubes that the defender may draw further at most; below 0 if the attacker has drawn more. */
  @inline static extraMost(): i32 {
    return min(Party.word(1, Side.courage) - Bag.size(Bag.drawn()), Bag.size(Bag.inside()));
  }

  @inline static extraChoice(): i32 {
    const drawn = Bag.drawn();
    const policy = Scenario.word(Head.extraDraw);
    if (policy === ExtraDraws.none || (policy === ExtraDraws.ifBehind && drawn.second >= drawn.first)) return 0;
    return Draws.extraMost();
  }

  @inline static extra(cubes: i32): void {
    if (cubes > 0) Bag.draw(cubes, Places.at(Purpose.draw, 1, 0));
  }

  /** True if a side may draw one cube more. */
  @inline static may(side: usize): bool {
    return Party.word(side, Side.courage) > Bag.size(Bag.drawn()) && Bag.size(Bag.inside()) > 0;
  }

  /** Returns true if a side that draws cube by cube continues by its policy. @param begun true if it has drawn */
  static goesOn(side: usize, begun: bool): bool {
    const drawn = Bag.drawn();
    const own = Bag.of(drawn, side);
    const enemy = Bag.of(drawn, 1 - side);
    if (side === 1 && Scenario.word(Head.extraDraw) === ExtraDraws.ifBehind) return begun || own < enemy;
    if (own >= Party.word(side, Side.untilOwn) || enemy >= Party.word(side, Side.untilEnemy)) return false;
    return Bag.size(drawn) < Party.word(side, Side.untilDrawn);
  }

  /** Draws one cube. */
  @inline static cube(side: usize): void {
    Bag.draw(1, Places.at(Purpose.draw, <u32>side, Bag.size(Bag.drawn())));
  }

  /** Draws cube by cube. */
  static cubes(side: usize): void {
    for (let begun = false; Draws.may(side) && Draws.goesOn(side, begun); begun = true) Draws.cube(side);
  }

  /** Both sides draw as the policies of the scenario have it. */
  static both(): void {
    if (Draws.byCube()) {
      Draws.cubes(0);
      Draws.cubes(1);
      return;
    }
    Draws.draw(Draws.choice());
    Draws.extra(Draws.extraChoice());
  }

  /** Cubes that a side may put back at most. */
  @inline static redrawMost(side: usize): i32 {
    const drawn = Bag.drawn();
    return min(Party.word(side, Side.redraw) >> 1, Bag.of(drawn, 1 - side) + drawn.third);
  }

  @inline static redrawChoice(side: usize): i32 {
    const drawn = Bag.drawn();
    const ifBehind = (Party.word(side, Side.redraw) & 1) === Redraws.ifBehind;
    return ifBehind && Bag.of(drawn, side) >= Bag.of(drawn, 1 - side) ? 0 : Draws.redrawMost(side);
  }

  @inline static redraw(side: usize, cubes: i32): void {
    if (cubes === 0) return;
    Bag.putBack(cubes, side);
    Bag.draw(cubes, Places.at(Purpose.redraw, <u32>side, 0));
  }
}
