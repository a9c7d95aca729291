/** Decisions about the army that a unit is converted from, and the actions that stand for armies. */
import { Side } from '../generated/cube-bag';
import { Extras, Offer } from '../rollout/scene';
import { Party } from './party';
import { Stages } from './stages';

export class Herds {
  /** The side from whose armies a unit is to be converted. */
  @inline static side(): usize {
    return 1 - Stages.side();
  }

  /** The action that stands for an army; the word is behind those of both sides' slots. */
  @inline static action(army: i32): i32 {
    return Extras.word(<usize>(Party.word(0, Side.slots) + Party.word(1, Side.slots))) + army - 1;
  }

  /** The army that an action stands for. */
  @inline static army(action: i32): i32 {
    return action - Herds.action(0);
  }

  static offer(): void {
    const side = Herds.side();
    for (let i = 0, n = Party.word(side, Side.preyCount); i < n; i++) {
      const army = Party.prey(side, i).army;
      if (Party.kinds(side, army) > 0) Offer.add(Herds.action(army));
    }
  }
}
