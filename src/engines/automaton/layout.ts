/**
 * Records of an automaton, as assembly/engines/automaton.ts and rounds.ts follow them: a head, then slots. Records that
 * others lead to are given by their distance from the first one in bytes; kernels make addresses of these.
 */
import { record, u32 } from '../../rules/index.ts';

/** What a word that chooses this slot leads to: a record below the threshold, another on or above it. */
export const SLOT = record({ threshold: u32, below: u32, above: u32, unused: u32 });

/** The head of a record where there are no rounds. An ending has one slot, which leads to itself. */
export const LOOK = record({
  /** Of the word that is looked at. */
  place: u32,
  /** By how much the word is rotated to the left, so that `mask` leaves the distance of its slot from the first in bytes. */
  rotation: u32,
  mask: u32,
  /** Battles that have ended here. */
  battles: u32,
});

/** The head of a record where there are rounds. */
export const ROUND_LOOK = record({
  /** Of the word that is looked at, from the first one of the round. */
  place: u32,
  /** Words by which the round moves on before the look; or `ESCAPED`. The kernel loads it together with the place. */
  moves: u32,
  mask: u32,
  /**
   * By how much the word is rotated to the left: for its slot, as above, and from bit 8 on for the threshold. The kernel
   * loads it together with the mask.
   */
  rotations: u32,
  /** The ending of a battle that has no round left. */
  stalemate: u32,
  /** Of an ending: battles that have ended here, and the outcome, of which kernels make the address of its counters. */
  battles: u32,
  counters: u32,
  unused: u32,
});

/** The look is that of an escaped draw, whose place counts the words of the rounds before twice. */
export const ESCAPED = 0x8000_0000;
