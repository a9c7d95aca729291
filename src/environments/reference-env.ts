/**
 * Environments simulated by the rules as written: for systems without a kernel, and as a reference for kernels. They
 * may allocate.
 */
import { computeBattleKey, InputError, Stream } from '../core/index.ts';
import type { State } from '../rules/index.ts';
import { encodeRecordHead, HEAD_BYTES, readRecordHead } from './buffers.ts';
import { computeThresholds } from './encode-env-spec.ts';
import type { EnvSpec, Variant } from './env-spec.ts';
import type { Policy } from './layout.ts';
import { ENVS_MAX, FORFEIT, NONE, STATUS, TERMINAL, VARIANT_PLACE } from './layout.ts';
import { type PendingDecision, ReferenceBattle, type TurnState } from './reference-battle.ts';
import { stringifyState } from './validate.ts';

/**
 * Returns the battle index in the run of battle `episode` of environment `env`. @param env 0..ENVS_MAX-1 @param episode
 * 0..2^32-1
 */
export function computeBattleIndex(env: number, episode: number): number {
  return episode * ENVS_MAX + env;
}

/** Effects of a step: rewards, and how it ended the episode. */
export interface StepEffects {
  readonly reward: readonly number[];
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly invalid: boolean;
}

/** Output of one environment after a reset or a step; same numbers as in the buffers of a kernel. */
export interface EnvironmentOutput extends StepEffects {
  readonly obs: readonly number[];
  readonly mask: readonly number[];
  readonly player: number;
  readonly phase: number;
  readonly episode: number;
  readonly variant: number;
}

/** An episode that is over. */
export interface FinishedEpisode extends Pick<EnvironmentOutput, 'obs' | 'mask' | 'player' | 'phase'> {
  readonly reward: readonly number[];
  readonly outcome: number;
  readonly metrics: readonly number[];
  readonly length: number;
  /** Index of its scenario. */
  readonly variant: number;
}

/** Decodes the battle after the head of a state. @throws InputError if it is invalid */
export function decodeTurnState(place: string, state: Uint8Array): TurnState {
  const text = new TextDecoder().decode(state.subarray(HEAD_BYTES));
  try {
    return JSON.parse(text) as TurnState;
  } catch {
    throw new InputError(place, 'a state of such environments', `"${text.slice(0, 40)}"`);
  }
}

/** Returns the rewards of the agents at the end of a battle. */
export const computeRewards = (
  { byOutcome, byMetric, byStep }: Variant,
  agents: readonly string[],
  outcome: number,
  metrics: readonly number[],
  steps: number,
): number[] =>
  agents.map((_, agent) => {
    const start = byOutcome[outcome]?.[agent] ?? 0;
    const value = metrics.reduce((sum, each, m) => sum + (byMetric[m]?.[agent] ?? 0) * each, start);
    return Math.fround(value + (byStep[agent] ?? 0) * steps);
  });

/** Returns the observation of the deciding player; everything if the battle has ended. */
export function observeState(
  { decisionPoints, features }: EnvSpec,
  { spec, players, slotOf }: Variant,
  state: State,
  decision: Pick<PendingDecision, 'player' | 'point'> | undefined,
): number[] {
  const obs = features.map(() => 0);
  obs[0] = decision?.player ?? 0;
  for (const [p, point] of decisionPoints.entries()) obs[1 + p] = Number(point === decision?.point);
  const seen = spec.observe(state, decision && players[decision.player]);
  for (const [f, slot] of slotOf.entries()) if (slot >= 0) obs[slot] = Math.fround(seen[f] ?? 0);
  return obs;
}

/** One environment of a configuration, simulated by rules. */
export class ReferenceEnv {
  /** Seed of the next episodes. */
  seed: bigint;
  #configuration: EnvSpec;
  readonly #index: number;
  #battle: ReferenceBattle;
  #key = 0n;
  #variant = 0;
  #steps = 0;
  #episode = 0;
  #status: number = STATUS.open;
  #effects: StepEffects;
  #shown: EnvironmentOutput | undefined;
  /** The episode that ended last. */
  last: FinishedEpisode | undefined;

  constructor(configuration: EnvSpec, seed: bigint, index: number) {
    this.#configuration = configuration;
    this.seed = seed;
    this.#index = index;
    this.#effects = this.#createNoEffects();
    this.#battle = this.#begin(0);
  }

  get output(): EnvironmentOutput {
    this.#shown ??= this.#look();
    return this.#shown;
  }

  /** Index of the battle in the run. */
  get battleIndex(): number {
    return computeBattleIndex(this.#index, this.#episode);
  }

  /** False if only a reset can change it. */
  get isOpen(): boolean {
    return this.#status === STATUS.open || this.#configuration.autoreset !== 'disabled';
  }

  /** Returns the index of a policy's action. */
  sampleActions(policy: Policy): number {
    return this.#status === STATUS.open ? this.#battle.chooseAction(policy, this.#steps) : 0;
  }

  /** Starts an episode; default: the next one. */
  reset(episode: number = this.#episode + 1): void {
    this.#effects = this.#createNoEffects();
    this.#battle = this.#begin(episode);
  }

  /** Takes an action; true if it has ended the episode. */
  step(action: number): boolean {
    const { autoreset, maxSteps } = this.#configuration;
    this.#shown = undefined;
    if (this.#status !== STATUS.open) {
      if (autoreset === 'next-step') this.reset();
      else this.#effects = { ...this.#effects, reward: this.#createNoEffects().reward };
      return false;
    }
    this.#effects = this.#createNoEffects();
    const battle = this.#battle;
    this.#steps++;
    if (battle.pending !== undefined) {
      const option = battle.optionOf(action);
      if (option === undefined) return this.#endByForfeit(battle.variant.agentOf[battle.pending.player]);
      battle.apply(option);
    }
    if (battle.outcome !== undefined) return this.#finish(battle.outcome);
    if (maxSteps === 0 || this.#steps < maxSteps) return false;
    return this.#close(STATUS.truncated, { truncated: true }, NONE, []);
  }

  /** Replaces the configuration by another one of the same scenarios. */
  configure(configuration: EnvSpec): void {
    this.#configuration = configuration;
    this.#battle.configure(configuration, configuration.variants[this.#variant] as Variant);
  }

  /** Switches the battle to the draws of another seed. */
  reseed(seed: bigint): void {
    this.#key = computeBattleKey(seed, this.battleIndex);
    this.#battle.reseed(Stream.fromKey(this.#key));
  }

  /** Returns the head of the state, in the format of a kernel's record. */
  head(): Uint8Array<ArrayBuffer> {
    const { pending, outcome, variant } = this.#battle;
    const { decisionPoints } = this.#configuration;
    const [keyLow, keyHigh] = [this.#key, this.#key >> 32n].map((half) => Number(BigInt.asUintN(32, half)));
    return encodeRecordHead({
      ...{ keyLow: keyLow ?? 0, keyHigh: keyHigh ?? 0 },
      episode: this.#episode,
      steps: this.#steps,
      variant: this.#variant,
      point: pending === undefined || this.#status === STATUS.done ? NONE : decisionPoints.indexOf(pending.point),
      player: pending?.player ?? 0,
      outcome: outcome === undefined ? NONE : variant.outcomes.indexOf(outcome),
      status: this.#status,
      answers: 0,
      unused: [0, 0],
    });
  }

  /** Returns everything that affects the future. @throws InputError if a state of the battle is not plain data */
  save(): Uint8Array {
    const text = stringifyState(this.#battle.turnState, `${this.#configuration.system.id}: state`);
    return Uint8Array.from([...this.head(), ...new TextEncoder().encode(text)]);
  }

  /**
   * Loads a saved state of such an environment.
   * @param effects of the previous step; default: the current ones
   */
  load(saved: Uint8Array, effects: StepEffects = this.#effects): void {
    const { keyLow, keyHigh, episode, steps, variant: index, status } = readRecordHead(saved);
    this.#key = (BigInt(keyHigh) << 32n) | BigInt(keyLow);
    this.#variant = index;
    this.#episode = episode;
    this.#steps = steps;
    this.#status = status;
    const variant = this.#configuration.variants[index] as Variant;
    const begun = decodeTurnState('state', saved);
    this.#battle = new ReferenceBattle(this.#configuration, variant, Stream.fromKey(this.#key), begun);
    this.#effects = effects;
    this.#shown = undefined;
  }

  #begin(episode: number): ReferenceBattle {
    const { variants } = this.#configuration;
    this.#episode = episode;
    this.#steps = 0;
    this.#status = STATUS.open;
    this.#shown = undefined;
    this.#key = computeBattleKey(this.seed, this.battleIndex);
    const stream = Stream.fromKey(this.#key);
    stream.seek(VARIANT_PLACE);
    const word = stream.word();
    const drawn = computeThresholds(variants).findIndex((threshold) => word < threshold);
    this.#variant = variants.length === 1 || drawn < 0 ? variants.length - 1 : drawn;
    return new ReferenceBattle(this.#configuration, variants[this.#variant] as Variant, stream);
  }

  #createNoEffects(): StepEffects {
    const reward = this.#configuration.agents.map(() => 0);
    return { reward, terminated: false, truncated: false, invalid: false };
  }

  /** An illegal action loses. */
  #endByForfeit(loser: number | undefined): boolean {
    const reward = this.#createNoEffects().reward.map((_, agent) => (agent === loser ? FORFEIT : 0));
    return this.#close(STATUS.done, { reward, terminated: true, invalid: true }, NONE, []);
  }

  #finish(name: string): boolean {
    const { model, outcomes } = this.#battle.variant;
    const outcome = outcomes.indexOf(name);
    if (outcome < 0) throw new Error(`the outcome ${name} is not among the model's outcomes`);
    const metrics = model.measure(this.#battle.state);
    const reward = computeRewards(this.#battle.variant, this.#configuration.agents, outcome, metrics, this.#steps);
    return this.#close(STATUS.done, { reward, terminated: true }, outcome, metrics);
  }

  #close(status: number, how: Partial<StepEffects>, outcome: number, metrics: readonly number[]): true {
    this.#status = status;
    this.#effects = { ...this.#effects, ...how };
    const { reward } = this.#effects;
    const { obs, mask, player, phase } = this.#look();
    const length = this.#steps;
    this.last = { obs, mask, player, phase, reward, outcome, metrics, length, variant: this.#variant };
    if (this.#configuration.autoreset === 'same-step') this.#battle = this.#begin(this.#episode + 1);
    return true;
  }

  /** After a truncation, the next decision remains pending and is part of the output. */
  #look(): EnvironmentOutput {
    const { decisionPoints, actions } = this.#configuration;
    const { pending } = this.#battle;
    const requested = this.#status === STATUS.done ? undefined : pending;
    const { reward, terminated, truncated, invalid } = this.#effects;
    return {
      obs: observeState(this.#configuration, this.#battle.variant, this.#battle.state, requested),
      mask: actions.map((_, a) => Number(requested === undefined || requested.actions.includes(a))),
      player: requested?.player ?? TERMINAL,
      phase: requested === undefined ? 0 : 1 + decisionPoints.indexOf(requested.point),
      episode: this.#episode,
      variant: this.#variant,
      reward,
      terminated,
      truncated,
      invalid,
    };
  }
}
