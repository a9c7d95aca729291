/** Looks at the battles of a run one by one. */

import { pause } from '#platform/pause';
import { contradiction, type Summary, toldContradiction } from '../answers/index.ts';
import { Kernel, loadKernel, openKernel, type Progress, prepare } from '../engines/index.ts';
import { type BattleResult, doubt, doubtText, opened, playSeeded, type Scenario } from '../rules/index.ts';

/** Plays one battle of run `seed`. */
export type PlayBattle = (seed: bigint, battle: number) => BattleResult;

/** The kernel of a scenario's system, else an automaton; undefined if only the reference model can play it. */
async function kernelOf(
  scenario: Scenario,
  battles: number,
  signal?: AbortSignal,
): Promise<Pick<Kernel, 'play'> | undefined> {
  const open = opened(scenario);
  const words = open.words();
  if (words !== undefined) return new Kernel(await loadKernel(scenario.system), open.shape, words);
  const { setup } = await prepare({ engine: 'kernel', scenario, seed: 0n, from: 0, to: battles }, { signal });
  return setup.form === 'reference' ? undefined : openKernel(setup);
}

/**
 * Opens what plays the battles of a scenario.
 * @param battles that may be played at most
 * @throws RunError if the kernel is not built
 */
export async function openPlay(scenario: Scenario, battles: number, signal?: AbortSignal): Promise<PlayBattle> {
  const kernel = await kernelOf(scenario, battles, signal);
  if (kernel !== undefined) return (seed, battle) => kernel.play(seed, battle);
  const open = opened(scenario);
  return (seed, battle) => playSeeded(open, seed, battle);
}

/** Milliseconds between two pauses, in which timers and signals are heard: battles may take microseconds or minutes. */
const PAUSE_EVERY = 20;

/** Milliseconds between two reports of progress. */
const TELL_EVERY = 100;

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
  onProgress?: (progress: Progress) => void,
): Promise<number> {
  let [looked, paused] = [0, performance.now()];
  let told = paused;
  for (let more = true; more && looked < count && signal?.aborted !== true; ) {
    more = look(first + looked++);
    if (performance.now() - paused < PAUSE_EVERY) continue;
    await pause();
    paused = performance.now();
    if (paused - told < TELL_EVERY) continue;
    told = paused;
    onProgress?.({ done: looked, asked: count });
  }
  return looked;
}

// Whether what was played and the exact answer beside it can both be true.

/**
 * What is said where battles contradict the exact answer to their scenario: in what, and what to look for. Chance alone
 * does that for one outcome or metric in some 500 million.
 * @returns undefined where they agree
 */
export function disagreement(
  scenario: Scenario,
  played: Summary,
  exact: Summary | undefined,
  battles: number,
): string | undefined {
  const found = exact && contradiction(played, exact, battles);
  return (
    found && doubtText(opened(scenario), `exact and played contradict each other: ${toldContradiction(found, battles)}`)
  );
}

/** @throws RulesError if they do; RunError if the system is shipped */
export function checkAgreement(scenario: Scenario, played: Summary, exact: Summary | undefined, battles: number): void {
  const found = exact && contradiction(played, exact, battles);
  if (found === undefined) return;
  throw doubt(opened(scenario), `exact and played contradict each other: ${toldContradiction(found, battles)}`);
}
