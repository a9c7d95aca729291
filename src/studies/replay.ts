/** Plays one battle of a run again and tells it. */

import { named } from '../answers/index.ts';
import { optionsOf, Recorded, type ScriptEntry, Scripted, type StoryEvent, Stream } from '../core/index.ts';
import {
  type BattleResult,
  type Model,
  opened,
  playBattle,
  playSeeded,
  type Scenario,
  type State,
} from '../rules/index.ts';
import { type Asked, type Settings, settled } from '../rules/setting.ts';
import { PLACE } from './asked.ts';

/** What `replay` is asked with. */
export const REPLAY = {
  /** The run's seed; 1 unless said otherwise. */
  seed: PLACE.seed,
  /** The battle's index in the run, 0..2^53-1; 0 unless said otherwise. */
  battle: { ...PLACE.from, about: 'index of the battle in its run' },
} as const satisfies Settings;

/** Which battle `replay` plays. */
export type ReplayOptions = Asked<typeof REPLAY>;

const checkOptions = optionsOf<ReplayOptions>('replay', REPLAY);

/** How a battle ended. */
export interface Ending {
  readonly outcome: string;
  /** Metric values by name. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** One battle, step by step. */
export interface Replay extends Ending {
  readonly system: string;
  /** In decimal. */
  readonly seed: string;
  readonly battle: number;
  /** All that was rolled, drawn and decided, and every rule that applied, in order. */
  readonly events: readonly StoryEvent[];
}

/** What is told of a battle that is over. */
export function endingOf(model: Model<State>, { outcome, metrics }: BattleResult): Ending {
  return {
    outcome: model.outcomes[outcome] ?? '',
    metrics: named(model.metrics.map(({ name, unit = 1 }, m) => [name, (metrics[m] ?? 0) * unit])),
  };
}

/**
 * Plays battle `battle` of run `seed` step by step: the very battle that a simulation with this seed
 * counted under this index.
 * @param scenario a scenario from `loadScenario`, `parseScenario` or `validateScenario`
 * @throws InputError on a seed or an index out of range
 */
export function replay(scenario: Scenario, options: ReplayOptions = {}): Replay {
  checkOptions(options);
  const { seed, battle } = settled(REPLAY, options);
  const open = opened(scenario);
  const door = new Recorded(Stream.of(seed, battle));
  const result = playSeeded(open, seed, battle, door);
  return { system: scenario.system, seed: String(seed), battle, events: door.events, ...endingOf(open.model, result) };
}

/**
 * Plays one battle with given rolls and decisions, for checking the rules against a rule book's example.
 * Decisions that the script leaves out are taken by the scenario's policies.
 * @throws ScriptError if an entry does not fit what the rules ask for, or is left over
 */
export function playScript(scenario: Scenario, script: readonly ScriptEntry[]): Ending {
  const model = opened(scenario).model;
  const door = new Scripted(script);
  const result = playBattle(model, door);
  door.done();
  return endingOf(model, result);
}
