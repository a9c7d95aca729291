/**
 * Records of an automaton for assembly/engines/automaton.ts and rounds.ts: a head, then slots. References to records
 * are offsets from the first one in bytes; kernels convert them to addresses.
 */
import { record, u32 } from '../../rules/index.ts';

/** Successors of a word that selects this slot: one record below the threshold, another on or above it. */
export const SLOT = record({ threshold: u32, below: u32, above: u32, unused: u32 });

/** Head of a record without rounds. A final state has one slot, which leads to itself. */
export const LOOK = record({
  /** Position of the tested word. */
  place: u32,
  /** Left rotation of the word, so that `mask` yields the offset of its slot in bytes. */
  rotation: u32,
  mask: u32,
  /** Number of battles that have ended here. */
  battles: u32,
});

/** Head of a record with rounds. */
export const ROUND_LOOK = record({
  /** Position of the tested word in the round. */
  place: u32,
  /**
   * Words by which the round advances before the test; or `ESCAPED`. The kernel loads it together with the position.
   */
  moves: u32,
  mask: u32,
  /**
   * Left rotations of the word: for its slot, as above, and from bit 8 on for the threshold. The kernel loads them
   * together with the mask.
   */
  rotations: u32,
  /** Final state of a battle at the round limit. */
  stalemate: u32,
  /** Of a final state: number of battles, and the outcome, which kernels convert to the address of its counters. */
  battles: u32,
  counters: u32,
  unused: u32,
});

/** The test belongs to an escaped draw, whose position counts the words of previous rounds twice. */
export const ESCAPED = 0x8000_0000;
