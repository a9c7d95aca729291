/** Visits the battles of a run one by one. */

import { pause } from '#platform/pause';
import { chooseEngine, loadKernel, openKernel, type Progress, SystemKernel } from '../engines/index.ts';
import {
  type BattleEnd,
  createContradictionError,
  formatContradiction,
  getBoundScenario,
  playSeededBattle,
  type Scenario,
} from '../rules/index.ts';
import { describeContradiction, findContradiction, type Summary } from '../stats/index.ts';

/** Simulates one battle of run `seed`. */
export type BattleFunction = (seed: bigint, battle: number) => BattleEnd;

/**
 * Opens the kernel of the system of a scenario, else an automaton; undefined if only the reference engine supports it.
 */
async function openFastEngine(
  scenario: Scenario,
  battles: number,
  signal?: AbortSignal,
): Promise<Pick<SystemKernel, 'play'> | undefined> {
  const open = getBoundScenario(scenario);
  const words = open.encodeWords();
  if (words !== undefined) return new SystemKernel(await loadKernel(scenario.system), open.shape, words);
  const { setup } = await chooseEngine({ engine: 'kernel', scenario, seed: 0n, from: 0, to: battles }, { signal });
  return setup.form === 'reference' ? undefined : openKernel(setup);
}

/**
 * Opens the engine that simulates single battles of a scenario.
 * @param battles maximum number of battles
 * @throws RunError if the kernel is not built
 */
export async function openBattleFunction(
  scenario: Scenario,
  battles: number,
  signal?: AbortSignal,
): Promise<BattleFunction> {
  const kernel = await openFastEngine(scenario, battles, signal);
  if (kernel !== undefined) return (seed, battle) => kernel.play(seed, battle);
  const open = getBoundScenario(scenario);
  return (seed, battle) => playSeededBattle(open, seed, battle);
}

/** Milliseconds between two pauses for timers and signals: battles may take microseconds or minutes. */
const PAUSE_EVERY = 20;

/** Milliseconds between two reports of progress. */
const PROGRESS_EVERY = 100;

/**
 * Visits battles first..first+count-1 in order, until the callback returns false or the signal comes.
 * @param look returns false to stop
 * @returns the number of visited battles
 */
export async function visitBattles(
  first: number,
  count: number,
  signal: AbortSignal | undefined,
  visit: (battle: number) => boolean,
  onProgress?: (progress: Progress) => void,
): Promise<number> {
  let [examined, paused] = [0, performance.now()];
  let reported = paused;
  for (let more = true; more && examined < count && signal?.aborted !== true; ) {
    more = visit(first + examined++);
    if (performance.now() - paused < PAUSE_EVERY) continue;
    await pause();
    paused = performance.now();
    if (paused - reported < PROGRESS_EVERY) continue;
    reported = paused;
    onProgress?.({ done: examined, total: count });
  }
  return examined;
}

// Checks that simulated and exact results are consistent.

/**
 * Describes how battles contradict the exact answer of their scenario. Chance alone causes that for one outcome or
 * metric in about 500 million.
 * @returns undefined if they agree
 */
export function describeDisagreement(
  scenario: Scenario,
  played: Summary,
  exact: Summary | undefined,
  battles: number,
): string | undefined {
  const found = exact && findContradiction(played, exact, battles);
  return (
    found &&
    formatContradiction(
      getBoundScenario(scenario),
      `exact and simulated results disagree: ${describeContradiction(found, battles)}`,
    )
  );
}

/** @throws RulesError if they disagree; RunError if the system is shipped */
export function checkAgreement(scenario: Scenario, played: Summary, exact: Summary | undefined, battles: number): void {
  const found = exact && findContradiction(played, exact, battles);
  if (found === undefined) return;
  throw createContradictionError(
    getBoundScenario(scenario),
    `exact and simulated results disagree: ${describeContradiction(found, battles)}`,
  );
}
