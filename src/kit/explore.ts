/** States of a scenario, met by taking every way from every state, and whether its keys name them well. */
import type { Door } from '../core/chance/door.ts';
import { BudgetError } from '../core/errors.ts';
import { authored, differences, few, shown, textOf } from '../rules/own/states.ts';
import type { Key, Model, State } from '../rules/system.ts';
import { waysOf } from './branching.ts';
import { futuresDiffer } from './futures.ts';
import { told } from './telling.ts';

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

const roundless = ({ round: _, ...rest }: State): object => rest;

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
    const text = textOf(roundless(state));
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
