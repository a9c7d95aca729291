/** Divides the thresholds of a node by the top bits of the word. */

import type { BattleEnd } from '../../rules/index.ts';
import type { Automaton } from './compile.ts';
import { ESCAPED, LOOK, ROUND_LOOK, SLOT } from './layout.ts';
import type { AutomatonNode, HalfWordNode, NodeRef, WordNode } from './node-graph.ts';
import { HALF_SLOTS } from './tracing-chance.ts';

const WORD = 2 ** 32;

/** Slots of a record, as powers of 2, and the share of words for which a second test of the same word is accepted. */
const BITS = { least: 1, most: 7 };
const SECOND_LOOKS = 1 / 64;

/** Words first..first + 2^bits - 1, and the ascending thresholds from..to - 1 that divide them. */
interface WordRange {
  readonly thresholds: readonly number[];
  readonly first: number;
  readonly bits: number;
  readonly from: number;
  readonly to: number;
}

/** Creates the range of all words. */
function createFullRange(thresholds: readonly number[]): WordRange {
  return { thresholds, first: 0, bits: 32, from: 0, to: thresholds.length };
}

/** Counts the intervals of `size` words that contain more than one threshold. */
function countCrowded({ thresholds, first, from, to }: WordRange, size: number): number {
  let count = 0;
  let slot = -1;
  let held = 0;
  for (let k = from; k < to; k++) {
    const at = (thresholds[k] ?? 0) - first;
    // A threshold at the first word of a range does not divide it.
    if (at % size === 0) continue;
    const next = Math.floor(at / size);
    held = next === slot ? held + 1 : 1;
    slot = next;
    if (held === 2) count++;
  }
  return count;
}

/** Chooses the number of slots of a range, as a power of 2. */
function chooseSlotBits(stretch: WordRange): number {
  const most = Math.min(BITS.most, stretch.bits);
  for (let by = BITS.least; by < most; by++) {
    const size = 2 ** (stretch.bits - by);
    if (countCrowded(stretch, size) * size <= SECOND_LOOKS * WORD) return by;
  }
  return most;
}

/** Splits a range into 2^by equal ones. */
function splitRange({ thresholds, first, bits, from, to }: WordRange, by: number): WordRange[] {
  const size = 2 ** (bits - by);
  let k = from;
  return Array.from({ length: 2 ** by }, (_, slot) => {
    const start = first + slot * size;
    while (k < to && (thresholds[k] ?? 0) <= start) k++;
    const least = k;
    while (k < to && (thresholds[k] ?? 0) < start + size) k++;
    return { thresholds, first: start, bits: bits - by, from: least, to: k };
  });
}

// Encodes an automaton for assembly/engines/automaton.ts and rounds.ts. Thresholds of a node are found by table: the
// top bits of the word select a slot, and a slot contains at most one threshold; if more are close together, another
// record tests further bits of the same word. (Method of cut points: H. C. Chen, Y. Asau 1974.)

/** Bytes of a slot. */
const SLOT_BYTES = 4 * SLOT.size;

/** Maximum share of unfinished battles at the end of the lockstep. */
const LEFT_OVER = 1 / 128;

/** Head of a record, without the fields that are derived from its slots. */
interface NodeRecordHead {
  readonly place: number;
  readonly rotation: number;
  /** Rotation for the threshold. */
  readonly turn: number;
  readonly moves: number;
  readonly stalemate: number;
  readonly counters: number;
}

const EMPTY_HEAD: NodeRecordHead = { place: 0, rotation: 0, turn: 0, moves: 0, stalemate: 0, counters: 0 };

export interface AutomatonCode {
  /** Records, starting with the final states, in order. Addresses are bytes from the first record. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly start: number;
  /** End of the records of final states. */
  readonly nodes: number;
  /** Number of tests after which nearly all battles have ended; 0 with rounds. */
  readonly depth: number;
  /** Addresses of the requested nodes. */
  readonly entries: readonly number[];
}

/** Table that selects the slot of a record: rotation of the word for the slot and for its threshold; the slots. */
interface SlotTable {
  readonly rotation: number;
  readonly turn: number;
  readonly slots: readonly SlotRecord[];
}

/** Threshold, and the records below it and on or above it. */
type SlotRecord = readonly [number, number, number];

/** Creates a slot without a threshold. */
const createConstantSlot = (to: number): SlotRecord => [0, to, to];

/** Creates the placeholder of the address of a node. */
const createPendingAddress = (node: number): number => -1 - node;

class AutomatonEncoder {
  readonly words: number[] = [];
  readonly #automaton: Automaton;
  readonly #ends: readonly number[];
  readonly #records: number[] = [];
  /** Equal nodes share one record. */
  readonly #known = new Map<AutomatonNode, number>();
  /** For each record, in the order of writing, its probability of each successor. */
  readonly #leads = new Map<number, [record: number, share: number][]>();

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#ends = automaton.finalStates.map((result) => this.#writeFinalState(result));
  }

  /** Starts the records of nodes. With rounds, the first one is for lanes without a battle and loops to itself. */
  nodes(): number {
    const addressOf = this.#getPosition();
    if (this.#automaton.rounds !== undefined) this.#write(EMPTY_HEAD, [createConstantSlot(addressOf)]);
    for (const node of this.#automaton.nodes) this.#records.push(this.#writeNode(node));
    return addressOf;
  }

  /** Returns the address of a successor. */
  at(next: NodeRef): number {
    return (next < 0 ? this.#ends[-1 - next] : this.#records[next]) ?? createPendingAddress(next);
  }

  /** Returns the words after all addresses are resolved. */
  finish(): Uint32Array<ArrayBuffer> {
    const words = new Uint32Array(this.words.length);
    for (const [k, word] of this.words.entries()) words[k] = word < 0 ? (this.#records[-1 - word] ?? 0) : word;
    return words;
  }

  /** Computes the number of tests after which at most LEFT_OVER of the battles continue. */
  depth(start: number): number {
    let open = new Map([[start, 1]]);
    for (let looks = 0; ; looks++) {
      let left = 0;
      const after = new Map<number, number>();
      for (const [record, mass] of open) {
        const leads = this.#leads.get(record);
        if (leads === undefined) continue;
        left += mass;
        for (const [to, share] of leads) after.set(to, (after.get(to) ?? 0) + mass * share);
      }
      if (left <= LEFT_OVER) return looks;
      open = after;
    }
  }

  /** Writes the record of a final state, which leads to itself. */
  #writeFinalState({ outcome }: BattleEnd): number {
    const at = this.#getPosition();
    return this.#write({ ...EMPTY_HEAD, counters: outcome }, [createConstantSlot(at)]);
  }

  #writeNode(node: AutomatonNode): number {
    let at = this.#known.get(node);
    if (at === undefined) {
      at = 'ways' in node ? this.#writeHalfWord(node) : this.#writeRange(node, createFullRange(node.thresholds));
      this.#known.set(node, at);
    }
    return at;
  }

  /** Writes the record of a range, after the records that it needs. */
  #writeRange(node: WordNode, stretch: WordRange): number {
    const by = chooseSlotBits(stretch);
    const leads: [number, number][] = [];
    const target = (way: number): number => this.at(node.next[way] ?? 0);
    const slots = splitRange(stretch, by).map((part): SlotRecord => {
      const { from, to, first, bits, thresholds } = part;
      const below = target(from);
      if (to === from) {
        leads.push([below, 2 ** bits]);
        return createConstantSlot(below);
      }
      if (to === from + 1) {
        const [threshold = 0, above] = [thresholds[from], target(to)];
        leads.push([below, threshold - first], [above, first + 2 ** bits - threshold]);
        return [threshold, below, above];
      }
      // The round has already begun at the second test of the word.
      const further = this.#writeRange({ ...node, roundStart: undefined }, part);
      leads.push([further, 2 ** bits]);
      return createConstantSlot(further);
    });
    // Rotates the bits of the slot to the position of its offset in bytes.
    const rotation = (32 - stretch.bits + by + Math.log2(SLOT_BYTES)) % 32;
    const at = this.#record(node, { rotation, turn: 0, slots });
    if (this.#automaton.rounds === undefined)
      this.#leads.set(
        at,
        leads.map(([to, words]) => [to, words / 2 ** stretch.bits]),
      );
    return at;
  }

  /** Writes the record of half a word, rotated so that its atom has the top bits, followed by the bits of its slot. */
  #writeHalfWord(node: HalfWordNode): number {
    const slots = Array.from({ length: HALF_SLOTS + 1 }, (_, bits): SlotRecord => {
      const slot = node.ways.slots.get(bits);
      if (slot === undefined) return createConstantSlot(0);
      return [slot.cut * 2 ** 24, this.at(node.next[slot.below] ?? 0), this.at(node.next[slot.above] ?? 0)];
    });
    const turn = node.half === 0 ? 16 : 0;
    return this.#record(node, { rotation: (turn + 16 + Math.log2(SLOT_BYTES)) % 32, turn, slots });
  }

  #record({ place, roundStart, escaped }: AutomatonNode, { rotation, turn, slots }: SlotTable): number {
    const rounds = this.#automaton.rounds;
    const moves = escaped === true ? ESCAPED : roundStart === undefined || rounds === undefined ? 0 : rounds.words;
    const stalemate = this.at(roundStart?.stalemate ?? -1);
    return this.#write({ place, rotation, turn, moves, stalemate, counters: 0 }, slots);
  }

  /** Writes a record; returns its address. */
  #write({ place, rotation, turn, moves, stalemate, counters }: NodeRecordHead, slots: readonly SlotRecord[]): number {
    const at = this.#getPosition();
    const mask = (slots.length - 1) * SLOT_BYTES;
    const head =
      this.#automaton.rounds === undefined
        ? LOOK.pack({ place, rotation, mask, battles: 0 })
        : ROUND_LOOK.pack({
            place,
            rotations: rotation | (turn << 8),
            mask,
            moves,
            stalemate,
            battles: 0,
            counters,
            unused: 0,
          });
    this.words.push(...head);
    for (const slot of slots) this.#writeSlot(slot);
    return at;
  }

  /** Writes a slot; faster than `SLOT.pack`, because a scenario can have a million. */
  #writeSlot(slot: SlotRecord): void {
    const at = this.words.length;
    this.words.push(0, 0, 0, 0);
    this.words[at + SLOT.at.threshold] = slot[0];
    this.words[at + SLOT.at.below] = slot[1];
    this.words[at + SLOT.at.above] = slot[2];
  }

  #getPosition(): number {
    return this.words.length * 4;
  }
}

/** Encodes an automaton. @param entries nodes whose addresses are requested */
export function encodeAutomaton(automaton: Automaton, entries: readonly NodeRef[] = []): AutomatonCode {
  const { start, rounds } = automaton;
  const code = new AutomatonEncoder(automaton);
  const nodes = code.nodes();
  const depth = rounds === undefined ? code.depth(code.at(start)) : 0;
  return { words: code.finish(), start: code.at(start), nodes, depth, entries: entries.map((next) => code.at(next)) };
}
