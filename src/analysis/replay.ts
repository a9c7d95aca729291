/** Replays one battle of a run with all its events. */

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

/** Options of `replay`. */
export const REPLAY = {
  /** Seed of the run; default 1. */
  seed: RUN_POSITION.seed,
  /** Index of the battle in the run, 0..2^53-1; default 0. */
  battle: { ...RUN_POSITION.from, about: 'index of the battle in its run' },
} as const satisfies OptionSpecs;

/** Options of `replay`. */
export type ReplayOptions = RequestedOptions<typeof REPLAY>;

const checkOptions = createOptionsCheck<ReplayOptions>('replay', REPLAY);

/** Result of a battle. */
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
  /** Index of the battle in the run. */
  readonly battle: number;
  /** All rolls, draws, decisions and applied rules, in order. */
  readonly events: readonly ReplayEvent[];
}

/** Creates the result of a finished battle. */
export function createBattleResult(model: Model<State>, { outcome, metrics }: BattleEnd): BattleResult {
  return {
    outcome: model.outcomes[outcome] ?? '',
    metrics: createRecord(model.metrics.map(({ name, unit = 1 }, m) => [name, (metrics[m] ?? 0) * unit])),
  };
}

/**
 * Replays battle `battle` of run `seed` step by step: the battle that a simulation with this seed counts at this index.
 * @param scenario a scenario from `loadScenario`, `parseScenario` or `validateScenario`
 * @throws InputError if the seed or the index is out of range
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
 * Runs one battle with scripted rolls and decisions, for example to check the rules against an example of a rule book.
 * The policies of the scenario make decisions that the script omits.
 * @throws ScriptError if an entry does not match the requested draw, or is not used
 */
export function runScript(scenario: Scenario, script: readonly ScriptEntry[]): BattleResult {
  const model = getBoundScenario(scenario).model;
  const chance = new ScriptedChance(script);
  const result = playBattle(model, chance);
  chance.checkUsed();
  return createBattleResult(model, result);
}
