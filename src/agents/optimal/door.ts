/** The door of an exact optimum: chance is enumerated as for an exact answer, and one player's decisions are held open. */

import type { Door } from '../../core/chance/door.ts';
import { Enumerated } from '../../core/chance/enumerated.ts';
import { InputError } from '../../core/errors.ts';
import type { Option } from '../../rules/system.ts';

/** A decision that is held open. */
export interface HeldQuestion {
  readonly point: string;
  readonly options: readonly Option[];
  /** What the scenario's policy does: the probability of each option. */
  readonly policy: readonly number[];
}

/** Takes what an act comes to, and how likely that is. */
export type Take<T> = (value: T, probability: number) => void;

/** Thrown through the rules at a decision; the door knows the rest. */
class Asked extends Error {}

const ASKED = new Asked('a decision is held open');

export class OpenDoor extends Enumerated {
  readonly #decides: (point: string, player: string) => boolean;
  #answer: Option | undefined;
  #answered = false;
  #question: { point: string; options: readonly Option[]; policy: number[] } | undefined;

  /** @param decides whether a decision is held open; all others follow the scenario's policies */
  constructor(decides: (point: string, player: string) => boolean) {
    super();
    this.#decides = decides;
  }

  override decide<T extends Option>(point: string, player: string, options: readonly T[], policy: () => T): T {
    if (options.length < 2 || !this.#decides(point, player)) return policy();
    if (this.probability !== 1 || this.#answered) {
      const expected = `"${point}" to be asked before all draws and other decisions of its step, or in a turn of its own`;
      throw new InputError('optimal', expected, 'it after one of them');
    }
    const answer = options.find((option) => option === this.#answer);
    if (answer !== undefined) {
      this.#answered = true;
      return answer;
    }
    const chosen = options.indexOf(policy());
    this.#question ??= { point, options, policy: options.map(() => 0) };
    this.#question.policy[chosen] = (this.#question.policy[chosen] ?? 0) + this.probability;
    throw ASKED;
  }

  /**
   * Runs through all that an act can come to, up to a decision.
   * @param answer given to the decision that it asks for, if it is known by now
   * @returns the decision if there is one and no answer
   */
  walk<T>(act: (door: Door) => T, take: Take<T>, answer?: Option): HeldQuestion | undefined {
    this.#answer = answer;
    this.#question = undefined;
    do {
      this.rewind();
      this.#answered = false;
      try {
        take(act(this), this.probability);
      } catch (error) {
        if (error !== ASKED) throw error;
      }
    } while (this.advance());
    return this.#question;
  }
}
