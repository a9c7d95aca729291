/** A game in typed arrays, its positions in an order in which values can be carried back. */
import type { State } from '../../rules/system.ts';
import { type Game, RESTING, WITHIN } from './game.ts';

export interface Table {
  readonly nodes: number;
  readonly kinds: Uint8Array;
  /** The first option of each position, the first edge of each option, and the number of all behind them. */
  readonly firstOption: Int32Array;
  readonly firstEdge: Int32Array;
  /** By option: the probability that the scenario's policy takes it. */
  readonly policy: Float64Array;
  readonly targets: Int32Array;
  readonly probabilities: Float64Array;
  /** Positions between two rounds. */
  readonly resting: Int32Array;
  /** Positions within a round, each behind those that it leads to. */
  readonly within: Int32Array;
  /** For each position its index among those in which the player decides, or -1. */
  readonly place: Int32Array;
}

/** A position whose edges have all been looked at, and one that has not been met. */
const DONE = -2;
const NEW = -1;

/** Puts positions within a round behind all that they lead to within it, depth first. */
class Order {
  readonly nodes: number[] = [];
  readonly #game: Game<State>;
  /** By position the edge to be looked at next. */
  readonly #next: Int32Array;

  constructor(game: Game<State>) {
    this.#game = game;
    this.#next = new Int32Array(game.kinds.length).fill(NEW);
    for (const [node, kind] of game.kinds.entries()) if (kind === WITHIN && this.#next[node] === NEW) this.#from(node);
  }

  #edge(node: number): number {
    const { firstOption, firstEdge } = this.#game;
    return firstEdge[firstOption[node] ?? 0] ?? 0;
  }

  #from(root: number): void {
    const path = [root];
    this.#next[root] = this.#edge(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const further = this.#further(node);
      if (further === undefined) {
        this.nodes.push(node);
        this.#next[node] = DONE;
        path.pop();
      } else {
        this.#next[further] = this.#edge(further);
        path.push(further);
      }
    }
  }

  /** The next position that one leads to and that has not been met. */
  #further(node: number): number | undefined {
    const { kinds, targets } = this.#game;
    const end = this.#edge(node + 1);
    for (let edge = this.#next[node] ?? end; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      if (kinds[target] !== WITHIN || this.#next[target] === DONE) continue;
      if (this.#next[target] !== NEW) throw new Error('a round comes back to where it was');
      this.#next[node] = edge + 1;
      return target;
    }
    return undefined;
  }
}

export function tableOf(game: Game<State>): Table {
  const place = new Int32Array(game.kinds.length).fill(-1);
  for (const [q, node] of [...game.questions.keys()].entries()) place[node] = q;
  return {
    nodes: game.kinds.length,
    kinds: Uint8Array.from(game.kinds),
    firstOption: Int32Array.from(game.firstOption),
    firstEdge: Int32Array.from(game.firstEdge),
    policy: Float64Array.from(game.policy),
    targets: Int32Array.from(game.targets),
    probabilities: Float64Array.from(game.probabilities),
    resting: Int32Array.from([...game.kinds.keys()].filter((node) => game.kinds[node] === RESTING)),
    within: Int32Array.from(new Order(game).nodes),
    place,
  };
}
