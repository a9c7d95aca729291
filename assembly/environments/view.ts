/** Output of the current battle: the observation and the mask of the deciding player. */
import { Flags, NONE, Record } from '../generated/environments';
import { Fields, maskRow, observationRow } from './fields';
import * as Game from './game';
import { Row } from './row';
import { ActionMask, Observation, variant } from './scene';

export class View {
  /** Returns true if no decision is pending. After a truncation the next decision still is. */
  @inline static isOver(record: Record): bool {
    return record.point < 0;
  }

  /** Writes the observation of the deciding player, or everything at the end. */
  static look(at: usize, record: Record): void {
    Observation.begin(at);
    if (variant.flags & Flags.lacksFeatures) Row.clear(at, observationRow);
    const over = View.isOver(record);
    Game.observe(over ? NONE : record.player);
    // Last, for features that are left out of observations have been written here.
    store<f32>(at, over ? 0 : <f32>record.player);
    for (let point = 0, n = Fields.of().points; point < n; point++) {
      store<f32>(at + ((<usize>point) << 2), <f32>i32(point === record.point), 4);
    }
  }

  /** Marks the legal actions of the pending decision; all actions when the battle is over. */
  static mark(at: usize, record: Record): void {
    if (View.isOver(record)) {
      Row.fill(at, 1, maskRow);
      return;
    }
    Row.clear(at, maskRow);
    ActionMask.begin(at);
    Game.offer();
  }
}
