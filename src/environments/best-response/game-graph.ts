/** A battle as a game of one player. */
import { InputError } from '../../core/index.ts';
import { type DecisionOption, getBoundScenario, type Key, type KeyBudget, type State } from '../../rules/index.ts';
import type { Variant } from '../env-spec.ts';
import { PackedTexts } from './columns.ts';
import { hasEqualItems, type OpenDecision } from './decision-chance.ts';
import {
  GraphBuilder,
  type LengthPayoff,
  type PositionDefinition,
  type PositionGraph,
  type PositionMember,
  type WeightedState,
} from './graph-builder.ts';

// Battle as a game of one player against chance: all states that are reachable by any policy of the player, merged by
// key. States that the player cannot distinguish, because others have chosen in secret, form one position: a belief
// with the probabilities of its states (K. Astrom 1965).

/** Definition of a game. */
export interface GameDefinition<S extends State> extends PositionDefinition<S> {
  /** Returns the player's observation of a state, and the complete one. */
  readonly observe: (state: S) => readonly number[];
  readonly observeAll: (state: S) => readonly number[];
  /**
   * True to merge all states that look alike to the player, even if the final observation differs: then the player
   * knows only its observations.
   */
  readonly mergesByObservation?: boolean;
  /** Receives the states of a position in which the player decides. */
  readonly onDecision?: (question: OpenDecision, states: readonly S[]) => void;
}

/** Positions of a game of one player. */
export interface GameGraph<S extends State> extends PositionGraph<OpenDecision> {
  /** Returns the most likely state of a position in which the player decides. @param decision its index among them */
  getState(decision: number): S;
  /** Positions that hold several states. */
  readonly beliefs: number;
  /** Returns the position of a state that the player knows; undefined if the player never knows it. */
  at(key: Key): number | undefined;
}

function isSameDecision(a: OpenDecision | undefined, b: OpenDecision | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.point === b.point && a.options.join() === b.options.join() && hasEqualItems(a.policy, b.policy);
}

/** Merges states and adds their probabilities. */
function mergeStates<S>(members: readonly WeightedState<S>[]): WeightedState<S>[] {
  const total = members.reduce((sum, { mass }) => sum + mass, 0);
  return members.map((member) => ({ ...member, mass: member.mass / total })).sort((a, b) => b.mass - a.mass);
}

/** Creates the key of a belief; ignores rounding differences. */
function createBeliefKey(members: readonly WeightedState<unknown>[]): string {
  const names = members.map(({ key, mass }) => `${String(key)}*${mass.toPrecision(12)}`);
  return `?${names.sort().join('|')}`;
}

/** Maximum number of decisions that positions share. */
const SHARED_MAX = 2 ** 14;

class GameGraphBuilder<S extends State> extends GraphBuilder<S, OpenDecision> {
  /** By decision: the most likely state, as JSON if it is plain data. */
  readonly #states: S[] = [];
  readonly #texts = new PackedTexts();
  /** Decisions by their JSON. */
  readonly #shared = new Map<string, OpenDecision>();
  readonly #contest: GameDefinition<S>;

  constructor(contest: GameDefinition<S>, budget: number, keys: KeyBudget | undefined) {
    super(contest, budget, 'the optimal policy needs', keys);
    this.#contest = contest;
  }

  override build(): GameGraph<S> {
    const graph = super.build();
    return {
      ...graph,
      beliefs: this.beliefs,
      getState: (decision) => this.#states[decision] ?? (JSON.parse(this.#texts.get(decision)) as S),
      at: (key) => this.index.get(key),
    };
  }

  protected override explore(node: number, members: readonly PositionMember<S>[]): void {
    const found = new Map<Key, WeightedState<S>>();
    const [question, ...others] = members.map((member) => this.#walk(member, found));
    if (this.#contest.mergesByObservation !== true && others.some((other) => !isSameDecision(question, other))) {
      const expected = 'options and policies that do not depend on hidden information';
      throw new InputError(
        'best-response',
        expected,
        `different ones at "${question?.point ?? others.find(Boolean)?.point ?? ''}"`,
      );
    }
    if (question === undefined) {
      this.addOption([...found.values()], 1);
      return;
    }
    this.questions.set(node, this.#share(question));
    const states = members.map(({ state }) => state);
    this.#contest.onDecision?.(question, states);
    if (this.#contest.isPlain === true) this.#texts.push(JSON.stringify(states[0]));
    else this.#states.push(...states.slice(0, 1));
    for (const [o, option] of question.options.entries()) {
      found.clear();
      for (const member of members) this.#walk(member, found, option);
      this.addOption([...found.values()], question.policy[o] ?? 0, 1);
    }
  }

  #share(question: OpenDecision): OpenDecision {
    const name = JSON.stringify(question);
    const known = this.#shared.get(name);
    if (known === undefined && this.#shared.size < SHARED_MAX) this.#shared.set(name, question);
    return known ?? question;
  }

  #walk(
    { state, mass }: PositionMember<S>,
    found: Map<Key, WeightedState<S>>,
    answer?: DecisionOption,
  ): OpenDecision | undefined {
    return this.chance.walk((chance) => this.turn(state, chance), this.createVisitor(found, mass), answer);
  }

  protected override addOption(found: readonly WeightedState<S>[], policy: number, steps = 0): void {
    this.beginOption(policy, steps);
    for (const members of this.#groupByObservation(found)) {
      this.addEdge(
        this.#addBelief(members),
        members.reduce((sum, { mass }) => sum + mass, 0),
      );
    }
  }

  /** Groups states by what the player can distinguish. */
  #groupByObservation(all: readonly WeightedState<S>[]): (readonly WeightedState<S>[])[] {
    const { model, observe } = this.#contest;
    if (all.length < 2) return [all];
    const alike = new Map<string, WeightedState<S>[]>();
    for (const member of all) {
      const over = model.outcome(member.state) !== undefined;
      // Hidden data may look like an unmade choice: then a state without secrets looks like one with secrets.
      const name = over ? `!${String(member.key)}` : `${observe(member.state).join()}${this.#observeDecision(member)}`;
      const group = alike.get(name);
      if (group === undefined) alike.set(name, [member]);
      else group.push(member);
    }
    return [...alike.values()].flatMap((group) => (this.#isSecret(group) ? [group] : group.map((member) => [member])));
  }

  /** Returns what an otherwise uninformed player observes of its decision and of the progress of the round. */
  #observeDecision({ state }: WeightedState<S>): string {
    const { model, mergesByObservation } = this.#contest;
    if (mergesByObservation !== true) return '';
    const question = this.chance.walk(
      (chance) => this.turn(state, chance),
      () => undefined,
    );
    return `,${String(model.resting(state))},${question?.point ?? ''},${question?.options.join() ?? ''}`;
  }

  /**
   * True if states that look alike to the player differ in the final observation; otherwise the observation only omits
   * visible data.
   */
  #isSecret([first, ...others]: readonly WeightedState<S>[]): boolean {
    const { observeAll, mergesByObservation } = this.#contest;
    if (first === undefined || others.length === 0) return false;
    if (mergesByObservation === true) return true;
    const shown = observeAll(first.state);
    return others.some(({ state }) => !hasEqualItems(shown, observeAll(state)));
  }

  #addBelief(members: readonly WeightedState<S>[]): number {
    const [first, second] = members;
    if (first === undefined) throw new Error('a position without a state');
    if (second === undefined) return this.addPosition(first.key, [{ ...first, mass: 1 }]);
    const believed = mergeStates(members);
    const name = createBeliefKey(believed);
    const known = this.index.get(name);
    if (known !== undefined) return known;
    this.beliefs++;
    if (this.#contest.mergesByObservation !== true && members.some(({ state }) => this.#contest.model.resting(state)))
      throw new InputError('best-response', 'secrets that last at most one round', 'a longer one');
    return this.addPosition(name, believed);
  }
}

/**
 * Builds the graph of all reachable positions.
 * @param budget maximum transitions to compute
 * @param keys memory for keys of positions
 * @throws BudgetError if there are more; the message has the number of positions found
 */
export function buildGameGraph<S extends State>(
  definition: GameDefinition<S>,
  budget: number,
  keys?: KeyBudget,
): GameGraph<S> {
  return new GameGraphBuilder(definition, budget, keys).build();
}

// Scenario as a game of one of its players.

/** Reward of the first agent for final states. */
export interface FinalReward {
  readonly lengthPayoff: LengthPayoff;
  /** Returns the payoff of a battle with this outcome, without its length. */
  readonly payoff: (state: State, outcome: number) => number;
}

/** Creates the reward of the first agent of a scenario. */
export function createFinalReward({ model, byOutcome, byMetric, byStep }: Variant): FinalReward {
  const weights = byMetric.map(([weight = 0], m) => (m === model.roundsMetric ? 0 : weight));
  const isWeighted = weights.some((weight) => weight !== 0);
  return {
    lengthPayoff: {
      round: model.roundsMetric === undefined ? 0 : (byMetric[model.roundsMetric]?.[0] ?? 0),
      step: byStep[0] ?? 0,
    },
    payoff(state, outcome) {
      const payoff = byOutcome[outcome]?.[0] ?? 0;
      if (!isWeighted) return payoff;
      return model.measure(state).reduce((sum, value, m) => sum + (weights[m] ?? 0) * value, payoff);
    },
  };
}

/** Creates the game of a scenario's only agent. */
export function createGameDefinition(
  variant: Variant,
  agent: string,
  points: readonly string[],
): GameDefinition<State> {
  const { spec, model } = variant;
  return {
    model,
    decides: (point, player) => player === agent && points.includes(point),
    observe: (state) => spec.observe(state, agent),
    observeAll: (state) => spec.observe(state, undefined),
    isPlain: !getBoundScenario(variant.scenario).isCustom,
    ...createFinalReward(variant),
  };
}
