/** A battle played by the rules themselves from decision to decision; the states that exact answers begin from. */
import { didYouMean, InputError, Sampled, type Stream } from '../core/index.ts';
import { type Option, type State, verdict } from '../rules/index.ts';
import type { Configuration, Variant } from './configuration.ts';
import { CHOICES } from './layout.ts';

/** A decision as it is asked. */
interface Question {
  readonly point: string;
  /** Index of the player. */
  readonly player: number;
  readonly options: readonly Option[];
  /** What the scenario's policy does. */
  readonly policy: Option;
}

/** A decision that waits for an agent. */
export interface PendingDecision extends Question {
  /** By option: the number of its action. */
  readonly actions: readonly number[];
}

/** A battle under way: where it stands, and what has been decided since in the turn that comes next. */
export interface Begun {
  readonly state: State;
  readonly answers: readonly Option[];
}

/** Where a battle goes on, and who is asked. */
export interface Resumed {
  /** The beginning of the battle unless given. */
  readonly state?: State | undefined;
  readonly answers?: readonly Option[] | undefined;
  /** Whether all players are asked at all decision points, whoever are agents. */
  readonly everyone?: boolean;
}

/** Thrown through the rules when an agent is asked; the door knows the rest. One for all: a stack costs microseconds. */
const ASKED = new Error('an agent is asked');

/** Samples, follows policies, and stops at decisions of agents that have no answer yet. */
class Asking extends Sampled {
  readonly #players: readonly string[];
  readonly #asks: (player: number, point: string) => boolean;
  readonly #answers: readonly Option[];
  /** Decisions of the turn that have been answered. */
  before = 0;
  question: Question | undefined;

  /** @param answers to the decisions of the turn, one after the other: rules are pure, so they come again in their order */
  constructor(
    stream: Stream,
    players: readonly string[],
    asks: (player: number, point: string) => boolean,
    answers: readonly Option[],
  ) {
    super(stream);
    this.#players = players;
    this.#asks = asks;
    this.#answers = answers;
  }

  override decide<T extends Option>(point: string, player: string, options: readonly T[], policy: () => T): T {
    const index = this.#players.indexOf(player);
    if (options.length < 2 || !this.#asks(index, point)) return policy();
    const answered = options.find((option) => option === this.#answers[this.before]);
    if (answered !== undefined) {
      this.before++;
      return answered;
    }
    this.question = { point, player: index, options, policy: policy() };
    throw ASKED;
  }
}

/** One battle, from decision to decision of agents. */
export class ReferenceBattle {
  #configuration: Configuration;
  #variant: Variant;
  #stream: Stream;
  readonly #everyone: boolean;
  /** Decisions that have been taken in the turn under way. */
  #answers: readonly Option[];
  state: State;
  pending: PendingDecision | undefined;
  /** Name of the outcome, once the battle is over. */
  outcome: string | undefined;

  constructor(configuration: Configuration, variant: Variant, stream: Stream, resumed: Resumed = {}) {
    const { state, answers = [], everyone = false } = resumed;
    this.#configuration = configuration;
    this.#variant = variant;
    this.#stream = stream;
    this.#everyone = everyone;
    this.#answers = answers;
    this.state = state ?? variant.model.start(new Sampled(stream.clone()));
    this.#goOn();
  }

  get variant(): Variant {
    return this.#variant;
  }

  get begun(): Begun {
    return { state: this.state, answers: this.#answers };
  }

  /** The decision that answers an action's number, if it is legal. */
  optionOf(action: number): Option | undefined {
    const { pending } = this;
    return pending?.options[pending.actions.indexOf(action)];
  }

  /** Numbers of all legal actions, ascending. */
  legal(): number[] {
    return [...(this.pending?.actions ?? [])].sort((a, b) => a - b);
  }

  /** The number of what a policy does. @param steps actions taken so far in the episode */
  choice(policy: 'scenario' | 'uniform', steps: number): number {
    const { pending } = this;
    if (pending === undefined) return 0;
    if (policy === 'scenario') return pending.actions[pending.options.indexOf(pending.policy)] ?? -1;
    const legal = this.legal();
    return legal[Math.floor((this.#word(CHOICES + steps) * legal.length) / 2 ** 32)] ?? 0;
  }

  take(option: Option): void {
    this.#answers = [...this.#answers, option];
    this.#goOn();
  }

  /** Puts another configuration of the same scenarios in the place of the one that there is; what waits, waits on. */
  configure(configuration: Configuration, variant: Variant): void {
    this.#configuration = configuration;
    this.#variant = variant;
  }

  /** Gives the battle the draws of another stream from here on. */
  rekey(stream: Stream): void {
    this.#stream = stream;
    // What the scenario's policy does may depend on draws.
    const { pending } = this;
    if (pending !== undefined && this.#asks(pending.player, pending.point)) this.#goOn();
  }

  #word(place: number): number {
    const stream = this.#stream.clone();
    stream.seek(place);
    return stream.word();
  }

  /** Whether a player is an agent that is asked at a decision point. */
  #asks(player: number, point: string): boolean {
    const { points, asked, system } = this.#configuration;
    if (!points.includes(point)) {
      const expected = `a decision point that the system declares, ${points.join(', ')}`;
      throw new InputError(`${system.id}: door.decide`, expected, `"${point}"${didYouMean(point, points)}`);
    }
    if (this.#everyone) return player >= 0;
    return (this.#variant.agentOf[player] ?? -1) >= 0 && asked.includes(point);
  }

  /** The numbers of actions that stand for options. @throws InputError if there is none, or one for two options */
  #actionsOf({ point, options }: Question): number[] {
    const { actions, system } = this.#configuration;
    const { spec } = this.#variant;
    const place = `${system.id}: door.decide("${point}")`;
    const numbers = options.map((option) => {
      const name = spec.action(point, option);
      const number = spec.actions.includes(name) ? actions.indexOf(name) : -1;
      if (number >= 0) return number;
      const found = `${JSON.stringify(option)}, "${name}"${didYouMean(name, spec.actions)}`;
      throw new InputError(place, `options whose actions rollout declares, ${spec.actions.join(', ')}`, found);
    });
    const twice = numbers.find((number, at) => numbers.indexOf(number) < at);
    if (twice === undefined) return numbers;
    throw new InputError(place, 'options that are actions of different names', `"${actions[twice] ?? ''}" twice`);
  }

  #ask(question: Question): void {
    this.pending = { ...question, actions: this.#actionsOf(question) };
  }

  /** Whether a round is about to begin that an agent has to ask for. */
  #paces(): boolean {
    const { pace } = this.#variant.spec;
    return pace !== undefined && this.#variant.model.resting(this.state) && this.#asks(0, pace);
  }

  #goOn(): void {
    const { model } = this.#variant;
    this.pending = undefined;
    for (;;) {
      this.outcome = verdict(model, this.state);
      if (this.outcome !== undefined) return;
      const paced = this.#paces();
      if (paced && this.#answers.length === 0) {
        const { pace = '' } = this.#variant.spec;
        this.#ask({ point: pace, player: 0, options: [pace], policy: pace });
        return;
      }
      if (!this.#turn(paced ? [] : this.#answers)) return;
    }
  }

  /** Plays a turn; false if it waits for a decision. */
  #turn(answers: readonly Option[]): boolean {
    const { model, players } = this.#variant;
    const door = new Asking(this.#stream.clone(), players, (player, point) => this.#asks(player, point), answers);
    try {
      this.state = model.turn?.(this.state, door) ?? model.step(this.state, door);
    } catch (error) {
      if (error !== ASKED || door.question === undefined) throw error;
      // Other draws may have led to other decisions: answers to those are forgotten.
      this.#answers = answers.slice(0, door.before);
      this.#ask(door.question);
      return false;
    }
    this.#answers = [];
    return true;
  }
}
