/** Chance source that enumerates draws as for exact answers, and stops at decisions of some players. */

import { type Chance, EnumeratedChance, InputError } from '../../core/index.ts';
import type { DecisionOption } from '../../rules/index.ts';

/** Pending decision. */
export interface OpenDecision {
  readonly point: string;
  readonly player: string;
  readonly options: readonly DecisionOption[];
  /** Probability of each option under the scenario's policy. */
  readonly policy: readonly number[];
}

/** Compares probabilities or observations. */
export const hasEqualItems = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, k) => value === b[k]);

/** Receives a result and its probability. */
export type ResultVisitor<T> = (value: T, probability: number) => void;

/** Thrown through the rules at a decision; the chance source has the details. */
class DecisionSignal extends Error {}

const DECISION_SIGNAL = new DecisionSignal('a decision is pending');

export class DecisionChance extends EnumeratedChance {
  readonly #decides: (point: string, player: string) => boolean;
  #answer: DecisionOption | undefined;
  #answered = false;
  #question: { point: string; player: string; options: readonly DecisionOption[]; policy: number[] } | undefined;

  /** @param decides true for a decision of the player; all others follow the scenario's policies */
  constructor(decides: (point: string, player: string) => boolean) {
    super();
    this.#decides = decides;
  }

  override decide<T extends DecisionOption>(point: string, player: string, options: readonly T[], policy: () => T): T {
    if (options.length < 2 || !this.#decides(point, player)) return policy();
    if (this.probability !== 1 || this.#answered) {
      const expected = `"${point}" before all draws and other decisions of its step, or in a separate turn`;
      throw new InputError('decision', expected, 'a draw or decision before it');
    }
    const answer = options.find((option) => option === this.#answer);
    if (answer !== undefined) {
      this.#answered = true;
      return answer;
    }
    const chosen = options.indexOf(policy());
    this.#question ??= { point, player, options, policy: options.map(() => 0) };
    this.#question.policy[chosen] = (this.#question.policy[chosen] ?? 0) + this.probability;
    throw DECISION_SIGNAL;
  }

  /**
   * Enumerates the results of an act up to a decision.
   * @param answer to the decision, if known
   * @returns the decision without an answer, if there is one
   */
  walk<T>(act: (chance: Chance) => T, take: ResultVisitor<T>, answer?: DecisionOption): OpenDecision | undefined {
    this.#answer = answer;
    this.#question = undefined;
    do {
      this.rewind();
      this.#answered = false;
      try {
        take(act(this), this.probability);
      } catch (error) {
        if (error !== DECISION_SIGNAL) throw error;
      }
    } while (this.advance());
    return this.#question;
  }
}
