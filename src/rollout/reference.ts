/**
 * Environments played by the rules themselves: the oracle of the kernels' environments. It is slow and allocates as it
 * likes.
 */
import { battleKey, Stream } from '../chance/stream.ts';
import { type Pending, ReferenceBattle } from './battle.ts';
import type { Configuration, Variant } from './configuration.ts';
import { thresholds } from './encode.ts';

/** Battle `episode` of environment `env` has this index in the run. @param env 0..2^21-1 @param episode 0..2^32-1 */
export function battleIndex(env: number, episode: number): number {
  return episode * 2 ** 21 + env;
}

/** A place in a battle's stream: the choice of the scenario. */
const VARIANT_PLACE = 0xffffffff;

/** What one environment shows after a reset or a step; the same numbers as in a kernel's fields. */
export interface Shown {
  readonly obs: readonly number[];
  readonly mask: readonly number[];
  readonly reward: readonly number[];
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly invalid: boolean;
  readonly player: number;
  readonly phase: number;
  readonly episode: number;
  readonly variant: number;
}

/** An episode that is over. */
export interface Episode {
  readonly obs: readonly number[];
  readonly reward: readonly number[];
  readonly outcome: number;
  readonly metrics: readonly number[];
  readonly length: number;
  /** Index of its scenario. */
  readonly variant: number;
}

/** One environment of a configuration, after the rules. */
export class ReferenceEnv {
  readonly #configuration: Configuration;
  readonly #seed: bigint;
  readonly #index: number;
  #battle: ReferenceBattle;
  #variant = 0;
  #steps = 0;
  #episode = 0;
  #done = false;
  /** The episode that ended last. */
  last: Episode | undefined;
  shown: Shown;

  constructor(configuration: Configuration, seed: bigint, index: number) {
    this.#configuration = configuration;
    this.#seed = seed;
    this.#index = index;
    this.#battle = this.#begin(0);
    this.shown = this.#show();
  }

  /** The number of what a policy does. */
  suggest(policy: 'scenario' | 'uniform'): number {
    return this.#done ? 0 : this.#battle.choice(policy, this.#steps);
  }

  /** Begins the next episode. */
  reset(): void {
    this.#battle = this.#begin(this.#episode + 1);
    this.shown = this.#show();
  }

  /** Takes an action. */
  step(action: number): void {
    const { autoreset, maxSteps } = this.#configuration;
    if (this.#done) {
      if (autoreset === 'next-step') this.reset();
      else this.shown = { ...this.shown, reward: this.#nothing() };
      return;
    }
    const battle = this.#battle;
    this.#steps++;
    if (battle.pending !== undefined) {
      const option = battle.optionOf(action);
      if (option === undefined) {
        const loser = battle.variant.agentOf[battle.pending.player];
        const reward = this.#nothing().map((_, agent) => (agent === loser ? -1 : 0));
        this.#close({ reward, terminated: true, invalid: true }, -1, []);
        return;
      }
      battle.take(option);
    }
    if (battle.outcome !== undefined) this.#finish(battle.outcome);
    else if (maxSteps > 0 && this.#steps >= maxSteps) this.#close({ truncated: true }, -1, []);
    else this.shown = this.#show();
  }

  #begin(episode: number): ReferenceBattle {
    const { variants } = this.#configuration;
    const stream = Stream.keyed(battleKey(this.#seed, battleIndex(this.#index, episode)));
    stream.seek(VARIANT_PLACE);
    const word = stream.word();
    const drawn = thresholds(variants).findIndex((threshold) => word < threshold);
    this.#variant = variants.length === 1 || drawn < 0 ? variants.length - 1 : drawn;
    this.#episode = episode;
    this.#steps = 0;
    this.#done = false;
    return new ReferenceBattle(this.#configuration, variants[this.#variant] as Variant, stream);
  }

  #nothing(): number[] {
    return this.#configuration.agents.map(() => 0);
  }

  #finish(name: string): void {
    const { model, outcomes, byOutcome, byMetric } = this.#battle.variant;
    const outcome = outcomes.indexOf(name);
    const metrics = model.measure(this.#battle.state);
    const reward = this.#nothing().map((_, agent) => {
      const start = byOutcome[outcome]?.[agent] ?? 0;
      return Math.fround(metrics.reduce((sum, value, m) => sum + (byMetric[m]?.[agent] ?? 0) * value, start));
    });
    this.#close({ reward, terminated: true }, outcome, metrics);
  }

  #close(how: Partial<Shown>, outcome: number, metrics: readonly number[]): void {
    const end = { ...this.#show(true, how.truncated), ...how };
    this.last = { obs: end.obs, reward: end.reward, outcome, metrics, length: this.#steps, variant: this.#variant };
    if (this.#configuration.autoreset === 'same-step') {
      this.#battle = this.#begin(this.#episode + 1);
      this.shown = { ...this.#show(), ...how };
      return;
    }
    this.#done = true;
    this.shown = end;
  }

  /** What the player of a decision sees; all that there is if nobody decides any more. */
  #seen(decision: Pending | undefined): number[] {
    const { rollout, features } = this.#configuration;
    const { variant, state } = this.#battle;
    const player = decision?.player ?? -1;
    const obs = features.map(() => 0);
    obs[0] = Math.max(0, player);
    for (const [p, point] of rollout.points.entries()) obs[1 + p] = Number(point === decision?.point);
    const seen = rollout.observe(variant.scenario, state, player);
    for (const [f, slot] of variant.slotOf.entries()) if (slot >= 0) obs[slot] = Math.fround(seen[f] ?? 0);
    return obs;
  }

  /**
   * @param over true if the episode is over, whether or not the battle is
   * @param truncated true if the limit of steps has ended it: the decision that was next is still seen
   */
  #show(over = this.#battle.outcome !== undefined, truncated = false): Shown {
    const { rollout, actions } = this.#configuration;
    const { pending } = this.#battle;
    const asked = over ? undefined : pending;
    const legal = this.#battle.legal();
    return {
      obs: this.#seen(truncated ? pending : asked),
      mask: actions.map((_, a) => Number(asked === undefined || legal.includes(a))),
      reward: this.#nothing(),
      terminated: false,
      truncated: false,
      invalid: false,
      player: asked?.player ?? -4,
      phase: asked === undefined ? 0 : 1 + rollout.points.indexOf(asked.point),
      episode: this.#episode,
      variant: this.#variant,
    };
  }
}
