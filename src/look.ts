/** Looks at the battles of a run one by one. */
import { setImmediate } from 'node:timers/promises';
import { Kernel } from './kernel/kernel.ts';
import { loadKernel } from './kernel/load.ts';
import { shapeOf } from './stats/tally.ts';
import type { BattleResult } from './systems/battle.ts';
import { requireSystem } from './systems/index.ts';
import type { Model, Scenario, State } from './systems/system.ts';

/** Plays one battle of run `seed`. */
export type Play = (seed: bigint, battle: number) => BattleResult;

/**
 * Opens the kernel of a scenario.
 * @param model the scenario's own
 * @throws RunError if the kernel is not built
 */
export async function openKernel(scenario: Scenario, model: Model<State>): Promise<Play> {
  const system = requireSystem(scenario.system);
  const kernel = new Kernel(await loadKernel(system.id), shapeOf(model), system.encode(scenario));
  return (seed, battle) => kernel.play(seed, battle);
}

/** Milliseconds between two pauses, in which timers and signals are heard: battles may take microseconds or minutes. */
const PAUSE_EVERY = 20;

/**
 * Looks at battles first..first+count-1 in order, until a look says that it was the last or the signal comes.
 * @param look returns false if it has seen enough
 * @returns how many battles were looked at
 */
export async function lookAt(
  first: number,
  count: number,
  signal: AbortSignal | undefined,
  look: (battle: number) => boolean,
): Promise<number> {
  let [looked, paused] = [0, performance.now()];
  for (let more = true; more && looked < count && signal?.aborted !== true; ) {
    more = look(first + looked++);
    if (performance.now() - paused < PAUSE_EVERY) continue;
    await setImmediate();
    paused = performance.now();
  }
  return looked;
}
