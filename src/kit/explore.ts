/**
 * Every way in which an act can turn out: a walker of its own, to which the exact solver is compared. It also notices
 * an act that does not ask for the same at every time.
 */

import { battlesIn, countBattle, emptyTally, shapeOf, type Tally, valueCounts } from '../answers/index.ts';
import {
  BudgetError,
  checkDraw,
  type Dice,
  type DicePool,
  type Distribution,
  type Door,
  distributionOf,
  excessLaw,
  facesLaw,
  handsOf,
  hitsLaw,
  type Law,
  type Lot,
  markedLaw,
  sumLaw,
  takenOf,
} from '../core/index.ts';
import { endsDiffer } from '../engines/index.ts';
import {
  authored,
  differences,
  endingAt,
  few,
  type Key,
  type Model,
  roundlessText,
  type State,
  shown,
  textOf,
  verdict,
} from '../rules/index.ts';
import { percent, told } from './finding.ts';

/** The same state and the same rolls asked for something else. */
export class Unsteady extends Error {
  override readonly name = 'Unsteady';
}

interface Fork {
  readonly asked: string;
  readonly from: Distribution<unknown>;
  taken: number;
}

/** One after the other, each with what follows on it. */
function joined<T>(parts: readonly (() => Distribution<T>)[]): Distribution<T[]> {
  let all: Distribution<T[]> = { values: [[]], probabilities: [1] };
  for (const part of parts) {
    const next = part();
    const pairs = all.values.flatMap((before, i) =>
      next.values.map((value, j): [T[], number] => [
        [...before, value],
        (all.probabilities[i] ?? 0) * (next.probabilities[j] ?? 0),
      ]),
    );
    all = { values: pairs.map(([value]) => value), probabilities: pairs.map(([, probability]) => probability) };
  }
  return all;
}

function ofBag(bag: readonly number[], count: number): Distribution<number[]> {
  const [marked = 0, ...others] = bag;
  if (others.length === 0) return { values: [[count]], probabilities: [1] };
  const rest = others.reduce((sum, cubes) => sum + cubes, 0);
  const first = distributionOf(markedLaw(marked + rest, marked, count));
  const pairs = first.values.flatMap((drawn, i) => {
    const further = ofBag(others, count - drawn);
    return further.values.map((tail, j): [number[], number] => [
      [drawn, ...tail],
      (first.probabilities[i] ?? 0) * (further.probabilities[j] ?? 0),
    ]);
  });
  return { values: pairs.map(([value]) => value), probabilities: pairs.map(([, probability]) => probability) };
}

function ofWeights(weights: readonly number[]): Distribution<number> {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const values = [...weights.keys()].filter((index) => (weights[index] ?? 0) > 0);
  return { values, probabilities: values.map((index) => (weights[index] ?? 0) / total) };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

class Branching implements Door {
  readonly #path: Fork[] = [];
  #depth = 0;
  probability = 1;

  seek(): void {
    // All words are possible at every place.
  }

  sum(dice: Dice): number {
    return this.#fork(`${String(dice.count)}d${String(dice.sides)}`, () => distributionOf(sumLaw(dice)));
  }

  excess(dice: Dice, bonus: number): number {
    const asked = `${String(dice.count)}d${String(dice.sides)} against the same, ${String(bonus)}`;
    return this.#fork(asked, () => distributionOf(excessLaw(dice, bonus)));
  }

  hits(pools: readonly DicePool[]): number {
    const asked = `hits of ${pools.map(({ dice, value }) => `${String(dice)} at ${String(value)}`).join()}`;
    const parts = pools.map(
      ({ dice, value }) =>
        () =>
          distributionOf(hitsLaw(dice, Math.min(6, value))),
    );
    return total(this.#fork(asked, () => joined(parts)));
  }

  faces(lots: readonly Lot[]): number {
    return total(
      this.#fork(`faces of ${JSON.stringify(lots)}`, () =>
        joined(lots.map((lot) => () => distributionOf(facesLaw(lot)))),
      ),
    );
  }

  draw(bag: readonly number[], count: number): number[] {
    const drawn = Math.min(count, total(bag));
    const make = () => {
      checkDraw(bag, drawn);
      return ofBag(bag, drawn);
    };
    return [...this.#fork(`${String(drawn)} of ${bag.join()}`, make)];
  }

  pick(weights: readonly number[]): number {
    return this.#fork(`a pick by ${weights.join()}`, () => ofWeights(weights));
  }

  take(law: Law): number {
    const taken = takenOf(law);
    return this.#fork(`${law.name ?? 'a law'} (number ${String(taken.id)})`, () => taken.distribution);
  }

  roll(count: number, sides: number): readonly number[] {
    return this.#fork(`${String(count)}d${String(sides)}, sorted`, () => handsOf('roll', count, sides).distribution);
  }

  decide<T extends string | number>(_point: string, _player: string, _options: readonly T[], policy: () => T): T {
    return policy();
  }

  rule(): void {
    // Laws have no story.
  }

  rewind(): void {
    this.#depth = 0;
    this.probability = 1;
  }

  /** Moves on to the next way; false when there is none. */
  advance(): boolean {
    if (this.#depth < this.#path.length) throw new Unsteady('the same state asked for fewer dice than before');
    for (let last = this.#path.at(-1); last !== undefined; last = this.#path.at(-1)) {
      last.taken++;
      if (last.taken < last.from.values.length) return true;
      this.#path.pop();
    }
    return false;
  }

  #fork<T>(asked: string, law: () => Distribution<T>): T {
    let fork = this.#path[this.#depth];
    if (fork === undefined) {
      fork = { asked, from: law(), taken: 0 };
      this.#path.push(fork);
    } else if (fork.asked !== asked)
      throw new Unsteady(`the same state asked for ${fork.asked} first, then for ${asked}`);
    this.#depth++;
    this.probability *= fork.from.probabilities[fork.taken] ?? 0;
    return fork.from.values[fork.taken] as T;
  }
}

/** Every way in which `act` can turn out, with its probability. */
export function* waysOf<T>(act: (door: Door) => T): Generator<readonly [value: T, probability: number]> {
  const door = new Branching();
  do {
    door.rewind();
    const value = act(door);
    yield [value, door.probability];
  } while (door.advance());
}

// The law of a scenario by taking every way of every battle: no key of the model, no chain, no solver of this package.

export interface Brute {
  /** Of the battles that have ended. */
  readonly law: Tally;
  /** Rounds of which every way was taken. */
  readonly rounds: number;
  /** True if every battle was followed to its end. */
  readonly whole: boolean;
}

type Masses = Map<string, { readonly state: State; mass: number }>;

/** Battles that have come to the same, told apart by all that their states hold. */
class Masser {
  readonly law: Tally;
  rounds = 0;
  #open: Masses = new Map();
  readonly #model: Model<State>;
  #left: number;

  constructor(model: Model<State>, ways: number) {
    this.#model = model;
    this.law = emptyTally(shapeOf(model));
    this.#left = ways;
  }

  /** Returns false if there were more ways than could be taken. */
  follow(): boolean {
    if (!this.#take((door) => this.#model.start(door), 1)) return false;
    while (this.#open.size > 0) {
      const now = [...this.#open.values()];
      this.#open = new Map();
      for (const { state, mass } of now) if (!this.#take((door) => this.#model.step(state, door), mass)) return false;
      const states = [...this.#open.values()].map(({ state }) => state);
      if (states.every((state) => this.#model.resting(state))) this.rounds = states[0]?.round ?? this.rounds + 1;
    }
    return true;
  }

  #take(act: (door: Door) => State, mass: number): boolean {
    for (const [state, probability] of waysOf(act)) {
      if (this.#left-- <= 0) return false;
      this.#put(state, mass * probability);
    }
    return true;
  }

  #put(state: State, mass: number): void {
    const outcome = verdict(this.#model, state);
    if (outcome !== undefined) {
      const ending = endingAt(this.#model, state, outcome);
      countBattle(this.law, ending.outcome, ending.metrics, mass);
      return;
    }
    const text = textOf(state);
    const before = this.#open.get(text);
    if (before === undefined) this.#open.set(text, { state, mass });
    else before.mass += mass;
  }
}

/** @param ways that may be taken */
export function bruteLaw(model: Model<State>, ways: number): Brute {
  const masser = new Masser(model, ways);
  const whole = masser.follow();
  return { law: masser.law, rounds: masser.rounds, whole };
}

// Whether two states have the same future, by what battles that go on from them come to.

/** Ways that are taken from each of two states; beyond, battles are played. */
const WAYS = 20_000;

/** The part of the battles that those ways must leave open, so that battles can show more. */
const LEFT_OPEN = 0.26;

const LAW_TOLERANCE = 1e-9;

/** Shares of the battles that go on from a state, and of those that were not followed to their end. */
interface Shares {
  readonly of: Map<string, number>;
  readonly open: number;
}

function exactly(model: Model<State>): Shares {
  const { law } = bruteLaw(model, WAYS);
  const { outcomes, metrics } = shapeOf(model);
  const of = new Map(outcomes.map((name, o) => [`end as ${name}`, law.outcomes[o] ?? 0]));
  for (const [m, { name }] of metrics.entries())
    if (m !== model.roundsMetric)
      for (const [value, mass] of valueCounts(law, m)) of.set(`end with ${name} ${String(value)}`, mass);
  return { of, open: Math.max(0, 1 - battlesIn(law)) };
}

/** What one has more than the other, whatever becomes of the battles that were not followed. */
function apart(one: Shares, other: Shares): string | undefined {
  for (const name of new Set([...one.of.keys(), ...other.of.keys()])) {
    const [p, q] = [one.of.get(name) ?? 0, other.of.get(name) ?? 0];
    if (p > q + other.open + LAW_TOLERANCE || q > p + one.open + LAW_TOLERANCE)
      return `${percent(p)} of the battles from the first ${name}, ${percent(q)} from the second`;
  }
  return undefined;
}

/** What differs, in words; undefined if nothing is shown to differ. */
function futuresDiffer(model: Model<State>, one: State, state: State): string | undefined {
  const other = { ...state, round: one.round };
  const [a, b] = [one, other].map((first) => exactly({ ...model, start: () => first })) as [Shares, Shares];
  const exact = apart(a, b);
  if (exact !== undefined || Math.max(a.open, b.open) < LEFT_OPEN) return exact;
  return endsDiffer(model, one, other);
}

// States of a scenario, met by taking every way from every state, and whether its keys name them well.

/** States of one key that are looked at, and of those that differ in the round alone. */
const PER_KEY = 6;
const PER_ROUND = 2;

/** Probabilities that differ by less are equal. */
const TOLERANCE = 1e-9;

/** Characters of a state that cost as much as a way. */
const CHARACTERS = 500;

/** Where a state leads. */
interface Leads {
  /** Probability by key. */
  readonly law: ReadonlyMap<Key, number>;
  /** False if there were more ways than could be taken. */
  readonly whole: boolean;
}

interface Node {
  readonly key: Key;
  /** The first state that was met. */
  readonly state: State;
  leads: Leads | undefined;
  /** Texts of states without their rounds, and how many rounds each has. */
  readonly texts: Map<string, number>;
}

/** Two states that a key takes for one although they are not. */
export interface KeyClash {
  readonly key: Key;
  readonly differ: string;
  readonly because: string;
}

export interface ExploredStates {
  readonly clashes: readonly KeyClash[];
  /** States that the rules changed. */
  readonly changed: readonly string[];
  /** Errors of rules, each with the state that led to it. */
  readonly errors: readonly { readonly state: unknown; readonly error: unknown }[];
  readonly states: number;
  readonly ways: number;
  /** True if every state of the scenario was met. */
  readonly whole: boolean;
  /** True if no battle can end but by the limit of rounds. */
  readonly endless: boolean;
  /** True if some state that was met has an outcome. */
  readonly ends: boolean;
}

/** Pairs of states whose futures are compared because their next steps differ. */
const SUSPECTS = 20;

/** Whether two states lead to the same keys with the same probabilities. */
function sameLeads(one: Leads, other: Leads): boolean {
  if (!one.whole || !other.whole) return true;
  const all = new Set([...one.law.keys(), ...other.law.keys()]);
  return [...all].every((key) => Math.abs((one.law.get(key) ?? 0) - (other.law.get(key) ?? 0)) < TOLERANCE);
}

class Explorer {
  readonly #model: Model<State>;
  readonly #nodes = new Map<Key, Node>();
  readonly #waiting: State[] = [];
  readonly #clashes: KeyClash[] = [];
  readonly #changed: string[] = [];
  readonly #errors: { state: unknown; error: unknown }[] = [];
  readonly #most: number;
  #cost = 0;
  #ways = 0;
  #suspects = 0;
  #ends = false;

  constructor(model: Model<State>, most: number) {
    this.#model = model;
    this.#most = most;
  }

  explore(): ExploredStates {
    this.#lead(undefined, (door) => this.#model.start(door));
    for (let state = this.#waiting.shift(); state !== undefined && !this.#spent(); state = this.#waiting.shift())
      this.#visit(state);
    const whole = !this.#spent() && this.#errors.length === 0;
    return {
      clashes: this.#clashes,
      changed: this.#changed,
      errors: this.#errors,
      states: this.#nodes.size,
      ways: this.#ways,
      whole,
      endless: whole && !this.#ends,
      ends: this.#ends,
    };
  }

  #spent(): boolean {
    return this.#cost > this.#most;
  }

  /** Notes a state; one that is new is visited later. */
  #meet(state: State): Key {
    const key = this.#model.key(state);
    const text = roundlessText(state);
    this.#ends ||= this.#model.outcome(state) !== undefined;
    this.#cost += text.length / CHARACTERS;
    let node = this.#nodes.get(key);
    if (node === undefined) {
      node = { key, state, leads: undefined, texts: new Map() };
      this.#nodes.set(key, node);
    }
    const rounds = node.texts.get(text);
    if (rounds === undefined ? node.texts.size >= PER_KEY : rounds >= PER_ROUND) return key;
    node.texts.set(text, (rounds ?? 0) + 1);
    this.#waiting.push(state);
    return key;
  }

  #visit(state: State): void {
    const node = this.#nodes.get(this.#model.key(state));
    if (node === undefined) return;
    const over = this.#model.outcome(state) !== undefined;
    const none: Leads = { law: new Map(), whole: true };
    const leads = over ? none : this.#lead(state, (door) => this.#model.step(state, door));
    if (node.leads === undefined) node.leads = leads;
    else if (this.#clashes.length === 0) this.#compare(node, node.leads, state, leads);
  }

  #lead(state: State | undefined, act: (door: Door) => State): Leads {
    const law = new Map<Key, number>();
    const before = textOf(state);
    try {
      for (const [next, probability] of waysOf(act)) {
        this.#ways++;
        this.#cost++;
        const key = this.#meet(next);
        law.set(key, (law.get(key) ?? 0) + probability);
        if (this.#spent()) return { law, whole: false };
      }
    } catch (error) {
      // Too many ways for a walk are no fault of the rules.
      if (!(error instanceof BudgetError)) this.#errors.push({ state: authored(state), error });
      return { law, whole: false };
    }
    if (state !== undefined && textOf(state) !== before) this.#changed.push(shown(authored(state)));
    return { law, whole: true };
  }

  /** Compares what follows on a state with what follows on the first of its key. */
  #compare(node: Node, first: Leads, state: State, leads: Leads): void {
    if (sameLeads(first, leads) && this.#endsAlike(node.state, state)) return;
    if (this.#suspects++ >= SUSPECTS) return;
    const because = futuresDiffer(this.#model, node.state, state);
    if (because === undefined) return;
    const [one, other] = [authored(node.state), authored(state)];
    this.#clashes.push({ key: node.key, differ: few(differences(one, other)), because });
  }

  #endsAlike(one: State, other: State): boolean {
    const model = this.#model;
    if (model.outcome(one) !== model.outcome(other)) return false;
    if (model.outcome(one) === undefined) return true;
    const [a, b] = [model.measure(one), model.measure(other)];
    return a.every((value, m) => m === model.roundsMetric || value === b[m]);
  }
}

const known = new WeakMap<Model<State>, ExploredStates>();

/**
 * Explores a scenario.
 * @param most ways that may be taken
 */
export function explore(model: Model<State>, most: number): ExploredStates {
  let found = known.get(model);
  if (found === undefined) {
    found = new Explorer(model, most).explore();
    known.set(model, found);
  }
  return found;
}

/** The first error of an exploration, with the state that led to it. */
export function firstError({ errors: [first] }: ExploredStates): string | undefined {
  if (first === undefined) return undefined;
  const from = first.state === undefined ? 'at the start' : `from the state ${shown(first.state)}`;
  return `${from}: ${told(first.error)}`;
}
