/** A battle of a run, turn by turn: what was heard, and the states between. */
import { Recorded, type StoryEvent } from '../../src/core/chance/recorded.ts';
import { parseSeed, Stream } from '../../src/core/chance/stream.ts';
import { RulesError } from '../../src/core/errors.ts';
import { type BattleResult, endingAt, verdict } from '../../src/rules/battle.ts';
import { toldRules } from '../../src/rules/guard.ts';
import { opened } from '../../src/rules/opened.ts';
import type { Scenario, State } from '../../src/rules/system.ts';
import { type Ending, endingOf } from '../../src/studies/replay.ts';

/** A state, and how many events led to it. */
export interface Stop {
  readonly state: State;
  readonly events: number;
}

export interface Walk extends Ending {
  readonly events: readonly StoryEvent[];
  readonly stops: readonly Stop[];
}

/** Turns that are walked: no shipped battle has a hundredth of them. */
const TURNS_MAX = 1_000_000;

/** Battles are the same turn by turn and step by step: turns of a step draw one after the other. */
function played(scenario: Scenario, door: Recorded, stops: Stop[]): BattleResult {
  const { model } = opened(scenario);
  let state = model.start(door);
  for (let turns = 0; turns < TURNS_MAX; turns++) {
    stops.push({ state, events: door.events.length });
    const outcome = verdict(model, state);
    if (outcome !== undefined) return endingAt(model, state, outcome);
    state = model.turn?.(state, door) ?? model.step(state, door);
  }
  throw new RulesError(`the battle has more than ${String(TURNS_MAX)} turns`);
}

/**
 * Plays battle `battle` of run `seed`, as `replay` does.
 * @throws RulesError if the rules of the system fail
 */
export function walked(scenario: Scenario, seed: string, battle: number): Walk {
  const open = opened(scenario);
  const door = new Recorded(Stream.of(parseSeed(seed), battle));
  const stops: Stop[] = [];
  try {
    const result = played(scenario, door, stops);
    return { events: door.events, stops, ...endingOf(open.model, result) };
  } catch (error) {
    throw toldRules(error, open, ` in battle ${String(battle)} of seed ${seed}`);
  }
}
