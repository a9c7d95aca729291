/** Battle simulated by rules from decision to decision; also the source of states for exact answers. */
import { InputError, SampledChance, type Stream, suggestName } from '../core/index.ts';
import { type DecisionOption, findOutcome, type State } from '../rules/index.ts';
import type { EnvSpec, Variant } from './env-spec.ts';
import { CHOICES } from './layout.ts';

/** Requested decision. */
interface DecisionRequest {
  readonly point: string;
  /** Index of the player. */
  readonly player: number;
  readonly options: readonly DecisionOption[];
  /** Choice of the scenario's policy. */
  readonly policy: DecisionOption;
}

/** Pending decision of an agent. */
export interface PendingDecision extends DecisionRequest {
  /** By option: its action index. */
  readonly actions: readonly number[];
}

/** Battle in progress: its state, and the decisions already made in the next turn. */
export interface TurnState {
  readonly state: State;
  readonly answers: readonly DecisionOption[];
}

/** Start of a battle, and who decides. */
export interface BattleStartOptions {
  /** Initial state; default: the start of the battle. */
  readonly state?: State | undefined;
  readonly answers?: readonly DecisionOption[] | undefined;
  /** True if all players decide at all decision points, whoever is an agent. */
  readonly asksAllPlayers?: boolean;
}

/**
 * Thrown through the rules at a decision of an agent; the chance source has the details. A shared object, because a
 * stack trace costs microseconds.
 */
const DECISION_PENDING = new Error('a decision of an agent is pending');

/** Samples draws, follows policies, and stops at decisions of agents without an answer. */
class AgentChance extends SampledChance {
  readonly #players: readonly string[];
  readonly #isAgentDecision: (player: number, point: string) => boolean;
  readonly #answers: readonly DecisionOption[];
  /** Answered decisions of the turn. */
  answeredCount = 0;
  request: DecisionRequest | undefined;

  /** @param answers to the decisions of the turn, in order: rules are pure, so decisions recur in the same order */
  constructor(
    stream: Stream,
    players: readonly string[],
    asks: (player: number, point: string) => boolean,
    answers: readonly DecisionOption[],
  ) {
    super(stream);
    this.#players = players;
    this.#isAgentDecision = asks;
    this.#answers = answers;
  }

  override decide<T extends DecisionOption>(point: string, player: string, options: readonly T[], policy: () => T): T {
    const index = this.#players.indexOf(player);
    if (options.length < 2 || !this.#isAgentDecision(index, point)) return policy();
    const answered = options.find((option) => option === this.#answers[this.answeredCount]);
    if (answered !== undefined) {
      this.answeredCount++;
      return answered;
    }
    this.request = { point, player: index, options, policy: policy() };
    throw DECISION_PENDING;
  }
}

/** One battle, from decision to decision of agents. */
export class ReferenceBattle {
  #configuration: EnvSpec;
  #variant: Variant;
  #stream: Stream;
  readonly #everyone: boolean;
  /** Decisions made in the current turn. */
  #answers: readonly DecisionOption[];
  state: State;
  pending: PendingDecision | undefined;
  /** Name of the outcome, after the end of the battle. */
  outcome: string | undefined;

  constructor(configuration: EnvSpec, variant: Variant, stream: Stream, resumed: BattleStartOptions = {}) {
    const { state, answers = [], asksAllPlayers = false } = resumed;
    this.#configuration = configuration;
    this.#variant = variant;
    this.#stream = stream;
    this.#everyone = asksAllPlayers;
    this.#answers = answers;
    this.state = state ?? variant.model.start(new SampledChance(stream.clone()));
    this.#continueBattle();
  }

  get variant(): Variant {
    return this.#variant;
  }

  get turnState(): TurnState {
    return { state: this.state, answers: this.#answers };
  }

  /** Returns the decision for an action index, if it is legal. */
  optionOf(action: number): DecisionOption | undefined {
    const { pending } = this;
    return pending?.options[pending.actions.indexOf(action)];
  }

  /** Returns the indices of all legal actions, ascending. */
  legalActions(): number[] {
    return [...(this.pending?.actions ?? [])].sort((a, b) => a - b);
  }

  /** Returns the action index of a policy. @param steps actions taken so far in the episode */
  chooseAction(policy: 'scenario' | 'uniform', steps: number): number {
    const { pending } = this;
    if (pending === undefined) return 0;
    if (policy === 'scenario') return pending.actions[pending.options.indexOf(pending.policy)] ?? -1;
    const legal = this.legalActions();
    return legal[Math.floor((this.#getWordAt(CHOICES + steps) * legal.length) / 2 ** 32)] ?? 0;
  }

  apply(option: DecisionOption): void {
    this.#answers = [...this.#answers, option];
    this.#continueBattle();
  }

  /** Replaces the configuration by another one of the same scenarios; a pending decision remains. */
  configure(configuration: EnvSpec, variant: Variant): void {
    this.#configuration = configuration;
    this.#variant = variant;
  }

  /** Switches the battle to another stream. */
  reseed(stream: Stream): void {
    this.#stream = stream;
    // The choice of the scenario's policy may depend on draws.
    const { pending } = this;
    if (pending !== undefined && this.#isAgentDecision(pending.player, pending.point)) this.#continueBattle();
  }

  #getWordAt(place: number): number {
    const stream = this.#stream.clone();
    stream.seek(place);
    return stream.word();
  }

  /** True if a player is an agent that decides at this point. */
  #isAgentDecision(player: number, point: string): boolean {
    const { decisionPoints, decisions, system } = this.#configuration;
    if (!decisionPoints.includes(point)) {
      const expected = `a declared decision point: ${decisionPoints.join(', ')}`;
      throw new InputError(`${system.id}: chance.decide`, expected, `"${point}"${suggestName(point, decisionPoints)}`);
    }
    if (this.#everyone) return player >= 0;
    return (this.#variant.agentOf[player] ?? -1) >= 0 && decisions.includes(point);
  }

  /** Returns the action indices of options. @throws InputError if an option has none, or two share one */
  #listActions({ point, options }: DecisionRequest): number[] {
    const { actions, system } = this.#configuration;
    const { spec } = this.#variant;
    const place = `${system.id}: chance.decide("${point}")`;
    const numbers = options.map((option) => {
      const name = spec.actionName(point, option);
      const number = spec.actions.includes(name) ? actions.indexOf(name) : -1;
      if (number >= 0) return number;
      const found = `${JSON.stringify(option)}, "${name}"${suggestName(name, spec.actions)}`;
      throw new InputError(place, `options with declared actions: ${spec.actions.join(', ')}`, found);
    });
    const twice = numbers.find((number, at) => numbers.indexOf(number) < at);
    if (twice === undefined) return numbers;
    throw new InputError(place, 'options with unique action names', `"${actions[twice] ?? ''}" twice`);
  }

  #ask(question: DecisionRequest): void {
    this.pending = { ...question, actions: this.#listActions(question) };
  }

  /** True if an agent must request the next round. */
  #awaitsRound(): boolean {
    const { pace } = this.#variant.spec;
    return pace !== undefined && this.#variant.model.resting(this.state) && this.#isAgentDecision(0, pace);
  }

  #continueBattle(): void {
    const { model } = this.#variant;
    this.pending = undefined;
    for (;;) {
      this.outcome = findOutcome(model, this.state);
      if (this.outcome !== undefined) return;
      const paced = this.#awaitsRound();
      if (paced && this.#answers.length === 0) {
        const { pace = '' } = this.#variant.spec;
        this.#ask({ point: pace, player: 0, options: [pace], policy: pace });
        return;
      }
      if (!this.#turn(paced ? [] : this.#answers)) return;
    }
  }

  /** Simulates a turn; false if it waits for a decision. */
  #turn(answers: readonly DecisionOption[]): boolean {
    const { model, players } = this.#variant;
    const chance = new AgentChance(
      this.#stream.clone(),
      players,
      (player, point) => this.#isAgentDecision(player, point),
      answers,
    );
    try {
      this.state = model.turn?.(this.state, chance) ?? model.step(this.state, chance);
    } catch (error) {
      if (error !== DECISION_PENDING || chance.request === undefined) throw error;
      // Other draws may lead to other decisions, so answers are discarded.
      this.#answers = answers.slice(0, chance.answeredCount);
      this.#ask(chance.request);
      return false;
    }
    this.#answers = [];
    return true;
  }
}
