/**
 * An automaton as assembly/engines/automaton.ts reads it. The cut points of a node's thresholds are found by table:
 * the top bits of the word choose a slot, and a slot holds one threshold at most; where more lie close together
 * another record looks at further bits of the same word. (Method of the cut points: H. C. Chen, Y. Asau 1974.)
 */
import type { Automaton, AutomatonNode, Next } from './compile.ts';

const WORD = 2 ** 32;

/** Bytes of a slot, and words of the record of an ending. */
const SLOT_BYTES = 16;
export const ENDING_WORDS = 8;

/** Slots of a record, as powers of 2, and the share of words for which another look at the same word is accepted. */
const BITS = { least: 1, most: 7 };
const SECOND_LOOKS = 1 / 64;

/** The share of battles that may be left when the lockstep ends. */
const LEFT_OVER = 1 / 128;

export interface AutomatonCode {
  /** Records; those of the endings come first, in their order. Addresses are bytes from the first record. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly start: number;
  /** Where the records of the endings are over. */
  readonly nodes: number;
  /** Looks after which nearly all battles have ended. */
  readonly depth: number;
}

/** Words first..first + 2^bits - 1 of a node, and between which of its thresholds they lie. */
interface Stretch {
  readonly node: AutomatonNode;
  readonly first: number;
  readonly bits: number;
}

/** How many thresholds are <= word. */
function wayOf({ thresholds }: AutomatonNode, word: number): number {
  let k = 0;
  while (k < thresholds.length && (thresholds[k] ?? 0) <= word) k++;
  return k;
}

/** The thresholds that divide a stretch. */
function within({ node, first, bits }: Stretch): number {
  return wayOf(node, first + 2 ** bits - 1) - wayOf(node, first);
}

/** A stretch in 2^bits equal ones. */
function cut({ node, first, bits }: Stretch, by: number): Stretch[] {
  return Array.from({ length: 2 ** by }, (_, k) => ({ node, first: first + k * 2 ** (bits - by), bits: bits - by }));
}

/** Into how many slots a stretch is best cut. */
function slotBits(stretch: Stretch): number {
  const most = Math.min(BITS.most, stretch.bits);
  for (let by = BITS.least; by < most; by++) {
    const crowded = cut(stretch, by).filter((part) => within(part) > 1).length;
    if (crowded * 2 ** (stretch.bits - by) <= SECOND_LOOKS * WORD) return by;
  }
  return most;
}

class Code {
  readonly words: number[] = [];
  /** For each record, in the order in which they were written, its share of each record that it leads to. */
  readonly #leads = new Map<number, [record: number, share: number][]>();

  ending(): number {
    const at = this.#here();
    this.words.push(0, 0, 0, 0, 0, at, at, 0);
    return at;
  }

  /** Writes the record of a stretch, those that it needs before it. */
  record(stretch: Stretch, target: (way: number) => number): number {
    const by = slotBits(stretch);
    const leads: [number, number][] = [];
    const slots = cut(stretch, by).map((part) => {
      const size = 2 ** part.bits;
      const way = wayOf(stretch.node, part.first);
      switch (within(part)) {
        case 0:
          leads.push([target(way), size]);
          return [0, target(way), target(way), 0];
        case 1: {
          const threshold = stretch.node.thresholds[way] ?? 0;
          leads.push([target(way), threshold - part.first], [target(way + 1), part.first + size - threshold]);
          return [threshold, target(way), target(way + 1), 0];
        }
        default: {
          const further = this.record(part, target);
          leads.push([further, size]);
          return [0, further, further, 0];
        }
      }
    });
    const at = this.#here();
    // The bits that choose the slot come to lie where a slot's number times its bytes has them.
    const rotation = (32 - stretch.bits + by + Math.log2(SLOT_BYTES)) % 32;
    this.words.push(stretch.node.place, rotation, (slots.length - 1) * SLOT_BYTES, 0, ...slots.flat());
    this.#leads.set(
      at,
      leads.map(([to, words]) => [to, words / 2 ** stretch.bits]),
    );
    return at;
  }

  /** Looks after which no more than LEFT_OVER of the battles go on. */
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

  #here(): number {
    return this.words.length * 4;
  }
}

/** Lays an automaton out. */
export function encodeAutomaton({ start, nodes, endings }: Automaton): AutomatonCode {
  const code = new Code();
  const ends = endings.map(() => code.ending());
  const first = code.words.length * 4;
  const records: number[] = [];
  const at = (next: Next): number => (next < 0 ? ends[-1 - next] : records[next]) ?? 0;
  for (const node of nodes) {
    records.push(code.record({ node, first: 0, bits: 32 }, (way) => at(node.next[way] ?? 0)));
  }
  const words = Uint32Array.from(code.words);
  return { words, start: at(start), nodes: first, depth: code.depth(at(start)) };
}
