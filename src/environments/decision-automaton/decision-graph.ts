/** Explores a scenario by all decisions of all players: leaves, and the nodes between them. */

import { formatGrouped } from '../../core/index.ts';
import { NodeGraph, type NodeRef, TracingChance } from '../../engines/index.ts';
import {
  type DecisionOption,
  findOutcome,
  getRoundLimitOutcome,
  type Key,
  KeyBudget,
  type State,
} from '../../rules/index.ts';
import type { Variant } from '../env-spec.ts';
import { NONE } from '../layout.ts';
import type { TurnState } from '../reference-battle.ts';
import { stringifyState } from '../validate.ts';

/** An option of a decision: its action, by its index in the scenario, and the node with which the battle continues. */
interface LeafOption {
  readonly action: number;
  readonly target: NodeRef;
}

/** A point at which a battle stops: a decision, or its end. */
export interface DecisionLeaf {
  /** Index of the decision point; NONE at the end. */
  readonly point: number;
  readonly player: number;
  /** Action of the policy of the scenario; at the end, the index of the outcome. */
  readonly result: number;
  readonly options: readonly LeafOption[];
  /** Node of a policy that draws: it leads to leaves whose result is the action. */
  readonly policy: NodeRef | undefined;
  /** At the end. The number of rounds is 0 if nodes count them. */
  readonly metrics: readonly number[];
  /** Observations of the player, and without secrets. */
  readonly seen: readonly number[];
  readonly shown: readonly number[];
  /** State, with the round in which it was found first; undefined for a choice of a policy. */
  readonly begun: TurnState | undefined;
}

/** Reason why a scenario cannot be compiled. */
class DecisionGraphError extends Error {}

/** Maximum number of draws in sequence. */
const DEPTH_MAX = 200;

const DECISION_PENDING = new Error('a decision is pending');

interface OpenDecision {
  readonly point: string;
  readonly player: number;
  readonly options: readonly DecisionOption[];
  readonly policy: DecisionOption;
}

/**
 * Records the draws of a turn after its decisions, and stops at a decision without an answer. If the policy of such a
 * decision draws, the turn continues with the choice of the policy.
 */
class DecisionTracingChance extends TracingChance {
  readonly #players: readonly string[];
  readonly #answers: readonly DecisionOption[];
  #answered = 0;
  /** True if a policy has drawn in this branch. */
  #hasChosen = false;
  request: OpenDecision | undefined;
  /** Number of draws of its policy. */
  policyDraws = 0;

  constructor(base: number, players: readonly string[], answers: readonly DecisionOption[]) {
    super(base);
    this.#players = players;
    this.#answers = answers;
  }

  override rewind(): void {
    super.rewind();
    this.#answered = 0;
    this.#hasChosen = false;
  }

  override decide<T extends DecisionOption>(point: string, name: string, options: readonly T[], policy: () => T): T {
    const player = this.#players.indexOf(name);
    if (options.length < 2 || player < 0) return policy();
    const answer = options.find((option) => option === this.#answers[this.#answered]);
    if (answer !== undefined) {
      this.#answered++;
      return answer;
    }
    if (this.#hasChosen || (this.request === undefined && this.path.length > 0))
      throw new DecisionGraphError(`a turn draws before its decision "${point}"`);
    const choice = policy();
    this.request = { point, player, options, policy: choice };
    this.policyDraws = this.path.length;
    if (this.path.length === 0) throw DECISION_PENDING;
    this.#hasChosen = true;
    return choice;
  }
}

/** Leaves of a scenario by all decisions of all players, and the nodes between them. */
export interface DecisionGraph {
  readonly graph: NodeGraph;
  readonly leaves: readonly DecisionLeaf[];
  readonly start: NodeRef;
  /** Words of a round, if nodes count rounds; otherwise 0, and states contain the round. */
  readonly roundWords: number;
}

class DecisionGraphBuilder implements DecisionGraph {
  readonly graph: NodeGraph = new NodeGraph();
  readonly leaves: DecisionLeaf[] = [];
  start: NodeRef = 0;
  readonly roundWords: number;
  readonly #variant: Variant;
  readonly #points: readonly string[];
  readonly #stepsMax: number;
  readonly #known = new Map<Key, NodeRef>();
  readonly #keys = new KeyBudget();
  /** Creates what was referred to before. */
  readonly #waiting: (() => void)[] = [];
  #steps = 0;
  #depth = 0;

  constructor(variant: Variant, points: readonly string[], stepsMax: number) {
    const { model } = variant;
    this.#variant = variant;
    this.#points = points;
    this.#stepsMax = stepsMax;
    this.roundWords = model.plain === undefined || model.roundsMetric === undefined ? 0 : (model.roundWords ?? 0);
  }

  /** Creates the start node. */
  begin(): void {
    const { model } = this.#variant;
    const chance = new DecisionTracingChance(0, [], []);
    const take = this.#repeat(chance, () => model.start(chance));
    this.start = this.#link(chance, take(), take);
  }

  /** Explores more. @returns false if nothing is left */
  next(): boolean {
    const create = this.#waiting.pop();
    create?.();
    return create !== undefined;
  }

  /** Returns a function that follows the next branch of an act. */
  #repeat(chance: DecisionTracingChance, act: () => State): () => State {
    return () => {
      if (++this.#steps > this.#stepsMax)
        throw new DecisionGraphError(`compiling takes more than ${formatGrouped(this.#stepsMax)} steps (compileSteps)`);
      chance.rewind();
      return act();
    };
  }

  /** Links the branches of an act. */
  #link(chance: DecisionTracingChance, first: State, take: () => State): NodeRef {
    if (chance.path.length === 0) return this.#follow(first);
    if (++this.#depth > DEPTH_MAX)
      throw new DecisionGraphError(`more than ${String(DEPTH_MAX)} draws without a decision`);
    const node = this.graph.linkBranches(chance.path, this.#follow(first), () => this.#follow(take()));
    this.#depth--;
    return node;
  }

  #createKey(state: State): Key {
    const { model } = this.#variant;
    if (this.roundWords === 0) return stringifyState(state, 'state');
    if (model.plain === 'key') return model.key(state);
    const { round: _, ...rest } = state;
    return stringifyState(rest, 'state');
  }

  /** Returns the node or leaf of a state. */
  #follow(state: State): NodeRef {
    const { model } = this.#variant;
    const name = this.roundWords === 0 ? findOutcome(model, state) : model.outcome(state);
    if (name !== undefined) return this.#end(state, name);
    const key = this.#createKey(state);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#keys.spend(key) !== undefined)
      throw new DecisionGraphError('the keys of its states exceed their memory limit');
    model.keep?.(state);
    const ref = model.resting(state) ? this.#round(state) : this.#turn(state, []);
    this.#known.set(key, ref);
    return ref;
  }

  /** Reserves the node of a state between two rounds. */
  #round(state: State): NodeRef {
    const { model, spec } = this.#variant;
    const at = this.graph.reserve();
    this.#waiting.push(() => {
      const { pace } = spec;
      const round = (): NodeRef => this.#turn(state, []);
      const paced = { point: pace ?? '', player: 0, options: [pace ?? ''], policy: pace ?? '' };
      const next = pace === undefined ? round() : this.#decide({ state, answers: [] }, paced, round);
      const limit = getRoundLimitOutcome(model);
      this.graph.fillRoundStart(at, next, this.roundWords === 0 ? undefined : this.#end(state, limit));
    });
    return at;
  }

  /** Returns the node or leaf of a turn after some of its decisions. */
  #turn(state: State, answers: readonly DecisionOption[]): NodeRef {
    const { model, players } = this.#variant;
    const round = state.round + Number(model.resting(state));
    const chance = new DecisionTracingChance(round * this.roundWords, players, answers);
    const take = this.#repeat(chance, () => model.turn?.(state, chance) ?? model.step(state, chance));
    const answer = (option: DecisionOption): NodeRef => this.#turn(state, [...answers, option]);
    let first: State;
    try {
      first = take();
    } catch (error) {
      if (error !== DECISION_PENDING || chance.request === undefined) throw error;
      return this.#decide({ state, answers }, chance.request, answer);
    }
    const { request } = chance;
    if (request === undefined) return this.#link(chance, first, take);
    const policy = this.graph.linkBranches(chance.path, this.#addChoice(chance), () => {
      take();
      return this.#addChoice(chance);
    });
    return this.#decide({ state, answers }, request, answer, policy);
  }

  /** Returns the leaf of the choice of a policy that draws. */
  #addChoice({ request, path, policyDraws }: DecisionTracingChance): NodeRef {
    // Then the answers of an agent would shift the later draws.
    if (request === undefined || path.length > policyDraws)
      throw new DecisionGraphError(`a turn draws after the policy of "${request?.point ?? ''}" has drawn`);
    const result = this.#actionOf(request.point, request.policy);
    const nothing = { point: NONE, player: 0, options: [], policy: undefined, metrics: [], seen: [], shown: [] };
    return this.#addKnownLeaf(`=${String(result)}`, { ...nothing, result, begun: undefined });
  }

  #addKnownLeaf(key: string, leaf: DecisionLeaf): NodeRef {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const ref = this.#addLeaf(leaf);
    this.#known.set(key, ref);
    return ref;
  }

  /** Returns the index of an action in the scenario. */
  #actionOf(point: string, option: DecisionOption): number {
    const { spec } = this.#variant;
    const action = spec.actions.indexOf(spec.actionName(point, option));
    if (action < 0) throw new DecisionGraphError(`"${point}" has undeclared options`);
    return action;
  }

  #addLeaf(leaf: DecisionLeaf): NodeRef {
    return this.graph.addFinalState(this.leaves.push(leaf) - 1, []);
  }

  /** @param answer returns the node after an option @param policy node of a policy that draws */
  #decide(
    begun: TurnState,
    { point: name, player, options, policy: choice }: OpenDecision,
    answer: (option: DecisionOption) => NodeRef,
    policy?: NodeRef,
  ): NodeRef {
    const { spec, players } = this.#variant;
    const actions = options.map((option) => this.#actionOf(name, option));
    const point = this.#points.indexOf(name);
    if (point < 0 || new Set(actions).size < actions.length || !options.includes(choice))
      throw new DecisionGraphError(`"${name}" has undeclared options`);
    const links: LeafOption[] = [];
    this.#waiting.push(() => {
      for (const [o, option] of options.entries()) links.push({ action: actions[o] ?? 0, target: answer(option) });
    });
    return this.#addLeaf({
      ...{ point, player, result: this.#actionOf(name, choice), options: links, policy, metrics: [], begun },
      seen: spec.observe(begun.state, players[player]),
      shown: spec.observe(begun.state, undefined),
    });
  }

  /** Returns the leaf of the end of a battle. */
  #end(state: State, name: string): NodeRef {
    const { model, spec, outcomes } = this.#variant;
    const result = outcomes.indexOf(name);
    if (result < 0) throw new DecisionGraphError(`an undeclared outcome "${name}"`);
    const { roundsMetric } = model;
    const measured = model.measure(state);
    const metrics = this.roundWords === 0 ? measured : measured.with(roundsMetric ?? 0, 0);
    const shown = spec.observe(state, undefined);
    const leaf = { point: NONE, player: 0, result, options: [], policy: undefined, metrics, seen: shown, shown };
    return this.#addKnownLeaf(`!${[result, ...metrics, ...shown].join()}`, { ...leaf, begun: { state, answers: [] } });
  }
}

/**
 * Explores a scenario, with a pause after each yield.
 * @param points decision points of the configuration
 * @param stepsMax maximum number of steps of the model
 * @throws DecisionGraphError if it cannot be compiled
 */
export function* exploreDecisions(
  variant: Variant,
  points: readonly string[],
  stepsMax: number,
): Generator<undefined, DecisionGraph> {
  const builder = new DecisionGraphBuilder(variant, points, stepsMax);
  builder.begin();
  while (builder.next()) yield;
  return builder;
}
