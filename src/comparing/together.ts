/** Several scenarios of one system that play the same battles. */
import { openPlay, type Play } from '../running/look.ts';
import { answerTo } from '../running/solve.ts';
import { PairedTally } from '../stats/paired.ts';
import type { Summary } from '../stats/summary.ts';
import type { TallyShape } from '../stats/tally.ts';
import { opened } from '../systems/opened.ts';
import type { Scenario } from '../systems/system.ts';

/** Battles that scenarios play together unless said otherwise. */
export const BATTLES = 200_000;

/** A scenario that can be played. */
export interface Playable {
  readonly shape: TallyShape;
  readonly play: Play;
  /** Whether a name is that of an outcome, though it may have probability 0 and be none of the shape. */
  readonly knows: (outcome: string) => boolean;
}

/**
 * @param battles that may be played at most
 * @throws RunError if the kernel is not built
 */
export async function playable(scenario: Scenario, battles: number, signal?: AbortSignal): Promise<Playable> {
  const { model, shape } = opened(scenario);
  const knows = (outcome: string): boolean => model.outcomes.includes(outcome) || model.impossible?.(outcome) === true;
  return { shape, play: await openPlay(scenario, battles, signal), knows };
}

/** Counts the battles of two scenarios in pairs. */
export function pairedOf(one: Playable, two: Playable): PairedTally {
  return new PairedTally(one.shape, two.shape, (outcome) => one.knows(outcome) && two.knows(outcome));
}

/** The exact answers of all scenarios, if all are affordable beside so many battles. */
export function exactAnswers(scenarios: readonly Scenario[], battles: number): readonly Summary[] | undefined {
  const answers: Summary[] = [];
  for (const scenario of scenarios) {
    const answer = answerTo(scenario, 'auto', battles);
    if (answer === undefined) return undefined;
    answers.push(answer.summary);
  }
  return answers;
}
