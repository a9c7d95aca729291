/** What else can be said of the answer that was worked out or played last: how a battle stands, and a line for a chat. */
import { answerText } from '../../src/tell/odds/copy.ts';
import { type LuckOption, type LuckTold, luckOf, luckOptions } from '../../src/tell/odds/luck.ts';
import { knownOf } from './answer.ts';

export const luck = {
  /** The ways in which a battle can have ended; undefined of a text that has not been answered. */
  luckOptions(text: string): LuckOption[] | undefined {
    const known = knownOf(text);
    return known && luckOptions(known);
  },
  /** @param value of the metric that its option asks for */
  luck(text: string, outcome: string, value: number | undefined): LuckTold[] | undefined {
    const known = knownOf(text);
    return known && luckOf(known, outcome, value);
  },
  /** The answer as one line to paste: `4 infantry v 5 infantry: attacker wins 38.42 %, defender 61.58 %`. */
  answerText(text: string): string | undefined {
    const known = knownOf(text);
    return known && answerText(known.scenario, known.summary);
  },
};
