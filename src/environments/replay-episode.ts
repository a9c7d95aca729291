/** Replays an episode of an environment, up to its pending decision. */
import { RecordedChance, type ReplayEvent, Stream } from '../core/index.ts';
import { type DecisionOption, findOutcome, type Scenario } from '../rules/index.ts';
import { createEnvSpec, type EnvironmentOptions, type Variant } from './env-spec.ts';
import { computeBattleIndex } from './reference-env.ts';

/** Episode of an environment of one scenario, whose other players follow the policies of the scenario. */
interface EpisodeOptions extends Pick<EnvironmentOptions, 'agents' | 'decisions'> {
  readonly seed: number | string;
  /** Index of the environment. */
  readonly env: number;
  readonly episode: number;
  /** Names of the actions of the agents, in order. */
  readonly actions: readonly string[];
}

/** Events of an episode, and the pending decision; undefined after the end of the battle. */
interface EpisodeReplay {
  readonly events: readonly ReplayEvent[];
  readonly pending: { readonly point: string; readonly player: string } | undefined;
}

/** Thrown through the rules at the pending decision. */
class PendingDecision extends Error {
  readonly decision: EpisodeReplay['pending'];

  constructor(decision: EpisodeReplay['pending']) {
    super('a decision is pending');
    this.decision = decision;
  }
}

class EpisodeChance extends RecordedChance {
  readonly #variant: Variant;
  readonly #decisions: readonly string[];
  readonly #actions: string[];

  constructor(stream: Stream, variant: Variant, decisions: readonly string[], actions: readonly string[]) {
    super(stream);
    this.#variant = variant;
    this.#decisions = decisions;
    this.#actions = [...actions];
  }

  isAgentDecision(point: string, player: string | undefined): boolean {
    const { agentOf, players } = this.#variant;
    return (agentOf[players.indexOf(player ?? '')] ?? -1) >= 0 && this.#decisions.includes(point);
  }

  /** Returns the option of the next action. @throws PendingDecision if there is none */
  takeAction<T extends DecisionOption>(point: string, player: string, options: readonly T[]): T {
    const action = this.#actions.shift();
    const option = options.find((each) => this.#variant.spec.actionName(point, each) === action);
    if (option === undefined) throw new PendingDecision({ point, player });
    return option;
  }

  override decide<T extends DecisionOption>(point: string, player: string, options: readonly T[], policy: () => T): T {
    const isAgent = options.length >= 2 && this.isAgentDecision(point, player);
    return super.decide(point, player, options, isAgent ? () => this.takeAction(point, player, options) : policy);
  }
}

/**
 * Replays an episode: a function of seed, environment, episode and actions.
 * @throws InputError if an option is invalid
 */
export function replayEpisode(scenario: Scenario, options: EpisodeOptions): EpisodeReplay {
  const { agents, decisions, seed, env, episode, actions } = options;
  const { variants, decisions: points } = createEnvSpec([{ scenario, weight: 1 }], { agents, decisions });
  const [variant] = variants;
  if (variant === undefined) throw new Error('no scenario');
  const { model, players, spec } = variant;
  const stream = Stream.forBattle(BigInt(seed), computeBattleIndex(env, episode));
  const chance = new EpisodeChance(stream, variant, points, actions);
  const [first = ''] = players;
  try {
    let state = model.start(chance);
    while (findOutcome(model, state) === undefined) {
      const { pace } = spec;
      if (pace !== undefined && model.resting(state) && chance.isAgentDecision(pace, first))
        chance.takeAction(pace, first, [pace]);
      state = model.step(state, chance);
    }
    return { events: chance.events, pending: undefined };
  } catch (error) {
    if (error instanceof PendingDecision) return { events: chance.events, pending: error.decision };
    throw error;
  }
}
