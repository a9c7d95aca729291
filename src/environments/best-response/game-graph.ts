/** Budgets of best responses. */
import {
  BudgetError,
  type Chance,
  EnumeratedChance,
  formatGrouped,
  InputError,
  OPTIMAL_STEPS_MAX,
  reportSteps,
} from '../../core/index.ts';
import {
  type ChainSize,
  ESTIMATE_BUDGET_MIN,
  EstimateSchedule,
  type ExplorationProgress,
  estimateChainSize,
  estimateRemainingSize,
  formatSize,
} from '../../engines/index.ts';
import {
  type DecisionOption,
  getRoundLimitOutcome,
  type Key,
  KeyBudget,
  type Model,
  type State,
} from '../../rules/index.ts';
import type { Variant } from '../env-spec.ts';

/** Maximum edges to process, edges x rounds, for each step of a budget. */
const MOVES_PER_STEP = 1000;

/** Computes the maximum number of value updates for a budget. */
export const computeMoveLimit = (budget: number): number => MOVES_PER_STEP * budget;

/**
 * Suggests a larger budget; undefined if there is none.
 * @param needed expected minimum number of steps, if known
 */
export function suggestBudget(budget: number, needed = 0): number | undefined {
  return budget < OPTIMAL_STEPS_MAX && needed <= OPTIMAL_STEPS_MAX
    ? Math.min(OPTIMAL_STEPS_MAX, Math.max(2 * budget, needed))
    : undefined;
}

// Chance source that enumerates draws as for exact answers, and stops at decisions of one player.

/** Pending decision. */
export interface OpenDecision {
  readonly point: string;
  readonly options: readonly DecisionOption[];
  /** Probability of each option under the scenario's policy. */
  readonly policy: readonly number[];
}

/** Receives a result and its probability. */
export type ResultVisitor<T> = (value: T, probability: number) => void;

/** Thrown through the rules at a decision; the chance source has the details. */
class DecisionSignal extends Error {}

const DECISION_SIGNAL = new DecisionSignal('a decision is pending');

class DecisionChance extends EnumeratedChance {
  readonly #decides: (point: string, player: string) => boolean;
  #answer: DecisionOption | undefined;
  #answered = false;
  #question: { point: string; options: readonly DecisionOption[]; policy: number[] } | undefined;

  /** @param decides true for a decision of the player; all others follow the scenario's policies */
  constructor(decides: (point: string, player: string) => boolean) {
    super();
    this.#decides = decides;
  }

  override decide<T extends DecisionOption>(point: string, player: string, options: readonly T[], policy: () => T): T {
    if (options.length < 2 || !this.#decides(point, player)) return policy();
    if (this.probability !== 1 || this.#answered) {
      const expected = `"${point}" before all draws and other decisions of its step, or in a separate turn`;
      throw new InputError('best-response', expected, 'a draw or decision before it');
    }
    const answer = options.find((option) => option === this.#answer);
    if (answer !== undefined) {
      this.#answered = true;
      return answer;
    }
    const chosen = options.indexOf(policy());
    this.#question ??= { point, options, policy: options.map(() => 0) };
    this.#question.policy[chosen] = (this.#question.policy[chosen] ?? 0) + this.probability;
    throw DECISION_SIGNAL;
  }

  /**
   * Enumerates the results of an act up to a decision.
   * @param answer to the decision, if known
   * @returns the decision without an answer, if there is one
   */
  walk<T>(act: (chance: Chance) => T, take: ResultVisitor<T>, answer?: DecisionOption): OpenDecision | undefined {
    this.#answer = answer;
    this.#question = undefined;
    do {
      this.rewind();
      this.#answered = false;
      try {
        take(act(this), this.probability);
      } catch (error) {
        if (error !== DECISION_SIGNAL) throw error;
      }
    } while (this.advance());
    return this.#question;
  }
}

// Battle as a game of one player against chance: all states that are reachable by any policy of the player, merged by
// key. States that the player cannot distinguish, because others have chosen in secret, form one position: a belief
// with the probabilities of its states (K. Astrom 1965).

/** Definition of a game. */
export interface GameDefinition<S extends State> {
  readonly model: Model<S>;
  /** True for a decision of the player; all others follow the scenario's policies. */
  readonly decides: (point: string, player: string) => boolean;
  /** Returns the player's observation of a state, and the complete one. */
  readonly observe: (state: S) => readonly number[];
  readonly observeAll: (state: S) => readonly number[];
  /** Returns the payoff of a battle with this outcome. */
  readonly payoff: (state: S, outcome: number) => number;
  /**
   * True to merge all states that look alike to the player, even if the final observation differs: then the player
   * knows only its observations.
   */
  readonly mergesByObservation?: boolean;
  /** Receives the states of a position in which the player decides. */
  readonly onDecision?: (question: OpenDecision, states: readonly S[]) => void;
}

/** Kinds of positions: the battle is over, between two rounds, within a round, or not started. */
export const OVER = 0;
export const BETWEEN_ROUNDS = 1;
export const IN_ROUND = 2;
const INITIAL = 3;

/** Position before the battle: all battles leave it at once. */
export const START = 0;

/** State with the probability that the battle is in it. */
interface WeightedState<S> {
  readonly key: Key;
  readonly state: S;
  mass: number;
}

/** Positions, options and successors, in compressed rows. */
export interface GameGraph<S extends State> {
  readonly kinds: readonly number[];
  /** Payoff of a battle that ends, or is called off, here. */
  readonly payoffs: readonly number[];
  /** Index of the outcome if the battle ends or is called off here; otherwise -1. */
  readonly outcomes: readonly number[];
  /** First option of each position, then the total. Positions without a decision have one option. */
  readonly firstOption: readonly number[];
  /** First edge of each option, then the total. */
  readonly firstEdge: readonly number[];
  /** By option: its probability under the scenario's policy. */
  readonly policy: readonly number[];
  readonly targets: readonly number[];
  readonly probabilities: readonly number[];
  /** Positions in which the player decides. */
  readonly questions: ReadonlyMap<number, OpenDecision>;
  /** Most likely state of each position in which the player decides. */
  readonly states: readonly (S | undefined)[];
  /** Positions that hold several states. */
  readonly beliefs: number;
  /** Returns the position of a state that the player knows; undefined if the player never knows it. */
  at(key: Key): number | undefined;
  /** Transitions before merging. */
  readonly steps: number;
}

const hasEqualItems = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, k) => value === b[k]);

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

class GameGraphBuilder<S extends State> implements GameGraph<S> {
  readonly kinds: number[] = [];
  readonly payoffs: number[] = [];
  readonly outcomes: number[] = [];
  readonly firstOption: number[] = [];
  readonly firstEdge: number[] = [];
  readonly policy: number[] = [];
  readonly targets: number[] = [];
  readonly probabilities: number[] = [];
  readonly questions = new Map<number, OpenDecision>();
  readonly states: (S | undefined)[] = [];
  beliefs = 0;
  steps = 0;
  readonly #contest: GameDefinition<S>;
  readonly #budget: number;
  readonly #chance: DecisionChance;
  readonly #index = new Map<Key, number>();
  readonly #keys: KeyBudget;
  readonly #lookouts = new EstimateSchedule();
  /** Estimated minimum number of steps. */
  #expected = 0;
  #began = performance.now();
  /** Size of the chain under the scenario's policies, a lower bound for all options. */
  #played: ChainSize | undefined;
  /** Members of positions that are not explored yet. */
  readonly #members: (readonly WeightedState<S>[] | undefined)[] = [];

  constructor(contest: GameDefinition<S>, budget: number, keys: KeyBudget) {
    this.#contest = contest;
    this.#keys = keys;
    this.#budget = budget;
    this.#chance = new DecisionChance(contest.decides);
  }

  build(): this {
    const { model } = this.#contest;
    const found = new Map<Key, WeightedState<S>>();
    // The start of a battle has no decisions.
    const opening = new DecisionChance(() => false);
    opening.walk((chance) => model.start(chance), this.#createVisitor(found, 1));
    this.#add([], INITIAL);
    this.firstOption.push(0);
    this.#addOption(found, 1);
    for (let node = 1; node < this.kinds.length; node++) this.#follow(node);
    this.firstOption.push(this.policy.length);
    this.firstEdge.push(this.targets.length);
    return this;
  }

  at(key: Key): number | undefined {
    return this.#index.get(key);
  }

  /** Creates a visitor that adds results. @param mass of the initial state */
  #createVisitor(found: Map<Key, WeightedState<S>>, mass: number): (state: S, probability: number) => void {
    return (state, probability) => {
      this.steps++;
      if (this.#budget >= ESTIMATE_BUDGET_MIN && this.#lookouts.isDue(this.steps)) this.#plan();
      reportSteps(this.steps, this.#expected);
      if (this.steps > this.#budget) this.#refuse();
      const key = this.#contest.model.key(state);
      const known = found.get(key);
      if (known === undefined) found.set(key, { key, state, mass: mass * probability });
      else known.mass += mass * probability;
    };
  }

  #follow(node: number): void {
    const members = this.#members[node] ?? [];
    this.#members[node] = undefined;
    this.firstOption.push(this.policy.length);
    if (this.kinds[node] === OVER) {
      this.states[node] = undefined;
      return;
    }
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
      this.states[node] = undefined;
      this.#addOption(found, 1);
      return;
    }
    this.questions.set(node, question);
    const states = members.map(({ state }) => state);
    this.#contest.onDecision?.(question, states);
    for (const [o, option] of question.options.entries()) {
      found.clear();
      for (const member of members) this.#walk(member, found, option);
      this.#addOption(found, question.policy[o] ?? 0);
    }
  }

  #walk(
    { state, mass }: WeightedState<S>,
    found: Map<Key, WeightedState<S>>,
    answer?: DecisionOption,
  ): OpenDecision | undefined {
    const { model } = this.#contest;
    const turn = (chance: Chance): S => model.turn?.(state, chance) ?? model.step(state, chance);
    return this.#chance.walk(turn, this.#createVisitor(found, mass), answer);
  }

  /** Adds an option of the current position, with its successors. */
  #addOption(found: ReadonlyMap<Key, WeightedState<S>>, policy: number): void {
    this.policy.push(policy);
    this.firstEdge.push(this.targets.length);
    for (const members of this.#groupByObservation([...found.values()])) {
      this.targets.push(this.#addPosition(members));
      this.probabilities.push(members.reduce((sum, { mass }) => sum + mass, 0));
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
    const turn = (chance: Chance): S => model.turn?.(state, chance) ?? model.step(state, chance);
    const question = this.#chance.walk(turn, () => undefined);
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

  #addPosition(members: readonly WeightedState<S>[]): number {
    const [first, second] = members;
    if (first === undefined) throw new Error('a position without a state');
    const believed = second === undefined ? [{ ...first, mass: 1 }] : mergeStates(members);
    const name = second === undefined ? first.key : createBeliefKey(believed);
    const known = this.#index.get(name);
    if (known !== undefined) return known;
    const full = this.#keys.spend(name);
    if (full !== undefined) this.#throwOverflow(full);
    this.#index.set(name, this.kinds.length);
    const { model } = this.#contest;
    const rests = members.some(({ state }) => model.resting(state));
    if (second !== undefined) this.beliefs++;
    if (second !== undefined && rests && this.#contest.mergesByObservation !== true)
      throw new InputError('best-response', 'secrets that last at most one round', 'a longer one');
    const over = model.outcome(first.state) !== undefined;
    return this.#add(believed, over ? OVER : rests ? BETWEEN_ROUNDS : IN_ROUND);
  }

  #add(members: readonly WeightedState<S>[], kind: number): number {
    const { model } = this.#contest;
    const likeliest = members[0]?.state;
    this.#members.push(members);
    this.states.push(likeliest);
    this.kinds.push(kind);
    const ends = likeliest !== undefined && kind !== IN_ROUND;
    this.outcomes.push(ends ? model.outcomes.indexOf(model.outcome(likeliest) ?? getRoundLimitOutcome(model)) : -1);
    this.payoffs.push(ends ? members.reduce((sum, { state, mass }) => sum + mass * this.#getPayoff(state), 0) : 0);
    return this.kinds.length - 1;
  }

  /** Returns the payoff of a battle that ends, or is called off, in a state. */
  #getPayoff(state: S): number {
    const { model, payoff } = this.#contest;
    const outcome = model.outcomes.indexOf(model.outcome(state) ?? getRoundLimitOutcome(model));
    return outcome < 0 ? 0 : payoff(state, outcome);
  }

  /** Estimates the size; excluded from the measured pace. */
  #plan(): void {
    const seconds = (performance.now() - this.#began) / 1000;
    const pace = { states: this.kinds.length, steps: this.steps, transitions: this.targets.length, seconds };
    this.#played ??= estimateChainSize(this.#contest.model);
    const ahead = this.#estimateRemaining();
    const states = Math.max(this.#played.states, this.kinds.length, this.#following + ahead.states);
    const steps = Math.max(this.#played.steps, this.steps + ahead.steps);
    this.#began = performance.now() - 1000 * seconds;
    if (steps > this.#budget) this.#refuse({ states, steps }, pace);
    this.#expected = steps;
  }

  /** The position that is followed. */
  get #following(): number {
    return this.firstOption.length - 1;
  }

  /** Estimates the remaining size if each position is a single state: the estimate does not cover beliefs. */
  #estimateRemaining(): ChainSize {
    if (this.beliefs > 0) return { states: 0, steps: 0 };
    const { model, decides } = this.#contest;
    return estimateRemainingSize(model, {
      open: this.#members.slice(this.#following + 1).flatMap((members) => members?.map(({ state }) => state) ?? []),
      isDone: (_, key) => (this.#index.get(key) ?? Number.POSITIVE_INFINITY) <= this.#following,
      act: (state, chance) => model.turn?.(state, chance) ?? model.step(state, chance),
      decides,
      rounds: Number.POSITIVE_INFINITY,
      steps: this.steps,
    });
  }

  /** Throws for lack of memory. @param why description of the keys */
  #throwOverflow(why: string): never {
    throw new BudgetError(
      `the optimal policy needs too much memory: ${formatGrouped(this.kinds.length)} positions were found; ${why}`,
    );
  }

  #refuse(size?: ChainSize, pace?: ExplorationProgress): never {
    const more = size === undefined || pace === undefined ? '' : `; ${formatSize(size, pace)}`;
    throw new BudgetError(
      `the optimal policy needs more than the budget of ${formatGrouped(this.#budget)} steps: ` +
        `${formatGrouped(this.kinds.length)} positions were found, and ${formatGrouped(this.kinds.length - this.firstOption.length)} ` +
        `of them are not explored yet${more}`,
      { suggested: suggestBudget(this.#budget, size?.steps) },
    );
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
  keys: KeyBudget = new KeyBudget(),
): GameGraph<S> {
  return new GameGraphBuilder(definition, budget, keys).build();
}

// Scenario as a game of one of its players.

/** Creates the game of a scenario's only agent. */
export function createGameDefinition(
  { spec, model, byOutcome, byMetric }: Variant,
  agent: string,
  points: readonly string[],
): GameDefinition<State> {
  const { roundsMetric } = model;
  if (roundsMetric !== undefined && byMetric[roundsMetric]?.[0] !== 0) {
    throw new InputError('reward', 'metrics other than the number of rounds', 'the number of rounds');
  }
  const weights = byMetric.map(([weight = 0]) => weight);
  const weighs = weights.some((weight) => weight !== 0);
  return {
    model,
    decides: (point, player) => player === agent && points.includes(point),
    observe: (state) => spec.observe(state, agent),
    observeAll: (state) => spec.observe(state, undefined),
    payoff(state, outcome) {
      const worth = byOutcome[outcome]?.[0] ?? 0;
      if (!weighs) return worth;
      return model.measure(state).reduce((sum, value, m) => sum + (weights[m] ?? 0) * value, worth);
    },
  };
}
