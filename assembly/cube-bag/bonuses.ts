/** Decisions about the bonuses of armies, before the bag is filled; twin of src/rules/cube-bag/model.ts. */
import { Bag } from '../core/bag';
import {
  BONUS_WORDS,
  Bonus,
  BUILDING_WORDS,
  CHOICE_WORDS,
  Choice,
  Pending,
  PREPARED_WORDS,
  Prepared,
  READY,
  Side,
} from '../generated/cube-bag';
import { Extras, Offer } from '../rollout/scene';
import { ANY, Party } from './party';
import { course } from './stages';

export class Bonuses {
  /** Where the words of bonuses begin: behind those of slots, armies and structures. */
  static from(): usize {
    const buildings = <usize>(Party.word(0, Side.slots) + Party.word(1, Side.slots) + 1);
    return buildings + 1 + <usize>Extras.word(buildings) * BUILDING_WORDS;
  }

  /** Where the choice begins that is due; of a state that was written by hand the last at most. */
  static due(): usize {
    let at = Bonuses.from() + PREPARED_WORDS;
    const last = Extras.word(Bonuses.from() + Prepared.choices) - 1;
    for (let i = 0, n = min(course.tries, last); i < n; i++) at = Bonuses.option(at, Extras.word(at + Choice.options));
    return at;
  }

  /** Where an option of a choice begins. */
  @inline static option(choice: usize, index: i32): usize {
    return choice + CHOICE_WORDS + <usize>index * BONUS_WORDS;
  }

  /** The side whose army counts a bonus. */
  @inline static side(): usize {
    return <usize>Extras.word(Bonuses.due() + Choice.side);
  }

  /** Puts in what does not depend on bonuses, if there is one to choose. */
  static begin(): void {
    const from = Bonuses.from();
    if (Extras.word(from + Prepared.choices) === 0) return;
    const attacker = Extras.word(from + Prepared.attacker);
    const defender = Extras.word(from + Prepared.defender);
    Bag.fill(attacker, defender, Extras.word(from + Prepared.neutral));
    course.stage = READY;
    course.pending = Pending.bonus;
    course.army = Extras.word(Bonuses.due() + Choice.army);
  }

  static offer(): void {
    const choice = Bonuses.due();
    for (let i = 0, n = Extras.word(choice + Choice.options); i < n; i++) {
      Offer.add(Extras.word(Bonuses.option(choice, i) + Bonus.action));
    }
  }

  /** The action that the scenario's policy takes. */
  static action(): i32 {
    const choice = Bonuses.due();
    return Extras.word(Bonuses.option(choice, Extras.word(choice + Choice.policy)) + Bonus.action);
  }

  static take(action: i32): void {
    const choice = Bonuses.due();
    let index = 0;
    while (Extras.word(Bonuses.option(choice, index) + Bonus.action) !== action) index++;
    const option = Bonuses.option(choice, index);
    const inside = Bag.inside();
    if (Extras.word(choice + Choice.side) === 0) inside.first += Extras.word(option + Bonus.own);
    else inside.second += Extras.word(option + Bonus.own);
    inside.third += Extras.word(option + Bonus.neutral);
    course.tries++;
    if (course.tries < Extras.word(Bonuses.from() + Prepared.choices)) {
      course.army = Extras.word(Bonuses.due() + Choice.army);
    } else Bonuses.end();
  }

  /** Discards what both sides must; the first stage is due. */
  static end(): void {
    const inside = Bag.inside();
    const gone = min(Extras.word(Bonuses.from() + Prepared.fabian), min(inside.first, inside.second));
    inside.first -= gone;
    inside.second -= gone;
    course.stage = 0;
    course.tries = 0;
    course.pending = Pending.nothing;
    course.army = ANY;
  }
}
