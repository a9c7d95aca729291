/** The laws of the hits that each state of a side deals, and which states follow by the hits that it takes. */
import { Scenario } from '../core/kernel';
import { Head, Side } from '../generated/phased-dice';
import { Army, BY_TROOP } from './army';
import { NEXT, NOWHERE, OPENING, States } from './states';

/** Faces of a die, which is also the least value that always hits. */
const FACES: i32 = 6;

/** By phase, side and state, the law of its hits; bytes of the laws of a side in a phase. */
let laws: usize = 0;
let stretch0: usize = 0;
let stretch1: usize = 0;

/** By side, state and hits, the index of the state that follows. */
let follows0: usize = 0;
let follows1: usize = 0;

export class Hits {
  /** Bytes that it takes; they are zero when it writes. */
  static bytes(): u64 {
    const numbers0 = <u64>States.roster(0).states * <u64>(States.roster(1).hits + 1);
    const numbers1 = <u64>States.roster(1).states * <u64>(States.roster(0).hits + 1);
    stretch0 = <usize>(numbers0 << 3);
    stretch1 = <usize>(numbers1 << 3);
    const phases = <u64>Scenario.word(Head.phases);
    return phases * ((numbers0 + numbers1) << 3) + (Hits.indices(0) + Hits.indices(1)) * 4;
  }

  /** Indices of the states that follow. */
  @inline static indices(side: usize): u64 {
    return <u64>States.roster(side).states * <u64>(States.roster(side).hits + 1);
  }

  static write(at: usize): void {
    laws = at;
    follows0 = laws + <usize>Scenario.word(Head.phases) * (stretch0 + stretch1);
    follows1 = follows0 + <usize>(Hits.indices(0) << 2);
    for (let side: usize = 0; side < 2; side++) {
      Hits.writeFollows(side);
      Hits.writeLaws(side);
    }
  }

  /** The most hits that a side deals in a phase. */
  @inline static most(side: usize): i32 {
    return States.roster(1 - side).hits;
  }

  /** The law of the hits of a state in a phase. */
  @inline static law(side: usize, phase: i32, state: i32): usize {
    const phases = laws + <usize>phase * (stretch0 + stretch1) + (side ? stretch0 : 0);
    return phases + ((<usize>(state * (Hits.most(side) + 1))) << 3);
  }

  /** The states that follow a state, by hits. */
  @inline static follow(side: usize, state: i32): usize {
    return (side ? follows1 : follows0) + ((<usize>(state * (States.roster(side).hits + 1))) << 2);
  }

  static writeFollows(side: usize): void {
    const roster = States.roster(side);
    for (let state = 0; state < roster.states; state++) {
      const next = States.record(side, state) + NEXT;
      for (let at: usize = 0, end = (<usize>(roster.hits + 1)) << 2; at < end; at += 4) {
        const target = load<u32>(next + at);
        store<u32>(Hits.follow(side, state) + at, (target - <u32>roster.first) / <u32>roster.bytes);
      }
    }
  }

  static writeLaws(side: usize): void {
    const dice = BY_TROOP + ((<usize>Army.word(side, Side.troops)) << 2);
    for (let phase = 0, n = Scenario.word(Head.phases); phase < n; phase++) {
      for (let state = 0, m = States.roster(side).states; state < m; state++) {
        const law = Hits.law(side, phase, state);
        store<f64>(law, 1.0);
        if ((phase === 0) !== (state === OPENING) || state === NOWHERE) continue;
        let rolled = 0;
        for (let p = Army.firstPool(side, phase), end = Army.firstPool(side, phase + 1); p < end; p++) {
          const value = load<i32>(Army.table(side, Side.poolValues) + ((<usize>p) << 2));
          const pool = load<i32>(States.force(side, state) + dice + ((<usize>p) << 2));
          for (let die = 0; die < pool; die++) Hits.addDie(law, rolled++, min(value, FACES));
        }
        Hits.scale(law, rolled);
      }
    }
  }

  /** Adds a die to a law of so many: sequences of faces by hits, in doubles, which are integers up to twenty dice. */
  @inline static addDie(law: usize, dice: i32, value: i32): void {
    const hit = <f64>value;
    const miss = <f64>(FACES - value);
    for (let hits = dice + 1; hits > 0; hits--) {
      const at = law + ((<usize>hits) << 3);
      store<f64>(at, load<f64>(at) * miss + load<f64>(at - 8) * hit);
    }
    store<f64>(law, load<f64>(law) * miss);
  }

  /** Turns sequences of faces into probabilities. */
  static scale(law: usize, dice: i32): void {
    let all = 1.0;
    for (let die = 0; die < dice; die++) all *= <f64>FACES;
    for (let hits = 0; hits <= dice; hits++) {
      const at = law + ((<usize>hits) << 3);
      store<f64>(at, load<f64>(at) / all);
    }
  }

  /** Whether a pair can go through a round without a hit. */
  static stays(a: i32, d: i32): bool {
    for (let phase = 1, n = Scenario.word(Head.phases); phase < n; phase++) {
      if (load<f64>(Hits.law(0, phase, a)) * load<f64>(Hits.law(1, phase, d)) === 0.0) return false;
    }
    return true;
  }
}
