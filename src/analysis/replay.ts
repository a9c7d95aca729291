/** Plays one battle of a run again and tells it. */

import {
  createOptionsCheck,
  RecordedChance,
  type ReplayEvent,
  type ScriptEntry,
  ScriptedChance,
  Stream,
} from '../core/index.ts';
import {
  type BattleEnd,
  getBoundScenario,
  type Model,
  playBattle,
  playSeededBattle,
  type Scenario,
  type State,
} from '../rules/index.ts';
import { type OptionSpecs, type RequestedOptions, resolveOptions } from '../rules/option-spec.ts';
import { createRecord } from '../stats/index.ts';
import { RUN_POSITION } from './run-options.ts';

/** What `replay` is asked with. */
export const REPLAY = {
  /** The run's seed; 1 unless said otherwise. */
  seed: RUN_POSITION.seed,
  /** The battle's index in the run, 0..2^53-1; 0 unless said otherwise. */
  battle: { ...RUN_POSITION.from, about: 'index of the battle in its run' },
} as const satisfies OptionSpecs;

/** Which battle `replay` plays. */
export type ReplayOptions = RequestedOptions<typeof REPLAY>;

const checkOptions = createOptionsCheck<ReplayOptions>('replay', REPLAY);

/** How a battle ended. */
export interface BattleResult {
  readonly outcome: string;
  /** Metric values by name. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** One battle, step by step. */
export interface Replay extends BattleResult {
  readonly system: string;
  /** In decimal. */
  readonly seed: string;
  readonly battle: number;
  /** All that was rolled, drawn and decided, and every rule that applied, in order. */
  readonly events: readonly ReplayEvent[];
}

/** What is told of a battle that is over. */
export function createBattleResult(model: Model<State>, { outcome, metrics }: BattleEnd): BattleResult {
  return {
    outcome: model.outcomes[outcome] ?? '',
    metrics: createRecord(model.metrics.map(({ name, unit = 1 }, m) => [name, (metrics[m] ?? 0) * unit])),
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
  const { seed, battle } = resolveOptions(REPLAY, options);
  const open = getBoundScenario(scenario);
  const chance = new RecordedChance(Stream.forBattle(seed, battle));
  const result = playSeededBattle(open, seed, battle, chance);
  return {
    system: scenario.system,
    seed: String(seed),
    battle,
    events: chance.events,
    ...createBattleResult(open.model, result),
  };
}

/**
 * Plays one battle with given rolls and decisions, for checking the rules against a rule book's example.
 * Decisions that the script leaves out are taken by the scenario's policies.
 * @throws ScriptError if an entry does not fit what the rules ask for, or is left over
 */
export function runScript(scenario: Scenario, script: readonly ScriptEntry[]): BattleResult {
  const model = getBoundScenario(scenario).model;
  const chance = new ScriptedChance(script);
  const result = playBattle(model, chance);
  chance.checkUsed();
  return createBattleResult(model, result);
}
