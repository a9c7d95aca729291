/** Policies that kernels know, and what is played by them without the host. */
import { Stream } from '../core/stream';
import { values as battleValues, Tally } from '../core/tally';
import { CHOICES, Policy, Record, Status } from '../generated/environments';
import { Environments } from './environments';
import { acts, counts, maskRow, spareMask, spareRecord, stride, sums } from './fields';
import * as Game from './game';
import { Scene, variant } from './scene';
import { ending } from './turn';
import { View } from './view';

export class Policies {
  /** The action that the uniform policy takes among those of a mask, by the stream that is open. */
  @inline static alike(mask: usize, record: Record): i32 {
    return Policies.draw(mask, Stream.word(CHOICES + record.steps));
  }

  /** The scenario's number of what a policy does at the decision that is at hand. */
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
    // The bound holds only in a mask that a host has emptied.
    while (action < maskRow && left >= <i32>load<u8>(mask + action)) left -= <i32>load<u8>(mask + action++);
    return <i32>action;
  }

  /** What a policy does in an environment, as all scenarios number it; 0 where nobody is asked. */
  @inline static suggestion(policy: i32, e: i32, record: Record): i32 {
    if (record.status !== Status.open || View.isOver(record)) return 0;
    if (policy === Policy.uniform) {
      Stream.resume(record.keyLow, record.keyHigh);
      return Policies.alike(Environments.mask(e), record);
    }
    Environments.open(record);
    return Scene.common(Game.choose());
  }

  /** Writes what a policy does into the field of actions. */
  static suggest(policy: i32, e: i32): void {
    store<i32>(acts + ((<usize>e) << 2), Policies.suggestion(policy, e, Environments.record(e)));
  }

  /** Steps each environment by a policy, so many times or until so many of its episodes are over; returns all steps. */
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

  /** Plays a copy of a record's battle to its end, as battle `index` of the run with this key, and counts it. */
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
    Tally.bump(counts + ((<usize>ending) << 2));
    for (let m: usize = 0, n = <usize>variant.metrics; m < n; m++) {
      const sum = sums + (m << 3);
      store<f64>(sum, load<f64>(sum) + <f64>load<i32>(battleValues + (m << 2)));
    }
  }
}
