/** Policies of kernels, and simulation by them without the host. */

import { values as battleValues, Counts } from '../core/counts';
import { Stream } from '../core/stream';
import { CHOICES, Policy, Record, Status } from '../generated/environments';
import { Environments } from './environments';
import { acts, counts, maskRow, spareMask, spareRecord, stride, sums } from './fields';
import * as Game from './game';
import { Scene, variant } from './scene';
import { ending } from './turn';
import { View } from './view';

export class Policies {
  /** Returns the action of the uniform policy among those of a mask, by the open stream. */
  @inline static alike(mask: usize, record: Record): i32 {
    return Policies.draw(mask, Stream.word(CHOICES + record.steps));
  }

  /** Returns the action of a policy at the current decision, in the numbers of the scenario. */
  static choice(policy: i32, record: Record): i32 {
    if (policy !== Policy.uniform) return Game.choose();
    View.mark(spareMask, record);
    return Scene.own(Policies.alike(spareMask, record));
  }

  /** The action that a word chooses among those of a mask. */
  static draw(mask: usize, word: u32): i32 {
    let legal: u64 = 0;
    for (let a: usize = 0; a < maskRow; a++) legal += <u64>load<u8>(mask + a);
    let left = <i32>((<u64>word * legal) >> 32);
    let action: usize = 0;
    // The bound is only reached for a mask that a host has cleared.
    while (action < maskRow && left >= <i32>load<u8>(mask + action)) left -= <i32>load<u8>(mask + action++);
    return <i32>action;
  }

  /** Returns the action of a policy in an environment, in the common numbers of all scenarios; 0 without a decision. */
  @inline static suggestion(policy: i32, e: i32, record: Record): i32 {
    if (record.status !== Status.open || View.isOver(record)) return 0;
    if (policy === Policy.uniform) {
      Stream.resume(record.keyLow, record.keyHigh);
      return Policies.alike(Environments.mask(e), record);
    }
    Environments.open(record);
    return Scene.common(Game.choose());
  }

  /** Writes the action of a policy into the buffer of actions. */
  static suggest(policy: i32, e: i32): void {
    store<i32>(acts + ((<usize>e) << 2), Policies.suggestion(policy, e, Environments.record(e)));
  }

  /** Steps each environment by a policy, up to a number of steps or of finished episodes; returns all steps. */
  static rollout(policy: i32, from: i32, to: i32, steps: u32, untilOver: u32): u32 {
    let taken: u32 = 0;
    for (let e = from; e < to; e++) {
      let over: u32 = 0;
      for (let s: u32 = 0; s < steps && over < untilOver && Environments.goesOn(e); s++) {
        Policies.suggest(policy, e);
        over += u32(Environments.step(e));
        taken++;
      }
    }
    return taken;
  }

  /**
   * Simulates a copy of the battle of a record to its end, as battle `index` of the run with this key, and counts it.
   */
  static playOut(record: Record, runKey: u64, index: u64, policy: i32): void {
    const copy = changetype<Record>(spareRecord);
    memory.copy(spareRecord, changetype<usize>(record), stride);
    const key = Stream.key(runKey, index);
    copy.keyLow = <u32>key;
    copy.keyHigh = <u32>(key >> 32);
    copy.status = Status.open;
    Environments.open(copy);
    for (;;) {
      copy.point = Game.advance();
      if (copy.point < 0) break;
      Game.take(Policies.choice(policy, copy));
      copy.steps++;
    }
    Game.measure();
    Counts.bump(counts + ((<usize>ending) << 2));
    for (let m: usize = 0, n = <usize>variant.metrics; m < n; m++) {
      const sum = sums + (m << 3);
      store<f64>(sum, load<f64>(sum) + <f64>load<i32>(battleValues + (m << 2)));
    }
  }
}
