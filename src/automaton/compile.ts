/**
 * A scenario as an automaton: nodes that look at one word of the battle's stream and lead on, and endings. It plays
 * the battles of the reference model word by word, without its rules. Nodes that go on alike are one (hash-consing
 * from the end, as for decision diagrams: R. E. Bryant 1986), and looks that make no difference are left out.
 */
import type { Door } from '../chance/door.ts';
import { estimateSize } from '../exact/plan.ts';
import type { BattleResult } from '../systems/battle.ts';
import type { Model, State } from '../systems/system.ts';
import { type Choice, type Draw, Traced, Untraceable } from './traced.ts';

/** Where a node leads: to another node, or, below 0, to ending -1 - next. */
export type Next = number;

export interface AutomatonNode {
  /** Place of the word that is looked at. */
  readonly place: number;
  /** Ascending; next[k] is taken by words on or above k of them. One fewer than there are ways on. */
  readonly thresholds: readonly number[];
  readonly next: readonly Next[];
}

export interface Automaton {
  readonly start: Next;
  /** A node comes after all that it leads to. */
  readonly nodes: readonly AutomatonNode[];
  readonly endings: readonly BattleResult[];
}

class TooLarge extends Error {}

/** What a model does, asking a door. */
type Act<S> = (door: Door) => S;

/** Steps after which it is worth to estimate how many there will be. */
const PLAN_AT = 20_000;

/** Draws that may follow each other. */
const DEPTH_MAX = 500;

class Compiler<S extends State> {
  readonly nodes: AutomatonNode[] = [];
  readonly endings: BattleResult[] = [];
  readonly #model: Model<S>;
  readonly #states = new Map<string, Next>();
  readonly #known = new Map<string, Next>();
  readonly #budget: number;
  #steps = 0;
  #depth = 0;

  constructor(model: Model<S>, budget: number) {
    this.#model = model;
    this.#budget = budget;
  }

  /** The node that does what `act` does. */
  follow(act: Act<S>): Next {
    const door = new Traced();
    const first = this.#taken(act, door);
    return door.path.length === 0 ? this.#at(first) : this.#branch(act, door, first);
  }

  /** Takes one way through an act. */
  #taken(act: Act<S>, door: Traced): S {
    this.#steps++;
    if (this.#steps === PLAN_AT && estimateSize(this.#model).steps > this.#budget) throw new TooLarge();
    if (this.#steps > this.#budget) throw new TooLarge();
    door.rewind();
    return act(door);
  }

  /** The node of an act that draws: every way through it is taken, of which the first has come to `first`. */
  #branch(act: Act<S>, door: Traced, first: S): Next {
    if (++this.#depth > DEPTH_MAX) throw new TooLarge();
    const targets: Next[][] = [];
    let state = first;
    for (;;) {
      while (targets.length < door.path.length) targets.push([]);
      const next = this.#close(door.path, targets, this.#at(state));
      if (door.path.length === 0) {
        this.#depth--;
        return next;
      }
      state = this.#taken(act, door);
    }
  }

  /** Notes where the way has led, links the draws of which all values are taken, and sets out on the next way. */
  #close(path: Choice[], targets: Next[][], end: Next): Next {
    let next = end;
    for (;;) {
      const last = path.at(-1);
      if (last === undefined) return next;
      targets.at(-1)?.push(next);
      last.taken++;
      if (last.taken < last.draw.values.length) return next;
      next = this.#link(last.draw, targets.pop() ?? []);
      path.pop();
    }
  }

  /** Where a battle that has come to a state goes on. Steps without a draw are passed over. */
  #at(state: S): Next {
    const passed: string[] = [];
    let now = state;
    for (;;) {
      const key = this.#model.courseKey?.(now) ?? this.#model.key(now);
      const known = this.#states.get(key) ?? this.#decided(now);
      passed.push(key);
      if (typeof known === 'number') {
        for (const each of passed) this.#states.set(each, known);
        return known;
      }
      now = known;
    }
  }

  /** The node or ending of a state, or the only state that follows it. */
  #decided(state: S): Next | S {
    const name = this.#model.outcome(state);
    if (name !== undefined) return this.#end(name, state);
    const act = (door: Door): S => this.#model.step(state, door);
    const door = new Traced();
    const after = this.#taken(act, door);
    return door.path.length === 0 ? after : this.#branch(act, door, after);
  }

  #end(name: string, state: S): Next {
    const outcome = this.#model.outcomes.indexOf(name);
    const metrics = this.#model.measure(state);
    const key = `${String(outcome)};${metrics.join()}`;
    return this.#once(key, () => -this.endings.push({ outcome, metrics }));
  }

  /** The first look of a draw whose values lead to `targets`. */
  #link({ layers, exits }: Draw<unknown>, targets: readonly Next[]): Next {
    let after = targets;
    for (let layer = layers.length - 1; layer >= 0; layer--) {
      const before = after;
      after = (layers[layer] ?? []).map(({ place, thresholds }, state) => {
        const next = (exits[layer]?.[state] ?? []).map((exit) => before[exit] ?? 0);
        return this.#node(place, thresholds, next);
      });
    }
    return after[0] ?? 0;
  }

  /** A node with these ways on; ways that lie side by side and lead to the same are one. */
  #node(place: number, thresholds: readonly number[], next: readonly Next[]): Next {
    const differs = (_: number, k: number): boolean => next[k] !== next[k + 1];
    const kept = thresholds.filter(differs);
    const ways = next.filter((way, k) => k === next.length - 1 || differs(way, k));
    const [only = 0] = ways;
    if (ways.length === 1) return only;
    const key = `${String(place)}:${kept.join()}:${ways.join()}`;
    return this.#once(key, () => this.nodes.push({ place, thresholds: kept, next: ways }) - 1);
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

/**
 * Compiles the rules of a scenario.
 * @param model  of a system without rounds: nodes do not count
 * @param budget as many steps of the model may be computed
 * @returns undefined if the scenario has rounds, has draws that no automaton can take, or is too large
 */
export function compile<S extends State>(model: Model<S>, budget: number): Automaton | undefined {
  if (model.roundsMetric !== undefined) return undefined;
  const compiler = new Compiler(model, budget);
  try {
    const start = compiler.follow((door) => model.start(door));
    return { start, nodes: compiler.nodes, endings: compiler.endings };
  } catch (error) {
    if (error instanceof TooLarge || error instanceof Untraceable) return undefined;
    throw error;
  }
}
