/**
 * The nodes of an automaton. Nodes that go on alike are one (hash-consing from the end, as for decision diagrams:
 * R. E. Bryant 1986), and looks that make no difference are left out.
 */
import { ESCAPES } from '../chance/sampled.ts';
import type { BattleResult } from '../systems/battle.ts';
import type { HalfWays } from './halves.ts';
import type { Choice, HalfLook, Place, WordLook } from './traced.ts';

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
const NOWHERE: Place = { word: 0, half: 0 };

const named = (begins: Beginning | undefined): string => (begins === undefined ? '' : `@${String(begins.stalemate)}`);

export class Net {
  readonly nodes: AutomatonNode[] = [];
  readonly endings: BattleResult[] = [];
  readonly #known = new Map<string, Next>();

  ending(outcome: number, metrics: readonly number[]): Next {
    return this.#once(`${String(outcome)};${metrics.join()}`, () => -this.endings.push({ outcome, metrics }));
  }

  /** Room for a node that is led to before it is known. */
  reserve(): Next {
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
  link({ draw, at }: Choice, targets: readonly Next[], begins?: Beginning): Next {
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

  #node(look: WordLook | HalfLook, at: Place, next: readonly Next[], begins: Beginning | undefined): Next {
    if (begins === undefined && next.every((way) => way === next[0])) return next[0] ?? 0;
    return 'ways' in look ? this.#halfNode(look, at, next, begins) : this.#wordNode(look, at, next, begins);
  }

  #halfNode({ ways }: HalfLook, { word, half }: Place, next: readonly Next[], begins: Beginning | undefined): Next {
    const key = `${String(word)}.${String(half)}${named(begins)}:${ways.name}:${next.join()}`;
    return this.#once(key, () => this.nodes.push({ place: word, half, ways, next, begins }) - 1);
  }

  /** Ways that lie side by side and lead to the same are one. */
  #wordNode(look: WordLook, { word, half }: Place, next: readonly Next[], begins: Beginning | undefined): Next {
    const { offset, escaped } = look;
    const place = escaped === true ? ESCAPES + 2 * word + half : word + offset;
    const differs = (_: number, k: number): boolean => next[k] !== next[k + 1];
    const thresholds = look.thresholds.filter(differs);
    const ways = next.filter((way, k) => k === next.length - 1 || differs(way, k));
    const key = `${String(place)}${named(begins)}:${thresholds.join()}:${ways.join()}`;
    return this.#once(key, () => this.nodes.push({ place, thresholds, next: ways, begins, escaped }) - 1);
  }

  #once(key: string, make: () => Next): Next {
    let next = this.#known.get(key);
    if (next === undefined) {
      next = make();
      this.#known.set(key, next);
    }
    return next;
  }
}
