/** A battle played by the rules themselves from decision to decision; the states that exact answers begin from. */
import { Sampled } from '../chance/sampled.ts';
import type { Stream } from '../chance/stream.ts';
import { verdict } from '../systems/battle.ts';
import type { State } from '../systems/system.ts';
import type { Configuration, Variant } from './configuration.ts';

/** Places in a battle's stream: the choices of the uniform policy, by actions taken. */
const CHOICES = 0xc0000000;

/** A decision that waits for an agent. */
export interface Pending {
  readonly point: string;
  /** Index of the player. */
  readonly player: number;
  readonly options: readonly (string | number)[];
  /** What the scenario's policy does. */
  readonly policy: string | number;
}

/** Thrown through the rules when an agent is asked. */
class Asked extends Error {
  readonly pending: Pending;

  constructor(pending: Pending) {
    super('an agent is asked');
    this.pending = pending;
  }
}

/** Samples, follows policies, and stops at decisions of agents that have no answer yet. */
class Asking extends Sampled {
  readonly #players: readonly string[];
  readonly #asks: (player: number, point: string) => boolean;
  readonly #answer: string | number | undefined;

  constructor(
    stream: Stream,
    players: readonly string[],
    asks: (player: number, point: string) => boolean,
    answer: string | number | undefined,
  ) {
    super(stream);
    this.#players = players;
    this.#asks = asks;
    this.#answer = answer;
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    const index = this.#players.indexOf(player);
    if (options.length < 2 || !this.#asks(index, point)) return policy();
    const answered = options.find((option) => option === this.#answer);
    if (answered !== undefined) return answered;
    throw new Asked({ point, player: index, options, policy: policy() });
  }
}

/** One battle, from decision to decision of agents. */
export class ReferenceBattle {
  readonly variant: Variant;
  readonly #configuration: Configuration;
  readonly #stream: Stream;
  state: State;
  pending: Pending | undefined;
  /** Name of the outcome, once the battle is over. */
  outcome: string | undefined;

  /** @param state where the battle goes on; it begins unless given */
  constructor(configuration: Configuration, variant: Variant, stream: Stream, state?: State) {
    this.#configuration = configuration;
    this.variant = variant;
    this.#stream = stream;
    this.state = state ?? variant.model.start(new Sampled(stream.clone()));
    this.#goOn(undefined);
  }

  /** The decision that answers an action's number, if it is legal. */
  optionOf(action: number): string | number | undefined {
    const { actions } = this.#configuration;
    const { pending } = this;
    return pending?.options.find((option) => this.#actionOf(pending.point, option) === actions[action]);
  }

  /** Numbers of all legal actions, ascending. */
  legal(): number[] {
    const { actions } = this.#configuration;
    const { pending } = this;
    if (pending === undefined) return [];
    return pending.options
      .map((option) => actions.indexOf(this.#actionOf(pending.point, option)))
      .sort((a, b) => a - b);
  }

  /** The number of what a policy does. @param steps actions taken so far in the episode */
  choice(policy: 'scenario' | 'uniform', steps: number): number {
    const { pending } = this;
    if (pending === undefined) return 0;
    if (policy === 'scenario') {
      return this.#configuration.actions.indexOf(this.#actionOf(pending.point, pending.policy));
    }
    const legal = this.legal();
    return legal[Math.floor((this.#word(CHOICES + steps) * legal.length) / 2 ** 32)] ?? 0;
  }

  take(option: string | number): void {
    this.#goOn(option);
  }

  #word(place: number): number {
    const stream = this.#stream.clone();
    stream.seek(place);
    return stream.word();
  }

  /** Whether a player is an agent that is asked at a decision point. */
  #asks(player: number, point: string): boolean {
    return (this.variant.agentOf[player] ?? -1) >= 0 && this.#configuration.asked.includes(point);
  }

  #actionOf(point: string, option: string | number): string {
    return this.#configuration.rollout.action(point, option);
  }

  #goOn(answer: string | number | undefined): void {
    const { model, players } = this.variant;
    const { pace } = this.#configuration.rollout;
    const turn = (state: State, door: Sampled): State => model.turn?.(state, door) ?? model.step(state, door);
    let given = answer;
    this.pending = undefined;
    for (;;) {
      this.outcome = verdict(model, this.state);
      if (this.outcome !== undefined) return;
      if (pace !== undefined && model.resting(this.state) && this.#asks(0, pace)) {
        if (given === undefined) {
          this.pending = { point: pace, player: 0, options: [pace], policy: pace };
          return;
        }
        given = undefined;
      }
      const door = new Asking(this.#stream.clone(), players, (player, point) => this.#asks(player, point), given);
      try {
        this.state = turn(this.state, door);
        given = undefined;
      } catch (error) {
        if (!(error instanceof Asked)) throw error;
        this.pending = error.pending;
        return;
      }
    }
  }
}
