/**
 * The exact law over pairs of states: mass moves from pair to pair, phase by phase, until next to none is left. What
 * each side becomes in a phase is independent of what the other becomes, once the pair is given.
 */
import { Scenario, workspace } from '../core/kernel';
import { Law, SPECK } from '../core/law';
import { Answers } from '../generated/kernel';
import { Head, Metrics, Outcomes, Side } from '../generated/phased-dice';
import { AT_ONCE, DESTROYED, Ends, LAST, LEAVING, USUAL } from './batch';
import { Army, BY_TROOP } from './side';
import { ENDS, NEXT, NOWHERE, OPENING, States, UNHURT } from './states';

// The laws of the hits that each state of a side deals, and which states follow by the hits that it takes.

/** Faces of a die, which is also the least value that always hits. */
const FACES: i32 = 6;

/** By phase, side and state, the law of its hits; bytes of the laws of a side in a phase. */
let laws: usize = 0;
let stretch0: usize = 0;
let stretch1: usize = 0;

/** By side, state and hits, the index of the state that follows. */
let follows0: usize = 0;
let follows1: usize = 0;

class Hits {
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

// The law of pairs of states.

/** As many bytes as mass and laws may take. */
const ROOM_MAX: u64 = 1 << 26;

/** As many hits as a side can take in one phase, and one more. */
const HITS_MAX: usize = 256;

/** What a side becomes in a phase: states by index, and with which probabilities. */
const targets: usize = memory.data(2 * 4 * HITS_MAX);
const weights: usize = memory.data(2 * 8 * HITS_MAX, 16);

/** Mass by pair before and after a phase, and by side, state and end. */
let now: usize = 0;
let then: usize = 0;
let ended: usize = 0;

/** By pair, whether a round began with it; whether the last one has come to others; whether one of them can stay as it is. */
let met: usize = 0;
let grew: bool = false;
let circles: bool = false;

/** States of each side. */
let attackers: i32 = 0;
let defenders: i32 = 0;

/** Multiplications of mass so far, and looks at a pair. */
let spent: f64 = 0.0;

export class Descent {
  /** The law of what is tabulated; answers as `solve` does (core/law.ts). */
  static solve(moves: f64): i32 {
    attackers = States.roster(0).states;
    defenders = States.roster(1).states;
    if (!Law.room() || !Descent.room()) return Answers.other;
    const steps = attackers * (States.roster(0).hits + 1) + defenders * (States.roster(1).hits + 1);
    Law.size(attackers + defenders, steps);
    spent = 0.0;
    circles = false;
    const isOpened = (States.rolls(0, 0) | States.rolls(1, 0)) > 0;
    const first = isOpened ? OPENING : UNHURT;
    store<f64>(Descent.pair(now, first, first), 1.0);
    if (isOpened) Descent.fly();
    const limit = Scenario.word(Head.maxRounds);
    const after = Scenario.word(Head.retreatAfter);
    let open = 1.0;
    let round = 0;
    grew = true;
    while (Descent.goesOn(open, round, after, limit)) {
      for (let phase = 1, n = Scenario.word(Head.phases); phase < n; phase++) Descent.phase(phase);
      round++;
      open = Descent.leave(round, round === after ? LEAVING : round === limit ? LAST : USUAL);
      if (spent <= moves) continue;
      if (!Law.suffices(open)) return Law.close(open, Answers.beyond);
      break;
    }
    Descent.tell();
    return Law.close(open, Answers.solved);
  }

  /**
   * Whether a further round can change a digit: as long as new pairs are come to, so that all outcomes have come, or the
   * attacker is going to leave, or pairs do not return.
   */
  static goesOn(open: f64, round: i32, after: i32, limit: i32): bool {
    if (grew || !circles || round < after) return open > 0.0 && round < limit;
    return Law.goesOn(open, Law.came(DESTROYED), round, limit);
  }

  /** Moves all mass by the air phase. */
  static fly(): void {
    Descent.phase(0);
    Descent.leave(1, AT_ONCE);
  }

  /** Takes memory, and writes the laws of hits; false if there is none. */
  static room(): bool {
    const pairs = <u64>attackers * <u64>defenders;
    const sides = <u64>(attackers + defenders) * 8 * ENDS;
    const hits = Hits.bytes();
    const bytes = 17 * pairs + sides + hits;
    if (bytes > ROOM_MAX) return false;
    now = workspace(<usize>bytes);
    if (now === 0) return false;
    memory.fill(now, 0, <usize>bytes);
    then = now + <usize>(8 * pairs);
    ended = then + <usize>(8 * pairs);
    Hits.write(ended + <usize>sides);
    met = ended + <usize>(sides + hits);
    return true;
  }

  @inline static pair(mass: usize, a: i32, d: i32): usize {
    return mass + ((<usize>(a * defenders + d)) << 3);
  }

  /** Writes what a side becomes by the hits of a law; returns how many states. */
  static meet(side: usize, state: i32, law: usize): i32 {
    const next = Hits.follow(side, state);
    const toStates = targets + side * 4 * HITS_MAX;
    const toWeights = weights + side * 8 * HITS_MAX;
    let count = 0;
    let last: u32 = 0;
    for (let hits = 0, most = States.roster(side).hits; hits <= most; hits++) {
      const p = load<f64>(law + ((<usize>hits) << 3));
      if (p === 0.0) continue;
      const target = load<u32>(next + ((<usize>hits) << 2));
      if (count > 0 && target === last) {
        const at = toWeights + ((<usize>(count - 1)) << 3);
        store<f64>(at, load<f64>(at) + p);
        continue;
      }
      last = target;
      store<u32>(toStates + ((<usize>count) << 2), target);
      store<f64>(toWeights + ((<usize>count) << 3), p);
      count++;
    }
    return count;
  }

  /** Moves all mass by one phase. */
  static phase(phase: i32): void {
    memory.fill(then, 0, (<usize>(attackers * defenders)) << 3);
    spent += <f64>(attackers * defenders);
    for (let a = 0; a < attackers; a++) {
      const dealt = Hits.law(0, phase, a);
      for (let d = 0; d < defenders; d++) {
        const mass = load<f64>(Descent.pair(now, a, d));
        if (mass < SPECK) continue;
        const across = Descent.meet(0, a, Hits.law(1, phase, d));
        Descent.spread(mass, across, Descent.meet(1, d, dealt));
      }
    }
    const before = now;
    now = then;
    then = before;
  }

  /** Moves the mass of a pair to what both sides become. */
  @inline static spread(mass: f64, across: i32, along: i32): void {
    spent += <f64>(across * along);
    for (let i = 0; i < across; i++) {
      const share = mass * load<f64>(weights + ((<usize>i) << 3));
      const row = Descent.pair(then, load<i32>(targets + ((<usize>i) << 2)), 0);
      for (let j = 0; j < along; j++) {
        const at = row + ((<usize>load<u32>(targets + 4 * HITS_MAX + ((<usize>j) << 2))) << 3);
        store<f64>(at, load<f64>(at) + share * load<f64>(weights + 8 * HITS_MAX + ((<usize>j) << 3)));
      }
    }
  }

  /** Takes out the mass of battles that are over by a table; returns the mass of those that go on. */
  static leave(round: i32, table: usize): f64 {
    let open = 0.0;
    grew = false;
    for (let a = UNHURT; a < attackers; a++) {
      for (let d = UNHURT; d < defenders; d++) {
        const at = Descent.pair(now, a, d);
        const mass = load<f64>(at);
        if (mass === 0.0) continue;
        const own = States.record(0, a);
        const enemy = States.record(1, d);
        if (Ends.goesOn(own, enemy, table)) {
          open += mass;
          if (!load<u8>(met + <usize>(a * defenders + d))) Descent.meetPair(a, d);
        } else {
          Descent.end(a, d, <i32>Ends.of(own, enemy, table), round, mass);
          store<f64>(at, 0.0);
        }
      }
    }
    return open;
  }

  /** Notes a pair that was not met before. */
  static meetPair(a: i32, d: i32): void {
    store<u8>(met + <usize>(a * defenders + d), 1);
    grew = true;
    if (!circles) circles = Hits.stays(a, d);
  }

  /** Adds the mass of battles that end so. */
  static end(a: i32, d: i32, end: i32, round: i32, mass: f64): void {
    const outcome = end === DESTROYED ? Outcomes.defender : end;
    Law.outcome(outcome, mass);
    Law.value(Metrics.rounds, outcome, round, mass);
    for (let side: usize = 0; side < 2; side++) {
      const at = Descent.ended(side, side ? d : a, end);
      store<f64>(at, load<f64>(at) + mass);
    }
  }

  @inline static ended(side: usize, state: i32, end: i32): usize {
    return ended + ((<usize>((side ? attackers + state : state) * ENDS + end)) << 3);
  }

  /** Adds what was gathered by state and end to the metrics. */
  static tell(): void {
    for (let side: usize = 0; side < 2; side++) {
      for (let state = UNHURT, n = States.roster(side).states; state < n; state++) {
        for (let end = 0; end < ENDS; end++) {
          const mass = load<f64>(Descent.ended(side, state, end));
          if (mass !== 0.0) Descent.tellOf(side, States.force(side, state), end, mass);
        }
      }
    }
  }

  static tellOf(side: usize, force: usize, end: i32, mass: f64): void {
    const outcome = end === DESTROYED ? Outcomes.defender : end;
    const first = side === 0 ? Metrics.types : Metrics.types + Army.word(0, Side.troops);
    let units = 0;
    for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) {
      const left = end === DESTROYED && side === 0 ? 0 : load<i32>(force + ((<usize>t) << 2), BY_TROOP);
      units += left;
      Law.value(first + t, outcome, left, mass);
    }
    Law.value(Metrics.left + <i32>side, outcome, units, mass);
  }
}
