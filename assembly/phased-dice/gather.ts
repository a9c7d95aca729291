/**
 * Gathers mass within a phase. The successor of an attacker depends on the hits of a defender, so the mass of all
 * successors of defenders is first summed by their volleys: for each attacker, or for two with the same hits, a sum for
 * all possible successors of the defenders with a volley. Then it is moved to all successors of the attacker, row by
 * row and two numbers at a time, for which sums are in spans in the order of a row.
 */

import { SPECK } from '../core/distribution';
import { workspace } from '../core/kernel';
import { Reach } from './reach';
import { Volley, Volleys } from './volleys';

/** An even number of consecutive numbers of a row: the bytes before them, and theirs. */
@unmanaged
class Span {
  before: u32;
  bytes: u32;
}

/** A defender in a phase. */
@unmanaged
class Defender {
  /** Its volley. */
  volley: Volley;
  /** By number of hits, the addresses of the sums that receive its mass. */
  goals: usize;
  /** Hits from which on more make no difference. */
  last: i32;
}

/** Maximum number of unused entries within a span. */
const GAP: i32 = 3;

/** By phase, the table of defenders. */
const tables: usize = memory.data(4 * 4);

/** By defender, its state during the layout of spans: 0, 1, or the address of its sum; and the spans. */
let marks: usize = 0;
let drafts: usize = 0;

/** Mass that was taken from the sums of a volley, and the bytes between those of two attackers. */
let taken: usize = 0;
let apart: usize = 0;

export class Gather {
  /** Allocates memory for the taken mass; false if there is none. */
  static prepare(): bool {
    apart = ((<usize>Reach.count(1)) << 3) + 32;
    taken = workspace(2 * apart);
    return taken !== 0;
  }

  /** Lays out spans and sums of a phase; false if there is no memory. */
  static layOut(phase: i32): bool {
    const defenders = <usize>Reach.count(1);
    const goals = 4 * <usize>(Reach.hits(1) + 1);
    const table = workspace(defenders * (offsetof<Defender>() + goals + 4 + offsetof<Span>()));
    if (table === 0) return false;
    store<usize>(tables + ((<usize>phase) << 2), table);
    drafts = table + defenders * (offsetof<Defender>() + goals);
    marks = drafts + defenders * offsetof<Span>();
    for (let d: usize = 0; d < defenders; d++) {
      const defender = Gather.defender(phase, <i32>d);
      defender.volley = Volleys.of(1, phase, <i32>d);
      defender.goals = table + defenders * offsetof<Defender>() + d * goals;
      defender.last = Reach.last(1, <i32>d);
    }
    let most = 0;
    for (let at = Volleys.first(0, phase); at !== 0; at = changetype<Volley>(at).next) {
      most = max(most, changetype<Volley>(at).most);
    }
    for (let at = Volleys.first(1, phase); at !== 0; at = changetype<Volley>(at).next) {
      if (!Gather.layOutOf(phase, changetype<Volley>(at), most)) return false;
    }
    return true;
  }

  @inline static defender(phase: i32, d: i32): Defender {
    return changetype<Defender>(load<usize>(tables + ((<usize>phase) << 2)) + <usize>d * offsetof<Defender>());
  }

  /** Lays out the sums of defenders with a volley that take at most a number of hits. */
  static layOutOf(phase: i32, volley: Volley, most: i32): bool {
    const defenders = Reach.count(1);
    memory.fill(marks, 0, (<usize>defenders) << 2);
    for (let d = 0; d < defenders; d++) if (Volleys.of(1, phase, d) === volley) Gather.mark(d, most);
    const spansBytes = Gather.draft() - drafts;
    let bytes: usize = 0;
    for (let at: usize = 0; at < spansBytes; at += offsetof<Span>()) bytes += changetype<Span>(drafts + at).bytes;
    volley.sums = workspace(2 * bytes + spansBytes);
    if (volley.sums === 0) return false;
    memory.fill(volley.sums, 0, 2 * bytes);
    volley.spans = volley.sums + 2 * bytes;
    volley.spansEnd = volley.spans + spansBytes;
    memory.copy(volley.spans, drafts, spansBytes);
    Gather.place(volley);
    for (let d = 0; d < defenders; d++) if (Volleys.of(1, phase, d) === volley) Gather.aim(phase, d, most);
    return true;
  }

  /** Marks the successors of a defender by at most a number of hits. */
  static mark(d: i32, most: i32): void {
    for (let hits = 0, last = min(most, Reach.last(1, d)); hits <= last; hits++) {
      store<u32>(marks + ((<usize>load<u32>(Reach.follow(1, d) + ((<usize>hits) << 2))) << 2), 1);
    }
  }

  /** Writes spans that take in all that is marked; returns their end. */
  static draft(): usize {
    let end = drafts;
    let past = -1;
    for (let d = 0, n = Reach.count(1); d < n; d++) {
      if (load<u32>(marks + ((<usize>d) << 2)) === 0) continue;
      if (past < 0 || d > past + GAP) {
        changetype<Span>(end).before = (<u32>d) << 3;
        end += offsetof<Span>();
      }
      const span = changetype<Span>(end - offsetof<Span>());
      span.bytes = ((((<u32>d) << 3) - span.before) & ~15) + 16;
      past = d;
    }
    return end;
  }

  /** Notes the address of each sum. */
  static place(volley: Volley): void {
    const end = (<usize>Reach.count(1)) << 3;
    let sum = volley.sums;
    for (let at = volley.spans; at < volley.spansEnd; at += offsetof<Span>()) {
      const span = changetype<Span>(at);
      for (let d = <usize>span.before, n = min(end, d + <usize>span.bytes); d < n; d += 8) {
        store<usize>(marks + (d >> 1), sum + 2 * (d - <usize>span.before));
      }
      sum += 2 * <usize>span.bytes;
    }
  }

  /** Writes where the mass of a defender goes. */
  static aim(phase: i32, d: i32, most: i32): void {
    for (let hits = 0, last = min(most, Reach.last(1, d)); hits <= last; hits++) {
      const at = (<usize>hits) << 2;
      const goal = load<usize>(marks + ((<usize>load<u32>(Reach.follow(1, d) + at)) << 2));
      store<usize>(Gather.defender(phase, d).goals + at, goal);
    }
  }

  /**
   * Adds the mass of a row, and of the next one if there are two, to the sums of all that defenders become by a volley.
   */
  static rows(phase: i32, row: usize, isTwo: bool, dealt: Volley): void {
    const least = dealt.least;
    const most = dealt.most;
    const law = Volleys.law(dealt);
    const tail = law + Volleys.bytes(0);
    const width = (<usize>Reach.count(1)) << 3;
    const next = isTwo ? width : 0;
    const speck1 = isTwo ? SPECK : f64.MAX_VALUE;
    let at = Gather.defender(phase, 0);
    for (let from = row, end = row + width; from < end; from += 8, at = Gather.next(at)) {
      const mass = load<f64>(from);
      const mass1 = load<f64>(from + next);
      const counts = mass >= SPECK;
      const counts1 = mass1 >= speck1;
      if (!(i32(counts) | i32(counts1))) continue;
      const both = f64x2(counts ? mass : 0.0, counts1 ? mass1 : 0.0);
      const first = min(least, at.last);
      const last = min(most, at.last);
      const ways = last - first + 1;
      const volley = at.volley;
      volley.ways += counts ? ways : 0;
      volley.ways1 += counts1 ? ways : 0;
      let goal = at.goals + ((<usize>first) << 2);
      const lastGoal = at.goals + ((<usize>last) << 2);
      for (let p = law + ((<usize>first) << 3); goal < lastGoal; goal += 4, p += 8) Gather.add(goal, both, p);
      Gather.add(goal, both, tail + ((<usize>last) << 3));
    }
  }

  @inline static next(defender: Defender): Defender {
    return changetype<Defender>(changetype<usize>(defender) + offsetof<Defender>());
  }

  /** Adds mass, times the probability at `p`. */
  @inline static add(goal: usize, mass: v128, p: usize): void {
    const at = load<usize>(goal);
    v128.store(at, f64x2.add(v128.load(at), f64x2.mul(mass, v128.load_splat<f64>(p))));
  }

  /** Takes the gathered mass of a volley from its sums, and resets them. */
  @inline static take(volley: Volley): void {
    let at = taken;
    for (let sum = volley.sums, end = volley.spans; sum < end; sum += 32, at += 16) {
      const two = v128.load(sum);
      const next = v128.load(sum, 16);
      v128.store(at, v128.shuffle<f64>(two, next, 0, 2));
      v128.store(at + apart, v128.shuffle<f64>(two, next, 1, 3));
      v128.store(sum, f64x2.splat(0.0));
      v128.store(sum, f64x2.splat(0.0), 16);
    }
    volley.ways = 0;
    volley.ways1 = 0;
  }

  /** Adds the taken mass to a row: of two attackers, times a probability each. */
  static spread(volley: Volley, p: f64, q: f64, row: usize): void {
    const weight = f64x2.splat(p);
    const weight1 = f64x2.splat(q);
    const beside = apart;
    let from = taken;
    for (let span = volley.spans, last = volley.spansEnd; span < last; span += offsetof<Span>()) {
      const end = from + <usize>changetype<Span>(span).bytes;
      for (let at = row + <usize>changetype<Span>(span).before; from < end; from += 16, at += 16) {
        const both = f64x2.add(f64x2.mul(v128.load(from), weight), f64x2.mul(v128.load(from + beside), weight1));
        v128.store(at, f64x2.add(v128.load(at), both));
      }
    }
  }
}
