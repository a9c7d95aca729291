/** Distributions of the hits of sides: one for all states that roll the same dice in a phase. */
import { workspace } from '../core/kernel';
import { Side } from '../generated/phased-dice';
import { Reach } from './reach';
import { Army, BY_TROOP } from './side';
import { OPENING, States } from './states';

/** Faces of a die, which is also the least value that always hits. */
const FACES: i32 = 6;

/** Followed by the probabilities of hits, from none on, then those of at least this number. */
@unmanaged
export class Volley {
  /** The next one of the same side and phase, or 0. */
  next: usize;
  least: i32;
  most: i32;
  /** For defenders: the sums of gathered mass, and their spans of a row (gather.ts). */
  sums: usize;
  spans: usize;
  spansEnd: usize;
  /** Number of contributions to the gathered mass, for each of two attackers. */
  ways: i32;
  ways1: i32;
}

/** By phase and side, the first volley, and the table of volleys by state. */
const firsts: usize = memory.data(4 * 4 * 2);
const tables: usize = memory.data(4 * 4 * 2);

export class Volleys {
  @inline static slot(table: usize, side: usize, phase: i32): usize {
    return table + ((((<usize>phase) << 1) + side) << 2);
  }

  /** The first volley of a side in a phase, or 0. */
  @inline static first(side: usize, phase: i32): usize {
    return load<usize>(Volleys.slot(firsts, side, phase));
  }

  /** Returns the volley of a state in a phase. */
  @inline static of(side: usize, phase: i32, i: i32): Volley {
    return changetype<Volley>(load<usize>(load<usize>(Volleys.slot(tables, side, phase)) + ((<usize>i) << 2)));
  }

  /** Returns the bytes of a distribution. */
  @inline static bytes(side: usize): usize {
    return (<usize>(Reach.hits(1 - side) + 1)) << 3;
  }

  /** Returns the address of the probability of no hit, followed by those of more. */
  @inline static law(volley: Volley): usize {
    return changetype<usize>(volley) + offsetof<Volley>();
  }

  /** Computes the volleys of the states of a side in a phase; false if memory is exhausted. */
  static write(side: usize, phase: i32): bool {
    const states = Reach.count(side);
    const table = workspace((<usize>states) << 2);
    store<usize>(Volleys.slot(firsts, side, phase), 0);
    store<usize>(Volleys.slot(tables, side, phase), table);
    if (table === 0) return false;
    let draft: usize = 0;
    for (let i = 0; i < states; i++) {
      if (draft === 0) draft = workspace(offsetof<Volley>() + 2 * Volleys.bytes(side));
      if (draft === 0) return false;
      Volleys.roll(side, phase, Reach.state(side, i), changetype<Volley>(draft));
      const volley = Volleys.intern(side, phase, draft);
      store<usize>(table + ((<usize>i) << 2), volley);
      if (volley === draft) draft = 0;
    }
    return true;
  }

  /** Returns the volley of a phase with the same distribution, or adds this one. */
  static intern(side: usize, phase: i32, draft: usize): usize {
    const law = Volleys.law(changetype<Volley>(draft));
    let known = Volleys.first(side, phase);
    while (known !== 0) {
      if (memory.compare(Volleys.law(changetype<Volley>(known)), law, Volleys.bytes(side)) === 0) return known;
      known = changetype<Volley>(known).next;
    }
    changetype<Volley>(draft).next = Volleys.first(side, phase);
    store<usize>(Volleys.slot(firsts, side, phase), draft);
    return draft;
  }

  /** Writes the volley of a state in a phase. */
  static roll(side: usize, phase: i32, state: i32, volley: Volley): void {
    const dice = BY_TROOP + ((<usize>Army.word(side, Side.troops)) << 2);
    const law = Volleys.law(volley);
    memory.fill(law, 0, 2 * Volleys.bytes(side));
    store<f64>(law, 1.0);
    volley.least = 0;
    volley.most = 0;
    volley.ways = 0;
    volley.ways1 = 0;
    const isRolled = (phase === 0) === (state === OPENING);
    for (let p = Army.firstPool(side, phase), end = Army.firstPool(side, phase + 1); isRolled && p < end; p++) {
      const value = load<i32>(Army.table(side, Side.poolValues) + ((<usize>p) << 2));
      const pool = load<i32>(States.force(side, state) + dice + ((<usize>p) << 2));
      for (let die = 0; die < pool; die++) Volleys.addDie(law, volley.most++, min(value, FACES));
      if (value >= FACES) volley.least += pool;
    }
    Volleys.scale(law, law + Volleys.bytes(side), volley.most);
  }

  /** Adds a die to a distribution: sequences of faces by hits, in doubles, which are integers up to twenty dice. */
  @inline static addDie(law: usize, dice: i32, value: i32): void {
    const hit = <f64>value;
    const miss = <f64>(FACES - value);
    for (let hits = dice + 1; hits > 0; hits--) {
      const at = law + ((<usize>hits) << 3);
      store<f64>(at, load<f64>(at) * miss + load<f64>(at - 8) * hit);
    }
    store<f64>(law, load<f64>(law) * miss);
  }

  /** Converts sequences of faces to probabilities, and writes those of at least a number of hits. */
  static scale(law: usize, tail: usize, dice: i32): void {
    let all = 1.0;
    for (let die = 0; die < dice; die++) all *= <f64>FACES;
    let more = 0.0;
    for (let hits = (<usize>dice) << 3; <isize>hits >= 0; hits -= 8) {
      const p = load<f64>(law + hits) / all;
      more += p;
      store<f64>(law + hits, p);
      store<f64>(tail + hits, more);
    }
  }
}

/** Distinguished numbers of hits of a state that takes a volley: from the first to the last, which includes more. */
export class Taken {
  @inline static from(volley: Volley, last: i32): i32 {
    return min(volley.least, last);
  }

  @inline static to(volley: Volley, last: i32): i32 {
    return min(volley.most, last);
  }

  @inline static ways(volley: Volley, last: i32): i32 {
    return Taken.to(volley, last) - Taken.from(volley, last) + 1;
  }

  /** Returns the probability of a number of hits, 0 if it is not distinguished. */
  @inline static weight(volley: Volley, side: usize, hits: i32, last: i32): f64 {
    const to = Taken.to(volley, last);
    if (hits > to || Taken.from(volley, last) > hits) return 0.0;
    const law = Volleys.law(volley) + ((<usize>hits) << 3);
    return load<f64>(hits < to ? law : law + Volleys.bytes(side));
  }
}
