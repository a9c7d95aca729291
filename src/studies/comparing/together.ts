/** Several scenarios of one system that play the same battles. */

import { PairedTally } from '../../answers/paired.ts';
import { type Summary, summarise } from '../../answers/summary.ts';
import { battlesIn, countBattle, emptyTally, type Tally, type TallyShape } from '../../answers/tally.ts';
import type { BattleResult } from '../../rules/battle.ts';
import { opened } from '../../rules/opened.ts';
import type { Scenario } from '../../rules/system.ts';
import { checkAgreement } from '../agreement.ts';
import { openPlay, type PlayBattle } from '../look.ts';
import { answerTo } from '../solve.ts';

/** A scenario that can be played. */
export interface Playable {
  readonly shape: TallyShape;
  readonly play: PlayBattle;
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

/** The battles of several scenarios, counted for each, so that they can be held against its exact answer. */
export class Witnesses {
  readonly #scenarios: readonly Scenario[];
  readonly #sides: readonly Playable[];
  readonly #tallies: readonly Tally[];

  constructor(scenarios: readonly Scenario[], sides: readonly Playable[]) {
    this.#scenarios = scenarios;
    this.#sides = sides;
    this.#tallies = sides.map(({ shape }) => emptyTally(shape));
  }

  /** Plays a battle of the scenario at place `s`, and counts it. */
  play(s: number, seed: bigint, battle: number): BattleResult {
    const [side, tally] = [this.#sides[s], this.#tallies[s]];
    if (side === undefined || tally === undefined) throw new RangeError(`there is no scenario ${String(s)}`);
    const result = side.play(seed, battle);
    countBattle(tally, result.outcome, result.metrics);
    return result;
  }

  /**
   * @param answers of all scenarios, in their order; nothing is checked without them
   * @throws RulesError if battles contradict one of them; RunError if the system is shipped
   */
  check(answers: readonly Summary[] = []): void {
    for (const [s, answer] of answers.entries()) {
      const [scenario, side, tally] = [this.#scenarios[s], this.#sides[s], this.#tallies[s]];
      if (scenario === undefined || side === undefined || tally === undefined) continue;
      checkAgreement(scenario, summarise(side.shape, tally), answer, battlesIn(tally));
    }
  }
}
