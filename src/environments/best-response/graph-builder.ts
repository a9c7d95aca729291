/** Exploration of the positions of a battle as a game, within a budget of steps and of memory. */
import { BudgetError, type Chance, formatGrouped, GAME_STEPS_MAX, reportNote, reportSteps } from '../../core/index.ts';
import {
  type ChainSize,
  ESTIMATE_BUDGET_MIN,
  EstimateSchedule,
  type ExplorationProgress,
  estimateChainSize,
  estimateRemainingSize,
  formatSize,
} from '../../engines/index.ts';
import { getRoundLimitOutcome, type Key, KeyBudget, type Model, type State } from '../../rules/index.ts';
import { GrowableColumn, KeyIndex } from './columns.ts';
import { DecisionChance } from './decision-chance.ts';

/** Maximum edges to process, edges x rounds, for each step of a budget. */
const MOVES_PER_STEP = 1000;

/** Computes the maximum number of value updates for a budget. */
export const computeMoveLimit = (budget: number): number => MOVES_PER_STEP * budget;

/**
 * Suggests a larger budget; undefined if there is none.
 * @param needed expected minimum number of steps, if known
 */
export function suggestBudget(budget: number, needed = 0): number | undefined {
  if (budget >= GAME_STEPS_MAX || needed > GAME_STEPS_MAX) return undefined;
  return Math.min(GAME_STEPS_MAX, Math.max(2 * budget, needed));
}

/** Maximum number of characters of all keys. */
const KEY_CHARACTERS = 2 ** 30;

/** Kinds of positions: the battle is over, between two rounds, within a round, or not started. */
export const OVER = 0;
export const BETWEEN_ROUNDS = 1;
export const IN_ROUND = 2;
const INITIAL = 3;

/** Position before the battle: all battles leave it at once. */
export const START = 0;

/** State with the probability that the battle is in it. */
export interface PositionMember<S> {
  readonly state: S;
  mass: number;
}

/** State of a position with its key. */
export interface WeightedState<S> extends PositionMember<S> {
  readonly key: Key;
}

/** Positions, options and successors, in compressed rows. */
export interface PositionGraph<Q> {
  readonly kinds: Uint8Array;
  /** Payoff of a battle that ends, or is called off, here. */
  readonly payoffs: Float64Array;
  /** Index of the outcome if the battle ends or is called off here; otherwise -1. */
  readonly outcomes: Int16Array;
  /** First option of each position, then the total. Positions without a decision have one option. */
  readonly firstOption: Int32Array;
  /** First edge of each option, then the total. */
  readonly firstEdge: Int32Array;
  /** By option: its probability under the scenario's policy. */
  readonly policy: Float64Array;
  readonly targets: Int32Array;
  readonly probabilities: Float64Array;
  /** By option: its expected number of steps; empty if the payoff does not count steps. */
  readonly optionSteps: Float64Array;
  readonly lengthPayoff: LengthPayoff;
  /** Decisions by position. */
  readonly questions: ReadonlyMap<number, Q>;
  /** Transitions before merging. */
  readonly steps: number;
}

/** Payoff of each started round and of each step, which positions do not count. */
export interface LengthPayoff {
  readonly round: number;
  readonly step: number;
}

/** Definition of the states of a game. */
export interface PositionDefinition<S extends State> {
  readonly model: Model<S>;
  /** True for a decision of the game; all others follow the scenario's policies. */
  readonly decides: (point: string, player: string) => boolean;
  /** Returns the payoff of a battle with this outcome, without its length. */
  readonly payoff: (state: S, outcome: number) => number;
  /** Default: 0. */
  readonly lengthPayoff?: LengthPayoff;
  /** True if states are plain data, so that JSON represents them. Default: false. */
  readonly isPlain?: boolean;
}

/** Explores positions in the order in which they are found. */
export abstract class GraphBuilder<S extends State, Q> {
  protected readonly questions = new Map<number, Q>();
  protected beliefs = 0;
  /** Bytes of a position, measured on a battle with a million positions. */
  protected readonly positionBytes: number = 600;
  protected readonly chance: DecisionChance;
  protected readonly index = new KeyIndex();
  readonly #kinds = new GrowableColumn(Uint8Array);
  readonly #payoffs = new GrowableColumn(Float64Array);
  readonly #outcomes = new GrowableColumn(Int16Array);
  readonly #firstOption = new GrowableColumn(Int32Array);
  readonly #firstEdge = new GrowableColumn(Int32Array);
  readonly #policy = new GrowableColumn(Float64Array);
  readonly #targets = new GrowableColumn(Int32Array);
  readonly #probabilities = new GrowableColumn(Float64Array);
  readonly #optionSteps = new GrowableColumn(Float64Array);
  readonly #lengthPayoff: LengthPayoff;
  #steps = 0;
  readonly #what: string;
  readonly #definition: PositionDefinition<S>;
  readonly #budget: number;
  readonly #keys: KeyBudget;
  readonly #lookouts = new EstimateSchedule();
  /** Estimated minimum number of steps. */
  #expected = 0;
  #began = performance.now();
  /** Size of the chain under the scenario's policies, a lower bound for all options. */
  #played: ChainSize | undefined;
  /** Members of positions that are not explored yet, as JSON if states are plain data: it needs less memory. */
  readonly #members = new Map<number, string | readonly PositionMember<S>[]>();

  /** @param what subject of messages: `the optimal policy needs` */
  constructor(
    definition: PositionDefinition<S>,
    budget: number,
    what: string,
    keys: KeyBudget = new KeyBudget(KEY_CHARACTERS),
  ) {
    this.#what = what;
    this.#definition = definition;
    this.#lengthPayoff = definition.lengthPayoff ?? { round: 0, step: 0 };
    this.#keys = keys;
    this.#budget = budget;
    this.chance = new DecisionChance(definition.decides);
  }

  build(): PositionGraph<Q> {
    const { model } = this.#definition;
    const found = new Map<Key, WeightedState<S>>();
    // The start of a battle has no decisions.
    const opening = new DecisionChance(() => false);
    opening.walk((chance) => model.start(chance), this.createVisitor(found, 1));
    this.#add(undefined, [], INITIAL);
    this.#members.clear();
    this.#firstOption.push(0);
    this.addOption([...found.values()], 1);
    for (let node = 1; node < this.#kinds.length; node++) {
      const members = this.#getMembers(node);
      this.#members.delete(node);
      this.#firstOption.push(this.#policy.length);
      if (this.#kinds.get(node) !== OVER) this.explore(node, members);
    }
    this.#firstOption.push(this.#policy.length);
    this.#firstEdge.push(this.#targets.length);
    return {
      kinds: this.#kinds.values,
      payoffs: this.#payoffs.values,
      outcomes: this.#outcomes.values,
      firstOption: this.#firstOption.values,
      firstEdge: this.#firstEdge.values,
      policy: this.#policy.values,
      targets: this.#targets.values,
      probabilities: this.#probabilities.values,
      optionSteps: this.#optionSteps.values,
      lengthPayoff: this.#lengthPayoff,
      questions: this.questions,
      steps: this.#steps,
    };
  }

  #getMembers(node: number): readonly PositionMember<S>[] {
    const members = this.#members.get(node) ?? [];
    return typeof members === 'string' ? (JSON.parse(members) as readonly PositionMember<S>[]) : members;
  }

  /** Adds the options of a position; `questions` has the decision, if there is one. */
  protected abstract explore(node: number, members: readonly PositionMember<S>[]): void;

  /** Adds an option of the current position, with its successors. */
  protected abstract addOption(found: readonly WeightedState<S>[], policy: number): void;

  /** Begins an option of the current position. @param steps expected number of steps */
  protected beginOption(policy: number, steps: number): void {
    this.#policy.push(policy);
    this.#firstEdge.push(this.#targets.length);
    if (this.#lengthPayoff.step !== 0) this.#optionSteps.push(steps);
  }

  /** Adds a successor of the current option. */
  protected addEdge(target: number, probability: number): void {
    this.#targets.push(target);
    this.#probabilities.push(probability);
  }

  /** Creates a visitor that adds results. @param mass of the initial state */
  protected createVisitor(found: Map<Key, WeightedState<S>>, mass: number): (state: S, probability: number) => void {
    return (state, probability) => {
      this.countStep();
      const key = this.#definition.model.key(state);
      const known = found.get(key);
      if (known === undefined) found.set(key, { key, state, mass: mass * probability });
      else known.mass += mass * probability;
    };
  }

  /** Counts a transition. @throws BudgetError if there are too many */
  protected countStep(): void {
    this.#steps++;
    if (this.#budget >= ESTIMATE_BUDGET_MIN && this.#lookouts.isDue(this.#steps)) this.#plan();
    reportSteps(this.#steps, this.#expected);
    if (this.#steps > this.#budget) this.#reject();
  }

  protected turn(state: S, chance: Chance): S {
    const { model } = this.#definition;
    return model.turn?.(state, chance) ?? model.step(state, chance);
  }

  /** Returns the position with this key, or adds it. @param states most likely first, with masses whose sum is 1 */
  protected addPosition(key: Key, states: readonly WeightedState<S>[]): number {
    const known = this.index.get(key);
    if (known !== undefined) return known;
    const full = this.#keys.spend(key);
    if (full !== undefined) this.#throwOverflow(full);
    const { model } = this.#definition;
    const [first] = states;
    const isOver = first !== undefined && model.outcome(first.state) !== undefined;
    const rests = states.some(({ state }) => model.resting(state));
    return this.#add(key, states, isOver ? OVER : rests ? BETWEEN_ROUNDS : IN_ROUND);
  }

  #add(key: Key | undefined, members: readonly WeightedState<S>[], kind: number): number {
    const { model } = this.#definition;
    const likeliest = members[0]?.state;
    const kept = members.map(({ state, mass }) => ({ state, mass }));
    if (kind !== OVER)
      this.#members.set(this.#kinds.length, this.#definition.isPlain === true ? JSON.stringify(kept) : kept);
    this.index.add(key);
    this.#kinds.push(kind);
    const ends = likeliest !== undefined && kind !== IN_ROUND;
    this.#outcomes.push(ends ? model.outcomes.indexOf(model.outcome(likeliest) ?? getRoundLimitOutcome(model)) : -1);
    this.#payoffs.push(ends ? members.reduce((sum, { state, mass }) => sum + mass * this.#getPayoff(state), 0) : 0);
    return this.#kinds.length - 1;
  }

  /** Returns the payoff of a battle that ends, or is called off, in a state. */
  #getPayoff(state: S): number {
    const { model, payoff } = this.#definition;
    const outcome = model.outcomes.indexOf(model.outcome(state) ?? getRoundLimitOutcome(model));
    return outcome < 0 ? 0 : payoff(state, outcome);
  }

  /** Reason why policies of files multiply the positions, for messages; empty if they do not. */
  get #hint(): string {
    const { policyRounds = 1 } = this.#definition.model;
    if (policyRounds === 1) return '';
    const times = formatGrouped(policyRounds);
    return `; policies that depend on rounds cause up to ${times} times as many positions: omit features with the unit rounds, or set a smaller maxRounds`;
  }

  /** Estimates the size; excluded from the measured pace. */
  #plan(): void {
    const seconds = (performance.now() - this.#began) / 1000;
    if (this.#played === undefined && this.#hint !== '') reportNote(`warning: ${this.#hint.slice(2)}`, true);
    const pace = { states: this.#kinds.length, steps: this.#steps, transitions: this.#targets.length, seconds };
    this.#played ??= estimateChainSize(this.#definition.model);
    const ahead = this.#estimateRemaining();
    const states = Math.max(this.#played.states, this.#kinds.length, this.#current + ahead.states);
    const steps = Math.max(this.#played.steps, this.#steps + ahead.steps);
    this.#began = performance.now() - 1000 * seconds;
    if (steps > this.#budget) this.#reject({ states, steps }, { ...pace, bytes: this.positionBytes * states });
    this.#expected = steps;
  }

  /** The position that is explored. */
  get #current(): number {
    return this.#firstOption.length - 1;
  }

  /** Estimates the remaining size if each position is a single state: the estimate does not cover beliefs. */
  #estimateRemaining(): ChainSize {
    if (this.beliefs > 0) return { states: 0, steps: 0 };
    const { model, decides } = this.#definition;
    const open = Int32Array.from(this.#members.keys());
    return estimateRemainingSize(model, {
      open: { length: open.length, at: (index) => this.#getMembers(open[index] ?? 0)[0]?.state },
      isDone: (_, key) => (this.index.get(key) ?? Number.POSITIVE_INFINITY) <= this.#current,
      act: (state, chance) => this.turn(state, chance),
      decides,
      rounds: Number.POSITIVE_INFINITY,
      steps: this.#steps,
    });
  }

  /** Throws for lack of memory. @param why description of the keys */
  #throwOverflow(why: string): never {
    throw new BudgetError(
      `${this.#what} too much memory: ${formatGrouped(this.#kinds.length)} positions were found; ${why}${this.#hint}`,
    );
  }

  #reject(size?: ChainSize, pace?: ExplorationProgress): never {
    const more = size === undefined || pace === undefined ? '' : `; ${formatSize(size, pace)}`;
    throw new BudgetError(
      `${this.#what} more than the budget of ${formatGrouped(this.#budget)} steps: ` +
        `${formatGrouped(this.#kinds.length)} positions were found, and ${formatGrouped(this.#kinds.length - this.#firstOption.length)} ` +
        `of them are not explored yet${more}${this.#hint}`,
      { suggested: suggestBudget(this.#budget, size?.steps) },
    );
  }
}
