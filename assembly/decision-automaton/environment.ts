/**
 * Compiled scenarios decision by decision: between two decisions a battle follows the records of an automaton, and
 * decisions, observations and results are rows of tables. src/environments/decision-automaton/ compiles scenarios.
 */
import { Counts } from '../core/counts';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { ActionMask, Observation } from '../environments/scene';
import { Turn } from '../environments/turn';
import { ESCAPED, RoundLook, Slot } from '../generated/automaton';
import { DecisionAutomaton, Leaf, Option } from '../generated/decision-automaton';
import { NONE } from '../generated/environments';

/** Words of a battle: the index of its leaf, and the words of its rounds. */
@unmanaged
class Battle {
  leaf: u32;
  moved: u32;
}

let battle: Battle = changetype<Battle>(0);

/** Words of the rounds after the last call of `Table.follow`. */
let words: u32 = 0;

class Table {
  @inline static head(): DecisionAutomaton {
    return changetype<DecisionAutomaton>(Scenario.at(0));
  }

  /** The current leaf. The index of a forged state may exceed the table. */
  @inline static leaf(): Leaf {
    return Table.leafAt(min(battle.leaf, Table.head().leaves - 1));
  }

  @inline static leafAt(index: u32): Leaf {
    return changetype<Leaf>(Scenario.at(Table.head().leafTable) + <usize>index * offsetof<Leaf>());
  }

  @inline static option(index: u32): Option {
    return changetype<Option>(Scenario.at(Table.head().optionTable) + <usize>index * offsetof<Option>());
  }

  /** The offset of the record that a word leads to. */
  @inline static next(look: RoundLook, word: u32): u32 {
    const offset = <usize>(rotl(word, look.rotations) & look.mask);
    const slot = changetype<Slot>(changetype<usize>(look) + offsetof<RoundLook>() + offset);
    return select(slot.below, slot.above, rotl(word, look.rotations >> 8) < slot.threshold);
  }

  /** Follows records from the one at an offset to a leaf; returns its index, and leaves the words of rounds. */
  static follow(from: u32): u32 {
    const head = Table.head();
    const records = Scenario.at(head.records);
    const nodes = head.nodes;
    const furthest = head.roundWords * head.maxRounds;
    let moved = battle.moved;
    let at = from;
    while (at >= nodes) {
      const look = changetype<RoundLook>(records + <usize>at);
      let place = look.place + moved;
      if (look.moves === ESCAPED) place += moved;
      else {
        moved += look.moves;
        place += look.moves;
        if (moved > furthest) {
          at = look.stalemate;
          break;
        }
      }
      at = Table.next(look, look.mask === 0 ? 0 : Stream.word(place));
    }
    words = moved;
    return changetype<RoundLook>(records + <usize>at).counters;
  }

  /** Continues the battle from a record to a leaf. */
  static advance(from: u32): void {
    battle.leaf = Table.follow(from);
    battle.moved = words;
  }
}

export function bytes(): i32 {
  return offsetof<Battle>();
}

export function bind(at: usize): void {
  battle = changetype<Battle>(at);
}

export function start(): void {
  battle.moved = 0;
  Table.advance(Table.head().start);
}

export function advance(): i32 {
  const leaf = Table.leaf();
  return leaf.point < 0 ? Turn.end(leaf.result) : Turn.ask(leaf.point, leaf.player);
}

export function offer(): void {
  const leaf = Table.leaf();
  for (let o = leaf.first, end = o + leaf.options; o < end; o++) ActionMask.add(Table.option(o).action);
}

export function choose(): i32 {
  const leaf = Table.leaf();
  return leaf.policy === 0 ? leaf.result : Table.leafAt(Table.follow(leaf.policy)).result;
}

export function take(action: i32): void {
  const leaf = Table.leaf();
  let o = leaf.first;
  for (let end = o + leaf.options - 1; o < end && Table.option(o).action !== action; ) o++;
  Table.advance(Table.option(o).target);
}

export function observe(player: i32): void {
  const leaf = Table.leaf();
  Observation.copy(Scenario.at(Table.head().rowTable), player === NONE ? leaf.openRow : leaf.row);
}

export function measure(): void {
  const head = Table.head();
  const from = Scenario.at(head.metricTable) + ((<usize>Table.leaf().first) << 2);
  for (let m = 0; m < head.metrics; m++) Counts.set(m, load<i32>(from + ((<usize>m) << 2)));
  if (head.roundWords > 0) Counts.set(head.roundsMetric, min(battle.moved / head.roundWords, head.maxRounds));
}
