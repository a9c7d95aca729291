/**
 * Moves probability over the states of a battle, which src/engines/kernel/chain-solver.ts explores. A node gets its
 * transitions once, before mass is taken from it; the masses of nodes are columns. Nodes with mass are in the list of
 * their kind, in the order in which they received it, so that sums have the same order on all machines.
 */
import { aligned, reach } from '../core/memory';
import { Kind } from '../generated/exact';

/**
 * Bytes of a node: its mass and the mass that was taken; address and number of its transitions, kind, index in four
 * lists and in `taken`.
 */
const NODE_BYTES: usize = 48;

/** Bytes of a transition: its probability; its target. The probabilities of a node come first, then the targets. */
const TRANSITION_BYTES: usize = 12;

/** Capacity in nodes, and start of free memory. */
let capacity: usize = 0;
let free: usize = 0;

/** Columns, by node. */
let masses: usize = 0;
let firsts: usize = 0;
let counts: usize = 0;
export let kindsAddress: usize = 0;

/** The nodes that have mass, by kind, and how many they are. */
let lists: usize = 0;
const lengths: usize = memory.data(4 * 3, 8);

/** Nodes that have received mass, in order; not yet in the list of their kind. There is space for one more. */
let touched: usize = 0;

/** Nodes of the list that was taken last, and their mass. */
export let takenNodes: usize = 0;
export let takenMasses: usize = 0;

/** Address at which the host writes the transitions of the next node. */
export let transitionsAddress: usize = 0;

/** Mass below this is not moved on: a product with it would not be precise, and rounding could keep it up for ever. */
const LEAST: f64 = 2.2250738585072014e-308;

/** The sum of such mass. */
export let dropped: f64 = 0.0;

/** Transitions that mass was moved along, and how many these may be. */
let moves: f64 = 0.0;
let most: f64 = 0.0;

/** Forgets all nodes. */
export function clear(movesMost: f64): void {
  capacity = 0;
  free = aligned(__heap_base);
  moves = 0.0;
  dropped = 0.0;
  most = movesMost;
  memory.fill(lengths, 0, 12);
}

/**
 * Reserves memory for a total number of nodes, and for the transitions of the next one; false if memory cannot grow
 * enough.
 */
export function reserve(nodes: u32, transitions: u32): bool {
  if (nodes > capacity && !Columns.widen(max<usize>(nodes, capacity << 1))) return false;
  transitionsAddress = (free + 7) & ~7;
  return reach(<u64>transitionsAddress + transitions * TRANSITION_BYTES);
}

/** The transitions that the host has written are those of a node. */
export function link(node: u32, transitions: u32): void {
  store<u32>(firsts + (node << 2), <u32>transitionsAddress);
  store<u32>(counts + (node << 2), transitions);
  free = transitionsAddress + transitions * TRANSITION_BYTES;
}

/** Moves a mass of 1 along the transitions that the host has written; returns as `move` does. */
export function begin(transitions: u32): i32 {
  moves += transitions;
  if (moves > most) return -1;
  Lists.enter(Mass.spread(transitionsAddress, transitions, 1.0, touched));
  return Lists.length(Kind.within);
}

/** Takes the mass of all nodes of a kind; returns their number. */
export function take(kind: u32): u32 {
  const length = Lists.length(kind);
  const list = Lists.at(kind);
  for (let k: u32 = 0; k < length; k++) {
    const node = load<u32>(list + (k << 2));
    store<u32>(takenNodes + (k << 2), node);
    store<f64>(takenMasses + (k << 3), load<f64>(masses + (node << 3)));
    store<f64>(masses + (node << 3), 0.0);
  }
  Lists.shorten(kind, 0);
  return length;
}

/** Moves the mass of all nodes of a kind; returns the number of nodes within a round, or -1 if it exceeds the moves. */
export function move(kind: u32): i32 {
  const length = take(kind);
  let last = touched;
  for (let k: u32 = 0; k < length; k++) {
    const node = load<u32>(takenNodes + (k << 2));
    const transitions = load<u32>(counts + (node << 2));
    const mass = load<f64>(takenMasses + (k << 3));
    if (mass < LEAST) {
      dropped += mass;
      continue;
    }
    moves += transitions;
    if (moves > most) {
      Lists.enter(last);
      return -1;
    }
    last = Mass.spread(load<u32>(firsts + (node << 2)), transitions, mass, last);
  }
  Lists.enter(last);
  return Lists.length(Kind.within);
}

/** The mass between two rounds. */
export function open(): f64 {
  const length = Lists.length(Kind.resting);
  const list = Lists.at(Kind.resting);
  let sum = 0.0;
  for (let k: u32 = 0; k < length; k++) sum += load<f64>(masses + (load<u32>(list + (k << 2)) << 3));
  return sum;
}

/**
 * Returns true if a node that the mass between two rounds reaches can be left and reached again; all its successors
 * must be linked. Also true if memory is exhausted.
 */
export function returns(): bool {
  if (!Search.begin()) return true;
  const list = Lists.at(Kind.resting);
  for (let k: u32 = 0, length = Lists.length(Kind.resting); k < length; k++) {
    if (Search.from(load<u32>(list + (k << 2)))) return true;
  }
  return false;
}

/** States of a node in a depth-first search. */
const UNSEEN: u8 = 0;
const OPEN: u8 = 1;
const DONE: u8 = 2;

/** By node, its state; the path, with the node and the index of its next transition. */
let seen: usize = 0;
let path: usize = 0;

/** Depth-first search: a node that is reached again while it is on the path is on a cycle. */
class Search {
  static begin(): bool {
    seen = aligned(free);
    path = aligned(seen + capacity);
    if (!reach(<u64>path + ((<u64>capacity) << 3))) return false;
    memory.fill(seen, UNSEEN, capacity);
    return true;
  }

  /** Returns true if a cycle is reachable from a node. */
  static from(start: u32): bool {
    if (load<u8>(seen + start) !== UNSEEN) return false;
    let top = Search.enter(path, start);
    while (top > path) {
      const node = load<u32>(top - 8);
      const next = load<u32>(top - 4);
      const transitions = Search.transitions(node);
      if (next === transitions) {
        store<u8>(seen + node, DONE);
        top -= 8;
        continue;
      }
      store<u32>(top - 4, next + 1);
      const target = load<u32>(load<u32>(firsts + (node << 2)) + (transitions << 3) + (next << 2));
      const known = load<u8>(seen + target);
      if (known === OPEN) return true;
      if (known === UNSEEN) top = Search.enter(top, target);
    }
    return false;
  }

  /** Puts a node on the path; returns where it ends. */
  static enter(top: usize, node: u32): usize {
    store<u8>(seen + node, OPEN);
    store<u32>(top, node);
    store<u32>(top, 0, 4);
    return top + 8;
  }

  /** A battle that is over leads nowhere. */
  static transitions(node: u32): u32 {
    return load<u32>(kindsAddress + (node << 2)) === Kind.over ? 0 : load<u32>(counts + (node << 2));
  }
}

class Mass {
  /**
   * Moves mass along the transitions at `first`. Nodes that have had none are written at `last`; returns where they
   * end.
   */
  @inline static spread(first: usize, transitions: u32, mass: f64, last: usize): usize {
    const column = masses;
    const end = first + (transitions << 3);
    let untouched = last;
    let target = end;
    for (let probability = first; probability < end; probability += 8, target += 4) {
      const node = load<u32>(target);
      const at = column + (node << 3);
      const before = load<f64>(at);
      const after = before + mass * load<f64>(probability);
      store<f64>(at, after);
      // Without a branch: whether a node has had mass cannot be predicted.
      store<u32>(untouched, node);
      untouched += (<usize>(u32(before === 0.0) & u32(after > 0.0))) << 2;
    }
    return untouched;
  }
}

class Lists {
  @inline static length(kind: u32): u32 {
    return load<u32>(lengths + (kind << 2));
  }

  @inline static shorten(kind: u32, length: u32): void {
    store<u32>(lengths + (kind << 2), length);
  }

  @inline static at(kind: u32): usize {
    return lists + kind * (capacity << 2);
  }

  /** Notes the nodes that have got mass, which end at `last`. */
  static enter(last: usize): void {
    for (let at = touched; at < last; at += 4) {
      const node = load<u32>(at);
      const kind = load<u32>(kindsAddress + (node << 2));
      const length = Lists.length(kind);
      store<u32>(Lists.at(kind) + (length << 2), node);
      Lists.shorten(kind, length + 1);
    }
  }
}

class Columns {
  /** Moves the columns to a larger memory. */
  static widen(nodes: usize): bool {
    const before = capacity;
    const at = aligned(free);
    const end = at + nodes * NODE_BYTES + 8;
    if (!reach(end)) return false;
    const listsBefore = lists;
    masses = Columns.moved(masses, before << 3, at);
    memory.fill(masses + (before << 3), 0, (nodes - before) << 3);
    takenMasses = at + (nodes << 3);
    firsts = Columns.moved(firsts, before << 2, at + (nodes << 4));
    counts = Columns.moved(counts, before << 2, firsts + (nodes << 2));
    kindsAddress = Columns.moved(kindsAddress, before << 2, counts + (nodes << 2));
    takenNodes = kindsAddress + (nodes << 2);
    lists = takenNodes + (nodes << 2);
    for (let kind: u32 = 0; kind < 3; kind++)
      Columns.moved(listsBefore + kind * (before << 2), Lists.length(kind) << 2, lists + kind * (nodes << 2));
    touched = lists + 3 * (nodes << 2);
    capacity = nodes;
    free = end;
    return true;
  }

  static moved(from: usize, bytes: usize, to: usize): usize {
    memory.copy(to, from, bytes);
    return to;
  }
}
