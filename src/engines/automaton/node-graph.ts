import { ESCAPES, isEqual, mixHash } from '../../core/index.ts';
import { type BattleEnd, encodeKey } from '../../rules/index.ts';
import type { DrawChoice, HalfWordBranches, HalfWordTest, WordPosition, WordTest } from './tracing-chance.ts';

/** Successor of a node: a node, or, below 0, final state -1 - next. */
export type NodeRef = number;

/** Start of a round before the test of a node. */
export interface RoundStart {
  /** Successor at the round limit: the stalemate. */
  readonly stalemate: NodeRef;
}

interface NodeBase {
  /** Position of the tested word, relative to the round. */
  readonly place: number;
  readonly next: readonly NodeRef[];
  readonly roundStart?: RoundStart | undefined;
  /** The position counts the words of previous rounds twice. */
  readonly escaped?: boolean | undefined;
}

export interface WordNode extends NodeBase {
  /** Ascending; next[k] follows words on or above k of them. One fewer than successors. */
  readonly thresholds: readonly number[];
}

export interface HalfWordNode extends NodeBase {
  readonly half: 0 | 1;
  /** next[k] follows branch k. */
  readonly ways: HalfWordBranches;
}

export type AutomatonNode = WordNode | HalfWordNode;

/** Test without an effect, for a node that only starts a round. */
const NO_TEST: WordTest = { offset: 0, thresholds: [] };
const NO_POSITION: WordPosition = { word: 0, half: 0 };

/** Returns true if two nodes are equivalent. The position identifies an escaped test. */
function isSameNode(a: AutomatonNode, b: AutomatonNode): boolean {
  if (a.place !== b.place || a.roundStart?.stalemate !== b.roundStart?.stalemate || !isEqual(a.next, b.next))
    return false;
  if ('ways' in a) return 'ways' in b && a.half === b.half && a.ways.name === b.ways.name;
  return !('ways' in b) && isEqual(a.thresholds, b.thresholds);
}

export class NodeGraph {
  readonly nodes: AutomatonNode[] = [];
  readonly finalStates: BattleEnd[] = [];
  readonly #ends = new Map<string, NodeRef>();
  /** Chained hash table: the last node by hash, and for each node the previous one with its hash. */
  readonly #hashed = new Map<number, NodeRef>();
  readonly #before: (NodeRef | undefined)[] = [];

  addFinalState(outcome: number, metrics: readonly number[]): NodeRef {
    const name = encodeKey([outcome, ...metrics]);
    const known = this.#ends.get(name);
    if (known !== undefined) return known;
    const end = -this.finalStates.push({ outcome, metrics });
    this.#ends.set(name, end);
    return end;
  }

  /** Reserves a node for references before it is created. */
  reserve(): NodeRef {
    this.#before.push(undefined);
    return this.nodes.push({ place: 0, next: [], thresholds: [] }) - 1;
  }

  /** Sets a reserved node. */
  fill(at: NodeRef, from: NodeRef): void {
    const node = this.nodes[from];
    if (node !== undefined) this.nodes[at] = node;
  }

  /** Sets a reserved node to one without a test, which starts a round if there is a stalemate. */
  fillRoundStart(at: NodeRef, next: NodeRef, stalemate: NodeRef | undefined): void {
    this.nodes[at] = {
      place: 0,
      thresholds: [],
      next: [next],
      roundStart: stalemate === undefined ? undefined : { stalemate },
    };
  }

  /** Adds a node that starts a round without a test. */
  addRoundStart(begins: RoundStart, next: NodeRef): NodeRef {
    return this.#createNode(NO_TEST, NO_POSITION, [next], begins);
  }

  /**
   * Adds the tests of an act with the draws of a path, by following all its branches.
   * @param first target of the first branch
   * @param follow follows the next branch to its target
   * @param begins start of a round before the first test
   */
  linkBranches(path: DrawChoice[], first: NodeRef, follow: () => NodeRef, begins?: RoundStart): NodeRef {
    const targets: NodeRef[][] = [];
    for (let next = first; ; next = follow()) {
      while (targets.length < path.length) targets.push([]);
      for (;;) {
        const last = path.at(-1);
        if (last === undefined) return next;
        targets.at(-1)?.push(next);
        last.choice++;
        if (last.choice < last.draw.values.length) break;
        next = this.link(last, targets.pop() ?? [], path.length === 1 ? begins : undefined);
        path.pop();
      }
    }
  }

  /**
   * Adds the tests of a draw whose values lead to `targets`, and returns the first; it starts a round if one is passed.
   * A draw of no dice, or of cubes of one color, tests no word.
   */
  link({ draw, at }: DrawChoice, targets: readonly NodeRef[], begins?: RoundStart): NodeRef {
    const { layers, exits } = draw;
    if (layers.length === 0 && begins !== undefined) return this.addRoundStart(begins, targets[0] ?? 0);
    let after = targets;
    for (let layer = layers.length - 1; layer >= 0; layer--) {
      const before = after;
      after = (layers[layer] ?? []).map((look, state) => {
        const ways = exits[layer]?.[state] ?? [];
        const next = ways.map((exit) => (exit < 0 ? targets[-1 - exit] : before[exit]) ?? 0);
        return this.#createNode(look, at, next, layer === 0 ? begins : undefined);
      });
    }
    return after[0] ?? 0;
  }

  #createNode(
    look: WordTest | HalfWordTest,
    at: WordPosition,
    next: readonly NodeRef[],
    begins: RoundStart | undefined,
  ): NodeRef {
    if (begins === undefined && next.every((way) => way === next[0])) return next[0] ?? 0;
    return 'ways' in look ? this.#createHalfNode(look, at, next, begins) : this.#createWordNode(look, at, next, begins);
  }

  #createHalfNode(
    { ways }: HalfWordTest,
    { word, half }: WordPosition,
    next: readonly NodeRef[],
    begins: RoundStart | undefined,
  ): NodeRef {
    return this.#internNode({ place: word, half, ways, next, roundStart: begins }, mixHash(2 * word + half, next));
  }

  /** Merges adjacent branches with the same target. */
  #createWordNode(
    look: WordTest,
    { word, half }: WordPosition,
    next: readonly NodeRef[],
    begins: RoundStart | undefined,
  ): NodeRef {
    const place = look.escaped === true ? ESCAPES.positionOf(word, half) : word + look.offset;
    const escaped = place >= ESCAPES.from || undefined;
    // The record of an escaped test cannot start a round.
    if (escaped && begins !== undefined)
      return this.addRoundStart(begins, this.#createNode(look, { word, half }, next, undefined));
    const thresholds: number[] = [];
    const ways: NodeRef[] = [];
    for (let k = 0; k < next.length; k++) {
      const way = next[k] ?? 0;
      if (k > 0 && way === next[k - 1]) continue;
      if (k > 0) thresholds.push(look.thresholds[k - 1] ?? 0);
      ways.push(way);
    }
    return this.#internNode(
      { place, thresholds, next: ways, roundStart: begins, escaped },
      mixHash(mixHash(place, thresholds), ways),
    );
  }

  /** Returns an equal node, or adds this one. @param hash common hash of equal nodes */
  #internNode(node: AutomatonNode, hash: number): NodeRef {
    const last = this.#hashed.get(hash);
    for (let at = last; at !== undefined; at = this.#before[at]) {
      const known = this.nodes[at];
      if (known !== undefined && isSameNode(known, node)) return at;
    }
    const at = this.nodes.push(node) - 1;
    this.#before.push(last);
    this.#hashed.set(hash, at);
    return at;
  }
}
