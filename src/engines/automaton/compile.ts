/**
 * The nodes of an automaton. Nodes that go on alike are one (hash-consing from the end, as for decision diagrams:
 * R. E. Bryant 1986), and looks that make no difference are left out.
 */

import { pause } from '#platform/pause';
import { BudgetError, type Door, ESCAPES, isEqual, mixed, unsteady } from '../../core/index.ts';
import { type BattleResult, type Key, KeyRoom, keyOf, lastOutcome, type Model, type State } from '../../rules/index.ts';
import { type Allowance, type NotCompiled, TooLarge } from '../exact/budget.ts';
import { estimateSize, PLAN_AT, PLANNED } from '../exact/plan.ts';
import { type DrawChoice, type HalfLook, type HalfWays, Traced, type WordLook, type WordPlace } from './traced.ts';

/** Where a node leads: to another node, or, below 0, to ending -1 - next. */
export type Next = number;

/** A round begins before the look of a node. */
interface Beginning {
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

class Net {
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

  /**
   * The first look of a draw whose values lead to `targets`; with it a round begins, if one is given. Of no dice, or of
   * cubes of one colour, a draw looks at no word.
   */
  link({ draw, at }: DrawChoice, targets: readonly Next[], begins?: Beginning): Next {
    const { layers, exits } = draw;
    if (layers.length === 0 && begins !== undefined) return this.idle(begins, targets[0] ?? 0);
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

// A scenario as an automaton: nodes that look at one word of the battle's stream and lead on, and endings. It plays
// the battles of the reference model word by word, without its rules.
//
// A battle may come back to where it was, but not within a round. So each resting state has a node of its own, at
// which a round begins; the nodes between them are made from the end. The places of words count from the first of
// the round: battle and automaton keep the number of rounds apart from where they are.

/** The rounds of a scenario that has some. */
export interface Rounds {
  /** Index of the metric that counts them. */
  readonly metric: number;
  /** Words of the stream that each round has. */
  readonly words: number;
  /** After so many a battle ends as stalemate. */
  readonly most: number;
}

export interface Automaton {
  readonly start: Next;
  /** Without rounds a node comes after all that it leads to. */
  readonly nodes: readonly AutomatonNode[];
  /** Where there are rounds, without the metric that counts them. */
  readonly endings: readonly BattleResult[];
  readonly rounds: Rounds | undefined;
}

export interface Explored extends Automaton {
  /** Steps of the model that were computed, and seconds that they took. */
  readonly steps: number;
  readonly seconds: number;
}

/** What a model does, asking a door. */
type Act<S> = (door: Door) => S;

/** Draws that may follow each other. */
const DEPTH_MAX = 500;

/** Of states in a row from which nothing is drawn one in so many is looked up: a key takes as long as a step. */
const KEY_EVERY = 4;

/** Steps between two looks at the clock. */
const CLOCK_EVERY = 64;

class Compiler<S extends State> {
  readonly net: Net = new Net();
  readonly #model: Model<S>;
  readonly #rounds: Rounds | undefined;
  /** Where states between rounds, or without rounds, go on. */
  readonly #states = new Map<Key, Next>();
  readonly #keys = new KeyRoom();
  /** Resting states whose nodes are not made yet. */
  readonly #waiting: { readonly at: Next; readonly state: S }[] = [];
  readonly #allowed: Allowance;
  /** Seconds that are allowed, once that was asked. */
  #most: number | undefined;
  #steps = 0;
  /** How many there will be, once that was estimated. */
  #expected = 0;
  #depth = 0;
  /** Milliseconds up to the last pause, and when that was over. */
  #spent = 0;
  #began = performance.now();

  constructor(model: Model<S>, rounds: Rounds | undefined, allowed: Allowance) {
    this.#model = model;
    this.#rounds = rounds;
    this.#allowed = allowed;
  }

  /** Milliseconds since the last pause. */
  get sincePause(): number {
    return performance.now() - this.#began;
  }

  /** What others do meanwhile does not count. */
  async pause(): Promise<void> {
    this.#spent += this.sincePause;
    await pause();
    this.#began = performance.now();
  }

  /** What is known of the work where it has ended without an automaton. */
  ended(because: NotCompiled['because']): NotCompiled {
    const steps = Math.max(this.#expected, this.#steps);
    return { because, steps, seconds: (this.#seconds * steps) / Math.max(1, this.#steps) };
  }

  get #seconds(): number {
    return (this.#spent + this.sincePause) / 1000;
  }

  /** Where battles begin; what a round leads to is not made yet. */
  begin(): Next {
    return this.#follow((door) => this.#model.start(door), 0);
  }

  /** Makes the nodes of one round; false if there is none left. */
  next(): boolean {
    const next = this.#waiting.pop();
    if (next !== undefined) this.net.fill(next.at, this.#round(next.state));
    return next !== undefined;
  }

  finish(start: Next): Explored {
    const { nodes, endings } = this.net;
    return { start, nodes, endings, rounds: this.#rounds, steps: this.#steps, seconds: this.#seconds };
  }

  /** The node of a resting state. */
  #round(state: S): Next {
    const outcome = Math.max(0, this.#model.outcomes.indexOf(lastOutcome(this.#model)));
    const begins = { stalemate: this.net.ending(outcome, this.#measured(state)) };
    return this.#follow((door) => this.#model.step(state, door), state.round + 1, begins);
  }

  /** The node that does what `act` does in a round. */
  #follow(act: Act<S>, round: number, begins?: Beginning): Next {
    const door = new Traced(round * (this.#rounds?.words ?? 0));
    const first = this.#taken(act, door);
    return door.path.length === 0 ? this.#at(first, begins) : this.#branch(act, door, first, begins);
  }

  /** Takes one way through an act. */
  #taken(act: Act<S>, door: Traced): S {
    this.#check(++this.#steps);
    door.rewind();
    const state = act(door);
    if (!door.whole) throw unsteady();
    return state;
  }

  /** Ends what is or will be more than is allowed. */
  #check(taken: number): void {
    const { steps, free = 0 } = this.#allowed;
    if (taken > steps) throw new TooLarge('steps');
    if (taken === PLAN_AT && steps >= PLANNED) {
      const before = this.#seconds;
      this.#expected = estimateSize(this.#model).steps;
      if (this.#expected > steps) throw new TooLarge('steps');
      if ((before * this.#expected) / taken > this.#allowedSeconds()) throw new TooLarge('seconds');
    }
    if (taken % CLOCK_EVERY === 0 && taken > free && this.#seconds > this.#allowedSeconds())
      throw new TooLarge('seconds');
  }

  /** Nobody is asked twice. */
  #allowedSeconds(): number {
    if (this.#most === undefined) {
      const asked = performance.now();
      this.#most = this.#allowed.seconds?.() ?? Number.POSITIVE_INFINITY;
      this.#began += performance.now() - asked;
    }
    return this.#most;
  }

  /** The node of an act that draws: every way through it is taken, of which the first has come to `first`. */
  #branch(act: Act<S>, door: Traced, first: S, begins: Beginning | undefined): Next {
    if (++this.#depth > DEPTH_MAX) throw new TooLarge('draws');
    const targets: Next[][] = [];
    let state = first;
    for (;;) {
      while (targets.length < door.path.length) targets.push([]);
      const next = this.#close(door.path, targets, this.#at(state), begins);
      if (door.path.length === 0) {
        this.#depth--;
        return next;
      }
      state = this.#taken(act, door);
    }
  }

  /** Notes where the way has led, links the draws of which all values are taken, and sets out on the next way. */
  #close(path: DrawChoice[], targets: Next[][], end: Next, begins: Beginning | undefined): Next {
    let next = end;
    for (;;) {
      const last = path.at(-1);
      if (last === undefined) return next;
      targets.at(-1)?.push(next);
      last.taken++;
      if (last.taken < last.draw.values.length) return next;
      next = this.net.link(last, targets.pop() ?? [], path.length === 1 ? begins : undefined);
      path.pop();
    }
  }

  /**
   * Where a battle that has come to a state goes on. Steps without a draw are passed over.
   * @param begins the round that has begun, if nothing has been drawn in it
   */
  #at(state: S, begins?: Beginning): Next {
    const key = this.#keyOf(state, begins);
    return this.#states.get(key) ?? this.#found(state, key, begins);
  }

  /** The same of a state that was not met before. */
  #found(state: S, key: Key, begins: Beginning | undefined): Next {
    this.#model.keep?.(state);
    const passed = [key];
    let known = this.#decided(state, begins);
    for (let steps = 1; typeof known !== 'number'; steps++) {
      if (steps % KEY_EVERY !== 0 && !this.#rests(known)) {
        known = this.#decided(known, begins, false);
        continue;
      }
      const next = this.#keyOf(known, begins);
      passed.push(next);
      known = this.#states.get(next) ?? this.#decided(known, begins);
    }
    for (const each of passed) this.#remember(each, known);
    return known;
  }

  #remember(key: Key, next: Next): void {
    if (this.#keys.take(key) !== undefined) throw new TooLarge('keys');
    this.#states.set(key, next);
  }

  /** Whether a round ends at a state. */
  #rests(state: S): boolean {
    return this.#rounds !== undefined && this.#model.resting(state);
  }

  #keyOf(state: S, begins: Beginning | undefined): Key {
    const key = this.#model.courseKey?.(state) ?? this.#model.key(state);
    return begins === undefined ? key : `${String(key)}@${String(begins.stalemate)}`;
  }

  /**
   * The node or ending of a state, or the only state that follows it.
   * @param asked false if nobody has asked by its key whether it is known: then that is done where it draws
   */
  #decided(state: S, begins: Beginning | undefined, asked = true): Next | S {
    const name = this.#model.outcome(state);
    if (name !== undefined) {
      const end = this.net.ending(this.#model.outcomes.indexOf(name), this.#measured(state));
      return begins === undefined ? end : this.net.idle(begins, end);
    }
    if (this.#rests(state)) {
      if (begins !== undefined) return this.net.idle(begins, this.#at(state));
      const at = this.net.reserve();
      this.#waiting.push({ at, state });
      return at;
    }
    const act = (door: Door): S => this.#model.step(state, door);
    const door = new Traced(state.round * (this.#rounds?.words ?? 0));
    const after = this.#taken(act, door);
    if (door.path.length === 0) return after;
    if (asked) return this.#branch(act, door, after, begins);
    const key = this.#keyOf(state, begins);
    let known = this.#states.get(key);
    if (known === undefined) {
      known = this.#branch(act, door, after, begins);
      this.#remember(key, known);
    }
    return known;
  }

  /** The metrics of a battle that is over, without that of the rounds. */
  #measured(state: S): number[] {
    const metrics = this.#model.measure(state);
    return this.#rounds === undefined ? metrics : metrics.toSpliced(this.#rounds.metric, 1);
  }
}

/** The rounds of a model. */
function roundsOf({ roundsMetric, roundWords, maxRounds }: Model<State>): Rounds | undefined {
  if (roundsMetric === undefined) return undefined;
  if (roundWords === undefined || roundWords * (maxRounds + 1) >= ESCAPES.from) throw new TooLarge('words');
  return { metric: roundsMetric, words: roundWords, most: maxRounds };
}

/**
 * Compiles the rules of a scenario.
 * @param model  which says how many words a round has, if it has rounds
 * @param budget as many steps of the model may be computed
 * @returns undefined if the scenario has rounds whose words are not told, or is too large
 */
export function compile<S extends State>(model: Model<S>, budget: number): Explored | undefined {
  try {
    const compiler = new Compiler(model, roundsOf(model), { steps: budget });
    const start = compiler.begin();
    while (compiler.next());
    return compiler.finish(start);
  } catch (error) {
    if (tooLarge(error) !== undefined) return undefined;
    throw error;
  }
}

/** Why a scenario is too large, if that is what an error says. A draw of too many ways is refused by a BudgetError. */
function tooLarge(error: unknown): NotCompiled['because'] | undefined {
  if (error instanceof TooLarge) return error.because;
  return error instanceof BudgetError ? 'ways' : undefined;
}

/** Milliseconds between two pauses. */
const PAUSE_EVERY = 20;

/**
 * `compile`, with pauses between rounds in which timers and signals are heard.
 * @param signal ends it
 */
export async function compilePatiently<S extends State>(
  model: Model<S>,
  allowed: Allowance,
  signal?: AbortSignal,
): Promise<Explored | NotCompiled> {
  let compiler: Compiler<S> | undefined;
  try {
    compiler = new Compiler(model, roundsOf(model), allowed);
    const start = compiler.begin();
    while (compiler.next()) {
      if (compiler.sincePause < PAUSE_EVERY) continue;
      await compiler.pause();
      if (signal?.aborted === true) throw new TooLarge('signal');
    }
    return compiler.finish(start);
  } catch (error) {
    const because = tooLarge(error);
    if (because === undefined) throw error;
    return compiler?.ended(because) ?? { because, steps: 0, seconds: 0 };
  }
}
