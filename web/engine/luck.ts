/** How a battle stands among those of the answer that was worked out or played last. */
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
};
