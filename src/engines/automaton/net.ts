/**
 * The nodes of an automaton. Nodes that go on alike are one (hash-consing from the end, as for decision diagrams:
 * R. E. Bryant 1986), and looks that make no difference are left out.
 */

import { ESCAPES } from '../../core/chance/sampled.ts';
import { isEqual, mixed } from '../../core/chance/taken.ts';
import { type BattleResult, keyOf } from '../../rules/battle.ts';
import type { HalfWays } from './halves.ts';
import type { DrawChoice, HalfLook, WordLook, WordPlace } from './traced.ts';

/** Where a node leads: to another node, or, below 0, to ending -1 - next. */
export type Next = number;

/** A round begins before the look of a node. */
export interface Beginning {
  /** Where a battle goes on that has no round left: to its stalemate. */
  readonly stalemate: Next;
}

interface Node {
  /** Place of the word that is looked at, relative to the round. */
  readonly place: number;
  readonly next: readonly Next[];
  readonly begins?: Beginning | undefined;
  /** The place counts the words of the rounds before twice. */
  readonly escaped?: boolean | undefined;
}

export interface WordNode extends Node {
  /** Ascending; next[k] is taken by words on or above k of them. One fewer than there are ways on. */
  readonly thresholds: readonly number[];
}

export interface HalfNode extends Node {
  readonly half: 0 | 1;
  /** next[k] is taken by way k. */
  readonly ways: HalfWays;
}

export type AutomatonNode = WordNode | HalfNode;

/** A look that is no look: the word does not matter, but a round begins. */
const NOTHING: WordLook = { offset: 0, thresholds: [] };
const NOWHERE: WordPlace = { word: 0, half: 0 };

/** Whether two nodes do the same. An escaped look is told by its place. */
function isSame(a: AutomatonNode, b: AutomatonNode): boolean {
  if (a.place !== b.place || a.begins?.stalemate !== b.begins?.stalemate || !isEqual(a.next, b.next)) return false;
  if ('ways' in a) return 'ways' in b && a.half === b.half && a.ways.name === b.ways.name;
  return !('ways' in b) && isEqual(a.thresholds, b.thresholds);
}

export class Net {
  readonly nodes: AutomatonNode[] = [];
  readonly endings: BattleResult[] = [];
  readonly #ends = new Map<string, Next>();
  /** By hash the node that was made last, and for each node the one of its hash that was made before it. */
  readonly #hashed = new Map<number, Next>();
  readonly #before: (Next | undefined)[] = [];

  ending(outcome: number, metrics: readonly number[]): Next {
    const name = keyOf([outcome, ...metrics]);
    const known = this.#ends.get(name);
    if (known !== undefined) return known;
    const end = -this.endings.push({ outcome, metrics });
    this.#ends.set(name, end);
    return end;
  }

  /** Room for a node that is led to before it is known. */
  reserve(): Next {
    this.#before.push(undefined);
    return this.nodes.push({ place: 0, next: [], thresholds: [] }) - 1;
  }

  /** Fills the room. */
  fill(at: Next, from: Next): void {
    const node = this.nodes[from];
    if (node !== undefined) this.nodes[at] = node;
  }

  /** A node at which a round begins without a look. */
  idle(begins: Beginning, next: Next): Next {
    return this.#node(NOTHING, NOWHERE, [next], begins);
  }

  /** The first look of a draw whose values lead to `targets`; with it a round begins, if one is given. */
  link({ draw, at }: DrawChoice, targets: readonly Next[], begins?: Beginning): Next {
    const { layers, exits } = draw;
    let after = targets;
    for (let layer = layers.length - 1; layer >= 0; layer--) {
      const before = after;
      after = (layers[layer] ?? []).map((look, state) => {
        const ways = exits[layer]?.[state] ?? [];
        const next = ways.map((exit) => (exit < 0 ? targets[-1 - exit] : before[exit]) ?? 0);
        return this.#node(look, at, next, layer === 0 ? begins : undefined);
      });
    }
    return after[0] ?? 0;
  }

  #node(look: WordLook | HalfLook, at: WordPlace, next: readonly Next[], begins: Beginning | undefined): Next {
    if (begins === undefined && next.every((way) => way === next[0])) return next[0] ?? 0;
    return 'ways' in look ? this.#halfNode(look, at, next, begins) : this.#wordNode(look, at, next, begins);
  }

  #halfNode({ ways }: HalfLook, { word, half }: WordPlace, next: readonly Next[], begins: Beginning | undefined): Next {
    return this.#same({ place: word, half, ways, next, begins }, mixed(2 * word + half, next));
  }

  /** Ways that lie side by side and lead to the same are one. */
  #wordNode(look: WordLook, { word, half }: WordPlace, next: readonly Next[], begins: Beginning | undefined): Next {
    const { offset, escaped } = look;
    const place = escaped === true ? ESCAPES.at(word, half) : word + offset;
    const thresholds: number[] = [];
    const ways: Next[] = [];
    for (let k = 0; k < next.length; k++) {
      const way = next[k] ?? 0;
      if (k > 0 && way === next[k - 1]) continue;
      if (k > 0) thresholds.push(look.thresholds[k - 1] ?? 0);
      ways.push(way);
    }
    return this.#same({ place, thresholds, next: ways, begins, escaped }, mixed(mixed(place, thresholds), ways));
  }

  /** The node that is the same, or this one. @param hash is that of all nodes that are the same */
  #same(node: AutomatonNode, hash: number): Next {
    const last = this.#hashed.get(hash);
    for (let at = last; at !== undefined; at = this.#before[at]) {
      const known = this.nodes[at];
      if (known !== undefined && isSame(known, node)) return at;
    }
    const at = this.nodes.push(node) - 1;
    this.#before.push(last);
    this.#hashed.set(hash, at);
    return at;
  }
}
